import { BAR_MS } from '#contract/candle';
import { SECOND_MS } from '#contract/duration';
import type { Instrument, Listing } from '#server/market/exchange';
import { bracketsOf } from '../core/brackets';
import { INTERVAL_MS } from '../core/candles';
import { type Contracts, price } from '../core/contracts';
import { digitsOf } from '../core/decimals';
import { OwnDialect, type OwnRoute } from '../core/ownDialect';
import { OwnStreams } from '../core/ownStreams';
import { Refusal, type Route } from '../core/publicDialect';
import { bookFeed, type Feed, newsFeed, type Subscriptions } from '../core/subscriptions';
import type { Call, Connection } from '../dialect';
import { keyOf } from './access';
import { ownRoutes } from './accountRoutes';
import { CONTRACTS, idOf, KINDS, listedAs, symbolOf, TYPES, wrong } from './instruments';
import { Customer } from './userStreams';

/** Bars of six hours and more begin at midnight of Hong Kong, but for those that say otherwise. */
const BARS: Readonly<Record<string, number>> = {
  ...Object.fromEntries(['1m', '3m', '5m', '15m', '30m'].map((bar) => [bar, INTERVAL_MS[bar]!])),
  ...{ '1H': BAR_MS['1h'], '2H': INTERVAL_MS['2h']!, '4H': BAR_MS['4h'] },
  ...{ '6Hutc': INTERVAL_MS['6h']!, '12Hutc': INTERVAL_MS['12h']!, '1Dutc': BAR_MS['1d'] },
};
const MOST_LEVELS = 400;
const RATES_MS = 60 * SECOND_MS;
const RATE_DIGITS = 16;

/** Spot, perpetuals and futures of OKX, as its documentation describes them. */
export class OkxDialect extends OwnDialect {
  protected readonly root = '/api/v5/';
  protected readonly tooMany = new Refusal('50011', 'Too Many Requests', 429);
  protected readonly tooManyOwn = this.tooMany;
  protected readonly maintenance = new Refusal('50001', 'Service temporarily unavailable. Try again later', 503);

  protected readonly own = ownRoutes(this.exchange);
  protected readonly ownPath = '/ws/v5/private';
  protected readonly streams = new OwnStreams((connection) => new Customer(this.exchange, connection));
  protected readonly words = {
    missing: (name: string) => new Refusal('50014', `Parameter ${name} can not be empty.`, 400),
    wrong,
  };

  serves(path: string): boolean {
    return path.startsWith(this.root) || path === '/ws/v5/public' || path === this.ownPath;
  }

  protected keyOf(call: Call, right: OwnRoute['right']) {
    const { keys, isTestnet } = this.exchange;
    return keyOf(call, right, { find: (of) => keys.find(of), now: this.exchange.now(), isTestnet });
  }

  protected routes(): Readonly<Record<string, Route>> {
    const candles = (params: URLSearchParams) => this.#candles(params);
    return {
      'public/time': { most: 10, answer: () => [{ ts: String(this.exchange.now()) }] },
      'system/status': { most: 1, answer: () => this.announced() },
      'public/instruments': {
        most: 20,
        answer: (params) => this.#rows(params, ({ instrument }) => this.#instrument(instrument)),
      },
      'public/mark-price': { most: 10, answer: (params) => this.#rows(params, (one) => this.#mark(one)) },
      'public/open-interest': { most: 20, answer: (params) => this.#rows(params, (one) => this.#interest(one)) },
      'public/funding-rate': { most: 20, answer: (params) => this.#fundingRates(params) },
      'public/funding-rate-history': { most: 10, per: 'instId', answer: (params) => this.#settled(params) },
      'market/tickers': { most: 20, answer: (params) => this.#rows(params, (one) => this.#ticker(one)) },
      'market/index-tickers': {
        most: 20,
        answer: async () => (await this.all('perpetual')).map((one) => this.#index(one)),
      },
      'public/interest-rate-loan-quota': {
        most: 2,
        answer: async () => [
          {
            basic: (await this.all('spot')).map(({ instrument: { base, symbol } }) => ({
              ...{ ccy: base, quota: '100000' },
              rate: String(this.exchange.market.terms(symbol)!.borrowApr / 365),
            })),
            ...{ vip: [], regular: [], configCcyList: [], config: [] },
          },
        ],
      },
      'public/position-tiers': { most: 10, per: 'instFamily', answer: (params) => this.#brackets(params) },
      'market/books': { most: 40, answer: (params) => this.#book(params) },
      'market/candles': { most: 40, answer: candles },
      'market/history-candles': { most: 20, answer: candles },
    };
  }

  /** An order that was refused says so itself, under a code of its own. */
  protected said(data: unknown) {
    const isRefused = (data as { sCode?: string }[]).some(({ sCode = '0' }) => sCode !== '0');
    return isRefused ? { code: '1', msg: 'All operations failed', data } : { code: '0', msg: '', data };
  }

  protected refused({ code, message }: Refusal) {
    return { code, msg: message, data: [] };
  }

  protected hear(connection: Connection, subscriptions: Subscriptions, message: string): void {
    if (message === 'ping') {
      connection.send('pong');
      return;
    }
    const { op, args } = JSON.parse(message) as { op: string; args: { channel: string; instId: string }[] };
    for (const arg of args) {
      const name = `${arg.channel} ${arg.instId}`;
      const feed = op === 'subscribe' ? this.#feedOf(arg) : null;
      if (op === 'subscribe' && !feed) {
        const msg = `Wrong URL or channel:${arg.channel},instId:${arg.instId} doesn't exist. Please use the correct URL, channel and parameters referring to API document.`;
        connection.send({ event: 'error', code: '60018', msg });
        continue;
      }
      if (feed) subscriptions.add(name, feed);
      else subscriptions.drop(name);
      connection.send({ event: op, arg, connId: 'a4d3ae55' });
    }
  }

  #feedOf({ channel, instId }: { channel: string; instId: string }): (() => Feed) | null {
    const arg = { channel, instId };
    const symbol = symbolOf(channel === 'index-tickers' ? `${instId}-SWAP` : instId);
    if (!this.exchange.listed(symbol)) return null;
    if (channel === 'books') return () => this.#bookFeed(arg, symbol);
    const row = this.#rowOf(channel);
    if (!row) return null;
    const say = () => {
      const listing = this.traded(symbol);
      const data = listing && row(listing);
      return data && { arg, data: [data] };
    };
    // A rate is told again whether it has changed or not.
    if (channel === 'funding-rate') return () => ({ everyMs: RATES_MS, next: () => [say() ?? []].flat() });
    return () => newsFeed(SECOND_MS, say, 'ts');
  }

  #rowOf(channel: string): ((listing: Listing) => { ts: string } | null) | undefined {
    const rows: Record<string, (listing: Listing) => { ts: string } | null> = {
      tickers: (listing) => this.#ticker(listing),
      'mark-price': (listing) => this.#mark(listing),
      'index-tickers': (listing) => this.#index(listing),
      'funding-rate': (listing) => this.#funding(listing),
    };
    return rows[channel];
  }

  #bookFeed(arg: object, symbol: string): Feed {
    const { instrument } = this.exchange.listed(symbol)!;
    const side = (levels: Parameters<Contracts['level']>[0][]) =>
      levels.slice(0, MOST_LEVELS).map((level) => [...CONTRACTS.level(level, instrument), '0', '1']);
    return bookFeed(this.exchange.books, symbol, 100, {
      whole: ({ book, at, last }) => ({
        arg,
        action: 'snapshot',
        data: [
          { asks: side(book.asks), bids: side(book.bids), ts: String(at), checksum: 0, prevSeqId: -1, seqId: last },
        ],
      }),
      changes: (first, { state }, bids, asks) => ({
        arg,
        action: 'update',
        data: [
          {
            ...{ asks: side(asks), bids: side(bids), ts: String(state.at), checksum: 0 },
            ...{ prevSeqId: first.previous, seqId: state.last },
          },
        ],
      }),
    });
  }

  async #rows(params: URLSearchParams, row: (listing: Listing) => unknown): Promise<unknown[]> {
    const asked = params.get('instId');
    if (asked) return [row(listedAs(this.exchange, asked))];
    const kind = KINDS[params.get('instType') ?? ''];
    if (!kind) throw wrong('instType');
    return (await this.all(kind)).map(row);
  }

  #instrument(instrument: Instrument) {
    const { kind, base, quote, listedAt, expiresAt, tickSize, maxLeverage } = instrument;
    const isSpot = kind === 'spot';
    const step = CONTRACTS.step(instrument);
    return {
      ...{ instType: TYPES[kind], instId: idOf(instrument), alias: expiresAt === null ? '' : 'quarter' },
      ...{ baseCcy: isSpot ? base : '', quoteCcy: isSpot ? quote : '', settleCcy: isSpot ? '' : quote },
      ...{ uly: isSpot ? '' : `${base}-${quote}`, instFamily: isSpot ? '' : `${base}-${quote}` },
      ...{ ctVal: isSpot ? '' : CONTRACTS.size(instrument), ctMult: isSpot ? '' : '1', ctValCcy: base },
      ...{ ctType: isSpot ? '' : 'linear', ruleType: 'normal', lever: String(maxLeverage ?? ''), instIdCode: 1 },
      ...{ listTime: String(listedAt), contTdSwTime: '', expTime: expiresAt === null ? '' : String(expiresAt) },
      ...{ tickSz: tickSize, lotSz: step, minSz: step, maxLmtSz: '100000000', maxMktSz: '1000000' },
      state: this.isDelisted(instrument) ? 'suspend' : 'live',
    };
  }

  #ticker({ instrument, ticker }: Listing) {
    const isSpot = instrument.kind === 'spot';
    const open = price(ticker.price / (1 + (ticker.change24h ?? 0)), instrument);
    const book = this.exchange.books.at(instrument.symbol)?.book;
    const none = ['', ''] as const;
    const [bid, ask] = [book?.bids[0], book?.asks[0]].map((level) =>
      level ? CONTRACTS.level(level, instrument) : none,
    );
    const volume = ticker.volume24h ?? 0;
    return {
      ...{
        instType: TYPES[instrument.kind],
        instId: idOf(instrument),
        last: price(ticker.price, instrument),
        lastSz: '1',
      },
      ...{ askPx: ask![0], askSz: ask![1], bidPx: bid![0], bidSz: bid![1], open24h: open },
      high24h: price(ticker.high24h ?? ticker.price, instrument),
      low24h: price(ticker.low24h ?? ticker.price, instrument),
      // Of a derivative contracts and base currency, of spot base and quote currency.
      vol24h: isSpot ? String(volume) : CONTRACTS.of(volume, instrument),
      volCcy24h: String(isSpot ? (ticker.turnover24h ?? 0) : volume),
      ...{ sodUtc0: open, sodUtc8: open, ts: String(this.exchange.now()) },
    };
  }

  #mark({ instrument, ticker }: Listing) {
    const [instType, instId] = [TYPES[instrument.kind], idOf(instrument)];
    return { instType, instId, markPx: String(ticker.mark ?? ticker.price), ts: String(this.exchange.now()) };
  }

  #interest({ instrument, ticker }: Listing) {
    const base = (ticker.openInterest ?? 0) / ticker.price;
    return {
      ...{ instType: TYPES[instrument.kind], instId: idOf(instrument), oi: CONTRACTS.of(base, instrument) },
      ...{ oiCcy: String(base), oiUsd: String(ticker.openInterest ?? 0), ts: String(this.exchange.now()) },
    };
  }

  #index({ instrument: { base, quote, tickSize }, ticker }: Listing) {
    const index = (ticker.index ?? ticker.price).toFixed(digitsOf(tickSize!) + 2);
    return {
      ...{ instId: `${base}-${quote}`, idxPx: index, high24h: index, low24h: index, open24h: index },
      ...{ sodUtc0: index, sodUtc8: index, ts: String(this.exchange.now()) },
    };
  }

  /** null of what has no funding. */
  #funding({ instrument, ticker }: Listing) {
    const { nextFundingAt, fundingRate, settledFundingRate } = ticker;
    if (nextFundingAt === null) return null;
    const next = nextFundingAt + (instrument.fundingHours ?? 8) * BAR_MS['1h'];
    return {
      ...{ instType: 'SWAP', instId: idOf(instrument), method: 'current_period', formulaType: 'withRate' },
      ...{ fundingRate: fundingRate!.toFixed(RATE_DIGITS), fundingTime: String(nextFundingAt) },
      ...{ nextFundingRate: '', nextFundingTime: String(next), minFundingRate: '-0.00375', maxFundingRate: '0.00375' },
      ...{ settState: 'settled', settFundingRate: String(settledFundingRate ?? ''), ts: String(this.exchange.now()) },
    };
  }

  async #fundingRates(params: URLSearchParams) {
    const asked = params.get('instId');
    const listings = asked === 'ANY' ? await this.all('perpetual') : [listedAs(this.exchange, asked)];
    return listings.flatMap((listing) => this.#funding(listing) ?? []);
  }

  /** The newest first, of those between two times that are not among them. */
  async #settled(params: URLSearchParams) {
    const { instrument } = listedAs(this.exchange, params.get('instId'));
    const { newer, older, limit } = stretchOf(params, 100, 400);
    const history = await this.exchange.market.funding(instrument.symbol, { start: newer + 1, end: older });
    const rows = [...(history?.time ?? [])].map((time, i) => {
      const fundingRate = history!.rate[i]!.toFixed(RATE_DIGITS);
      return {
        ...{ instType: 'SWAP', instId: idOf(instrument), formulaType: 'withRate', method: 'current_period' },
        ...{ fundingRate, realizedRate: fundingRate, fundingTime: String(time) },
      };
    });
    return rows.reverse().slice(0, limit);
  }

  /** By contracts; nothing is taken off. */
  #brackets(params: URLSearchParams) {
    const [instFamily, type] = [params.get('instFamily') ?? '', params.get('instType')];
    const { instrument, ticker } = listedAs(this.exchange, `${instFamily}-SWAP`);
    if (KINDS[type ?? ''] === undefined) throw wrong('instType');
    const contracts = (notional: number) => CONTRACTS.of(notional / ticker.price, instrument);
    return bracketsOf(instrument.maxLeverage ?? 1).map(({ floor, cap, maintenance, maxLeverage }, i) => ({
      ...{
        tier: String(i + 1),
        instFamily,
        uly: instFamily,
        instId: '',
        minSz: contracts(floor),
        maxSz: contracts(cap),
      },
      ...{ mmr: String(maintenance), imr: String(1 / maxLeverage), maxLever: String(maxLeverage) },
      ...{ optMgnFactor: '', quoteMaxLoan: '', baseMaxLoan: '' },
    }));
  }

  #book(params: URLSearchParams) {
    const { instrument } = listedAs(this.exchange, params.get('instId'));
    const state = this.exchange.books.at(instrument.symbol);
    const most = Math.min(Number(params.get('sz') ?? 1), MOST_LEVELS);
    const [asks, bids] = [state?.book.asks, state?.book.bids].map((side) =>
      (side ?? []).slice(0, most).map((level) => [...CONTRACTS.level(level, instrument), '0', '1']),
    );
    return [{ asks, bids, ts: String(state?.at ?? this.exchange.now()), seqId: state?.last ?? 0 }];
  }

  /** The newest first, of those that began between two times that are not among them. */
  async #candles(params: URLSearchParams) {
    const { instrument } = listedAs(this.exchange, params.get('instId'));
    const bar = params.get('bar') ?? '1m';
    const length = BARS[bar];
    if (!length) throw wrong('bar');
    const { newer, older, limit } = stretchOf(params, 100, 300);
    const now = this.exchange.trueNow();
    const until = Math.min(older - 1, now);
    const from = Math.max(newer + 1, until - limit * length);
    const interval = Object.keys(INTERVAL_MS).find((name) => INTERVAL_MS[name] === length)!;
    const candles = await this.exchange.candles.within(instrument.symbol, interval, from, until, now);
    const rows = candles.map(({ time, open, high, low, close, volume, turnover }) => [
      String(time),
      ...[open, high, low, close].map((value) => price(value, instrument)),
      // As in a ticker.
      ...[CONTRACTS.of(volume, instrument), String(instrument.kind === 'spot' ? turnover : volume)],
      String(turnover),
      time + length <= now ? '1' : '0',
    ]);
    return rows.reverse().slice(0, limit);
  }
}

/** `before` is what all rows are newer than, `after` what they are older than. */
function stretchOf(params: URLSearchParams, usual: number, most: number) {
  return {
    newer: Number(params.get('before') ?? 0),
    older: Number(params.get('after') ?? Number.POSITIVE_INFINITY),
    limit: Math.min(Number(params.get('limit') ?? usual), most),
  };
}
