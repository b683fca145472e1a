import { Card, Spin } from 'antd';
import { useCallback, useMemo } from 'react';
import type { SymbolDetail } from '#contract/symbol';
import CandleChart from '@/chart/CandleChart';
import type { ChartRange } from '@/chart/curve';
import { EmptyState } from '@/components/EmptyState';
import { ErrorState } from '@/components/ErrorState';
import { ChartTools } from './ChartTools';
import { curvesOf } from './curvesOf';
import styles from './index.module.css';
import type { useCandleColumns } from './useCandleColumns';
import { barIn, useDetailState } from './useDetailState';

interface CandlePanelProps {
  detail: Pick<SymbolDetail, 'source' | 'symbol' | 'bars'>;
  candles: ReturnType<typeof useCandleColumns>;
}

/** The coin's candles with what the viewer laid over them; range and toggles live in the address. */
export function CandlePanel({ detail, candles }: CandlePanelProps) {
  const { source, symbol, bars } = detail;
  const [state, setState] = useDetailState();
  const { from, to, compare, boll } = state;
  const ma = state.ma === 'on';
  const { data, error, isLoading, retry } = candles;
  const bar = data?.bar ?? barIn(bars, state.bar) ?? '1d';
  const curves = useMemo(() => (data ? curvesOf(data, { ma, boll }) : []), [data, ma, boll]);
  const range = useMemo(() => (from === null || to === null ? null : { from, to }), [from, to]);
  const latest = useCallback((at: ChartRange) => setState(at, { replace: true }), [setState]);
  const all = useCallback(() => {
    const [first, last] = [data?.time[0], data?.time.at(-1)];
    if (first !== undefined && last !== undefined) latest({ from: first, to: last });
  }, [data, latest]);
  const tools = { source, symbol, bars, bar, ma, boll, compare, ranged: range !== null, onAll: all };
  return (
    <Card size="small">
      <ChartTools {...tools} onChange={setState} />
      <div className={styles.chart} aria-busy={isLoading}>
        {error ? (
          <ErrorState error={error} onRetry={() => void retry()} />
        ) : data === undefined ? (
          <Spin />
        ) : data.time.length === 0 ? (
          <EmptyState title="没有 K 线" description="该周期还没有收盘的 K 线" />
        ) : (
          <CandleChart
            key={`${source} ${symbol} ${bar}`}
            label={`${symbol} K 线`}
            candles={data}
            curves={curves}
            forming={data.formingAt !== null}
            range={range}
            onRange={latest}
          />
        )}
      </div>
    </Card>
  );
}
