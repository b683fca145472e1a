import { setTimeout as pause } from 'node:timers/promises';
import { SECOND_MS } from '#contract/duration';
import type { Client } from '../exchangeClass';
import type { Raw } from '../ownClient';

/** Before a stream that ended is opened again. */
const AGAIN_MS = SECOND_MS;
const STREAMS = [{ type: 'spot' }, { type: 'swap', subType: 'linear' }];

interface UserStreamOptions {
  client: Client<'binance'>;
  signal: AbortSignal;
  /** Something happened to orders of a symbol. */
  onHeard(symbol: string): void;
}

/**
 * What binance streams of an account, as a reason to ask: what happened is read by REST, so that it counts for nothing
 * how often, in which order or whether at all it was streamed.
 */
export class UserStream {
  readonly #options: UserStreamOptions;

  constructor(options: UserStreamOptions) {
    this.#options = options;
    const { client, signal } = options;
    // It lists nothing: symbols are named as binance does.
    client.setMarkets([]);
    const hear = client.handleMessage;
    client.handleMessage = (connection, message) => {
      this.#hear(message as Raw);
      hear.call(client, connection, message);
    };
    this.#quieten();
    for (const which of STREAMS) void this.#follow(which);
    signal.addEventListener('abort', () => void client.close().catch(() => undefined), { once: true });
  }

  /** Opens the streams anew: they have not told what happened. The library holds on to a key that has ended. */
  async renew(): Promise<void> {
    const { client } = this.#options;
    const future = client.options.future as { lastAuthenticatedTime?: number } | undefined;
    if (future) future.lastAuthenticatedTime = 0;
    await client.close().catch(() => undefined);
  }

  /** Timers that the library leaves to itself would hold up whoever stops. */
  #quieten(): void {
    const { client, signal } = this.#options;
    // Of the keeping alive of a key the newest turn is enough.
    let later: NodeJS.Timeout | undefined;
    client.delay = (ms, method, ...args) => {
      clearTimeout(later);
      later = setTimeout(() => client.spawn(method, ...args), ms).unref();
    };
    signal.addEventListener('abort', () => clearTimeout(later), { once: true });
  }

  async #follow(which: object): Promise<void> {
    const { client, signal } = this.#options;
    while (!signal.aborted) {
      try {
        await client.watchOrders(undefined, undefined, undefined, which);
      } catch {
        await pause(AGAIN_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  #hear(message: Raw): void {
    const event = (message.event ?? message) as Raw;
    if (event.e === 'listenKeyExpired') void this.renew();
    else if (event.e === 'ORDER_TRADE_UPDATE') this.#options.onHeard(String((event.o as Raw).s));
    else if (event.e === 'executionReport') this.#options.onHeard(`${event.s}_SPOT`);
  }
}
