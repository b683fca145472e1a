import { Skeleton } from 'antd';
import { Suspense, useMemo } from 'react';
import { DAY_MS } from '#contract/duration';
import { type OverviewDays, type OverviewRow, TRACK_DAYS } from '#contract/strategyOverview';
import type { CurveColor } from '@/chart/curve';
import { type BarPart, stackedBars } from '@/chart/stackedBars';
import { late } from '@/components/late';
import { useSame } from '@/components/useSame';
import { WhenSeen } from '@/components/WhenSeen';
import { byMoney } from '@/strategy/strategyTotals';

import styles from './overview.module.css';

const CurveChart = late(() => import('@/chart/CurveChart'));

const HEIGHT = 280;
const COLORS: readonly CurveColor[] = ['blue', 'orange', 'purple', 'cyan', 'gold', 'magenta'];
const REST: CurveColor = 'muted';

type Days = readonly (number | null)[];
type Told = Pick<OverviewRow, 'name' | 'user'> & { daily: Days };

/** What is known of a day, added up; null: nothing is. */
const sumOf = (all: readonly Days[], length: number): (number | null)[] =>
  Array.from({ length }, (_none, day) =>
    all.reduce<number | null>((sum, days) => (days[day] == null ? sum : (sum ?? 0) + days[day]), null),
  );

const sizeOf = (days: Days): number => days.reduce<number>((sum, day) => sum + Math.abs(day ?? 0), 0);

/** One part a strategy for those that moved most, and one for all others together. */
function partsOf(rows: readonly Told[], length: number): BarPart[] {
  const moved = rows.filter(({ daily }) => sizeOf(daily) > 0).sort((a, b) => sizeOf(b.daily) - sizeOf(a.daily));
  const own = moved.slice(0, COLORS.length).map(({ name, user, daily }, i) => ({
    name: `${name} · ${user}`,
    color: COLORS[i]!,
    values: daily,
  }));
  const others = moved.slice(COLORS.length).map(({ daily }) => daily);
  return others.length === 0 ? own : [...own, { name: '其余', color: REST, values: sumOf(others, length) }];
}

interface DailyPanelProps {
  rows: readonly OverviewRow[];
  days: readonly OverviewDays[];
  /** Start of the running day, UTC ms. */
  today: number;
}

/** What each of the last days and the running one brought, as bars that are stacked by strategy; real money by itself. */
export function DailyPanel({ rows, ...rest }: DailyPanelProps) {
  return byMoney(rows).map(([money, own]) => <Daily key={money} title={`${money}每日盈亏`} rows={own} {...rest} />);
}

function Daily({ title, rows, days, today }: DailyPanelProps & { title: string }) {
  const before = new Map(days.map(({ id, daily }) => [id, daily]));
  const told = useSame(
    rows.flatMap(({ id, name, user, today: running }): Told[] => {
      const daily = before.get(id);
      return daily ? [{ name, user, daily: [...daily, running] }] : [];
    }),
  );
  const { time, curves } = useMemo(() => {
    const length = told[0]?.daily.length ?? 0;
    const net = sumOf(
      told.map(({ daily }) => daily),
      length,
    );
    return {
      time: Array.from({ length }, (_none, i) => today - (length - 1 - i) * DAY_MS),
      curves: stackedBars(partsOf(told, length), net),
    };
  }, [told, today]);
  const waiting = <Skeleton.Node active style={{ width: '100%', height: HEIGHT }} />;
  return (
    <section className={`card ${styles.panel}`} aria-label={title}>
      <header className={styles.tools}>
        <h2>{title}，按策略</h2>
        <span className="soft">最近 {TRACK_DAYS} 个 UTC 日与今日（未完），USDT</span>
      </header>
      {curves.length < 2 ? (
        <p className={styles.note}>最近 {TRACK_DAYS} 日与今日没有盈亏。</p>
      ) : (
        <div className={styles.chart}>
          <WhenSeen height={HEIGHT}>
            <Suspense fallback={waiting}>
              <CurveChart
                label={`${title}，按策略`}
                time={time}
                curves={curves}
                height={HEIGHT}
                forming
                formingWord="今日（未完）"
              />
            </Suspense>
          </WhenSeen>
        </div>
      )}
    </section>
  );
}
