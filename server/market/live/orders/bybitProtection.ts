import { randomUUID } from 'node:crypto';
import { SECOND_MS } from '#contract/duration';
import { VenueRefused } from '../../venue';
import { PROTECTED, protectionOf } from '../bybitKey';
import type { RealLine } from './realExchange';

/** So long after the last connection that was subscribed is gone Bybit cancels. */
const WINDOW_S = 30;
const TOPIC = 'dcp.future';

/**
 * Bybit's own countdown (DCP) begins when no connection is left that was subscribed to it. One is kept open here for as
 * long as somebody puts it off, and is let go of else. Bybit does it only for accounts that it has agreed it with.
 */
export class BybitProtection {
  readonly #line: RealLine<'bybit'>;
  #held: object | null = null;
  #isSet = false;
  #turn: Promise<void> = Promise.resolve();
  #lettingGo: NodeJS.Timeout | undefined;

  constructor(line: RealLine<'bybit'>) {
    this.#line = line;
    line.signal.addEventListener('abort', () => void this.#close().catch(() => undefined), { once: true });
  }

  /** Has all orders of contracts cancelled so long after nobody held it any more, ms. @throws VenueRefused, Unanswered */
  hold(ms: number): Promise<void> {
    return this.#inTurn(() => this.#hold(ms));
  }

  /** What rests is left to itself. @throws Unanswered */
  release(): Promise<void> {
    return this.#inTurn(() => this.#release());
  }

  /** Orders that are sent at once share the connection. */
  #inTurn(act: () => Promise<void>): Promise<void> {
    const done = this.#turn.then(act);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  async #hold(ms: number): Promise<void> {
    if (!this.#isSet) await this.#set();
    this.#isSet = true;
    if (this.#connection === undefined || this.#connection !== this.#held) await this.#connect();
    clearTimeout(this.#lettingGo);
    const letGo = () => void this.#close().catch(() => undefined);
    this.#lettingGo = setTimeout(letGo, ms - WINDOW_S * SECOND_MS).unref();
  }

  async #release(): Promise<void> {
    if (this.#connection === undefined) return;
    await this.#say('unsubscribe');
    await this.#close();
  }

  async #set(): Promise<void> {
    const { client } = this.#line;
    const { seconds } = await this.#line.asked<Awaited<ReturnType<typeof protectionOf>>>('the countdown', () =>
      protectionOf(client, (question) => question()),
    );
    if (seconds === null) throw new VenueRefused('noCountdown');
    if (seconds === WINDOW_S) return;
    await this.#line.asked('the countdown', () =>
      client.privatePostV5OrderDisconnectedCancelAll({ product: PROTECTED, timeWindow: WINDOW_S }),
    );
  }

  async #connect(): Promise<void> {
    const { client } = this.#line;
    await this.#close();
    try {
      await this.#line.asked('the countdown', async () => ({ is: await client.authenticate(this.#url) }));
      await this.#say('subscribe');
    } catch (error) {
      await this.#close();
      throw error;
    }
    this.#held = this.#connection ?? null;
  }

  async #say(op: 'subscribe' | 'unsubscribe'): Promise<void> {
    const name = randomUUID();
    const message = { op, req_id: name, args: [TOPIC] };
    await this.#line.asked('the countdown', () => this.#line.client.watch(this.#url, name, message, name));
  }

  async #close(): Promise<void> {
    clearTimeout(this.#lettingGo);
    this.#held = null;
    await this.#connection?.close();
  }

  get #connection() {
    return (this.#line.client.clients as Record<string, { close(): Promise<unknown> } | undefined>)[this.#url];
  }

  /** Another connection than that which streams orders: it is opened anew whenever that seems to be silent. */
  get #url(): string {
    const { client } = this.#line;
    const { ws } = client.urls.api as unknown as { ws: { private: { contract: string } } };
    return `${client.implodeHostname(ws.private.contract)}?max_active_time=1m`;
  }
}
