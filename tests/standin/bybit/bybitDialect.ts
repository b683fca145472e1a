import { BAR_MS } from '#contract/candle';
import { MINUTE_MS } from '#contract/duration';
import type { BookLevel, Instrument, Listing } from '#server/market/exchange';
import { bracketsOf } from '../core/brackets';
import { INTERVAL_MS } from '../core/candles';
import { price } from '../core/contracts';
import { OwnDialect, type OwnRoute } from '../core/ownDialect';
import { Refusal, type Route } from '../core/publicDialect';
import { bookFeed, type Feed, newsFeed, type Subscriptions } from '../core/subscriptions';
import type { Call, Connection } from '../dialect';
import { keyOf } from './access';
import { ownRoutes } from './accountRoutes';
import { AMOUNTS, CATEGORIES, idOf, listedAs, symbolOf, wrong } from './names';
import { Customers } from './userStreams';

const INTERVALS: Readonly<Record<string, string>> = {
  ...{ 1: '1m', 3: '3m', 5: '5m', 15: '15m', 30: '30m', 60: '1h', 120: '2h', 240: '4h', 360: '6h', 720: '12h' },
  D: '1d',
};
/** Levels of a book, and how often it is told of, ms. */
const DEPTHS: Readonly<Record<string, number>> = { 50: 20, 200: 100, 1000: 200 };
const RATE_DIGITS = 8;
const SECONDS_MOST = 240;
/** Topics of one request for spot. */
const MOST_SPOT_TOPICS = 10;
/** What a stream says of spot, whole each time. */
const SPOT_FIGURES = [
  ...['symbol', 'lastPrice', 'highPrice24h', 'lowPrice24h', 'prevPrice24h', 'volume24h', 'turnover24h'],
  ...['price24hPcnt', 'usdIndexPrice'],
];

/** Spot and what is settled in USDT of Bybit, as its documentation describes them. */
export class BybitDialect extends OwnDialect {
  protected readonly root = '/v5/';
  /** An address is shut out as a whole. */
  protected readonly tooMany = new Refusal('10006', 'access too frequent', 403);
  protected readonly tooManyOwn = new Refusal('10006', 'Too many visits. Exceeded the API Rate Limit.');
  protected readonly maintenance = new Refusal('10016', 'Internal server error.', 503);

  protected readonly own = ownRoutes(this.exchange);
  protected readonly ownPath = '/v5/private';
  protected readonly streams = new Customers(this.exchange);
  protected readonly words = { missing: wrong, wrong };

  serves(path: string): boolean {
    return path.startsWith(this.root);
  }

  protected keyOf(call: Call, right: OwnRoute['right']) {
    return keyOf(call, right, (of) => this.exchange.keys.find(of), this.exchange.now());
  }

  protected routes(): Readonly<Record<string, Route>> {
    const routes: Record<string, Route['answer']> = {
      'market/time': () => ({ timeSecond: String(Math.floor(this.exchange.now() / 1000)) }),
      'market/instruments-info': (params) => this.#instruments(params),
      'market/tickers': (params) => this.#rows(params, (listing) => this.#ticker(listing)),
      'market/kline': (params) => this.#candles(params),
      'market/orderbook': (params) => this.#book(params),
      'market/risk-limit': (params) => this.#brackets(params),
      'market/funding/history': (params) => this.#settled(params),
      'spot-margin-trade/data': async (params) => {
        const vipLevel = params.get('vipLevel') ?? 'No VIP';
        const list = (await this.all('spot')).map(({ instrument: { base, symbol } }) => ({
          ...{ borrowable: true, collateralRatio: '0.95', currency: base, liquidationOrder: '2' },
          hourlyBorrowRate: String(this.exchange.market.terms(symbol)!.borrowApr / 8_760),
          ...{ marginCollateral: true, maxBorrowingAmount: '5' },
        }));
        return { vipCoinList: [{ list, vipLevel }] };
      },
      'system/status': () => ({ list: this.announced() }),
    };
    return Object.fromEntries(Object.entries(routes).map(([name, answer]) => [name, { most: SECONDS_MOST, answer }]));
  }

  protected said(result: unknown) {
    return { retCode: 0, retMsg: 'OK', result, retExtInfo: {}, time: this.exchange.now() };
  }

  protected refused({ code, message }: Refusal) {
    return { retCode: Number(code), retMsg: message, result: {}, retExtInfo: {}, time: this.exchange.now() };
  }

  protected hear(connection: Connection, subscriptions: Subscriptions, message: string): void {
    const { op, args = [], req_id } = JSON.parse(message) as { op: string; args?: string[]; req_id?: string };
    const answer = { conn_id: '0a1b2c3d', req_id, op };
    if (op === 'ping') {
      connection.send({ success: true, ret_msg: 'pong', ...answer });
      return;
    }
    const isSpot = connection.path.endsWith('/spot');
    if (isSpot && args.length > MOST_SPOT_TOPICS) {
      connection.send({ success: false, ret_msg: `args size >${MOST_SPOT_TOPICS}`, ...answer });
      return;
    }
    const feeds = args.map((topic) => [topic, this.#feedOf(topic, isSpot)] as const);
    const unknown = feeds.find(([, make]) => !make);
    if (unknown) {
      connection.send({ success: false, ret_msg: `error:handler not found,topic:${unknown[0]}`, ...answer });
      return;
    }
    connection.send({ success: true, ret_msg: '', ...answer });
    for (const [topic, make] of feeds) {
      if (op === 'subscribe') subscriptions.add(topic, make!);
      else subscriptions.drop(topic);
    }
  }

  #feedOf(topic: string, isSpot: boolean): (() => Feed) | null {
    const [channel, depth, id = depth] = topic.split('.');
    const symbol = symbolOf(id ?? '', isSpot);
    if (!this.exchange.listed(symbol)) return null;
    if (channel === 'tickers') return () => (isSpot ? this.#spotFeed(topic, symbol) : this.#tickerFeed(topic, symbol));
    const everyMs = DEPTHS[depth ?? ''];
    return channel === 'orderbook' && everyMs ? () => this.#bookFeed(topic, symbol, Number(depth), everyMs) : null;
  }

  /** Whole at first, then what is another than before. */
  #tickerFeed(topic: string, symbol: string): Feed {
    let before: Record<string, unknown> = {};
    return {
      everyMs: 100,
      next: () => {
        const listing = this.traded(symbol);
        if (!listing) return [];
        const row: Record<string, unknown> = this.#ticker(listing);
        const isFirst = before.symbol === undefined;
        const news = Object.entries(row).filter(([name, value]) => before[name] !== value);
        before = row;
        if (news.length === 0) return [];
        const data = { symbol: row.symbol, ...Object.fromEntries(news) };
        return [{ topic, type: isFirst ? 'snapshot' : 'delta', data, cs: 1, ts: this.exchange.now() }];
      },
    };
  }

  #spotFeed(topic: string, symbol: string): Feed {
    const say = () => {
      const listing = this.traded(symbol);
      const row = listing && Object.entries(this.#ticker(listing)).filter(([name]) => SPOT_FIGURES.includes(name));
      return row && { topic, type: 'snapshot', data: Object.fromEntries(row), cs: 1, ts: this.exchange.now() };
    };
    return newsFeed(50, say, 'ts');
  }

  /** Messages are counted: one that is missing is seen by the count alone. */
  #bookFeed(topic: string, symbol: string, most: number, everyMs: number): Feed {
    const { instrument } = this.exchange.listed(symbol)!;
    const s = idOf(instrument);
    let u = 0;
    const side = (levels: BookLevel[]) => levels.map((level) => AMOUNTS.level(level, instrument));
    const said = (type: string, bids: BookLevel[], asks: BookLevel[], seq: number, at: number) => {
      u += 1;
      return { topic, type, ts: this.exchange.now(), data: { s, b: side(bids), a: side(asks), u, seq }, cts: at };
    };
    return bookFeed(this.exchange.books, symbol, everyMs, {
      whole: ({ book, last, at }) => said('snapshot', book.bids.slice(0, most), book.asks.slice(0, most), last, at),
      changes: (_, { state }, bids, asks) => said('delta', bids, asks, state.last, state.at),
    });
  }

  #listed(params: URLSearchParams): Listing {
    return listedAs(this.exchange, params.get('symbol') ?? '', params.get('category') === 'spot');
  }

  async #rows(params: URLSearchParams, row: (listing: Listing) => object) {
    const category = params.get('category') ?? '';
    const kinds = CATEGORIES[category];
    if (!kinds) throw new Refusal('10001', 'Illegal category');
    const listings = params.get('symbol')
      ? [this.#listed(params)]
      : (await Promise.all(kinds.map((kind) => this.all(kind)))).flat();
    return { category, list: listings.map(row), nextPageCursor: '' };
  }

  async #instruments(params: URLSearchParams) {
    const rows = await this.#rows(params, ({ instrument }) => this.#instrument(instrument));
    const status = params.get('status') ?? 'Trading';
    return { ...rows, list: rows.list.filter((row) => (row as { status: string }).status === status) };
  }

  #instrument(instrument: Instrument) {
    const { kind, base, quote, settle, listedAt, expiresAt, tickSize, lotSize, minNotional, maxLeverage } = instrument;
    const status = this.isDelisted(instrument) ? 'Closed' : 'Trading';
    if (kind === 'spot') {
      return {
        ...{
          symbol: idOf(instrument),
          baseCoin: base,
          quoteCoin: quote,
          innovation: '0',
          status,
          marginTrading: 'both',
        },
        lotSizeFilter: {
          ...{ basePrecision: lotSize, quotePrecision: '0.0000001', minOrderQty: lotSize, maxOrderQty: '10000' },
          ...{ minOrderAmt: minNotional, maxOrderAmt: '8000000' },
        },
        priceFilter: { tickSize },
      };
    }
    return {
      ...{ symbol: idOf(instrument), contractType: kind === 'perpetual' ? 'LinearPerpetual' : 'LinearFutures' },
      ...{ status, baseCoin: base, quoteCoin: quote },
      ...{ settleCoin: settle, launchTime: String(listedAt), deliveryTime: String(expiresAt ?? 0) },
      ...{ deliveryFeeRate: '', priceScale: '2', unifiedMarginTrade: true, copyTrading: 'both' },
      leverageFilter: { minLeverage: '1', maxLeverage: `${maxLeverage}.00`, leverageStep: '0.01' },
      priceFilter: { minPrice: tickSize, maxPrice: '1999999.80', tickSize },
      lotSizeFilter: {
        ...{ maxOrderQty: '1190000', minOrderQty: lotSize, qtyStep: lotSize, postOnlyMaxOrderQty: '1190000' },
        ...{ maxMktOrderQty: '119000', minNotionalValue: minNotional },
      },
      fundingInterval: ((instrument.fundingHours ?? 0) * BAR_MS['1h']) / MINUTE_MS,
    };
  }

  #ticker({ instrument, ticker }: Listing) {
    const say = (value: number | null) => price(value ?? ticker.price, instrument);
    const before = ticker.price / (1 + (ticker.change24h ?? 0));
    const book = this.exchange.books.at(instrument.symbol)?.book;
    const [bid, ask] = [book?.bids[0], book?.asks[0]].map((level) =>
      level ? AMOUNTS.level(level, instrument) : ['', ''],
    );
    const row = {
      ...{ symbol: idOf(instrument), lastPrice: say(ticker.price), prevPrice24h: say(before) },
      ...{ highPrice24h: say(ticker.high24h), lowPrice24h: say(ticker.low24h) },
      price24hPcnt: (ticker.change24h ?? 0).toFixed(6),
      ...{ turnover24h: (ticker.turnover24h ?? 0).toFixed(4), volume24h: (ticker.volume24h ?? 0).toFixed(4) },
      ...{ bid1Price: bid![0], bid1Size: bid![1], ask1Price: ask![0], ask1Size: ask![1] },
    };
    if (instrument.kind === 'spot') return { ...row, usdIndexPrice: say(ticker.index) };
    const hasFunding = ticker.nextFundingAt !== null;
    const interest = ticker.openInterest ?? 0;
    return {
      ...{ ...row, tickDirection: 'PlusTick', prevPrice1h: say(ticker.price) },
      ...{ indexPrice: say(ticker.index), markPrice: say(ticker.mark) },
      openInterest: AMOUNTS.of(interest / ticker.price, instrument),
      openInterestValue: interest.toFixed(2),
      fundingRate: hasFunding ? ticker.fundingRate!.toFixed(RATE_DIGITS) : '',
      nextFundingTime: String(ticker.nextFundingAt ?? 0),
      ...{ deliveryTime: String(instrument.expiresAt ?? 0), basis: '', basisRate: '', predictedDeliveryPrice: '' },
    };
  }

  #brackets(params: URLSearchParams) {
    const { instrument } = this.#listed(params);
    const list = bracketsOf(instrument.maxLeverage ?? 1).map(({ cap, maintenance, deducted, maxLeverage }, i) => ({
      ...{ id: i + 1, symbol: idOf(instrument), riskLimitValue: String(cap), maintenanceMargin: String(maintenance) },
      ...{ initialMargin: String(1 / maxLeverage), isLowestRisk: i === 0 ? 1 : 0, maxLeverage: `${maxLeverage}.00` },
      // Not of every symbol.
      mmDeduction: i === 0 || instrument.kind === 'future' ? '' : String(deducted),
    }));
    return { category: params.get('category'), list, nextPageCursor: '' };
  }

  #book(params: URLSearchParams) {
    const { instrument } = this.#listed(params);
    const state = this.exchange.books.at(instrument.symbol);
    const [b, a] = [state?.book.bids, state?.book.asks].map((side) =>
      (side ?? []).slice(0, Number(params.get('limit') ?? 25)).map((level) => AMOUNTS.level(level, instrument)),
    );
    return { s: idOf(instrument), b, a, ts: this.exchange.now(), u: 1, seq: state?.last ?? 0 };
  }

  /** The newest first. */
  async #candles(params: URLSearchParams) {
    const { instrument } = this.#listed(params);
    const interval = INTERVALS[params.get('interval') ?? ''];
    if (!interval) throw new Refusal('10001', 'Invalid period!');
    const limit = Math.min(Number(params.get('limit') ?? 200), 1000);
    const now = this.exchange.trueNow();
    const span = (limit - 1) * INTERVAL_MS[interval]!;
    const start = params.get('start');
    const end = Number(params.get('end') ?? (start === null ? now : Number(start) + span));
    const from = Math.max(Number(start ?? 0), end - (end % INTERVAL_MS[interval]!) - span);
    const candles = await this.exchange.candles.within(instrument.symbol, interval, from, end, now);
    const list = candles.map(({ time, open, high, low, close, volume, turnover }) => [
      String(time),
      ...[open, high, low, close].map((value) => price(value, instrument)),
      ...[String(volume), String(turnover)],
    ]);
    return { category: params.get('category'), symbol: idOf(instrument), list: list.reverse() };
  }

  /** The newest of a stretch, the newest first; where it begins is not said without where it ends. */
  async #settled(params: URLSearchParams) {
    const { instrument } = this.#listed(params);
    const [start, end] = [params.get('startTime'), params.get('endTime')];
    if (start !== null && end === null) throw new Refusal('10001', 'Can not pass startTime only');
    const range = { start: Number(start ?? 0), end: Number(end ?? this.exchange.trueNow()) + 1 };
    const history = await this.exchange.market.funding(instrument.symbol, range);
    const list = [...(history?.time ?? [])].map((time, i) => ({
      symbol: idOf(instrument),
      fundingRate: history!.rate[i]!.toFixed(RATE_DIGITS),
      fundingRateTimestamp: String(time),
    }));
    return { category: 'linear', list: list.reverse().slice(0, Number(params.get('limit') ?? 200)) };
  }
}
