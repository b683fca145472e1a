import { useEffect, useMemo, useState } from 'react';
import { BAR_MS, type Bar } from '#contract/candle';
import { symbol as api } from '#contract/symbol';
import { useCall } from '@/services/useCall';
import { candleQuery, FIRST_CANDLES } from './candleQuery';
import { withTail } from './withTail';

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
  bar: Bar | null;
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
