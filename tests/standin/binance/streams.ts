import { SECOND_MS } from '#contract/duration';
import type { BookLevel, Instrument, Listing } from '#server/market/exchange';
import { INTERVAL_MS } from '../core/candles';
import { bookFeed, type Feed } from '../core/subscriptions';
import { markFigures } from './futuresData';
import { klineEvent } from './kline';
import { tickerRow } from './marketData';
import type { Part } from './part';

/** Of streams of one symbol, `btcusdt@bookTicker`, by what stands behind the first `@`; the rest are its options. */
type Make = (part: Part, listing: Listing, options: string[]) => Feed | null;

const EVERY_BEST_MS = 5 * SECOND_MS;

function bestEvent(part: Part, instrument: Instrument) {
  const state = part.exchange.books.at(instrument.symbol);
  const { bid, ask } = part.best(state?.book, instrument);
  const best = { u: state?.last ?? 0, s: part.idOf(instrument.symbol), b: bid[0], B: bid[1], a: ask[0], A: ask[1] };
  if (part.name === 'spot') return best;
  return { e: 'bookTicker', ...best, T: state?.at ?? 0, E: part.exchange.now() };
}

/** Whether what a feed says of a symbol is new, but for the times it says it at. */
function newness() {
  const said = new Map<string, string>();
  return <T extends { s: string; u?: unknown; E?: unknown; T?: unknown; C?: unknown; O?: unknown }>(
    event: T,
  ): boolean => {
    const { u, E, T, C, O, ...figures } = event;
    const text = JSON.stringify(figures);
    const isNew = said.get(event.s) !== text;
    said.set(event.s, text);
    return isNew;
  };
}

function miniEvent(part: Part, listing: Listing) {
  const row = tickerRow(part, listing);
  const { openPrice: o, highPrice: h, lowPrice: l, volume: v, quoteVolume: q } = row;
  return { e: '24hrMiniTicker', E: part.exchange.now(), s: row.symbol, c: row.lastPrice, o, h, l, v, q };
}

function tickerEvent(part: Part, listing: Listing) {
  const row = tickerRow(part, listing);
  const best = part.name === 'spot' && {
    x: row.prevClosePrice,
    b: row.bidPrice,
    B: row.bidQty,
    a: row.askPrice,
    A: row.askQty,
  };
  return {
    ...{ e: '24hrTicker', E: part.exchange.now(), s: row.symbol, p: row.priceChange, P: row.priceChangePercent },
    ...{ w: row.weightedAvgPrice, c: row.lastPrice, Q: row.lastQty, ...best, o: row.openPrice, h: row.highPrice },
    ...{ l: row.lowPrice, v: row.volume, q: row.quoteVolume, O: row.openTime, C: row.closeTime, F: row.firstId },
    ...{ L: row.lastId, n: row.count },
  };
}

function markEvent(part: Part, listing: Listing) {
  const { symbol, mark, index, rate, nextFundingTime } = markFigures(part, listing);
  return {
    e: 'markPriceUpdate',
    E: part.exchange.now(),
    s: symbol,
    p: mark,
    ap: mark,
    i: index,
    P: index,
    r: rate,
    T: nextFundingTime,
  };
}

/** Changes of a book, those of each stretch as one. */
function depthFeed(part: Part, { instrument }: Listing, everyMs: number): Feed {
  const side = (levels: BookLevel[]) => levels.map((level) => part.level(level, instrument));
  return bookFeed(part.exchange.books, instrument.symbol, everyMs, {
    changes(first, last, bids, asks) {
      const event = {
        ...{ e: 'depthUpdate', E: part.exchange.now(), T: last.state.at, s: part.idOf(instrument.symbol) },
        ...{ U: first.first, u: last.state.last, pu: first.previous, b: side(bids), a: side(asks) },
      };
      if (part.name === 'futures') return event;
      const { T, pu, ...spot } = event;
      return spot;
    },
  });
}

/** The best levels as they stand. */
function levelsFeed(part: Part, { instrument }: Listing, levels: number, everyMs: number): Feed {
  return {
    everyMs,
    next() {
      const state = part.exchange.books.at(instrument.symbol);
      if (!state) return [];
      const [bids, asks] = [state.book.bids, state.book.asks].map((side) =>
        side.slice(0, levels).map((level) => part.level(level, instrument)),
      );
      if (part.name === 'spot') return [{ lastUpdateId: state.last, bids, asks }];
      const now = part.exchange.now();
      return [
        {
          e: 'depthUpdate',
          E: now,
          T: state.at,
          s: part.idOf(instrument.symbol),
          U: state.last,
          u: state.last,
          pu: state.last,
          b: bids,
          a: asks,
        },
      ];
    },
  };
}

/** Trades of others since the last look. */
function printsFeed(part: Part, { instrument }: Listing, isAggregate: boolean): Feed {
  const { prints } = part.exchange;
  let told = prints.newestAt(part.exchange.trueNow());
  return {
    everyMs: 100,
    next() {
      const newest = prints.newestAt(part.exchange.trueNow());
      const since = prints.between(instrument.symbol, told + 1, newest);
      told = newest;
      return since.map(({ id, at, buyerWasMaker: m, ...level }) => {
        const [p, q] = part.level(level, instrument);
        const ids = isAggregate ? { e: 'aggTrade', a: id, f: id, l: id } : { e: 'trade', t: id };
        const last = part.name === 'spot' ? { M: true } : isAggregate ? {} : { X: 'MARKET' };
        return { ...ids, E: part.exchange.now(), s: part.idOf(instrument.symbol), p, q, T: at, m, ...last };
      });
    },
  };
}

function klineFeed(part: Part, { instrument }: Listing, interval: string): Feed | null {
  const length = INTERVAL_MS[interval];
  if (length === undefined) return null;
  const { candles } = part.exchange;
  let running: number | undefined;
  return {
    everyMs: SECOND_MS,
    async next() {
      const now = part.exchange.trueNow();
      const since = await candles.within(instrument.symbol, interval, running ?? now - (now % length), now, now);
      running = since.at(-1)?.time ?? running;
      return since.map((candle) => {
        const event = klineEvent(part, instrument, candle, interval, length);
        return { ...event, k: { ...event.k, x: candle.time + length <= now } };
      });
    },
  };
}

/** `100ms` and the like. */
const rateOf = (option: string | undefined, usual: number): number =>
  option ? Number(/^(\d+)ms$/.exec(option)?.[1] ?? usual) : usual;

/** One event of one symbol, said again when it is new. */
const ofSymbol =
  (everyMs: number, event: (part: Part, listing: Listing) => { s: string }): Make =>
  (part, listing) => {
    const isNew = newness();
    return {
      everyMs,
      next: () => {
        const now = part.exchange.listed(listing.instrument.symbol);
        return now ? [event(part, now)].filter(isNew) : [];
      },
    };
  };

const isFutures: (make: Make) => Make = (make) => (part, listing, options) =>
  part.name === 'futures' ? make(part, listing, options) : null;

const OF_SYMBOL: Readonly<Record<string, Make>> = {
  bookTicker: ofSymbol(100, (part, { instrument }) => bestEvent(part, instrument)),
  miniTicker: ofSymbol(SECOND_MS, miniEvent),
  ticker: ofSymbol(SECOND_MS, tickerEvent),
  markPrice: isFutures((part, listing, [rate]) =>
    ofSymbol(rate === '1s' ? SECOND_MS : 3 * SECOND_MS, markEvent)(part, listing, []),
  ),
  aggTrade: (part, listing) => printsFeed(part, listing, true),
  trade: (part, listing) => printsFeed(part, listing, false),
  depth: (part, listing, [rate]) => depthFeed(part, listing, rateOf(rate, part.name === 'spot' ? 1000 : 250)),
};

/** Events of all symbols of a part, said of those that are new; together or one by one. */
function allFeed(part: Part, everyMs: number, together: boolean, event: (listing: Listing) => { s: string }): Feed {
  const isNew = newness();
  return {
    everyMs,
    async next() {
      const all = await part.exchange.instruments(part.kinds);
      const listings = all.flatMap(({ symbol }) => part.exchange.listed(symbol) ?? []);
      const events = listings.map(event).filter(isNew);
      return together && events.length > 0 ? [events] : events;
    },
  };
}

function feedOfAll(part: Part, name: string): Feed | null {
  const [kind, , rate] = name.slice(1).split('@');
  if (kind === 'miniTicker') return allFeed(part, SECOND_MS, true, (listing) => miniEvent(part, listing));
  if (kind === 'ticker') return allFeed(part, SECOND_MS, true, (listing) => tickerEvent(part, listing));
  if (part.name === 'spot') return null;
  if (kind === 'markPrice')
    return allFeed(part, rate === '1s' ? SECOND_MS : 3 * SECOND_MS, true, (listing) => markEvent(part, listing));
  if (kind === 'bookTicker')
    return allFeed(part, EVERY_BEST_MS, false, ({ instrument }) => bestEvent(part, instrument));
  return null;
}

/** The stream of that name; null for one that there is not. */
export function feedOf(part: Part, name: string): Feed | null {
  if (name.startsWith('!')) return feedOfAll(part, name);
  const [id = '', kind = '', ...options] = name.split('@');
  let listing: Listing;
  try {
    listing = part.listed(id.toUpperCase());
  } catch {
    return null;
  }
  const levels = /^depth(5|10|20)$/.exec(kind)?.[1];
  if (levels) return levelsFeed(part, listing, Number(levels), rateOf(options[0], 250));
  const interval = /^kline_(\w+)$/.exec(kind)?.[1];
  if (interval) return klineFeed(part, listing, interval);
  return OF_SYMBOL[kind]?.(part, listing, options) ?? null;
}
