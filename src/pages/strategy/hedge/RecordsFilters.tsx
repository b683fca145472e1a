import { FilterOutlined } from '@ant-design/icons';
import { Button, Select } from 'antd';
import { lazy, memo, Suspense, useState } from 'react';
import type { HedgePair } from '#contract/hedgeConfig';
import { CLOSE_REASONS } from '#contract/lifecycle';
import { CLOSE_REASON_LABEL } from '@/components/labels';
import { SymbolSelect } from '@/components/SymbolSelect';
import styles from './index.module.css';
import { type ChangeRecords, isFiltered, NO_FILTER, type RecordsState } from './recordsQuery';

const DayRange = lazy(() => import('@/components/DayRange'));

const PERIOD_OPTIONS = [
  { value: 'today' as const, label: '今天' },
  { value: '7d' as const, label: '近 7 天' },
  { value: '30d' as const, label: '近 30 天' },
  { value: '90d' as const, label: '近 90 天' },
  { value: 'custom' as const, label: '自定义' },
];
const SIDE_OPTIONS = [
  { value: 'long' as const, label: '做多' },
  { value: 'short' as const, label: '做空' },
];
const REASON_OPTIONS = CLOSE_REASONS.map((value) => ({ value, label: CLOSE_REASON_LABEL[value] }));
const PNL_OPTIONS = [
  { value: 'profit' as const, label: '盈利' },
  { value: 'loss' as const, label: '亏损' },
];
const NOTE_OPTIONS = [
  { value: '1' as const, label: '有备注' },
  { value: '0' as const, label: '无备注' },
];

export type PairName = Pick<HedgePair, 'pairId' | 'long' | 'short'>;

interface RecordsFiltersProps {
  state: RecordsState;
  change: ChangeRecords;
  source: string;
  pairs: readonly PairName[];
}

/** What the records are narrowed down by; all of it stands in the URL. On a phone it folds behind one button. */
export const RecordsFilters = memo(function RecordsFilters({ state, change, source, pairs }: RecordsFiltersProps) {
  const [open, setOpen] = useState(false);
  const filter = (next: Partial<RecordsState>) => change({ ...next, current: 1 });
  const pairOptions = pairs.map(({ pairId, long, short }) => ({ value: pairId, label: `${long} / ${short}` }));
  return (
    <search className={styles.filters}>
      <Button
        className={styles.unfold}
        icon={<FilterOutlined />}
        aria-expanded={open}
        type={isFiltered(state) ? 'primary' : 'default'}
        onClick={() => setOpen(!open)}
      >
        筛选
      </Button>
      <div className={`${styles.more} ${open ? styles.open : ''}`}>
        <Select
          allowClear
          placeholder="开仓期间"
          aria-label="开仓期间"
          options={PERIOD_OPTIONS}
          value={state.period}
          onChange={(period) => filter({ period: period ?? null, start: null, end: null })}
        />
        {state.period === 'custom' && (
          <Suspense fallback={null}>
            <DayRange start={state.start} end={state.end} onChange={filter} />
          </Suspense>
        )}
        <Select
          allowClear
          className={styles.wide}
          placeholder="交易对"
          aria-label="交易对筛选"
          options={pairOptions}
          value={state.pairId || undefined}
          onChange={(pairId) => filter({ pairId: pairId ?? '' })}
        />
        <SymbolSelect
          allowClear
          placeholder="含币种"
          aria-label="含币种"
          source={source}
          value={state.symbol || undefined}
          onChange={(symbol) => filter({ symbol, ...(symbol === '' ? { side: null } : {}) })}
        />
        {state.symbol !== '' && (
          <Select
            allowClear
            placeholder="在哪边"
            aria-label="在哪边"
            options={SIDE_OPTIONS}
            value={state.side}
            onChange={(side) => filter({ side: side ?? null })}
          />
        )}
        {state.state !== 'running' && (
          <Select
            allowClear
            placeholder="平仓原因"
            aria-label="平仓原因"
            options={REASON_OPTIONS}
            value={state.reason}
            onChange={(reason) => filter({ reason: reason ?? null })}
          />
        )}
        <Select
          allowClear
          placeholder="盈亏"
          aria-label="盈亏"
          options={PNL_OPTIONS}
          value={state.pnl}
          onChange={(pnl) => filter({ pnl: pnl ?? null })}
        />
        <Select
          allowClear
          placeholder="备注"
          aria-label="备注筛选"
          options={NOTE_OPTIONS}
          value={state.hasNote}
          onChange={(hasNote) => filter({ hasNote: hasNote ?? null })}
        />
        {isFiltered(state) && (
          <Button type="link" onClick={() => change(NO_FILTER)}>
            清除筛选
          </Button>
        )}
      </div>
    </search>
  );
});
