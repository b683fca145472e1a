import { setTimeout as pause } from 'node:timers/promises';
import type { Code, Trouble } from '../ownClient';

/**
 * A question without an answer that counts: what was asked may or may not have happened. Of the library's own error
 * nothing is told on, for it may quote what was signed.
 */
export class Unanswered extends Error {
  override readonly name = 'Unanswered';
  /** null where the exchange said none. */
  readonly code: Trouble['code'];

  constructor(what: string, { code }: Pick<Trouble, 'code'> = { code: null }) {
    super(`${what}: ${code === null ? 'no answer' : `error ${code}`}`);
    this.code = code;
  }
}

/** Whether the exchange answered with one of these codes. */
export const saysOneOf = (codes: readonly Code[], error: unknown): boolean =>
  error instanceof Unanswered && error.code !== null && codes.includes(error.code);

/** The library waits for the head of an answer for a while, and for its body for ever. @throws Unanswered */
export async function answered<T>(what: string, asked: Promise<T>, ms: number, signal: AbortSignal): Promise<T> {
  const over = new AbortController();
  const late = pause(ms, undefined, { signal: AbortSignal.any([over.signal, signal]) }).then(
    () => Promise.reject(new Unanswered(what)),
    () => Promise.reject(new Unanswered(what)),
  );
  try {
    return await Promise.race([asked, late]);
  } finally {
    over.abort();
    late.catch(() => undefined);
    asked.catch(() => undefined);
  }
}
