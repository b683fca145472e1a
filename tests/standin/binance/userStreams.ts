import { randomBytes } from 'node:crypto';
import { MINUTE_MS } from '#contract/duration';
import type { Connection } from '../dialect';
import { keyOfMessage } from './access';
import type { Part } from './part';
import { Refusal } from './refusal';
import type { Routes } from './routes';
import { userEvent } from './userEvents';

const LIVES_MS = 60 * MINUTE_MS;

interface ListenKey {
  account: string;
  until: number;
  listeners: Set<Connection>;
}

interface Request {
  id?: unknown;
  method?: string;
  params?: Record<string, string | number>;
}

/** Who hears what happens on an account: of futures by a key that has to be kept alive, of spot by a signed request. */
export class UserStreams {
  readonly #spot: Part;
  readonly #futures: Part;
  readonly #keys = new Map<string, ListenKey>();
  #subscriptions = 0;

  constructor(spot: Part, futures: Part) {
    this.#spot = spot;
    this.#futures = futures;
  }

  routes(): Routes {
    const { trading } = this.#futures.exchange;
    const keyOf = (account: string) => [...this.#keys].find(([, key]) => key.account === account)?.[0];
    return {
      'POST /fapi/v1/listenKey': {
        access: 'key',
        weight: 1,
        handle: (_params, key) => {
          const { name } = trading.account(key!.account);
          const listenKey = keyOf(name) ?? randomBytes(32).toString('hex');
          const listeners = this.#keys.get(listenKey)?.listeners ?? new Set();
          this.#keys.set(listenKey, { account: name, until: this.#until(), listeners });
          return { listenKey };
        },
      },
      'PUT /fapi/v1/listenKey': {
        access: 'key',
        weight: 1,
        handle: (_params, key) => {
          const listenKey = keyOf(key!.account);
          if (!listenKey) throw new Refusal(-1125, 'This listenKey does not exist.');
          this.#keys.get(listenKey)!.until = this.#until();
          return { listenKey };
        },
      },
      'DELETE /fapi/v1/listenKey': {
        access: 'key',
        weight: 1,
        handle: (_params, key) => {
          const listenKey = keyOf(key!.account);
          if (listenKey) this.#keys.delete(listenKey);
          return {};
        },
      },
    };
  }

  /** A connection that was opened for a key of futures. One that means nothing stays silent. */
  connect(connection: Connection, listenKey: string): void {
    const key = this.#keys.get(listenKey);
    if (!key) return;
    key.listeners.add(connection);
    this.#listen(connection, this.#futures, key.account, (event) => {
      if (this.#keys.get(listenKey) === key) connection.send(event);
    });
    connection.onClose(() => key.listeners.delete(connection));
  }

  /** A connection to the WebSocket API of spot. */
  serve(connection: Connection): void {
    connection.onMessage((message) => {
      const { id, method, params = {} } = JSON.parse(message) as Request;
      try {
        if (method !== 'userDataStream.subscribe.signature') throw new Refusal(-1104, `Unknown method ${method}.`);
        const { exchange } = this.#spot;
        const key = keyOfMessage(params, (name) => exchange.keys.find(name), exchange.now());
        const subscriptionId = this.#subscriptions++;
        this.#listen(connection, this.#spot, key.account, (event) => connection.send({ subscriptionId, event }));
        connection.send({ id, status: 200, result: { subscriptionId }, rateLimits: [] });
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        connection.send({ id, status: error.status, error: { code: error.code, msg: error.message } });
      }
    });
  }

  /** Keys that nobody kept alive end, and say so once. @param now UTC ms by the market's clock */
  tick(now: number): void {
    const { endedStreams } = this.#futures.exchange.faults;
    for (const [listenKey, { account, until, listeners }] of this.#keys) {
      if (now < until && !endedStreams.delete(account)) continue;
      this.#keys.delete(listenKey);
      for (const connection of listeners)
        connection.send({ e: 'listenKeyExpired', E: this.#futures.exchange.now(), listenKey });
    }
  }

  #until(): number {
    return this.#futures.exchange.trueNow() + LIVES_MS;
  }

  #listen(connection: Connection, part: Part, name: string, send: (event: object) => void): void {
    const account = part.exchange.trading.account(name);
    const end = account.listen((event) => {
      const said = userEvent(part, account, event);
      if (said) send(said);
    });
    connection.onClose(end);
  }
}
