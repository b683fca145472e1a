import { Checkbox } from 'antd';
import { SIMULATED_SOURCES } from '#contract/candle';
import { VENUE_LABEL } from '@/components/labels';
import { ActionableFilter } from '@/scan/ScanFilters';
import { FilterBound } from '@/table/FilterBound';
import { FilterSelect, optionsOf } from '@/table/FilterSelect';
import { FilterSeveral } from '@/table/FilterSeveral';
import { type ChangeRates, type RateState, rateQuery } from './rateQuery';
import { SharedFilters } from './SharedFilters';

const VENUES = optionsOf(VENUE_LABEL);
const SIGNS = optionsOf({ positive: '两边为正', negative: '两边为负', opposite: '一负一正' });

interface PairFiltersProps {
  state: RateState;
  change: ChangeRates;
}

/** What the opportunities are narrowed down by; all of it is in the URL. */
export function PairFilters({ state, change }: PairFiltersProps) {
  const filter = (next: Partial<RateState>, typing = false) => change({ ...next, current: 1 }, { replace: typing });
  return (
    <SharedFilters
      state={state}
      change={change}
      filtered={rateQuery.isFiltered(state)}
      onClear={() => change(rateQuery.clear)}
    >
      <FilterSeveral
        label="交易所"
        options={VENUES}
        value={SIMULATED_SOURCES.filter((source) => state.sources.includes(source))}
        onChange={(sources) => filter({ sources })}
      />
      <FilterSelect label="费率符号" options={SIGNS} value={state.sign} onChange={(sign) => filter({ sign })} />
      <ActionableFilter value={state.actionable} onChange={(actionable) => filter({ actionable })} />
      <FilterBound
        label="净年化"
        prefix="净年化 ≥"
        suffix="%"
        unit={0.01}
        value={state.minNetApr}
        onChange={(minNetApr) => filter({ minNetApr }, true)}
      />
      <Checkbox checked={state.funded} onChange={({ target }) => filter({ funded: target.checked })}>
        双边有账户
      </Checkbox>
    </SharedFilters>
  );
}
