import { Alert, Segmented, Skeleton } from 'antd';
import { useMemo, useState } from 'react';
import { GRID_REPLAY_DAYS, type GridReplay, gridDeal, NO_FUNDING } from '#contract/kinds/grid/deal';
import CurveChart from '@/chart/CurveChart';
import type { Curve } from '@/chart/curve';
import { Amount } from '@/components/Amount';
import { DateTime } from '@/components/DateTime';
import { EmptyState } from '@/components/EmptyState';
import { ErrorState } from '@/components/ErrorState';
import { Pnl } from '@/components/Pnl';
import { useCall } from '@/services/useCall';
import { GridFigures } from './GridFigures';
import own from './grid.module.css';

const CHOICES = GRID_REPLAY_DAYS.map((value) => ({ value, label: `${value} 天` }));
const END_LABEL: Record<NonNullable<GridReplay['endReason']>, string> = {
  stopLow: '跌破离场',
  stopHigh: '涨破离场',
  stopLoss: '止损',
  takeProfit: '止盈',
};

const FIGURES = [
  ['净盈亏', '网格利润 + 浮动盈亏，含资金费与全部手续费', ({ net }: GridReplay) => <Pnl value={net} unit="USDT" />],
  ['年化', '净盈亏 / 投入 × 365 / 天数', ({ apr }: GridReplay) => <Pnl percent value={apr} reason="不足一天" />],
  ['网格利润', 'F27：Σ 配对', ({ gridProfit }: GridReplay) => <Pnl value={gridProfit} unit="USDT" />],
  ['浮动盈亏', '净盈亏 − 网格利润', ({ floating }: GridReplay) => <Pnl value={floating} unit="USDT" />],
  ['套利次数', '完成的配对', ({ pairCount }: GridReplay) => <Amount value={pairCount} digits={0} unit="次" />],
  ['手续费', '挂单与底仓', ({ fees }: GridReplay) => <Amount value={fees} unit="USDT" />],
  [
    '资金费',
    'F2，按已结算的费率',
    ({ funding }: GridReplay) => <Pnl value={funding} unit="USDT" reason={NO_FUNDING} />,
  ],
] as const;

/** What the same params would have made over the last days. */
export default function ReplayPanel({ params }: { params: unknown }) {
  const [days, choose] = useState<number>(GRID_REPLAY_DAYS[1]);
  const { data, error, retry } = useCall(gridDeal.replay, { body: { params, days } }, { keepPreviousData: true });
  const curves = useMemo(
    (): Curve[] => [{ name: '净盈亏', values: data?.netCurve ?? [], shape: 'baseline', unit: 'USDT' }],
    [data],
  );
  return (
    <section aria-label="回测同一组参数" className={own.replay}>
      <header className={own.replayHead}>
        <h3>回测同一组参数</h3>
        <Segmented aria-label="回测天数" options={CHOICES} value={days} onChange={choose} />
      </header>
      {error && !data ? (
        <ErrorState error={error} onRetry={retry} />
      ) : data === undefined ? (
        <Skeleton active />
      ) : data.startedAt === null ? (
        <EmptyState title="没有开始" description="这些天里价格没有同时满足触发价与区间" />
      ) : (
        <>
          <p className="soft">
            {data.bars} 根小时 K 线，从 <DateTime value={data.startedAt} /> 开始；每根每格最多走一步，按档位价成交。
          </p>
          {data.endReason && (
            <Alert
              type="info"
              title={
                <>
                  <DateTime value={data.endedAt} /> 因{END_LABEL[data.endReason]}结束
                </>
              }
            />
          )}
          <GridFigures label="回测结果" row={data} own={FIGURES} inputAt="最近的小时 K 线" />
          <CurveChart label="回测的净盈亏" time={data.time} curves={curves} height={220} />
        </>
      )}
    </section>
  );
}
