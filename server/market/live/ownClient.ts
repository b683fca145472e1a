import { SECOND_MS } from '#contract/duration';
import type { Clock } from '../exchange';
import type { KeyCredentials } from '../keyCheck';
import { pointAt } from './address';
import { type Client, createClient } from './exchangeClass';

/** How long an answer is waited for, ms. */
export const OWN_ANSWER_MS = 10 * SECOND_MS;

interface OwnOptions {
  clock: Clock;
  /** Called instead of the exchange's own address. */
  url?: string | undefined;
  /** Whether the library holds questions back; who signs by a time of their own cannot wait for it. */
  isPaced?: boolean;
}

/** A client that asks binance in the name of who has a key. It lists nothing: what it asks names symbols as binance does. */
export async function ownClient(
  { key, secret }: Pick<KeyCredentials, 'key' | 'secret'>,
  { clock, url, isPaced = true }: OwnOptions,
): Promise<Client<'binance'>> {
  const client = await createClient('binance', {
    ...{ apiKey: key, secret, timeout: OWN_ANSWER_MS },
    enableRateLimit: isPaced,
  });
  client.milliseconds = clock;
  keepAnswers(client);
  if (url !== undefined) await pointAt(client, url);
  return client;
}

/** Of some answers the library tells the words alone: the error has the whole answer beside it. */
function keepAnswers(client: Client<'binance'>): void {
  const { handleErrors } = client;
  client.handleErrors = (...answer: Parameters<typeof handleErrors>) => {
    try {
      return handleErrors.apply(client, answer);
    } catch (error) {
      throw Object.assign(error as Error, { answer: String(answer[5]) });
    }
  };
}

export type Raw = Readonly<Record<string, unknown>>;

/** An answer that is one: of a page that is no JSON the library makes a text, and takes it for what was asked for. @throws */
export async function told<T extends object = Raw>(answer: Promise<unknown>): Promise<T> {
  const body = await answer;
  if (typeof body !== 'object' || body === null) throw new TypeError('no JSON');
  return body as T;
}

/** What went wrong with a question; of what the library says no more, for it may quote what was signed. */
export interface Trouble {
  /** The exchange's own number; null where it said none. */
  code: number | null;
  /** Whether it was asked too often. */
  isTooOften: boolean;
  /** The answer, to look for words in: not to be shown. */
  text: string;
}

/** The library's classes depend on the address that it calls: the code in the answer does not. */
export function troubleOf(error: unknown): Trouble {
  const { name = '', message = '', answer: text = message } = error as Partial<Error> & { answer?: string };
  const code = /"code":\s*(-?\d+)/.exec(text)?.[1];
  const number = code === undefined ? null : Number(code);
  // Who is not let in after a question that went well is taken for one who asked too often.
  const isTooOften =
    number === -1003 || (number === null && /^(DDoSProtection|RateLimitExceeded|AskedTooOften)$/.test(name));
  return { code: number, isTooOften, text };
}
