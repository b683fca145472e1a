import { midnightBefore } from '@/components/timeZone';
import { numberCodec, type QueryCodec, type StateOf, wordCodec } from '@/components/useQueryState';

/** Days back from the last midnight of the reader's time zone. */
const DAYS = { today: 0, '7d': 7, '30d': 30, '90d': 90 } as const;
const PERIODS = ['today', '7d', '30d', '90d', 'custom'] as const;

/** The API is asked for the span that the three come to. */
const unasked = <T>(codec: QueryCodec<T>): QueryCodec<T, never> => ({ ...codec, ask: () => undefined });

/** A span of time in the URL: a word, or two instants of the user's own (UTC ms). */
export const periodCodecs = {
  period: unasked(wordCodec(PERIODS, null)),
  start: unasked(numberCodec(null)),
  end: unasked(numberCodec(null)),
};

export type PeriodState = StateOf<typeof periodCodecs>;

export const NO_PERIOD = { period: null, start: null, end: null } satisfies PeriodState;

/** The span as the API takes it, UTC ms; an end that is open is left out. */
export function spanOf({ period, start, end }: PeriodState): { start?: number; end?: number } {
  if (period === null) return {};
  if (period === 'custom') return { ...(start === null ? {} : { start }), ...(end === null ? {} : { end }) };
  // Midnight stays the same all day, and so does the question that the list is read by.
  return { start: midnightBefore(Date.now(), DAYS[period]) };
}
