import type { OrderExchange } from '#contract/candle';
import { MINUTE_MS } from '#contract/duration';
import type { KeySilence } from '../../keyCheck';
import { VenueRefused } from '../../venue';
import type { Client, LiveExchange } from '../exchangeClass';
import { OWN_ANSWER_MS, type Raw, told, troubleOf } from '../ownClient';
import { AskedTooOften } from '../rest';
import type { Ask, ContractSizeOf, RealExchange, RealLine } from './realExchange';
import { answered, Unanswered } from './unanswered';

/** A clock is asked for anew after so long. */
const TIME_KEPT_MS = 10 * MINUTE_MS;
interface Options<E extends LiveExchange> {
  exchange: RealExchange<E>;
  client: Client<E>;
  /** Counts what is asked against what our address may. */
  ask: Ask;
  /** What ends all questions. */
  signal: AbortSignal;
  /** How long an answer is waited for, ms. */
  answerMs?: () => number;
  contractSizeOf: ContractSizeOf;
}

export class OwnLine<E extends LiveExchange = OrderExchange> implements RealLine<E> {
  readonly exchange: RealExchange<E>;
  readonly client: Client<E>;
  readonly #ask: Ask;
  readonly signal: AbortSignal;
  readonly #answerMs: () => number;
  #timeToldAt = Number.NEGATIVE_INFINITY;
  readonly contractSizeOf: ContractSizeOf;
  skewMs = 0;

  constructor({ exchange, client, ask, signal, contractSizeOf, answerMs = () => OWN_ANSWER_MS }: Options<E>) {
    this.exchange = exchange;
    this.client = client;
    exchange.fit?.(client);
    this.contractSizeOf = contractSizeOf;
    this.#ask = ask;
    this.signal = signal;
    this.#answerMs = answerMs;
  }

  async time(): Promise<number> {
    const { serverTime, skewMs } = await this.asked<Awaited<ReturnType<RealExchange<E>['tellTime']>>>('the time', () =>
      this.exchange.tellTime(this.client, (question) => question()),
    );
    this.skewMs = skewMs;
    this.#timeToldAt = this.client.milliseconds();
    return serverTime;
  }

  async now(keptMs = TIME_KEPT_MS): Promise<number> {
    if (this.client.milliseconds() - this.#timeToldAt > keptMs) await this.time();
    return this.client.nonce();
  }

  async uid(): Promise<string> {
    await this.now();
    const tell = async () => ({ uid: await this.exchange.tellUid(this.client) });
    return (await this.asked<{ uid: string }>('the account', tell)).uid;
  }

  async asked<T extends object = Raw>(what: string, question: () => Promise<unknown>, isOrder = false): Promise<T> {
    if (this.signal.aborted) throw new Unanswered(what);
    try {
      const asked = this.#ask(async () => heard(what, await question()));
      return await answered(what, told<T>(asked), this.#answerMs(), this.signal);
    } catch (error) {
      if (error instanceof Unanswered) throw error;
      const { code, text } = troubleOf(error);
      if (code !== null && this.exchange.wrongTime.includes(code)) this.#timeToldAt = Number.NEGATIVE_INFINITY;
      const because = code === null ? null : this.exchange.refusalOf(code, text);
      const reason = error instanceof AskedTooOften ? 'tooOften' : because;
      if (isOrder && reason !== null) throw new VenueRefused(reason);
      throw new Unanswered(what, { code });
    }
  }
}

/** What several questions found. @throws Unanswered where that is nothing: who says so has not answered */
function heard(what: string, found: unknown): unknown {
  if ((found as Partial<KeySilence> | null)?.outcome === 'unanswered') throw new Unanswered(what);
  return found;
}
