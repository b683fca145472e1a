import Big from 'big.js';
import type { Call } from '../dialect';
import type { Refusal } from './publicDialect';

/** What is said of a parameter that is not as it should be. */
export interface ParamWords {
  missing(name: string): Refusal;
  wrong(name: string, text: string): Refusal;
}

/** What a request says: in its address, and in a body that is JSON. Checked as the exchange does. */
export class Params {
  readonly #values: Readonly<Record<string, unknown>>;
  readonly #words: ParamWords;

  /** @param named what stands in the path */
  constructor({ query, body }: Call, words: ParamWords, named: Readonly<Record<string, string>> = {}) {
    const said = body === '' ? {} : (JSON.parse(body) as object);
    this.#values = { ...Object.fromEntries(new URLSearchParams(query)), ...said, ...named };
    this.#words = words;
  }

  /** Empty where it is not sent. */
  text(name: string): string {
    return String(this.#values[name] ?? '');
  }

  needed(name: string): string {
    const text = this.text(name);
    if (text === '') throw this.#words.missing(name);
    return text;
  }

  number(name: string): Big {
    const text = this.needed(name);
    if (!/^\d{1,20}(\.\d{1,20})?$/.test(text)) throw this.#words.wrong(name, text);
    return new Big(text);
  }

  /** One of these words. */
  oneOf<T extends string>(name: string, words: readonly T[], text = this.needed(name)): T {
    if (!words.includes(text as T)) throw this.#words.wrong(name, text);
    return text as T;
  }
}
