import { useEffect, useMemo, useState } from 'react';
import { BAR_MS, type ChartBar } from '#contract/candle';
import { symbol as api, type CandleColumns } from '#contract/symbol';
import { useCall } from '@/services/useCall';
import { candleQuery, FIRST_CANDLES } from './candleQuery';

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
function withTail(candles: CandleColumns, tail: CandleColumns | undefined): CandleColumns {
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

const MOST = 5000;
/** Bars from the oldest one on at which more are fetched. */
const NEAR = 30;
/** The newest candles are read as often as the price above the chart. */
const TAIL_MS = 5_000;
const TAIL = 3;
const WHOLE_MS = 60_000;

interface Wanted {
  source: string;
  symbol: string;
  /** `null`: the coarsest that the coin has. */
  bar: ChartBar | null;
  compare: string;
  /** Start of the visible part, UTC ms. */
  from: number | null;
}

/** Whether the first candles have stood for a while: what is drawn once more right away delays the page. */
function useSettled(loaded: boolean): boolean {
  const [settled, setSettled] = useState(false);
  useEffect(() => {
    if (!loaded) return;
    const timer = setTimeout(() => setSettled(true), TAIL_MS);
    return () => clearTimeout(timer);
  }, [loaded]);
  return settled;
}

/**
 * The candles to show, the last one up to the present: the newest thousand, and as many as there may be once the viewer
 * goes to their beginning.
 */
export function useCandleColumns({ source, symbol, bar, compare, from }: Wanted) {
  const [limit, setLimit] = useState(FIRST_CANDLES);
  const series = { source, symbol, bar };
  const query = candleQuery({ ...series, compare }, limit);
  const columns = useCall(api.candle, { query }, { keepPreviousData: true, refreshInterval: WHOLE_MS });
  const settled = useSettled(columns.data !== undefined);
  const newest = { query: candleQuery(series, TAIL) };
  const { data: tail } = useCall(api.candle, settled ? newest : null, { refreshInterval: TAIL_MS });
  const barMs = columns.data && BAR_MS[columns.data.bar];
  const first = columns.data?.time[0];
  const full = columns.data?.time.length === limit;
  useEffect(() => {
    if (full && first !== undefined && from !== null && from <= first + NEAR * barMs!) setLimit(MOST);
  }, [full, first, from, barMs]);
  const data = useMemo(() => columns.data && withTail(columns.data, tail), [columns.data, tail]);
  return { ...columns, data };
}
