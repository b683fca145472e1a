import { Input } from 'antd';
import type { ReactNode } from 'react';
import scan from '@/scan/scan.module.css';
import { FilterBar } from '@/table/FilterBar';
import { FilterBound } from '@/table/FilterBound';
import { useTyped } from '@/table/useTyped';
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
  const [search, typeSearch] = useTyped(state.search, (text) => filter({ search: text }, true));
  return (
    <FilterBar
      filtered={filtered}
      onClear={onClear}
      lead={
        <Input
          className={scan.search}
          allowClear
          maxLength={64}
          placeholder="搜索币种"
          aria-label="搜索"
          value={search}
          onChange={({ target }) => typeSearch(target.value)}
        />
      }
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
    </FilterBar>
  );
}
