import { Checkbox } from 'antd';
import { VENUE_LABEL } from '@/components/labels';
import { ActionableFilter, ScanFilters } from '@/scan/ScanFilters';
import { FilterBound } from '@/table/FilterBound';
import { FilterSelect, optionsOf } from '@/table/FilterSelect';
import type { Change } from '@/table/listQuery';
import { type ArbitrageState, arbitrageQuery } from './arbitrageQuery';

const VENUES = optionsOf(VENUE_LABEL);

interface ArbitrageFiltersProps {
  state: ArbitrageState;
  change: Change<ArbitrageState>;
}

/** What the opportunities are narrowed down by; all of it is in the URL. */
export function ArbitrageFilters({ state, change }: ArbitrageFiltersProps) {
  const filter = (next: Partial<ArbitrageState>, typing = false) =>
    change({ ...next, current: 1 }, { replace: typing });
  return (
    <ScanFilters
      search={state.search}
      onSearch={(search) => filter({ search }, true)}
      filtered={arbitrageQuery.isFiltered(state)}
      onClear={() => change(arbitrageQuery.clear)}
    >
      <FilterSelect label="买入所" options={VENUES} value={state.buy} onChange={(buy) => filter({ buy })} />
      <FilterSelect label="卖出所" options={VENUES} value={state.sell} onChange={(sell) => filter({ sell })} />
      <ActionableFilter value={state.actionable} onChange={(actionable) => filter({ actionable })} />
      <FilterBound
        label="净价差"
        prefix="净价差 ≥"
        suffix="bps"
        least={-10_000}
        value={state.minNetBps}
        onChange={(minNetBps) => filter({ minNetBps }, true)}
      />
      <FilterBound
        label="净利"
        prefix="净利 ≥"
        suffix="USDT"
        value={state.minProfit}
        onChange={(minProfit) => filter({ minProfit }, true)}
      />
      <FilterBound
        label="持续"
        prefix="持续 ≥"
        suffix="s"
        value={state.minHeldSeconds}
        onChange={(minHeldSeconds) => filter({ minHeldSeconds }, true)}
      />
      <Checkbox checked={state.transferable} onChange={({ target }) => filter({ transferable: target.checked })}>
        充提都开放
      </Checkbox>
      <Checkbox checked={state.stocked} onChange={({ target }) => filter({ stocked: target.checked })}>
        两边有库存
      </Checkbox>
    </ScanFilters>
  );
}
