import { VENUE_LABEL } from '@/components/labels';
import { ActionableFilter, ScanFilters } from '@/scan/ScanFilters';
import { FilterBound } from '@/table/FilterBound';
import { FilterSelect, optionsOf } from '@/table/FilterSelect';
import type { Change } from '@/table/listQuery';
import { TYPE_LABEL } from './spreadLabels';
import { type SpreadState, spreadQuery } from './spreadQuery';

const VENUES = optionsOf(VENUE_LABEL);
const TYPES = optionsOf(TYPE_LABEL);

interface SpreadFiltersProps {
  state: SpreadState;
  change: Change<SpreadState>;
}

/** What the opportunities are narrowed down by; all of it is in the URL. */
export function SpreadFilters({ state, change }: SpreadFiltersProps) {
  const filter = (next: Partial<SpreadState>, typing = false) => change({ ...next, current: 1 }, { replace: typing });
  return (
    <ScanFilters
      search={state.search}
      onSearch={(search) => filter({ search }, true)}
      filtered={spreadQuery.isFiltered(state)}
      onClear={() => change(spreadQuery.clear)}
    >
      <FilterSelect label="交易所" options={VENUES} value={state.source} onChange={(source) => filter({ source })} />
      <FilterSelect label="类型" options={TYPES} value={state.type} onChange={(type) => filter({ type })} />
      <ActionableFilter value={state.actionable} onChange={(actionable) => filter({ actionable })} />
      <FilterBound
        label="净年化"
        prefix="净年化 ≥"
        suffix="%"
        unit={0.01}
        value={state.minNetApr}
        onChange={(minNetApr) => filter({ minNetApr }, true)}
      />
      <FilterBound
        label="5% 深度"
        prefix="深度 ≥"
        suffix="万"
        unit={1e4}
        value={state.minDepth}
        onChange={(minDepth) => filter({ minDepth }, true)}
      />
      <FilterBound
        label="两腿 24h 成交额"
        prefix="成交额 ≥"
        suffix="万"
        unit={1e4}
        value={state.minTurnover}
        onChange={(minTurnover) => filter({ minTurnover }, true)}
      />
      <FilterBound
        label="剩余天数"
        prefix="剩余 ≤"
        suffix="天"
        value={state.maxDays}
        onChange={(maxDays) => filter({ maxDays }, true)}
      />
    </ScanFilters>
  );
}
