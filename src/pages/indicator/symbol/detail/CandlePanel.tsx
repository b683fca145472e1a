import { Card, Spin } from 'antd';
import { useCallback, useMemo } from 'react';
import { isMinuteBar } from '#contract/candle';
import { isLaddered } from '#contract/strategy';
import type { CandleColumns, SymbolDetail } from '#contract/symbol';
import CandleChart from '@/chart/CandleChart';
import type { ChartRange, Curve, Join } from '@/chart/curve';
import { EmptyState } from '@/components/EmptyState';
import { ErrorState } from '@/components/ErrorState';
import { ChartTools } from './ChartTools';
import styles from './index.module.css';
import { NoMinutes } from './NoMinutes';
import type { useCandleColumns } from './useCandleColumns';
import { barIn, useDetailState } from './useDetailState';
import type { Own } from './useOwn';

/** What is laid over and under the candles by the toggles; all of it was computed by the server. */
function curvesOf(columns: CandleColumns, { ma, boll }: { ma: boolean; boll: boolean }): Curve[] {
  const price = { format: 'price' as const, pane: 0 };
  const averages: Curve[] = [
    { ...price, name: 'MA7', values: columns.ma7, color: 'orange' },
    { ...price, name: 'MA25', values: columns.ma25, color: 'blue' },
  ];
  const bands: Curve[] = [
    { ...price, name: '布林上轨', values: columns.bollUpper, color: 'purple', dashed: true },
    { ...price, name: '布林中轨', values: columns.bollMiddle, color: 'purple' },
    { ...price, name: '布林下轨', values: columns.bollLower, color: 'purple', dashed: true },
  ];
  const change = { format: 'percent' as const, pane: 2 };
  const compared: Curve[] = columns.compare
    ? [
        { ...change, name: `${columns.symbol} 涨跌`, values: columns.compare.own, color: 'cyan' },
        {
          ...change,
          name: `${columns.compare.symbol} 涨跌`,
          values: columns.compare.other,
          color: 'magenta',
          dashed: true,
        },
      ]
    : [];
  return [...(ma ? averages : []), ...(boll ? bands : []), ...compared];
}

interface CandlePanelProps {
  detail: Pick<SymbolDetail, 'source' | 'symbol' | 'base' | 'chartBars'>;
  candles: ReturnType<typeof useCandleColumns>;
  /** What the reader traded; undefined for nothing. */
  own: Own | undefined;
}

/** More deals than that have no line from entry to exit: they would hide the candles. */
const MOST_JOINS = 12;
const NO_JOINS: readonly Join[] = [];

/** From where each deal came in to where it went out, or to the newest price; a ladder goes in and out at many. */
function joinsOf({ spans }: Own, last: number, price: number): readonly Join[] {
  if (spans.length > MOST_JOINS) return NO_JOINS;
  return spans.flatMap(({ kind, from, to, side, entry, exit }) => {
    if (isLaddered(kind)) return [];
    const toValue = to === null ? price : exit;
    if (entry === null || toValue === null) return [];
    return [{ from, fromValue: entry, to: to ?? last, toValue, color: side === 'long' ? 'up' : 'down' }];
  });
}

/** The coin's candles with what the viewer laid over them; range and toggles live in the address. */
export function CandlePanel({ detail, candles, own }: CandlePanelProps) {
  const { source, symbol, base, chartBars: bars } = detail;
  const [state, setState] = useDetailState();
  const { from, to, compare, boll } = state;
  const ma = state.ma === 'on';
  const { data, error, isLoading, retry } = candles;
  const bar = data?.bar ?? barIn(bars, state.bar) ?? '1d';
  const curves = useMemo(() => (data ? curvesOf(data, { ma, boll }) : []), [data, ma, boll]);
  const drawn = state.own === 'on' ? own : undefined;
  const [last, price] = [data?.time.at(-1), data?.close.at(-1)];
  const joins = useMemo(
    () => (drawn && last !== undefined && price !== undefined ? joinsOf(drawn, last, price) : NO_JOINS),
    [drawn, last, price],
  );
  const range = useMemo(() => (from === null || to === null ? null : { from, to }), [from, to]);
  const latest = useCallback((at: ChartRange) => setState(at, { replace: true }), [setState]);
  const all = useCallback(() => {
    const [first, last] = [data?.time[0], data?.time.at(-1)];
    if (first !== undefined && last !== undefined) latest({ from: first, to: last });
  }, [data, latest]);
  const shown = own && state.own === 'on';
  const tools = { source, symbol, bars, bar, ma, boll, own: shown, compare, ranged: range !== null, onAll: all };
  return (
    <Card size="small">
      <ChartTools {...tools} onChange={setState} />
      <div className={styles.chart} aria-busy={isLoading}>
        {error ? (
          <ErrorState error={error} onRetry={() => void retry()} />
        ) : data === undefined ? (
          <Spin />
        ) : data.time.length === 0 && isMinuteBar(bar) ? (
          <NoMinutes coin={base} />
        ) : data.time.length === 0 ? (
          <EmptyState title="没有 K 线" description="该周期还没有收盘的 K 线" />
        ) : (
          <CandleChart
            key={`${source} ${symbol} ${bar}`}
            label={`${symbol} K 线`}
            candles={data}
            curves={curves}
            joins={joins}
            own={drawn}
            forming={data.formingAt !== null}
            range={range}
            onRange={latest}
          />
        )}
      </div>
    </Card>
  );
}
