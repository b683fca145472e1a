import { BAR_MS } from '#contract/candle';
import { SECOND_MS } from '#contract/duration';
import type { BookLevel, Instrument, Listing } from '#server/market/exchange';
import { bracketsOf } from '../core/brackets';
import { INTERVAL_MS } from '../core/candles';
import { price } from '../core/contracts';
import { digitsOf } from '../core/decimals';
import { OwnDialect, type OwnRoute } from '../core/ownDialect';
import { OwnStreams } from '../core/ownStreams';
import { Refusal, type Route } from '../core/publicDialect';
import { bookFeed, type Feed, newsFeed, type Subscriptions } from '../core/subscriptions';
import type { Call, Connection } from '../dialect';
import { keyOf } from './access';
import { ownRoutes } from './accountRoutes';
import { CONTRACTS, contractAt, HOUSES, type House, idOf, pairAt, SPOT_WS, seconds, symbolOf } from './names';
import { WORDS } from './params';
import { Customer, isOwn, type Request } from './userStreams';

/** Levels of a book of spot, and how often it is told of, ms. */
const SPOT_DEPTHS: Readonly<Record<string, number>> = { 50: 20, 400: 100 };
const MOST_SPOT_CANDLES = 1_000;

const MOST = 40;
const MOST_CANDLES = 2_000;
const RATE_DIGITS = 8;
const FREQUENCIES: Readonly<Record<string, number>> = { '20ms': 20, '100ms': 100 };
const DEPTHS = ['20', '50', '100'];

/** Spot, perpetuals and delivery futures of Gate, as its documentation describes them, to classic accounts. */
export class GateDialect extends OwnDialect {
  protected readonly root = '/api/v4/';
  protected readonly tooMany = new Refusal('TOO_MANY_REQUESTS', 'Request Rate limit Exceeded (311)', 429);
  protected readonly maintenance = new Refusal('SERVER_ERROR', 'Internal server error', 503);
  protected readonly tooManyOwn = this.tooMany;
  protected readonly own = ownRoutes(this.exchange);
  protected readonly ownPath = null;
  protected readonly streams = new OwnStreams((connection) => new Customer(this.exchange, connection));
  protected readonly words = WORDS;

  protected keyOf(call: Call, right: OwnRoute['right']) {
    return keyOf(call, right, (of) => this.exchange.keys.find(of), this.exchange.now());
  }

  serves(path: string): boolean {
    return path.startsWith(this.root) || path === SPOT_WS || /^\/v4\/ws\/(delivery\/)?usdt$/.test(path);
  }

  protected routes(): Readonly<Record<string, Route>> {
    const routes: Record<string, Route> = {
      'spot/time': { most: MOST, answer: () => ({ server_time: this.exchange.now() }) },
      'spot/currency_pairs': {
        most: MOST,
        answer: async () => (await this.all('spot')).map(({ instrument }) => this.#pair(instrument)),
      },
      'margin/currency_pairs': { most: MOST, answer: () => [] },
      'spot/tickers': { most: MOST, answer: async () => (await this.all('spot')).map((one) => this.#spotTicker(one)) },
      'spot/candlesticks': { most: MOST, answer: (params) => this.#spotCandles(params) },
      'spot/order_book': { most: MOST, answer: (params) => this.#pairBook(params) },
      'futures/usdt/funding_rate': { most: MOST, answer: (params) => this.#settled(params) },
    };
    for (const house of Object.keys(HOUSES) as House[]) {
      const answers: Record<string, Route['answer']> = {
        contracts: async () => (await this.all(HOUSES[house])).map((one) => this.#contract(one)),
        tickers: async () => (await this.all(HOUSES[house])).map((one) => this.#quoted(one)),
        order_book: (params) => this.#book(params, house),
        candlesticks: (params) => this.#candles(params, house),
        risk_limit_tiers: (params) => this.#brackets(params, house),
      };
      for (const [name, answer] of Object.entries(answers)) routes[`${house}/usdt/${name}`] = { most: MOST, answer };
    }
    return routes;
  }

  protected said(answer: unknown) {
    return answer;
  }

  protected refused({ code, message }: Refusal) {
    return { label: code, message };
  }

  protected hear(connection: Connection, subscriptions: Subscriptions, message: string): void {
    const request = JSON.parse(message) as Request;
    const { id, channel, event, payload = [] } = request;
    if (isOwn(request)) return;
    const said = { time: seconds(this.exchange.now()), time_ms: this.exchange.now(), id, channel, event };
    const [contract = '', frequency, depth] = payload;
    const isBook = channel === 'futures.order_book_update';
    const names = isBook ? [payload.join(' ')] : payload.map((name) => `${channel} ${name}`);
    const make = connection.path === SPOT_WS ? this.#spotFeed : this.#tickerFeed;
    const makes = isBook
      ? [this.#bookFeed(contract, FREQUENCIES[frequency ?? ''], depth)]
      : payload.map((name) => make.call(this, channel, name));
    if (makes.includes(null)) {
      connection.send({ ...said, error: { code: 2, message: `unknown contract ${payload}` }, result: null });
      return;
    }
    connection.send({ ...said, result: { status: 'success' } });
    for (const [i, name] of names.entries()) {
      if (event === 'subscribe') subscriptions.add(name, makes[i]!);
      else subscriptions.drop(name);
    }
  }

  #tickerFeed(channel: string, contract: string): (() => Feed) | null {
    const symbol = symbolOf(contract);
    if (channel !== 'futures.tickers' || !this.exchange.listed(symbol)) return null;
    const say = () => {
      const listing = this.traded(symbol);
      const now = this.exchange.now();
      return listing && { time: seconds(now), time_ms: now, channel, event: 'update', result: [this.#ticker(listing)] };
    };
    return () => newsFeed(SECOND_MS, say, 'time', 'time_ms');
  }

  #spotFeed(channel: string, name: string): (() => Feed) | null {
    const [, pair = '', depth = ''] = channel === 'spot.obu' ? name.split('.') : ['', name];
    const symbol = symbolOf(pair, true);
    if (!this.exchange.listed(symbol)) return null;
    if (channel === 'spot.obu') return this.#spotBookFeed(name, symbol, SPOT_DEPTHS[depth]);
    if (channel !== 'spot.tickers') return null;
    const say = () => {
      const listing = this.traded(symbol);
      const now = this.exchange.now();
      const result = listing && this.#spotTicker(listing);
      return result && { time: seconds(now), time_ms: now, channel, event: 'update', result };
    };
    return () => newsFeed(SECOND_MS, say, 'time', 'time_ms');
  }

  /** Whole at first, then what changes, by the numbers of the first change and the last. */
  #spotBookFeed(s: string, symbol: string, everyMs: number | undefined): (() => Feed) | null {
    if (everyMs === undefined) return null;
    const { instrument } = this.exchange.listed(symbol)!;
    const most = Number(s.split('.')[2]);
    const side = (levels: BookLevel[]) => levels.map((level) => CONTRACTS.level(level, instrument));
    const said = (t: number, result: object) => ({
      ...{ channel: 'spot.obu', event: 'update', time_ms: this.exchange.now() },
      result: { t, s, ...result },
    });
    return () =>
      bookFeed(this.exchange.books, symbol, everyMs, {
        whole: ({ book: { bids, asks }, at, last }) =>
          said(at, { full: true, u: last, b: side(bids.slice(0, most)), a: side(asks.slice(0, most)) }),
        changes: (first, { state }, bids, asks) =>
          said(state.at, { U: first.first, u: state.last, b: side(bids), a: side(asks) }),
      });
  }

  #bookFeed(contract: string, everyMs: number | undefined, depth: string | undefined): (() => Feed) | null {
    const symbol = symbolOf(contract);
    const instrument = this.exchange.listed(symbol)?.instrument;
    if (!instrument || !everyMs || !DEPTHS.includes(depth ?? '')) return null;
    const side = (levels: BookLevel[]) => levels.map((level) => this.#level(level, instrument));
    return () =>
      bookFeed(this.exchange.books, symbol, everyMs, {
        changes: (first, { state }, bids, asks) => ({
          ...{ time: seconds(state.at), time_ms: state.at, channel: 'futures.order_book_update', event: 'update' },
          result: { t: state.at, s: contract, U: first.first, u: state.last, b: side(bids), a: side(asks) },
        }),
      });
  }

  #level(level: BookLevel, instrument: Instrument) {
    const [p, s] = CONTRACTS.level(level, instrument);
    return { p, s: Number(s) };
  }

  #listed(params: URLSearchParams, house: House): Listing {
    return contractAt(this.exchange, house, params.get('contract') ?? '');
  }

  #ticker({ instrument, ticker }: Listing) {
    const [volume, turnover] = [ticker.volume24h ?? 0, ticker.turnover24h ?? 0];
    return {
      ...{ contract: idOf(instrument), last: price(ticker.price, instrument) },
      change_percentage: ((ticker.change24h ?? 0) * 100).toFixed(4),
      funding_rate: ticker.nextFundingAt === null ? '' : ticker.fundingRate!.toFixed(RATE_DIGITS),
      ...{ mark_price: String(ticker.mark ?? ticker.price), index_price: String(ticker.index ?? ticker.price) },
      total_size: CONTRACTS.of((ticker.openInterest ?? 0) / ticker.price, instrument),
      ...{ volume_24h: CONTRACTS.of(volume, instrument), volume_24h_base: String(volume) },
      ...{ volume_24h_quote: String(turnover), volume_24h_settle: String(turnover), quanto_base_rate: '' },
      low_24h: price(ticker.low24h ?? ticker.price, instrument),
      high_24h: price(ticker.high24h ?? ticker.price, instrument),
    };
  }

  /** Best prices are told by REST alone. */
  #quoted(listing: Listing) {
    const { instrument } = listing;
    const book = this.exchange.books.at(instrument.symbol)?.book;
    const [bid, ask] = [book?.bids[0], book?.asks[0]].map((one) => (one ? this.#level(one, instrument) : undefined));
    const best = { highest_bid: bid?.p ?? '', highest_size: bid?.s, lowest_ask: ask?.p ?? '', lowest_size: ask?.s };
    return { ...this.#ticker(listing), ...best };
  }

  #contract(listing: Listing) {
    const { instrument, ticker } = listing;
    const { listedAt, expiresAt, fundingHours, tickSize, maxLeverage } = instrument;
    const { mark_price, index_price, last, funding_rate, total_size } = this.#ticker(listing);
    return {
      ...{ name: idOf(instrument), type: 'direct', quanto_multiplier: CONTRACTS.size(instrument) },
      ...{ order_price_round: tickSize, mark_price_round: tickSize, order_size_min: 1, order_size_max: 1_000_000 },
      ...{ leverage_min: '1', leverage_max: String(maxLeverage ?? ''), order_price_deviate: '0.2' },
      ...{
        mark_price,
        index_price,
        last_price: last,
        position_size: Number(total_size),
        create_time: seconds(listedAt),
      },
      ...{ status: this.isDelisted(instrument) ? 'delisted' : 'trading', in_delisting: false },
      ...(expiresAt === null
        ? {
            ...{ funding_rate, funding_rate_indicative: funding_rate, interest_rate: '0.0003' },
            funding_next_apply: seconds(ticker.nextFundingAt ?? 0),
            funding_interval: ((fundingHours ?? 8) * BAR_MS['1h']) / SECOND_MS,
          }
        : { expire_time: seconds(expiresAt), cycle: 'QUARTERLY', underlying: `${instrument.base}_USDT` }),
    };
  }

  #pair(instrument: Instrument) {
    const { base, quote, tickSize, lotSize, minNotional, listedAt } = instrument;
    const trade_status = this.isDelisted(instrument) ? 'untradable' : 'tradable';
    return {
      ...{ id: idOf(instrument), base, base_name: base, quote, quote_name: 'Tether', fee: '0.2', trade_status },
      ...{ min_base_amount: lotSize, min_quote_amount: minNotional, max_quote_amount: '5000000' },
      ...{ amount_precision: digitsOf(lotSize!), precision: digitsOf(tickSize!), type: 'normal' },
      ...{ sell_start: seconds(listedAt), buy_start: seconds(listedAt) },
    };
  }

  #spotTicker({ instrument, ticker }: Listing) {
    const book = this.exchange.books.at(instrument.symbol)?.book;
    const [bid, ask] = [book?.bids[0], book?.asks[0]].map((one) => one && CONTRACTS.level(one, instrument));
    return {
      ...{ currency_pair: idOf(instrument), last: price(ticker.price, instrument) },
      ...{ lowest_ask: ask?.[0] ?? '', lowest_size: ask?.[1], highest_bid: bid?.[0] ?? '', highest_size: bid?.[1] },
      change_percentage: ((ticker.change24h ?? 0) * 100).toFixed(2),
      ...{ base_volume: String(ticker.volume24h ?? 0), quote_volume: String(ticker.turnover24h ?? 0) },
      high_24h: price(ticker.high24h ?? ticker.price, instrument),
      low_24h: price(ticker.low24h ?? ticker.price, instrument),
    };
  }

  #brackets(params: URLSearchParams, house: House) {
    const { instrument } = this.#listed(params, house);
    return bracketsOf(instrument.maxLeverage ?? 1).map(({ cap, maintenance, deducted, maxLeverage }, i) => ({
      ...{ contract: idOf(instrument), tier: i + 1, risk_limit: String(cap), maintenance_rate: String(maintenance) },
      ...{ initial_rate: String(1 / maxLeverage), leverage_max: String(maxLeverage), deduction: String(deducted) },
    }));
  }

  #book(params: URLSearchParams, house: House) {
    const { instrument } = this.#listed(params, house);
    const state = this.exchange.books.at(instrument.symbol);
    const [asks, bids] = [state?.book.asks, state?.book.bids].map((side) =>
      (side ?? []).slice(0, Number(params.get('limit') ?? 10)).map((level) => this.#level(level, instrument)),
    );
    const current = this.exchange.now() / SECOND_MS;
    return { id: state?.last ?? 0, current, update: (state?.at ?? 0) / SECOND_MS, asks, bids };
  }

  #pairBook(params: URLSearchParams) {
    const { instrument } = pairAt(this.exchange, params.get('currency_pair') ?? '');
    const state = this.exchange.books.at(instrument.symbol);
    const [asks, bids] = [state?.book.asks, state?.book.bids].map((side) =>
      (side ?? []).slice(0, Number(params.get('limit') ?? 10)).map((level) => CONTRACTS.level(level, instrument)),
    );
    return { id: state?.last ?? 0, current: this.exchange.now(), update: state?.at ?? 0, asks, bids };
  }

  /** A delivery future does not tell what its volume came to. */
  async #candles(params: URLSearchParams, house: House) {
    const { instrument } = this.#listed(params, house);
    const candles = await this.#candlesOf(params, instrument, MOST_CANDLES);
    return candles.map(({ time, open, high, low, close, volume, turnover }) => {
      const [o, h, l, c] = [open, high, low, close].map((value) => price(value, instrument));
      const row = { t: seconds(time), v: Number(CONTRACTS.of(volume, instrument)), o, h, l, c };
      return house === 'futures' ? { ...row, sum: turnover.toFixed(5) } : row;
    });
  }

  async #spotCandles(params: URLSearchParams) {
    const { instrument } = pairAt(this.exchange, params.get('currency_pair') ?? '');
    const candles = await this.#candlesOf(params, instrument, MOST_SPOT_CANDLES);
    const now = this.exchange.trueNow();
    const length = INTERVAL_MS[params.get('interval') ?? '30m']!;
    return candles.map(({ time, open, high, low, close, volume, turnover }) => [
      ...[String(seconds(time)), turnover.toFixed(8)],
      ...[close, high, low, open].map((value) => price(value, instrument)),
      ...[String(volume), String(time + length <= now)],
    ]);
  }

  /** Both ends are among what is answered. */
  async #candlesOf(params: URLSearchParams, { symbol }: Instrument, most: number) {
    const interval = params.get('interval') ?? '5m';
    const length = INTERVAL_MS[interval];
    if (!length) throw new Refusal('INVALID_PARAM_VALUE', 'Invalid interval', 400);
    const now = this.exchange.trueNow();
    const until = Math.min(Number(params.get('to') ?? now / SECOND_MS) * SECOND_MS, now);
    const limit = Number(params.get('limit') ?? 100);
    const from =
      Number(params.get('from') ?? (until - (until % length) - (limit - 1) * length) / SECOND_MS) * SECOND_MS;
    if ((until - from) / length >= most) {
      throw new Refusal('INVALID_PARAM_VALUE', `Too many candles, the limit is ${most}`, 400);
    }
    return this.exchange.candles.within(symbol, interval, from, until, now);
  }

  /** The newest of a stretch, the newest first. */
  async #settled(params: URLSearchParams) {
    const { instrument } = this.#listed(params, 'futures');
    const [from, to] = ['from', 'to'].map((name) => params.get(name));
    const range = {
      start: Number(from ?? 0) * SECOND_MS,
      end: to === null || to === undefined ? this.exchange.trueNow() : Number(to) * SECOND_MS + 1,
    };
    const history = await this.exchange.market.funding(instrument.symbol, range);
    const rows = [...(history?.time ?? [])].map((time, i) => ({
      t: seconds(time),
      r: history!.rate[i]!.toFixed(RATE_DIGITS),
    }));
    return rows.reverse().slice(0, Math.min(Number(params.get('limit') ?? 100), 1000));
  }
}
