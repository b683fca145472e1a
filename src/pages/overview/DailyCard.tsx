import { Card, Skeleton } from 'antd';
import { Suspense, useMemo } from 'react';
import { type AccountDay, account } from '#contract/account';
import type { Curve, CurveColor } from '@/chart/curve';
import { stackedBars } from '@/chart/stackedBars';
import { DayCalendar } from '@/components/DayCalendar';
import { ErrorState } from '@/components/ErrorState';
import { late } from '@/components/late';
import { useCall } from '@/services/useCall';
import { whichAccount } from './accounts/whichAccount';
import styles from './index.module.css';

const CurveChart = late(() => import('@/chart/CurveChart'));

/** The running day is beside the same figure above, which is read every five seconds. */
const REFRESH_MS = 15_000;
const DAYS = 180;
/** Bars that still can be told apart. */
const BARS = 90;
const HEIGHT = 300;

const waiting = <Skeleton.Node active style={{ width: '100%', height: HEIGHT }} />;

/** What each day brought: stacked bars by cause, and the month as a calendar. */
export default function DailyCard({ accountId }: { accountId: string }) {
  const query = { days: DAYS, ...whichAccount(accountId) };
  const options = { refreshInterval: REFRESH_MS, keepPreviousData: true };
  const { data, error, retry } = useCall(account.daily, { query }, options);
  const { time, curves } = useMemo(() => barsOf((data?.days ?? []).slice(-BARS)), [data]);
  if (data === undefined) {
    return (
      <Card size="small" title="每日盈亏">
        {error ? <ErrorState error={error} onRetry={() => void retry()} /> : waiting}
      </Card>
    );
  }
  return (
    <div className={styles.daily}>
      <Card size="small" title="每日盈亏（USDT，价格 + 资金费 − 手续费 = 净盈亏）">
        <Suspense fallback={waiting}>
          <CurveChart label="每日盈亏" time={time} curves={curves} height={HEIGHT} />
        </Suspense>
      </Card>
      <Card size="small" title="盈亏日历">
        <DayCalendar days={data.days} />
      </Card>
    </div>
  );
}

const PARTS: { key: 'price' | 'funding' | 'fees'; name: string; color: CurveColor }[] = [
  { key: 'price', name: '价格', color: 'blue' },
  { key: 'funding', name: '资金费', color: 'gold' },
  { key: 'fees', name: '手续费', color: 'magenta' },
];

/** Days as stacked bars, one part a cause. */
function barsOf(days: readonly AccountDay[]): { time: number[]; curves: Curve[] } {
  const time = days.map(({ day }) => Date.parse(`${day}T00:00:00Z`));
  const parts = PARTS.map(({ key, ...part }) => ({ ...part, values: days.map((day) => day[key]) }));
  const net = days.map((day) => day.net);
  return { time, curves: stackedBars(parts, net) };
}
