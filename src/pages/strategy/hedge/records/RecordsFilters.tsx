import { memo } from 'react';
import type { HedgePair } from '#contract/kinds/hedge/config';
import { CLOSE_REASONS } from '#contract/lifecycle';
import { CLOSE_REASON_LABEL } from '@/components/labels';
import { SymbolSelect } from '@/components/SymbolSelect';
import { FilterBar } from '@/table/FilterBar';
import { FilterSelect, optionsOf } from '@/table/FilterSelect';
import { PeriodFilter } from '@/table/PeriodFilter';
import styles from './records.module.css';
import { type ChangeRecords, type RecordsState, recordsQuery } from './recordsQuery';

const SIDES = optionsOf({ long: '做多', short: '做空' });
const REASONS = CLOSE_REASONS.map((value) => ({ value, label: CLOSE_REASON_LABEL[value] }));
const RESULTS = optionsOf({ profit: '盈利', loss: '亏损' });
const NOTES = optionsOf({ '1': '有备注', '0': '无备注' });

export type PairName = Pick<HedgePair, 'pairId' | 'long' | 'short'>;

interface RecordsFiltersProps {
  state: RecordsState;
  change: ChangeRecords;
  source: string;
  pairs: readonly PairName[];
}

/** What the records are narrowed down by; all of it is in the URL. */
export const RecordsFilters = memo(function RecordsFilters({ state, change, source, pairs }: RecordsFiltersProps) {
  const filter = (next: Partial<RecordsState>) => change({ ...next, current: 1 });
  const pairOptions = pairs.map(({ pairId, long, short }) => ({ value: pairId, label: `${long} / ${short}` }));
  return (
    <FilterBar filtered={recordsQuery.isFiltered(state)} onClear={() => change(recordsQuery.clear)}>
      <PeriodFilter label="开仓期间" state={state} onChange={filter} />
      <FilterSelect
        searchable
        className={styles.wide}
        label="交易对"
        options={pairOptions}
        value={state.pairId || null}
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
        <FilterSelect label="在哪边" options={SIDES} value={state.side} onChange={(side) => filter({ side })} />
      )}
      {state.state !== 'running' && (
        <FilterSelect
          label="平仓原因"
          options={REASONS}
          value={state.reason}
          onChange={(reason) => filter({ reason })}
        />
      )}
      <FilterSelect label="盈亏" options={RESULTS} value={state.pnl} onChange={(pnl) => filter({ pnl })} />
      <FilterSelect label="备注" options={NOTES} value={state.hasNote} onChange={(hasNote) => filter({ hasNote })} />
    </FilterBar>
  );
});
