import { Card, Checkbox, Segmented, Skeleton } from 'antd';
import { Suspense, useMemo } from 'react';
import { account, EQUITY_RANGES, type EquityRange } from '#contract/account';
import { ErrorState } from '@/components/ErrorState';
import { late } from '@/components/late';
import { listCodec, useQueryState, wordCodec } from '@/components/useQueryState';
import { useCall } from '@/services/useCall';
import { whichAccount } from './accounts/whichAccount';
import { curvesOf, marksOf } from './equityCurves';
import styles from './index.module.css';

const CurveChart = late(() => import('@/chart/CurveChart'));

const REFRESH_MS = 60_000;
const HEIGHT = 280;
/** Of the line above the chart, px. */
const LEGEND = 24;
/** The pane that compares needs some height for two curves. */
const STRETCH = [3, 1.5, 1];

const RANGE_LABEL: Record<EquityRange, string> = {
  ...{ '1d': '1 天', '7d': '7 天', '30d': '30 天', '90d': '90 天' },
  all: '全部',
};
const RANGES = EQUITY_RANGES.map((value) => ({ value, label: RANGE_LABEL[value] }));

/** What can be taken off the chart. */
const PARTS = [
  { value: 'equity', label: '权益' },
  { value: 'drawdown', label: '回撤' },
  { value: 'btc', label: 'BTC 对比' },
  { value: 'marks', label: '标记' },
];

const codecs = { range: wordCodec(EQUITY_RANGES, '30d'), off: listCodec };

const waiting = <Skeleton.Node active style={{ width: '100%', height: LEGEND + HEIGHT }} />;

/** The accounts together, or one of them, over time, with its drawdown, BTC beside it and what happened. */
export default function EquityCard({ accountId }: { accountId: string }) {
  const [{ range, off }, change] = useQueryState(codecs);
  const options = { refreshInterval: REFRESH_MS, keepPreviousData: true };
  const { data, error, retry } = useCall(account.equity, { query: { range, ...whichAccount(accountId) } }, options);
  const parts = PARTS.map(({ value }) => value).filter((part) => !off.includes(part));
  const shown = parts.join();
  const curves = useMemo(() => (data ? curvesOf(data, shown.split(',')) : []), [data, shown]);
  const marks = useMemo(() => (data && shown.includes('marks') ? marksOf(data) : []), [data, shown]);
  const toggle = (next: string[]) =>
    change({ off: PARTS.map(({ value }) => value).filter((part) => !next.includes(part)) }, { replace: true });
  return (
    <Card size="small" title="权益曲线">
      <div className={styles.tools}>
        <Segmented
          size="small"
          aria-label="区间"
          options={RANGES}
          value={range}
          onChange={(value) => change({ range: value })}
        />
        <Checkbox.Group options={PARTS} value={parts} onChange={toggle} />
        {data && data.marksLeftOut > 0 && <span className="soft">另有 {data.marksLeftOut} 个较早的标记未显示</span>}
      </div>
      {data === undefined && error ? (
        <ErrorState error={error} onRetry={() => void retry()} />
      ) : data === undefined ? (
        waiting
      ) : (
        <Suspense fallback={waiting}>
          <CurveChart
            label="权益曲线"
            time={data.time}
            curves={curves}
            marks={marks}
            height={HEIGHT}
            stretch={STRETCH}
          />
        </Suspense>
      )}
    </Card>
  );
}
