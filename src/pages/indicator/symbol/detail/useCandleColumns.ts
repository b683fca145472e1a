import { useEffect, useState } from 'react';
import { BAR_MS, type Bar } from '#contract/candle';
import { symbol as api } from '#contract/symbol';
import { useCall } from '@/services/useCall';

const FIRST_LOAD = 1000;
const MOST = 5000;
/** Bars from the oldest one on at which more are fetched. */
const NEAR = 30;

interface Wanted {
  source: string;
  symbol: string;
  bar: Bar;
  compare: string;
  /** Start of the visible part, UTC ms. */
  from: number | null;
}

/** The candles to show: the newest thousand, and as many as there may be once the viewer goes to their beginning. */
export function useCandleColumns({ source, symbol, bar, compare, from }: Wanted) {
  const [limit, setLimit] = useState(FIRST_LOAD);
  const query = { source, symbol, bar, limit, ...(compare === '' ? {} : { compare }) };
  const columns = useCall(api.candle, { query }, { keepPreviousData: true });
  const first = columns.data?.time[0];
  const full = columns.data?.time.length === limit;
  useEffect(() => {
    if (full && first !== undefined && from !== null && from <= first + NEAR * BAR_MS[bar]) setLimit(MOST);
  }, [full, first, from, bar]);
  return columns;
}
