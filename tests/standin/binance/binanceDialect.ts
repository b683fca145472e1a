import { MINUTE_MS } from '#contract/duration';
import { Budget } from '../core/budget';
import type { Exchange } from '../core/exchange';
import type { Answer, Call, Connection, Dialect } from '../dialect';
import { keyOf } from './access';
import { futuresInfoRoutes, spotInfoRoutes } from './futuresData';
import { Listeners } from './listeners';
import { marketRoutes } from './marketData';
import { Params } from './params';
import { Part, type PartName } from './part';
import { Refusal } from './refusal';
import type { Route, Routes } from './routes';

const PATHS = /^\/(api|sapi|fapi|futures|stream|fstream|ws-api|ws-fapi)\//;
const STREAMS: Readonly<Record<string, PartName>> = { stream: 'spot', fstream: 'futures' };
const WEIGHTS: Readonly<Record<PartName, number>> = { spot: 6000, futures: 2400 };

/** Spot and USDT futures of binance, as its documentation describes them. */
export class BinanceDialect implements Dialect {
  readonly #exchange: Exchange;
  readonly #routes: Routes;
  readonly #budgets: Record<PartName, Budget>;
  readonly #listeners: Record<PartName, Listeners>;

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
    const [spot, futures] = [new Part('spot', exchange), new Part('futures', exchange)];
    this.#routes = {
      ...marketRoutes(spot),
      ...marketRoutes(futures),
      ...spotInfoRoutes(spot),
      ...futuresInfoRoutes(futures),
    };
    this.#budgets = { spot: new Budget(MINUTE_MS, WEIGHTS.spot), futures: new Budget(MINUTE_MS, WEIGHTS.futures) };
    this.#listeners = { spot: new Listeners(spot), futures: new Listeners(futures) };
  }

  serves(path: string): boolean {
    return PATHS.test(path);
  }

  async answer(call: Call): Promise<Answer> {
    const route = this.#routes[`${call.method} ${call.path}`];
    if (!route)
      return { status: 404, body: { code: -5000, msg: `Path ${call.path}, Method ${call.method} is invalid` } };
    const headers: Record<string, string> = {};
    try {
      const params = new Params(call.params);
      this.#charge(call, route, params, headers);
      const find = (key: string) => this.#exchange.keys.find(key);
      const key = route.access === 'none' ? null : keyOf(call, params, route.access, find, this.#exchange.now());
      return { status: 200, body: await route.handle(params, key), headers };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { code, message, status } = error;
      return { status, body: { code, msg: message }, headers: { ...headers, ...error.headers } };
    }
  }

  /** `/stream/ws/...` is spot, `/fstream/public/ws/...` futures; what stands behind `ws/` may name a stream. */
  connect(connection: Connection): void {
    const [, root = '', ...rest] = connection.path.split('/');
    const part = STREAMS[root];
    if (!part) {
      connection.close();
      return;
    }
    const named = rest.slice(rest.indexOf('ws') + 1).filter((name) => name.includes('@') || name.startsWith('!'));
    this.#listeners[part].add(connection, named);
  }

  tick(): void {
    this.#exchange.books.tick();
    const now = this.#exchange.trueNow();
    for (const listeners of Object.values(this.#listeners)) listeners.tick(now);
  }

  #charge(call: Call, route: Route, params: Params, headers: Record<string, string>): void {
    const part = call.path.startsWith('/fapi') || call.path.startsWith('/futures') ? 'futures' : 'spot';
    const weight = typeof route.weight === 'number' ? route.weight : route.weight(params);
    const now = this.#exchange.now();
    const used = this.#budgets[part].use(call.from, weight, now);
    headers['x-mbx-used-weight-1m'] = String(used);
    if (used <= WEIGHTS[part]) return;
    const seconds = Math.ceil(this.#budgets[part].left(now) / 1000);
    throw new Refusal(
      -1003,
      `Too much request weight used; current limit is ${WEIGHTS[part]} request weight per 1 MINUTE. Please use WebSocket Streams for live updates to avoid polling the API.`,
      429,
      { 'retry-after': String(seconds) },
    );
  }
}
