import { Suspense } from 'react';
import { late } from '@/components/late';
import { FilterSelect, optionsOf } from './FilterSelect';
import { NO_PERIOD, type PeriodState } from './period';

const DayRange = late(() => import('@/components/DayRange'));

const OPTIONS = optionsOf({
  today: '今天',
  '7d': '近 7 天',
  '30d': '近 30 天',
  '90d': '近 90 天',
  custom: '自定义',
});

interface PeriodFilterProps {
  label: string;
  state: PeriodState;
  onChange: (next: Partial<PeriodState>) => void;
}

/** A span of time by its name, or by two days. */
export function PeriodFilter({ label, state: { period, start, end }, onChange }: PeriodFilterProps) {
  return (
    <>
      <FilterSelect
        label={label}
        options={OPTIONS}
        value={period}
        onChange={(next) => onChange({ ...NO_PERIOD, period: next })}
      />
      {period === 'custom' && (
        <Suspense fallback={null}>
          <DayRange start={start} end={end} onChange={onChange} />
        </Suspense>
      )}
    </>
  );
}
