import { SECOND_MS } from '#contract/duration';
import type { Clock } from '../exchange';
import type { KeyCredentials } from '../keyCheck';
import { type ExchangePlace, leadTo } from './address';
import { type Client, createClient, type LiveExchange } from './exchangeClass';

/** How long an answer is waited for, ms. */
export const OWN_ANSWER_MS = 10 * SECOND_MS;

interface OwnOptions extends ExchangePlace {
  clock: Clock;
  /** Whether the library holds questions back; who signs by a time of their own cannot wait for it. */
  isPaced?: boolean;
}

/** A client that asks an exchange in the name of who has a key. It lists nothing: what it asks names symbols as the exchange does. */
export async function ownClient<E extends LiveExchange>(
  exchange: E,
  {
    key,
    secret,
    passphrase = null,
  }: Pick<KeyCredentials, 'key' | 'secret'> & Partial<Pick<KeyCredentials, 'passphrase'>>,
  { clock, isPaced = true, ...place }: OwnOptions,
): Promise<Client<E>> {
  const client = await createClient(exchange, {
    ...{ apiKey: key, secret, timeout: OWN_ANSWER_MS, enableRateLimit: isPaced },
    ...(passphrase !== null && { password: passphrase }),
  });
  client.milliseconds = clock;
  keepAnswers(client);
  await leadTo(client, place);
  return client;
}

/** Of some answers the library tells the words alone: the error has the whole answer beside it. */
function keepAnswers(client: Client<LiveExchange>): void {
  const { handleErrors } = client;
  client.handleErrors = (...answer: Parameters<typeof handleErrors>) => {
    try {
      return handleErrors.apply(client, answer);
    } catch (error) {
      throw Object.assign(error as Error, { answer: String(answer[5]) });
    }
  };
}

/** Has what we say stand in the library's questions: until when an order may come, and by whose time a stream is signed. */
export function keepOurs(client: Client<LiveExchange>): void {
  const { sign } = client;
  client.sign = (...asked: Parameters<typeof sign>) => {
    // It signs with headers of its own alone.
    const signed = sign.apply(client, asked);
    return { ...signed, headers: { ...(asked[4] as object | undefined), ...(signed.headers as object | undefined) } };
  };
  client.seconds = () => Math.floor(client.nonce() / SECOND_MS);
}

export type Raw = Readonly<Record<string, unknown>>;

/** An answer that is one: of a page that is no JSON the library makes a text, and takes it for what was asked for. @throws */
export async function told<T extends object = Raw>(answer: Promise<unknown>): Promise<T> {
  const body = await answer;
  if (typeof body !== 'object' || body === null) throw new TypeError('no JSON');
  return body as T;
}

/** How far an exchange's clock is ahead of ours, and how long it took to say so, ms. From then on the client keeps its time. */
export async function keepTime(client: Client<LiveExchange>, asked: () => Promise<unknown>) {
  const from = client.milliseconds();
  const serverTime = Number(await asked());
  if (!(serverTime > 0)) throw new TypeError('no time');
  const until = client.milliseconds();
  const skewMs = Math.round(serverTime - (from + until) / 2);
  client.options.timeDifference = -skewMs;
  return { serverTime, skewMs, latencyMs: until - from };
}

/** What an exchange calls what is wrong: a number, or a label. */
export type Code = number | string;

/** What went wrong with a question; of what the library says no more, for it may quote what was signed. */
export interface Trouble {
  /** null where the exchange said none. */
  code: Code | null;
  /** Whether it was asked too often. */
  isTooOften: boolean;
  /** The answer, to look for words in: not to be shown. */
  text: string;
}

/** Of all exchanges: none of them means something else elsewhere. */
const TOO_OFTEN: readonly Code[] = [-1003, 10006, 10018, 50011, 'TOO_MANY_REQUESTS'];

/** The library's classes depend on the address that it calls: the code in the answer does not. */
export function troubleOf(error: unknown): Trouble {
  const { name = '', message = '', answer: text = message } = error as Partial<Error> & { answer?: string };
  // Where one thing of several was asked for its own code stands beside that of the whole.
  const number = /"sCode":\s*"([1-9]\d*)"/.exec(text) ?? /"(?:code|retCode)":\s*"?(-?\d+)/.exec(text);
  const label = /"label":\s*"(\w+)"/.exec(text)?.[1] ?? null;
  const code = number === null ? label : Number(number[1]);
  // Who is not let in after a question that went well is taken for one who asked too often.
  const isTooOften =
    (code !== null && TOO_OFTEN.includes(code)) ||
    (code === null && /^(DDoSProtection|RateLimitExceeded|AskedTooOften)$/.test(name));
  return { code, isTooOften, text };
}
