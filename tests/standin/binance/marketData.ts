import { SECOND_MS } from '#contract/duration';
import type { Instrument, Listing } from '#server/market/exchange';
import { INTERVAL_MS } from '../core/candles';
import type { Print } from '../core/prints';
import { klineRow } from './kline';
import type { Params } from './params';
import type { Part } from './part';
import { Refusal } from './refusal';
import { open, type Routes } from './routes';

const DAY_OF_PRINTS = 86_400;
/** Depths that futures answer. */
const FUTURES_DEPTHS = [5, 10, 20, 50, 100, 500, 1000];

/** The weight of a depth: of the first row whose depth is enough. */
const weightByLimit =
  (usual: number, rows: readonly (readonly [limit: number, weight: number])[]) =>
  (params: Params): number => {
    const limit = params.integer('limit') ?? usual;
    return (rows.find(([most]) => limit <= most) ?? rows.at(-1)!)[1];
  };

/** Less for one symbol than for all. */
const weightBySymbol = (one: number, all: number) => (params: Params) => (params.text('symbol') ? one : all);

export function tickerRow(part: Part, { instrument, ticker }: Listing) {
  const { exchange } = part;
  const open = ticker.change24h === null ? ticker.price : ticker.price / (1 + ticker.change24h);
  const { bid, ask } = part.best(exchange.books.at(instrument.symbol)?.book, instrument);
  const price = (value: number) => part.price(value, instrument);
  const now = exchange.now();
  const newest = exchange.prints.newestAt(ticker.at);
  const [volume, turnover] = [ticker.volume24h ?? 0, ticker.turnover24h ?? 0];
  return {
    symbol: part.idOf(instrument.symbol),
    priceChange: price(ticker.price - open),
    priceChangePercent: (100 * (ticker.price / open - 1)).toFixed(3),
    weightedAvgPrice: price(volume > 0 ? turnover / volume : ticker.price),
    lastPrice: price(ticker.price),
    lastQty: part.quantity(Number(instrument.lotSize), instrument),
    openPrice: price(open),
    highPrice: price(ticker.high24h ?? ticker.price),
    lowPrice: price(ticker.low24h ?? ticker.price),
    volume: part.quantity(volume, instrument),
    quoteVolume: part.price(turnover, instrument),
    openTime: now - DAY_OF_PRINTS * SECOND_MS,
    closeTime: now,
    firstId: newest - DAY_OF_PRINTS,
    lastId: newest,
    count: DAY_OF_PRINTS,
    ...(part.name === 'spot' && {
      prevClosePrice: price(open),
      bidPrice: bid[0],
      bidQty: bid[1],
      askPrice: ask[0],
      askQty: ask[1],
    }),
  };
}

function bookTickerRow(part: Part, instrument: Instrument) {
  const state = part.exchange.books.at(instrument.symbol);
  const { bid, ask } = part.best(state?.book, instrument);
  const row = {
    symbol: part.idOf(instrument.symbol),
    bidPrice: bid[0],
    bidQty: bid[1],
    askPrice: ask[0],
    askQty: ask[1],
  };
  return part.name === 'spot'
    ? row
    : { ...row, time: state?.at ?? part.exchange.now(), lastUpdateId: state?.last ?? 0 };
}

const aggregateRow = (part: Part, instrument: Instrument, { id, at, buyerWasMaker, ...level }: Print) => {
  const [p, q] = part.level(level, instrument);
  return { a: id, p, q, f: id, l: id, T: at, m: buyerWasMaker, ...(part.name === 'spot' && { M: true }) };
};

function tradeRow(part: Part, instrument: Instrument, { id, at, buyerWasMaker, ...level }: Print) {
  const [price, qty] = part.level(level, instrument);
  const quoteQty = (Number(price) * Number(qty)).toFixed(part.name === 'spot' ? 8 : 2);
  const row = { id, price, qty, quoteQty, time: at, isBuyerMaker: buyerWasMaker };
  return part.name === 'spot' ? { ...row, isBestMatch: true } : row;
}

/** Trades by number, by time, or the newest. */
function printsAsked(part: Part, params: Params, symbol: string): Print[] {
  const { prints } = part.exchange;
  const limit = params.limit(500, 1000);
  const newest = prints.newestAt(part.exchange.trueNow());
  const [fromId, startTime, endTime] = ['fromId', 'startTime', 'endTime'].map((name) => params.integer(name));
  const last = endTime === undefined ? newest : Math.min(newest, prints.firstFrom(endTime + 1) - 1);
  const first = fromId ?? (startTime === undefined ? last - limit + 1 : prints.firstFrom(startTime));
  return prints.between(symbol, first, Math.min(last, first + limit - 1));
}

async function depth(part: Part, params: Params) {
  const { instrument } = part.listed(params.needed('symbol'));
  const limit = params.integer('limit') ?? (part.name === 'spot' ? 100 : 500);
  if (part.name === 'futures' && !FUTURES_DEPTHS.includes(limit))
    throw new Refusal(-4021, `'${limit}' is not valid depth limit.`);
  const state = part.exchange.books.at(instrument.symbol);
  const side = (levels: { ticks: number; lots: number }[] = []) =>
    levels.slice(0, limit).map((level) => part.level(level, instrument));
  const rows = { bids: side(state?.book.bids), asks: side(state?.book.asks) };
  const lastUpdateId = state?.last ?? 0;
  if (part.name === 'spot') return { lastUpdateId, ...rows };
  return { lastUpdateId, E: part.exchange.now(), T: state?.at ?? part.exchange.now(), ...rows };
}

/** When the bars that are asked for begin: from a time on, up to one, or the newest. */
export function stretchAsked(
  params: Params,
  limit: number,
  lengthMs: number,
  now: number,
): { from: number; until: number } {
  const [start, end] = [params.integer('startTime'), params.integer('endTime')];
  const until = end ?? now;
  if (start === undefined) return { from: until - (limit - 1) * lengthMs - (until % lengthMs), until };
  const first = Math.ceil(start / lengthMs) * lengthMs;
  return { from: first, until: Math.min(until, first + (limit - 1) * lengthMs) };
}

async function klines(part: Part, params: Params) {
  const { instrument } = part.listed(params.needed('symbol'));
  const interval = params.needed('interval');
  const length = INTERVAL_MS[interval];
  if (length === undefined) throw new Refusal(-1120, 'Invalid interval.');
  const now = part.exchange.trueNow();
  const limit = params.limit(500, part.name === 'spot' ? 1000 : 1500);
  const { from, until } = stretchAsked(params, limit, length, now);
  const candles = await part.exchange.candles.within(instrument.symbol, interval, from, until, now);
  return candles.map((candle) => klineRow(part, instrument, candle, length));
}

/** One row, several, or all: by `symbol`, by `symbols` (spot), or by neither. */
async function rowsAsked<T>(part: Part, params: Params, row: (listing: Listing) => T): Promise<T | T[]> {
  const [symbol, symbols] = [params.text('symbol'), params.list('symbols')];
  if (symbol !== undefined) return row(part.listed(symbol));
  if (symbols !== undefined) return symbols.map((id) => row(part.listed(id)));
  const all = await part.exchange.instruments(part.kinds);
  return all.flatMap((instrument) => part.exchange.listed(instrument.symbol) ?? []).map(row);
}

const PATHS = { spot: '/api/v3', futures: '/fapi/v1' };
const WEIGHTS = {
  spot: {
    depth: weightByLimit(100, [
      [100, 5],
      [500, 25],
      [1000, 50],
      [5000, 250],
    ]),
    klines: 2,
    trades: 25,
    aggregates: 4,
    tickers: weightBySymbol(2, 80),
    prices: weightBySymbol(2, 4),
    best: weightBySymbol(2, 4),
  },
  futures: {
    depth: weightByLimit(500, [
      [50, 2],
      [100, 5],
      [500, 10],
      [1000, 20],
    ]),
    klines: weightByLimit(500, [
      [99, 1],
      [499, 2],
      [1000, 5],
      [1500, 10],
    ]),
    trades: 5,
    aggregates: 20,
    tickers: weightBySymbol(1, 40),
    prices: weightBySymbol(1, 2),
    best: weightBySymbol(2, 5),
  },
};

/** What both parts answer about prices. */
export function marketRoutes(part: Part): Routes {
  const path = PATHS[part.name];
  const weights = WEIGHTS[part.name];
  const { exchange } = part;
  return {
    [`GET ${path}/ping`]: open(1, () => ({})),
    [`GET ${path}/time`]: open(1, () => ({ serverTime: exchange.now() })),
    [`GET ${path}/depth`]: open(weights.depth, (params) => depth(part, params)),
    [`GET ${path}/klines`]: open(weights.klines, (params) => klines(part, params)),
    [`GET ${path}/trades`]: open(weights.trades, (params) => {
      const { instrument } = part.listed(params.needed('symbol'));
      return printsAsked(part, params, instrument.symbol).map((print) => tradeRow(part, instrument, print));
    }),
    [`GET ${path}/aggTrades`]: open(weights.aggregates, (params) => {
      const { instrument } = part.listed(params.needed('symbol'));
      return printsAsked(part, params, instrument.symbol).map((print) => aggregateRow(part, instrument, print));
    }),
    [`GET ${path}/ticker/24hr`]: open(weights.tickers, (params) =>
      rowsAsked(part, params, (listing) => tickerRow(part, listing)),
    ),
    [`GET ${path}/ticker/price`]: open(weights.prices, (params) =>
      rowsAsked(part, params, ({ instrument, ticker }) => ({
        symbol: part.idOf(instrument.symbol),
        price: part.price(ticker.price, instrument),
        ...(part.name === 'futures' && { time: exchange.now() }),
      })),
    ),
    [`GET ${path}/ticker/bookTicker`]: open(weights.best, (params) =>
      rowsAsked(part, params, ({ instrument }) => bookTickerRow(part, instrument)),
    ),
  };
}
