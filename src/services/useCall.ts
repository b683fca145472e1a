import { useCallback, useEffect, useLayoutEffect, useRef } from 'react';
import useSWR, { mutate as mutateAll } from 'swr';
import type { Static, TObject, TSchema } from 'typebox';
import type { Right } from '#contract/access';
import type { Endpoint } from '#contract/endpoint';
import type { CallError } from './CallError';
import type { CallInput } from './call';
import type { Quietness } from './envelope';
import { outages } from './outages';
import { nameOfRead, read } from './read';
import { onSession } from './sessionSignal';
import { isTouched } from './touch';

// Nothing that one account has read, or is still reading, may be shown to the next.
let session = 0;
onSession(() => {
  session += 1;
  void mutateAll(() => true, undefined, { revalidate: false });
});

interface UseCallOptions extends Quietness {
  /** Kept as it was read, for as long as the tab is there: what it costs is counted. */
  once?: boolean;
  /** Milliseconds between reads; none while the tab is hidden. */
  refreshInterval?: number;
  /** The same while nobody has a hand on the tab. */
  untouchedInterval?: number;
  /** The old rows stay while the new ones load. */
  keepPreviousData?: boolean;
}

/** How a read goes on from what is held, in place of reading everything again. */
export interface GoOn<T, I> {
  input: (held: T) => I;
  /** What is held then. */
  join: (held: T, answer: T) => T;
}

/** Whether a reading has said something, or failed. */
export const isAnswered = ({ data, error }: { data?: unknown; error?: unknown }): boolean =>
  data !== undefined || error !== undefined;

/** What a screen needs to know of a call that it reads. */
export interface CallState<T> {
  data: T | undefined;
  error: CallError | undefined;
  /** The first load of this input. */
  isLoading: boolean;
  /** Reads again; with `next` puts that in place instead, without reading. */
  mutate: (next?: T | ((now: T | undefined) => T)) => Promise<T | undefined>;
  /** Reads again because the person wants it: a failure is told even when it is the same as before. */
  retry: () => Promise<T | undefined>;
  /** When `data` was read, UTC milliseconds. */
  updatedAt: number | undefined;
}

interface Reading<T> {
  data: T;
  at: number;
  /** Of which read it is, and in which session. */
  name: string | null;
  session: number;
}

/**
 * Reads an endpoint and keeps it; `null` for the input reads nothing yet. A failure is a toast once an outage, and
 * the screen shows it in its place with a retry.
 */
export function useCall<Q extends TObject, B extends TObject, D extends TSchema, R extends Right>(
  endpoint: Endpoint<Q, B, D, R>,
  input: CallInput<Q, B> | null,
  options: UseCallOptions & { goOn?: GoOn<Static<D>, CallInput<Q, B>> } = {},
): CallState<Static<D>> {
  type T = Static<D>;
  const { refreshInterval = 0, untouchedInterval = refreshInterval, once = false, goOn } = options;
  const interval = useCallback(
    () => (isTouched() ? refreshInterval : untouchedInterval),
    [refreshInterval, untouchedInterval],
  );
  const name = input === null ? null : nameOfRead(endpoint, input);
  // Whoever opens a screen or turns to other rows is told anew, before the reading begins.
  useLayoutEffect(() => {
    if (name !== null) outages.ask(name);
  }, [name]);
  const held = useRef<Reading<T>>(undefined);
  const readOn = async (): Promise<Reading<T>> => {
    const last = held.current;
    const isOurs = last !== undefined && last.session === session && last.name === name;
    const data =
      goOn && isOurs
        ? goOn.join(last.data, await read(endpoint, goOn.input(last.data), options))
        : await read(endpoint, input as CallInput<Q, B>, options);
    return { data, at: Date.now(), name, session };
  };
  const {
    data: reading,
    error,
    isLoading,
    mutate: mutateReading,
  } = useSWR<Reading<T>, CallError>(input === null ? null : [endpoint.path, input, session], readOn, {
    refreshInterval: interval,
    keepPreviousData: options.keepPreviousData ?? false,
    revalidateOnFocus: false,
    revalidateIfStale: !once,
    revalidateOnReconnect: !once,
    // After an error the library reads no more by itself: who polls goes on, once the server can be reached again.
    shouldRetryOnError: ({ failed }) => failed && refreshInterval > 0,
    onErrorRetry: (_error, _key, _config, revalidate, { retryCount }) => {
      setTimeout(() => void revalidate({ retryCount }), refreshInterval);
    },
  });
  useEffect(() => {
    held.current = reading;
  }, [reading]);
  const mutate: CallState<T>['mutate'] = async (next) => {
    if (next === undefined) return (await mutateReading())?.data;
    const place = (now: Reading<T> | undefined): Reading<T> => ({
      data: typeof next === 'function' ? (next as (now: T | undefined) => T)(now?.data) : next,
      at: Date.now(),
      name,
      session,
    });
    return (await mutateReading(place, { revalidate: false }))?.data;
  };
  const retry = () => {
    if (name !== null) outages.ask(name);
    return mutate();
  };
  return { data: reading?.data, error, isLoading, mutate, retry, updatedAt: reading?.at };
}
