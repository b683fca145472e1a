import { DAY_MS, MINUTE_MS } from '#contract/duration';
import type { Clock } from '../exchange';
import { beforeSilence } from './silence';

/** What was told, and when it was asked for. */
interface Asked<T> {
  at: number;
  /** null before the first answer; undefined where that said nothing. */
  told: T | undefined | null;
  answer: Promise<void>;
}

/** What is asked for once a day, by name; where nothing came, a minute later. What was told before stands meanwhile. */
export class OnceADay<T> {
  readonly #clock: Clock;
  readonly #asked = new Map<string, Asked<T>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Has it asked for where it is due; waits for the first answer, but not for long. */
  async ready(name: string, ask: () => Promise<T | undefined>, waitMs: number): Promise<void> {
    const now = this.#clock();
    const known = this.#asked.get(name);
    if (known === undefined || now - known.at >= (known.told ? DAY_MS : MINUTE_MS)) {
      const asked: Asked<T> = { at: now, told: known ? known.told : null, answer: Promise.resolve() };
      this.#asked.set(name, asked);
      const keep = (told: T | undefined) => {
        asked.told = told ?? asked.told ?? undefined;
      };
      asked.answer = ask().then(keep, () => keep(undefined));
    }
    const { told, answer } = this.#asked.get(name)!;
    if (told === null) await beforeSilence(answer, waitMs).catch(() => undefined);
  }

  /** null before the first answer; undefined where that said nothing. */
  of(name: string): T | undefined | null {
    const asked = this.#asked.get(name);
    return asked === undefined ? null : asked.told;
  }
}
