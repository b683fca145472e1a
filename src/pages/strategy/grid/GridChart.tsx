import { Spin } from 'antd';
import { useMemo } from 'react';
import type { GridLevel, GridRecord, GridTrade } from '#contract/kinds/grid/deal';
import { symbol as symbolApi } from '#contract/symbol';
import CandleChart from '@/chart/CandleChart';
import type { Curve, Join, Level, Mark } from '@/chart/curve';
import { ErrorState } from '@/components/ErrorState';
import { useCall } from '@/services/useCall';

const REFRESH_MS = 60_000;
const BARS = 96;

interface GridChartProps {
  source: string;
  symbol: string;
  levels: readonly GridLevel[];
  trades: readonly GridTrade[];
  record: GridRecord | undefined;
}

const AWAY = { above: '越上限', below: '破下限' } as const;

/** The hours of a grid's symbol with its levels and fills, pairs joined, and where the price left the range. */
export default function GridChart({ source, symbol, levels, trades, record }: GridChartProps) {
  const query = { source, symbol, bar: '1h' as const, limit: BARS };
  const { data, error, retry } = useCall(symbolApi.candle, { query }, { refreshInterval: REFRESH_MS });
  const curves = useMemo<Curve[]>(
    () => (data ? [{ name: '收盘', values: data.close, shape: 'bare', format: 'price' }] : []),
    [data],
  );
  const [top, bottom] = [levels[0]?.upper, levels.at(-1)?.lower];
  // What does not move keeps its identity, or the chart is drawn anew with every reading.
  const bounds = levels.map(({ lower }) => lower).join();
  const lines = useMemo<Level[]>(
    () =>
      top === undefined || bottom === undefined
        ? []
        : [
            { name: '上限', value: top },
            ...bounds
              .split(',')
              .map((price) => ({ name: Number(price) === bottom ? '下限' : '', value: Number(price) })),
          ],
    [top, bottom, bounds],
  );
  const first = data?.time[0] ?? Number.POSITIVE_INFINITY;
  const away = record?.away;
  const pairs = record?.pairs;
  const marks = useMemo<Mark[]>(
    () => [
      ...trades
        .filter(({ at }) => at >= first)
        .map(
          ({ at, side }): Mark =>
            side === 'buy'
              ? { at, text: '买', color: 'up', side: 'below' }
              : { at, text: '卖', color: 'down', side: 'above' },
        ),
      ...(away ?? [])
        .filter(({ from }) => from >= first)
        .map(({ from, side }): Mark => ({ at: from, text: AWAY[side], color: 'orange', side })),
    ],
    [trades, away, first],
  );
  const joins = useMemo<Join[]>(
    () =>
      (pairs ?? [])
        .filter(({ from }) => from >= first)
        .map(({ from, entry, at, exit, profit }) => ({
          ...{ from, fromValue: entry, to: at, toValue: exit },
          color: profit >= 0 ? 'up' : 'down',
        })),
    [pairs, first],
  );
  if (error && !data) return <ErrorState error={error} onRetry={() => void retry()} />;
  if (!data) return <Spin />;
  return (
    <CandleChart
      label={`${symbol} 的网格与成交`}
      candles={data}
      curves={curves}
      levels={lines}
      marks={marks}
      joins={joins}
      forming={data.formingAt !== null}
      height={420}
    />
  );
}
