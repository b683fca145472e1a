import { Card } from 'antd';
import { useMemo } from 'react';
import type { Statistic } from '#contract/statistic';
import { DayCalendar } from '@/components/DayCalendar';
import MonthMap from '@/components/MonthMap';
import styles from './index.module.css';

/** Months by years, and the days of a month. */
export default function CalendarCards({ months, daily }: Pick<Statistic, 'months' | 'daily'>) {
  const days = useMemo(() => daily.day.map((day, i) => ({ day, net: daily.net[i]! })), [daily]);
  return (
    <div className={styles.calendars}>
      <MonthMap months={months} />
      <Card size="small" title="日盈亏（USDT，UTC 日，剔除划转）">
        <DayCalendar days={days} />
      </Card>
    </div>
  );
}
