import type { ReactNode } from 'react';
import { ScanFilters } from '@/scan/ScanFilters';
import { FilterBound } from '@/table/FilterBound';
import type { ChangeRates, RateState } from './rateQuery';

const WAN = 1e4;

interface SharedFiltersProps {
  state: RateState;
  change: ChangeRates;
  /** Whether some filter narrows the list now. */
  filtered: boolean;
  onClear: () => void;
  children?: ReactNode;
}

/** Filters of both tabs, and after them those of one. */
export function SharedFilters({ state, change, filtered, onClear, children }: SharedFiltersProps) {
  const filter = (next: Partial<RateState>, typing = false) => change({ ...next, current: 1 }, { replace: typing });
  return (
    <ScanFilters
      search={state.search}
      onSearch={(search) => filter({ search }, true)}
      filtered={filtered}
      onClear={onClear}
    >
      {children}
      <FilterBound
        label="持仓量"
        prefix="持仓量 ≥"
        suffix="万"
        unit={WAN}
        value={state.minOpenInterest}
        onChange={(minOpenInterest) => filter({ minOpenInterest }, true)}
      />
    </ScanFilters>
  );
}
