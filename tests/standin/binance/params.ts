import { Refusal } from './refusal';

const malformed = (name: string) =>
  new Refusal(-1102, `Mandatory parameter '${name}' was not sent, was empty/null, or malformed.`);

/** What a request says, checked as binance does. */
export class Params {
  readonly #params: URLSearchParams;

  constructor(params: URLSearchParams) {
    this.#params = params;
  }

  /** Undefined where it is not sent. */
  text(name: string): string | undefined {
    const value = this.#params.get(name);
    if (value === '') throw new Refusal(-1105, `Parameter '${name}' was empty.`);
    return value ?? undefined;
  }

  needed(name: string): string {
    const value = this.#params.get(name);
    if (!value) throw malformed(name);
    return value;
  }

  integer(name: string): number | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    if (!/^\d{1,16}$/.test(value))
      throw new Refusal(-1100, `Illegal characters found in parameter '${name}'; legal range is '^[0-9]{1,20}$'.`);
    return Number(value);
  }

  /** A list in JSON. */
  list(name: string): string[] | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    try {
      return JSON.parse(value) as string[];
    } catch {
      throw malformed(name);
    }
  }

  /** How many rows are asked for. */
  limit(usual: number, most: number): number {
    const limit = this.integer('limit') ?? usual;
    if (limit < 1) throw new Refusal(-1130, `Data sent for parameter 'limit' is not valid.`);
    return Math.min(limit, most);
  }
}
