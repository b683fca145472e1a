import { Card, Skeleton } from 'antd';
import { Suspense, useMemo } from 'react';
import type { BacktestResult } from '#contract/backtest';
import type { Curve } from '@/chart/curve';
import { late } from '@/components/late';

const CurveChart = late(() => import('@/chart/CurveChart'));

const EQUITY_HEIGHT = 380;
const LEGS_HEIGHT = 260;

const waiting = (height: number) => <Skeleton.Node active style={{ width: '100%', height }} />;

/** Equity with its drawdown and BTC beside it, and what either leg brought. */
export default function EquityCharts({ result }: { result: BacktestResult }) {
  const equity = useMemo(() => equityCurves(result), [result]);
  const legs = useMemo(() => legCurves(result), [result]);
  return (
    <>
      <Card size="small" title="权益与回撤">
        <Suspense fallback={waiting(EQUITY_HEIGHT)}>
          <CurveChart label="权益与回撤" time={result.time} curves={equity} height={EQUITY_HEIGHT} stretch={[3, 1]} />
        </Suspense>
      </Card>
      <Card size="small" title="多空两腿累计损益">
        <Suspense fallback={waiting(LEGS_HEIGHT)}>
          <CurveChart label="多空两腿累计损益" time={result.time} curves={legs} height={LEGS_HEIGHT} />
        </Suspense>
      </Card>
    </>
  );
}

function equityCurves({ equity, drawdown, benchmark }: BacktestResult): Curve[] {
  const bitcoin: Curve = { name: 'BTC（同额起算）', values: benchmark, color: 'muted', format: 'amount', dashed: true };
  return [
    { name: '权益', values: equity, color: 'blue', format: 'amount', unit: 'USDT' },
    ...(benchmark.length > 0 ? [bitcoin] : []),
    { name: '回撤', values: drawdown, shape: 'area', color: 'down', format: 'percent', pane: 1 },
  ];
}

function legCurves({ capital, equity, longLeg, shortLeg }: BacktestResult): Curve[] {
  return [
    { name: '多头腿', values: longLeg, color: 'cyan', format: 'amount', unit: 'USDT' },
    { name: '空头腿', values: shortLeg, color: 'orange', format: 'amount', unit: 'USDT' },
    { name: '合计', values: equity.map((value) => value - capital), color: 'blue', format: 'amount', unit: 'USDT' },
  ];
}
