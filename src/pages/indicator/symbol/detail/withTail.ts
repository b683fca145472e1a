import { BAR_MS } from '#contract/candle';
import type { CandleColumns } from '#contract/symbol';

const COLUMNS = [
  'open',
  'high',
  'low',
  'close',
  'volume',
  'turnover',
  'ma7',
  'ma25',
  'bollUpper',
  'bollMiddle',
  'bollLower',
] as const;

/**
 * Candles with their newest ones as they were read later. What is compared with stays as it was: its base lies outside
 * the tail. A tail of another series, or one that does not reach back to the candles, changes nothing.
 */
export function withTail(candles: CandleColumns, tail: CandleColumns | undefined): CandleColumns {
  const first = tail?.time[0];
  const last = candles.time.at(-1);
  if (tail === undefined || first === undefined || last === undefined) return candles;
  if (tail.symbol !== candles.symbol || tail.bar !== candles.bar || first > last + BAR_MS[tail.bar]) return candles;
  const kept = candles.time.filter((at) => at < first).length;
  const time = [...candles.time.slice(0, kept), ...tail.time];
  const joined = COLUMNS.map((name) => [name, [...candles[name].slice(0, kept), ...tail[name]]]);
  const { compare } = candles;
  const padded = (values: (number | null)[]) => time.map((_, i) => values[i] ?? null);
  return {
    ...candles,
    ...(Object.fromEntries(joined) as Pick<CandleColumns, (typeof COLUMNS)[number]>),
    time,
    formingAt: tail.formingAt,
    compare: compare && { ...compare, own: padded(compare.own), other: padded(compare.other) },
  };
}
