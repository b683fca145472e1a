import { history, useSearchParams } from '@umijs/max';

/** How one value of the URL is read and written. `read` gives the fallback for what is absent or makes no sense. */
export interface QueryCodec<T, A = Exclude<T, null>> {
  read(text: string | null): T;
  /** `null` leaves it out of the URL: it is the fallback. */
  write(value: T): string | null;
  /** As the API takes it, where that is something else; `undefined` leaves it out. */
  ask?(value: T): A | undefined;
}

export const textCodec = (fallback = ''): QueryCodec<string> => ({
  read: (text) => text ?? fallback,
  write: (value) => (value === fallback ? null : value),
});

export const numberCodec = <F extends number | null>(fallback: F): QueryCodec<number | F> => ({
  read: (text) => (text === null || text.trim() === '' || !Number.isFinite(Number(text)) ? fallback : Number(text)),
  write: (value) => (value === fallback || value === null ? null : String(value)),
});

/** What lies beyond what the API takes makes no sense either. */
export const boundedCodec = <T, A>(
  codec: QueryCodec<T, A>,
  { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY }: { minimum?: number; maximum?: number },
): QueryCodec<T, A> => ({
  ...codec,
  read: (text) => {
    const value = codec.read(text);
    return typeof value === 'number' && (value < minimum || value > maximum) ? codec.read(null) : value;
  },
});

/** A value that stands unless it is taken off, which the URL says by a word. */
export const usualCodec = <T, A>(codec: QueryCodec<T | null, A>, usual: T): QueryCodec<T | null, A> => ({
  ...codec,
  read: (text) => (text === 'none' ? null : (codec.read(text) ?? usual)),
  write: (value) => (value === null ? 'none' : value === usual ? null : codec.write(value)),
});

export const flagCodec: QueryCodec<boolean> = {
  read: (text) => text === '1',
  write: (value) => (value ? '1' : null),
};

/** One of a fixed list of words. */
export const wordCodec = <const W extends string, F extends W | null>(
  words: readonly W[],
  fallback: F,
): QueryCodec<W | F> => ({
  read: (text) => (words.includes(text as W) ? (text as W) : fallback),
  write: (value) => (value === fallback || value === null ? null : (value as string)),
});

/** A list of texts without commas; the API takes it as it is in the URL. */
export const listCodec: QueryCodec<string[], string> = {
  read: (text) => (text ?? '').split(',').filter((part) => part !== ''),
  write: (values) => (values.length === 0 ? null : values.join(',')),
  ask: (values) => values.join(',') || undefined,
};

/** Yes, no, or either. */
export const yesNoCodec: QueryCodec<'1' | '0' | null, boolean> = {
  ...wordCodec(['1', '0'], null),
  ask: (word) => (word === null ? undefined : word === '1'),
};

/** The values that codecs stand for. */
export type StateOf<T> = { [K in keyof T]: T[K] extends QueryCodec<infer V, infer _A> ? V : never };

type Codecs<T> = { [K in keyof T]: QueryCodec<T[K], unknown> };

/** What a query says, without a screen around it. */
export const stateOf = <T extends object>(codecs: Codecs<T>, params: URLSearchParams): T =>
  Object.fromEntries(
    (Object.keys(codecs) as (keyof T & string)[]).map((name) => [name, codecs[name].read(params.get(name))]),
  ) as T;

/**
 * The values that the URL's query holds, and how to change some of them. A change is a new entry of
 * the history, so back and forward work; `replace` writes over the present one, for typing.
 * Values of the URL that have no codec here stay as they are.
 */
export function useQueryState<T extends object>(
  codecs: Codecs<T>,
): [T, (change: Partial<T>, options?: { replace?: boolean }) => void] {
  const [params, setParams] = useSearchParams();
  const values = stateOf(codecs, params);
  const change = (changes: Partial<T>, options: { replace?: boolean } = {}) => {
    // Read now: an earlier change of the same moment must not be lost.
    const next = new URLSearchParams(history.location.search);
    for (const name of Object.keys(codecs) as (keyof T & string)[]) {
      if (!Object.hasOwn(changes, name)) continue;
      const text = codecs[name].write(changes[name] as T[typeof name]);
      if (text === null) next.delete(name);
      else next.set(name, text);
    }
    setParams(next, { replace: options.replace ?? false });
  };
  return [values, change];
}
