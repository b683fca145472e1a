import { useMemo } from 'react';
import { BAR_MS } from '#contract/candle';
import type { DataOf } from '#contract/endpoint';
import { symbol as api, type CandleColumns, OWN_BARS } from '#contract/symbol';
import { LATEST_BARS } from '@/chart/curve';
import { useCall } from '@/services/useCall';
import { useChanges } from '@/services/useChanges';

/** Bars by which the stretch that is asked for grows: a chart that is moved a little asks for nothing. */
const STEP = 250;

/** What is asked for of a visible part: whole steps, as many as one reading has. */
function stretchOf({ bar, time }: CandleColumns, from: number | null, to: number | null) {
  const step = STEP * BAR_MS[bar];
  const last = to ?? time.at(-1)!;
  const first = from ?? time[Math.max(0, time.length - LATEST_BARS)]!;
  const end = (Math.floor(last / step) + 1) * step;
  return { start: Math.max(0, Math.floor(first / step) * step, end - OWN_BARS * BAR_MS[bar]), end };
}

export type Own = DataOf<typeof api.own>;

/** The reader's own fills and deals of a coin around the visible part of its candles. */
export function useOwn(
  source: string,
  symbol: string,
  candles: CandleColumns | undefined,
  { from, to }: { from: number | null; to: number | null },
): Own | undefined {
  const stretch = candles === undefined || candles.time.length === 0 ? null : stretchOf(candles, from, to);
  const query = stretch && { query: { source, symbol, bar: candles!.bar, ...stretch } };
  const { data, mutate } = useCall(api.own, query, { keepPreviousData: true });
  useChanges(['order', 'hedge'], () => void mutate());
  return useMemo(() => (data && (data.total > 0 || data.fills.length > 0) ? data : undefined), [data]);
}
