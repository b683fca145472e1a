import { Enum, Number as Num, type Static, String as Str, type TSchema, Unsafe } from 'typebox';
import { type Labels, wordsOf } from './words';

/**
 * Text that PostgreSQL can keep: JSON allows U+0000 and lone surrogates, `text` and `jsonb` do not.
 * Read with the `u` flag, where a surrogate matches only when it stands alone.
 */
const STORABLE = '^[^\\u0000\\uD800-\\uDFFF]*$';

interface TextOptions {
  title: string;
  maxLength: number;
  minLength?: number;
  description?: string;
}

/** A text of `maxLength` characters at most; `title` is the field's label. */
export const Text = (options: TextOptions) => Str({ pattern: STORABLE, ...options });

/** UTC milliseconds, within what a date can be. */
export const Instant = (title = '时间') =>
  Num({ title, minimum: 0, maximum: 8_640_000_000_000_000, description: 'UTC 毫秒' });

/** A symbol may hold anything that an exchange lists: `1000PEPEUSDT`, `BTC/USDT:USDT`, `我踏马来了USDT`. */
export const SymbolName = (title = '币种') => Text({ title, minLength: 1, maxLength: 64 });

/** Name of a market source: `simulated`, or the exchange whose candles were imported. */
export const SourceName = Str({ title: '数据源', pattern: '^[a-z0-9-]{1,32}$', default: 'simulated' });

/** A figure that may be undefined: `null`, never 0 or NaN. */
export const Maybe = <T extends TSchema>(schema: T) => Unsafe<Static<T> | null>({ ...schema, nullable: true });

/** One of a fixed list of words. */
export const OneOf = <const T extends readonly string[]>(
  words: T,
  options: { title?: string; default?: T[number]; description?: string } = {},
) => Enum<[...T]>([...words] as unknown as [...T], options);

/** One of the words that have labels: forms offer them by these, and the audit log tells them so. */
export const Labelled = <const L extends Labels>(
  labels: L,
  options: { title?: string; default?: keyof L & string; description?: string } = {},
) => Object.assign(OneOf(wordsOf(labels), options), { 'x-labels': labels });
