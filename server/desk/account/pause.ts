import type { Pause } from '#contract/kinds/hedge/config';

/** A pause as the database keeps it: none while `at` is empty. */
export const pauseOf = (
  at: number | null | undefined,
  by: string | null | undefined,
  reason: string | null | undefined,
): Pause | null => (at == null ? null : { at, by: by ?? '', reason: reason ?? '' });
