import { setTimeout as pause } from 'node:timers/promises';

/** The answer of `work`, or `fallback` when it fails or is not there after `ms`; it is not stopped. */
export async function inTime<T>(work: Promise<T>, ms: number, fallback: T): Promise<T> {
  const late = new AbortController();
  try {
    return await Promise.race([work.catch(() => fallback), pause(ms, fallback, { signal: late.signal })]);
  } finally {
    late.abort();
  }
}
