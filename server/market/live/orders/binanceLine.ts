import { MINUTE_MS } from '#contract/duration';
import { type VenueRefusalReason, VenueRefused } from '../../venue';
import { type Ask, tellTime, tellUid } from '../binanceKey';
import type { Client } from '../exchangeClass';
import { OWN_ANSWER_MS, type Raw, told, troubleOf } from '../ownClient';
import { AskedTooOften } from '../rest';
import { answered, Unanswered } from './unanswered';

/**
 * Codes with which binance says for certain that it did not take an order. What is not here is no answer to the order:
 * -1000, -1001, -1006, -1007 and -1008 leave it open, -1003 and -1015 refuse who asks, -1021 and -5028 when.
 */
const CODES: Readonly<Record<number, VenueRefusalReason>> = {
  ...named('notPermitted', [-1002, -1022, -2008, -2014, -2015, -4087, -4088]),
  ...named('unknownSymbol', [-1121]),
  ...named('suspended', [-4108, -4140, -4141]),
  ...named('badStep', [-1100, -1102, -1111, -4001, -4002, -4003, -4004, -4005, -4013, -4014, -4023]),
  ...named('priceBand', [-4016, -4024, -4131]),
  ...named('belowMinNotional', [-4164]),
  ...named('insufficientMargin', [-2018, -2019]),
  ...named('nothingToReduce', [-2022]),
  ...named('tooMuchLeverage', [-2027, -2028, -4028]),
  ...named('twoWay', [-4061]),
  ...named('noLiquidity', [-5021]),
  ...named('wouldCross', [-5022]),
  ...named('duplicateClientId', [-4116]),
  ...named('rejected', [-4015, -1115, -1116, -1117]),
};

/** Two codes of spot stand for many things: the words tell which. */
const FILTERED = -1013;
const NOT_TAKEN = -2010;
const WORDS: Readonly<Record<number, readonly (readonly [RegExp, VenueRefusalReason])[]>> = {
  [FILTERED]: [
    [/NOTIONAL/, 'belowMinNotional'],
    [/PERCENT_PRICE/, 'priceBand'],
    [/LOT_SIZE|PRICE_FILTER/, 'badStep'],
    [/Market is closed/, 'suspended'],
    [/Filter failure/, 'rejected'],
  ],
  [NOT_TAKEN]: [
    [/insufficient balance/, 'insufficientBalance'],
    [/immediately match/, 'wouldCross'],
    [/Duplicate order/, 'duplicateClientId'],
    [/Market is closed/, 'suspended'],
    [/disabled on this account/, 'notPermitted'],
  ],
};

function named(reason: VenueRefusalReason, codes: readonly number[]): Record<number, VenueRefusalReason> {
  return Object.fromEntries(codes.map((code) => [code, reason]));
}

/** Why an order was not taken for certain; null where that is not certain. */
function refusalOf(code: number | null, text: string): VenueRefusalReason | null {
  if (code === null) return null;
  return CODES[code] ?? WORDS[code]?.find(([words]) => words.test(text))?.[1] ?? null;
}

/** A clock is asked for anew after so long. */
const TIME_KEPT_MS = 10 * MINUTE_MS;
/** The time of a request is not what it expects. */
const WRONG_TIME = [-1021, -5028];

interface Options {
  client: Client<'binance'>;
  /** Counts what is asked against what our address may. */
  ask: Ask;
  /** What ends all questions. */
  signal: AbortSignal;
  /** How long an answer is waited for, ms. */
  answerMs?: () => number;
}

/** The line to binance of one key. Nothing is asked twice by itself: who gets no answer is told so. */
export class BinanceLine {
  readonly client: Client<'binance'>;
  readonly #ask: Ask;
  readonly signal: AbortSignal;
  readonly #answerMs: () => number;
  #timeToldAt = Number.NEGATIVE_INFINITY;
  /** How far binance's clock was ahead of ours when it was told last. */
  skewMs = 0;

  constructor({ client, ask, signal, answerMs = () => OWN_ANSWER_MS }: Options) {
    this.client = client;
    this.#ask = ask;
    this.signal = signal;
    this.#answerMs = answerMs;
  }

  /** UTC ms by binance's clock, as it is told now. @throws Unanswered */
  async time(): Promise<number> {
    const { serverTime, skewMs } = await this.asked<Awaited<ReturnType<typeof tellTime>>>('the time', () =>
      tellTime(this.client, (question) => question()),
    );
    this.skewMs = skewMs;
    this.#timeToldAt = this.client.milliseconds();
    return serverTime;
  }

  /** UTC ms by binance's clock, reckoned. @throws Unanswered where it was never told, or too long ago, and is not told now */
  async now(): Promise<number> {
    if (this.client.milliseconds() - this.#timeToldAt > TIME_KEPT_MS) await this.time();
    return this.client.nonce();
  }

  /** Which account it speaks for, by binance's own number. @throws Unanswered */
  async uid(): Promise<string> {
    await this.now();
    return (await this.asked<{ uid: string }>('the account', async () => ({ uid: await tellUid(this.client) }))).uid;
  }

  /** @param isOrder whether it may be refused as an order is. @throws VenueRefused, Unanswered */
  async asked<T extends object = Raw>(what: string, question: () => Promise<unknown>, isOrder = false): Promise<T> {
    if (this.signal.aborted) throw new Unanswered(what);
    try {
      return await answered(what, told<T>(this.#ask(question)), this.#answerMs(), this.signal);
    } catch (error) {
      if (error instanceof Unanswered) throw error;
      const { code, text } = troubleOf(error);
      if (code !== null && WRONG_TIME.includes(code)) this.#timeToldAt = Number.NEGATIVE_INFINITY;
      const reason = error instanceof AskedTooOften ? 'tooOften' : refusalOf(code, text);
      if (isOrder && reason !== null) throw new VenueRefused(reason);
      throw new Unanswered(what, { code });
    }
  }
}
