import type { Statistic, StatisticQuery } from '#contract/statistic';
import { LateCard } from '@/components/LateCard';
import { late } from '@/components/late';

const EquityCard = late(() => import('./EquityCard'));
const CalendarCards = late(() => import('./CalendarCards'));
const AttributionCard = late(() => import('./AttributionCard'));
const CompareCard = late(() => import('./CompareCard'));

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
          <LateCard height={HEIGHT.equity}>
            <EquityCard daily={data.daily} />
          </LateCard>
          <LateCard height={HEIGHT.calendar}>
            <CalendarCards months={data.months} daily={data.daily} />
          </LateCard>
        </>
      )}
      {/* The table's code is large, and the backtests take their time: both wait until they are looked at. */}
      <LateCard height={HEIGHT.attribution} ahead={0}>
        <AttributionCard attribution={data.attribution} hedges={data.hedges} />
      </LateCard>
      <LateCard height={HEIGHT.compare} ahead={0}>
        <CompareCard query={query} />
      </LateCard>
    </>
  );
}
