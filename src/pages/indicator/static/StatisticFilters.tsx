import { Segmented, Select } from 'antd';
import { Suspense } from 'react';
import type { Statistic } from '#contract/statistic';
import { STRATEGY_MODES } from '#contract/strategy';
import { CLEARABLE } from '@/components/clearable';
import { late } from '@/components/late';
import { venueLabel } from '@/scan/venueLabel';
import { modeLabel } from '@/services/modeLabel';
import { useVenues } from '@/services/useVenues';
import styles from './index.module.css';
import { type ChangeStatistic, PERIODS, type Period, type StatisticState } from './statisticQuery';

const DayRange = late(() => import('@/components/DayRange'));

const PERIOD_LABEL: Record<Period, string> = {
  '30d': '30 天',
  '90d': '90 天',
  '365d': '1 年',
  all: '全部',
  custom: '自定义',
};
const PERIOD_OPTIONS = PERIODS.map((value) => ({ value, label: PERIOD_LABEL[value] }));

interface StatisticFiltersProps {
  state: StatisticState;
  change: ChangeStatistic;
  data: Statistic;
}

/** What the statistics are narrowed down by; all of it is in the address. */
export function StatisticFilters({ state, change, data }: StatisticFiltersProps) {
  const venues = useVenues().map((value) => ({ value, label: venueLabel(value) }));
  const users = data.users.map(({ id, name }) => ({ value: id, label: name }));
  const pairs = data.pairs.map(({ long, short }) => ({ value: `${long},${short}`, label: `${long} / ${short}` }));
  const isOf = ({ userId }: { userId: string }) => state.userId === '' || userId === state.userId;
  const nameOf = new Map(data.users.map(({ id, name }) => [id, name]));
  const named = (userId: string, words: string) => (state.userId === '' ? `${nameOf.get(userId)} · ${words}` : words);
  const places = data.places
    .filter(isOf)
    .map(({ id, userId, name, venue }) => ({ value: id, label: named(userId, `${name}（${venueLabel(venue)}）`) }));
  const strategies = data.strategies
    .filter(isOf)
    .map(({ id, userId, name }) => ({ value: id, label: named(userId, name) }));
  const choice = (label: string, options: { value: string; label: string }[], key: keyof StatisticState & string) => (
    <Select
      allowClear={CLEARABLE}
      showSearch={{ optionFilterProp: 'label' }}
      className={styles.choice}
      aria-label={label}
      placeholder={`全部${label}`}
      popupMatchSelectWidth={false}
      options={options}
      value={state[key] || undefined}
      onChange={(value) => change({ [key]: value ?? '' })}
    />
  );
  return (
    <search className={styles.filters}>
      <Segmented
        aria-label="期间"
        options={PERIOD_OPTIONS}
        value={state.period}
        onChange={(period) => change({ period, start: null, end: null })}
      />
      {state.period === 'custom' && (
        <Suspense fallback={null}>
          <DayRange utc start={state.start} end={state.end} onChange={change} />
        </Suspense>
      )}
      {data.hasReal && (
        <Segmented
          aria-label="模式"
          options={STRATEGY_MODES.map((value) => ({ value, label: modeLabel(value) }))}
          value={data.mode}
          onChange={(mode) => change({ mode, userId: '', source: '', accountId: '', strategyId: '' })}
        />
      )}
      <Select
        allowClear={CLEARABLE}
        showSearch={{ optionFilterProp: 'label' }}
        className={styles.choice}
        aria-label="用户"
        placeholder="全部用户"
        options={users}
        value={state.userId || undefined}
        onChange={(userId) => change({ userId: userId ?? '', accountId: '', strategyId: '' })}
      />
      {choice('交易所', venues, 'source')}
      {choice('账户', places, 'accountId')}
      {choice('策略', strategies, 'strategyId')}
      {choice('交易对', pairs, 'pair')}
    </search>
  );
}
