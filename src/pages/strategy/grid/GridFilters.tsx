import { VENUE_LABEL } from '@/components/labels';
import { ActionableFilter, ScanFilters } from '@/scan/ScanFilters';
import { FilterBound } from '@/table/FilterBound';
import { FilterSelect, optionsOf } from '@/table/FilterSelect';
import type { Change } from '@/table/listQuery';
import { MARKET_LABEL } from './gridLabels';
import { type GridState, gridQuery } from './gridQuery';

const VENUES = optionsOf(VENUE_LABEL);
const MARKETS = optionsOf(MARKET_LABEL);

interface GridFiltersProps {
  state: GridState;
  change: Change<GridState>;
}

/** What the coins are narrowed down by; all of it is in the URL. */
export function GridFilters({ state, change }: GridFiltersProps) {
  const filter = (next: Partial<GridState>, typing = false) => change({ ...next, current: 1 }, { replace: typing });
  return (
    <ScanFilters
      search={state.search}
      onSearch={(search) => filter({ search }, true)}
      filtered={gridQuery.isFiltered(state)}
      onClear={() => change(gridQuery.clear)}
    >
      <FilterSelect label="交易所" options={VENUES} value={state.source} onChange={(source) => filter({ source })} />
      <FilterSelect label="市场" options={MARKETS} value={state.market} onChange={(market) => filter({ market })} />
      <ActionableFilter value={state.actionable} onChange={(actionable) => filter({ actionable })} />
      <FilterBound
        label="每格净利"
        prefix="每格净利 ≥"
        suffix="%"
        unit={0.01}
        value={state.minProfit}
        onChange={(minProfit) => filter({ minProfit }, true)}
      />
      <FilterBound
        label="每日套利"
        prefix="每日 ≥"
        suffix="次"
        value={state.minPairs}
        onChange={(minPairs) => filter({ minPairs }, true)}
      />
      <FilterBound
        label="区间内"
        prefix="区间内 ≥"
        suffix="%"
        unit={0.01}
        value={state.minInRange}
        onChange={(minInRange) => filter({ minInRange }, true)}
      />
      <FilterBound
        label="24h 成交额"
        prefix="成交额 ≥"
        suffix="万"
        unit={1e4}
        value={state.minTurnover}
        onChange={(minTurnover) => filter({ minTurnover }, true)}
      />
      <FilterBound
        label="5% 深度"
        prefix="深度 ≥"
        suffix="万"
        unit={1e4}
        value={state.minDepth}
        onChange={(minDepth) => filter({ minDepth }, true)}
      />
    </ScanFilters>
  );
}
