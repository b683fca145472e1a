import { setTimeout as pause } from 'node:timers/promises';
import type { Exchange } from 'ccxt';
import { MINUTE_MS, SECOND_MS } from '#contract/duration';
import type { Clock } from '../exchange';
import type { Adapter, Weight } from './adapter';
import type { LiveTimes } from './liveTimes';
import { troubleOf } from './ownClient';

/** Of what may be asked within a minute, how much we ask at most: keys of the same address need the rest. */
const MOST_USED = 0.5;
/** Answers that the usual delay and the clock of an exchange are told by. */
const PINGS = 20;

/** The exchange has been asked too often. */
export class AskedTooOften extends Error {
  override readonly name = 'AskedTooOften';
}

/** How long it took to be told the time, and how far it was ahead of ours, ms. */
interface Ping {
  delayMs: number;
  aheadMs: number;
}

/** What we were told of an exchange in answers to our questions. */
export class Rest {
  readonly #adapter: Adapter;
  readonly #clock: Clock;
  readonly #times: LiveTimes;
  readonly #signal: AbortSignal;
  #blockedUntil = 0;
  #answeredAt = Number.NEGATIVE_INFINITY;
  #pings: Ping[] = [];
  readonly #weights = new Map<string, Weight & { at: number }>();

  constructor(adapter: Adapter, clock: Clock, times: LiveTimes, signal: AbortSignal) {
    this.#adapter = adapter;
    this.#clock = clock;
    this.#times = times;
    this.#signal = signal;
  }

  /** Another, for what the exchange counts by who asks: one customer who asks too often keeps nobody else from asking. */
  apart(): Rest {
    return new Rest(this.#adapter, this.#clock, this.#times, this.#signal);
  }

  /** UTC ms; long ago before the first answer. */
  get answeredAt(): number {
    return this.#answeredAt;
  }

  /** Nobody has answered for a while, or ever. */
  get isOut(): boolean {
    return this.#clock() - this.#answeredAt > this.#times.out;
  }

  /** How far its clock is ahead of ours, ms; null before the first answer. */
  get aheadMs(): number | null {
    // The quickest answer leaves the least doubt.
    return [...this.#pings].sort((a, b) => a.delayMs - b.delayMs)[0]?.aheadMs ?? null;
  }

  /** The usual time of an answer, ms; null before the first. */
  get delayMs(): number | null {
    return this.#pings.map(({ delayMs }) => delayMs).sort((a, b) => a - b)[this.#pings.length >> 1] ?? null;
  }

  /** Whether what can wait is to wait. */
  get isBusy(): boolean {
    return this.#fullForMs() > 0 || this.#blockedUntil > this.#clock();
  }

  /** Of what is counted apart the one that is used up most; null where the exchange says nothing. */
  get weight(): Weight | null {
    const now = this.#clock();
    const isPast = (at: number) => Math.floor(now / MINUTE_MS) !== Math.floor(at / MINUTE_MS);
    const weights = [...this.#weights.values()].map(({ at, ...told }) => (isPast(at) ? { ...told, used: 0 } : told));
    return weights.sort((a, b) => b.used / b.limit - a.used / a.limit)[0] ?? null;
  }

  /** Hears what each answer says of what was used. */
  listen(exchange: Exchange): void {
    const { onRestResponse } = exchange;
    exchange.onRestResponse = (...answer) => {
      const [, , url, , headers] = answer;
      const weight = this.#adapter.weight((headers ?? {}) as Record<string, string>, String(url));
      if (weight !== null) this.#weights.set(weight.pool, { ...weight, at: this.#clock() });
      return onRestResponse.apply(exchange, answer);
    };
  }

  /** Asks what is free to be asked: at once, or after the exchange's own wait. @throws what the library throws */
  async ask<T>(exchange: Exchange, question: (exchange: Exchange) => Promise<T>): Promise<T> {
    const wait = this.#blockedUntil - this.#clock();
    if (wait > 0) throw new AskedTooOften(`wait ${Math.ceil(wait / SECOND_MS)} s`);
    try {
      const answer = await question(exchange);
      this.#answeredAt = this.#clock();
      return answer;
    } catch (error) {
      this.#noteRefusal(exchange, error as Error);
      throw error;
    }
  }

  /** The same for what can wait: not before there is room within the minute. */
  async askPatiently<T>(exchange: Exchange, question: (exchange: Exchange) => Promise<T>): Promise<T> {
    for (;;) {
      const wait = Math.max(this.#blockedUntil - this.#clock(), this.#fullForMs());
      if (wait <= 0) return this.ask(exchange, question);
      await pause(Math.min(wait, MINUTE_MS), undefined, { signal: this.#signal });
    }
  }

  /** Asks for the time. @throws when nobody answers */
  async ping(exchange: Exchange): Promise<void> {
    const from = this.#clock();
    const at = await this.ask(exchange, (asked) => this.#adapter.time(asked));
    const until = this.#clock();
    const ping = { delayMs: until - from, aheadMs: Math.round(at - (from + until) / 2) };
    if (!Number.isFinite(at)) return;
    // No answer is farther off than half of what it took: where two cannot both be right, a clock was set since.
    const isApart = (other: Ping) => Math.abs(other.aheadMs - ping.aheadMs) > (other.delayMs + ping.delayMs) / 2 + 1;
    const before = this.#pings.some(isApart) ? [] : this.#pings.slice(1 - PINGS);
    this.#pings = [...before, ping];
  }

  #fullForMs(): number {
    const weight = this.weight;
    if (weight === null || weight.used < weight.limit * MOST_USED) return 0;
    const now = this.#clock();
    return MINUTE_MS - (now % MINUTE_MS);
  }

  /** 429 and 418 are refusals of who asks: asking again makes them longer. */
  #noteRefusal(exchange: Exchange, error: Error): void {
    const { message } = error;
    if (!troubleOf(error).isTooOften && !/ (429|418) |too frequent/.test(message)) return;
    const headers = (exchange.last_response_headers ?? {}) as Record<string, string>;
    const told = Object.entries(headers).find(([header]) => header.toLowerCase() === 'retry-after')?.[1];
    const seconds = Number(told ?? Number.NaN);
    this.#blockedUntil = this.#clock() + (seconds > 0 ? seconds * SECOND_MS : this.#adapter.refusedMs(message));
  }
}
