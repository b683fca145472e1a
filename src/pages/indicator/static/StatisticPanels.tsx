import { Card, Skeleton } from 'antd';
import { lazy, type ReactNode, Suspense } from 'react';
import type { Statistic, StatisticQuery } from '#contract/statistic';
import { WhenSeen } from '@/components/WhenSeen';

const EquityCard = lazy(() => import('./EquityCard'));
const CalendarCards = lazy(() => import('./CalendarCards'));
const AttributionCard = lazy(() => import('./AttributionCard'));
const CompareCard = lazy(() => import('./CompareCard'));

/** Heights of what is not loaded yet, px. */
const HEIGHT = { equity: 980, calendar: 420, attribution: 320, compare: 480 };

interface StatisticPanelsProps {
  data: Statistic;
  query: StatisticQuery;
}

/** Charts and tables: what lies below the fold is loaded when it comes near. */
export function StatisticPanels({ data, query }: StatisticPanelsProps) {
  return (
    <>
      {data.figures !== null && (
        <>
          <Late height={HEIGHT.equity}>
            <EquityCard daily={data.daily} />
          </Late>
          <Late height={HEIGHT.calendar}>
            <CalendarCards months={data.months} daily={data.daily} />
          </Late>
        </>
      )}
      {/* The table's code is large, and the backtests take their time: both wait until they are looked at. */}
      <Late height={HEIGHT.attribution} ahead={0}>
        <AttributionCard attribution={data.attribution} />
      </Late>
      <Late height={HEIGHT.compare} ahead={0}>
        <CompareCard query={query} />
      </Late>
    </>
  );
}

interface LateProps {
  height: number;
  ahead?: number;
  children: ReactNode;
}

function Late({ height, ahead, children }: LateProps) {
  return (
    <WhenSeen height={height} ahead={ahead}>
      <Suspense
        fallback={
          <Card size="small">
            <Skeleton.Node active style={{ width: '100%', height: height - 60 }} />
          </Card>
        }
      >
        {children}
      </Suspense>
    </WhenSeen>
  );
}
