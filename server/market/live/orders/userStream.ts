import { setTimeout as pause } from 'node:timers/promises';
import { SECOND_MS } from '#contract/duration';
import type { Raw } from '../ownClient';
import type { RealLine } from './realExchange';

/** Before a stream that ended is opened again. */
const AGAIN_MS = SECOND_MS;

interface UserStreamOptions {
  line: Pick<RealLine, 'client' | 'signal' | 'exchange'>;
  /** Something happened to orders of a symbol. */
  onHeard(symbol: string): void;
}

/**
 * What an exchange streams of an account, as a reason to ask: what happened is read by REST, so that it counts for nothing
 * how often, in which order or whether at all it was streamed.
 */
export class UserStream {
  readonly #options: UserStreamOptions;

  constructor(options: UserStreamOptions) {
    this.#options = options;
    const { client, signal, exchange } = options.line;
    // It lists nothing: symbols are named as the exchange does.
    client.setMarkets([]);
    const hear = client.handleMessage;
    client.handleMessage = (...told: Parameters<typeof hear>) => {
      const [, message] = told as [unknown, Raw];
      this.#hear(message);
      if (!exchange.streams.isForUs?.(message)) hear.apply(client as never, told);
    };
    this.#quieten();
    for (const follow of exchange.streams.follow) void this.#follow(follow);
    signal.addEventListener('abort', () => void client.close().catch(() => undefined), { once: true });
  }

  /** Opens the streams anew: they have not told what happened. The library holds on to a key that has ended. */
  async renew(): Promise<void> {
    const { client, exchange } = this.#options.line;
    exchange.streams.forget?.(client);
    await client.close().catch(() => undefined);
  }

  /** Timers that the library leaves to itself would hold up whoever stops. */
  #quieten(): void {
    const { client, signal } = this.#options.line;
    // Of the keeping alive of a key the newest turn is enough.
    let later: NodeJS.Timeout | undefined;
    client.delay = (ms, method, ...args) => {
      clearTimeout(later);
      later = setTimeout(() => client.spawn(method, ...args), ms).unref();
    };
    signal.addEventListener('abort', () => clearTimeout(later), { once: true });
  }

  async #follow(follow: RealLine['exchange']['streams']['follow'][number]): Promise<void> {
    const { client, signal } = this.#options.line;
    while (!signal.aborted) {
      try {
        await follow(client);
      } catch {
        await pause(AGAIN_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  #hear(message: Raw): void {
    const { line, onHeard } = this.#options;
    const heard = line.exchange.streams.heard(message);
    if (heard === 'ended') void this.renew();
    else for (const symbol of heard) onHeard(symbol);
  }
}
