import { Segmented, Skeleton } from 'antd';
import { Suspense, useMemo, useState } from 'react';
import { type FundingDesk, fundingRateDesk } from '#contract/kinds/fundingRate/desk';
import { STRATEGY_MODES } from '#contract/strategy';
import type { Curve } from '@/chart/curve';
import { Amount } from '@/components/Amount';
import { ErrorState } from '@/components/ErrorState';
import { type FigureTile, FigureTiles } from '@/components/FigureTiles';
import { late } from '@/components/late';
import { Percent } from '@/components/Percent';
import { Pnl } from '@/components/Pnl';
import { modeLabel } from '@/services/modeLabel';
import { useCall } from '@/services/useCall';
import styles from '@/strategy/strategy.module.css';

const CurveChart = late(() => import('@/chart/CurveChart'));

const REFRESH_MS = 10_000;
/** px */
const HEIGHT = 160;
/** Of the line above the chart, px. */
const LEGEND = 24;
const waiting = <Skeleton.Node active style={{ width: '100%', height: LEGEND + HEIGHT }} />;
/** Real money and play money are never one sum. */
const modes = () => STRATEGY_MODES.map((mode) => ({ value: mode === 'live', label: modeLabel(mode) }));
const NONE = '没有持有的轮';
const NO_RATE = '有的合约现在没有价格或费率';

const tilesOf = (data: FundingDesk | undefined): FigureTile[] => [
  {
    label: '占用本金',
    formula: 'F12：现货全额与合约保证金',
    figure: <Amount compact value={data?.deployed} unit="USDT" />,
    detail: <>持有 {data?.deals ?? '-'} 轮</>,
  },
  {
    label: '资金费年化',
    formula: 'F1：本期预测费率一年的资金费 / 占用本金，正为收',
    figure: <Percent value={data?.capitalApr} signed reason={data?.deals ? NO_RATE : NONE} />,
    detail: (
      <>
        名义 <Percent value={data?.weightedApr} signed reason={data?.deals ? NO_RATE : NONE} />
      </>
    ),
  },
  {
    label: '今日资金费',
    formula: '账本中这些策略的资金费之和',
    window: '自账户的当日开始',
    figure: <Pnl value={data?.cashToday} />,
  },
  {
    label: '近 30 天资金费',
    formula: '账本中这些策略的资金费之和',
    window: '30 天',
    figure: <Pnl value={data?.cashMonth} />,
  },
  {
    label: '实收 / 应收',
    formula: '实收资金费 / (开仓时预测费率 × 合约开仓名义 × 已结算次数)',
    window: '所有开成的轮',
    figure: <Percent value={data?.receivedShare} digits={1} reason="还没有结算过" />,
    detail: (
      <>
        <Amount value={data?.received} digits={2} /> / <Amount value={data?.predicted} digits={2} />
      </>
    ),
  },
];

/** What a user's carries hold, what their funding came to, and what the next day is to bring by the hour. */
export default function FundingTotals() {
  const [real, setReal] = useState<boolean>();
  const options = { refreshInterval: REFRESH_MS, keepPreviousData: true };
  const { data, error, retry } = useCall(
    fundingRateDesk.figures,
    { query: real === undefined ? {} : { real } },
    options,
  );
  const hours = data?.hours;
  const time = useMemo(() => hours?.map(({ at }) => at) ?? [], [hours]);
  const curves = useMemo(
    (): Curve[] => [
      { name: '预计资金费', values: hours?.map(({ cash }) => cash) ?? [], shape: 'histogram', unit: 'USDT' },
    ],
    [hours],
  );
  if (error && !data) return <ErrorState title="资金费合计读取失败" error={error} onRetry={retry} />;
  return (
    <section className={`card ${styles.panel}`} aria-label="资金费合计">
      <header className={styles.head}>
        <h2>合计与未来 24 小时</h2>
        {data?.hasReal && (
          <Segmented aria-label="模式" options={modes()} value={real ?? data.real} onChange={setReal} />
        )}
      </header>
      <div className={styles.tiles}>
        <FigureTiles label="资金费合计" inputAt="最新行情，每 10 秒读取" tiles={tilesOf(data)} />
      </div>
      {data?.deals !== 0 && hours?.length !== 0 && (
        <div className={styles.chart}>
          {data === undefined ? (
            waiting
          ) : (
            <Suspense fallback={waiting}>
              <CurveChart label="未来 24 小时逐小时的预计资金费" time={time} curves={curves} height={HEIGHT} />
            </Suspense>
          )}
        </div>
      )}
    </section>
  );
}
