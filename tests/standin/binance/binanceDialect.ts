import { DAY_MS, MINUTE_MS, SECOND_MS } from '#contract/duration';
import { Budget } from '../core/budget';
import type { Exchange } from '../core/exchange';
import type { Answer, Call, Connection, Dialect } from '../dialect';
import { keyOf } from './access';
import { futuresAccountRoutes, orderRoutes, walletRoutes } from './accountRoutes';
import { futuresInfoRoutes, spotInfoRoutes } from './futuresData';
import { Listeners } from './listeners';
import { marketRoutes } from './marketData';
import { Params } from './params';
import { Part, type PartName } from './part';
import { Refusal } from './refusal';
import type { Route, Routes } from './routes';
import { UserStreams } from './userStreams';

const PATHS = /^\/(api\/v3|sapi|fapi|futures|stream|fstream|ws-api|ws-fapi)\//;
const STREAMS: Readonly<Record<string, PartName>> = { stream: 'spot', fstream: 'futures' };
const WEIGHTS: Readonly<Record<PartName, number>> = { spot: 6000, futures: 2400 };

/** Spot and USDT futures of binance, as its documentation describes them. */
export class BinanceDialect implements Dialect {
  readonly #exchange: Exchange;
  readonly #routes: Routes;
  readonly #budgets: Record<PartName, Budget>;
  readonly #listeners: Record<PartName, Listeners>;
  readonly #orderBudgets: Record<PartName, { name: string; budget: Budget }[]> = {
    spot: [
      { name: '10s', budget: new Budget(10 * SECOND_MS, 100) },
      { name: '1d', budget: new Budget(DAY_MS, 200_000) },
    ],
    futures: [
      { name: '10s', budget: new Budget(10 * SECOND_MS, 300) },
      { name: '1m', budget: new Budget(MINUTE_MS, 1200) },
    ],
  };
  readonly users: UserStreams;

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
    const [spot, futures] = [new Part('spot', exchange), new Part('futures', exchange)];
    this.users = new UserStreams(spot, futures);
    this.#routes = {
      ...marketRoutes(spot),
      ...marketRoutes(futures),
      ...spotInfoRoutes(spot),
      ...futuresInfoRoutes(futures),
      ...orderRoutes(spot),
      ...orderRoutes(futures),
      ...walletRoutes(spot),
      ...futuresAccountRoutes(futures),
      ...this.users.routes(),
    };
    this.#budgets = { spot: new Budget(MINUTE_MS, WEIGHTS.spot), futures: new Budget(MINUTE_MS, WEIGHTS.futures) };
    this.#listeners = { spot: new Listeners(spot), futures: new Listeners(futures) };
  }

  serves(path: string): boolean {
    return PATHS.test(path);
  }

  async answer(call: Call): Promise<Answer> {
    const route = this.#routes[`${call.method} ${call.path}`];
    const isAbsent = this.#exchange.isTestnet && call.path.startsWith('/sapi/');
    if (!route || isAbsent)
      return { status: 404, body: { code: -5000, msg: `Path ${call.path}, Method ${call.method} is invalid` } };
    const headers: Record<string, string> = {};
    try {
      const params = new Params(call.params);
      this.#charge(call, route, params, headers);
      const find = (key: string) => this.#exchange.keys.find(key);
      const key = route.access === 'none' ? null : keyOf(call, params, route.access, find, this.#exchange.now());
      if (call.method === 'POST' && call.path.endsWith('/order')) this.#countOrder(call, key!.account, headers);
      return { status: 200, body: await route.handle(params, key), headers };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { code, message, status } = error;
      return { status, body: { code, msg: message }, headers: { ...headers, ...error.headers } };
    }
  }

  closed(call: Call): Answer | null {
    if (call.path === '/sapi/v1/system/status') return { status: 200, body: { status: 1, msg: 'system maintenance' } };
    return { status: 503, body: { code: -1016, msg: 'This service is no longer available.' } };
  }

  /** `/stream/ws/...` is spot, `/fstream/public/ws/...` futures; what stands behind `ws/` may name a stream. */
  connect(connection: Connection): void {
    const [, root = '', ...rest] = connection.path.split('/');
    if (root === 'ws-api') {
      this.users.serve(connection);
      return;
    }
    const listenKey = connection.params.get('listenKey');
    if (rest[0] === 'private' && listenKey) {
      this.users.connect(connection, listenKey);
      return;
    }
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
    this.#exchange.trading.tick();
    this.users.tick(now);
    for (const listeners of Object.values(this.#listeners)) listeners.tick(now);
  }

  /** Orders have an allowance of their own, by account. */
  #countOrder(call: Call, account: string, headers: Record<string, string>): void {
    const part = call.path.startsWith('/fapi') ? 'futures' : 'spot';
    const now = this.#exchange.now();
    for (const { name, budget } of this.#orderBudgets[part]) {
      const used = budget.use(account, 1, now);
      headers[`x-mbx-order-count-${name}`] = String(used);
      if (used > budget.limit)
        throw new Refusal(-1015, `Too many new orders; current limit is ${budget.limit} orders per ${name}.`, 429, {
          'retry-after': String(Math.ceil(budget.left(now) / 1000)),
        });
    }
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
