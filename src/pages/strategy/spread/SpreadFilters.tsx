import { Input } from 'antd';
import { VENUE_LABEL } from '@/components/labels';
import scan from '@/scan/scan.module.css';
import { FilterBar } from '@/table/FilterBar';
import { FilterBound } from '@/table/FilterBound';
import { FilterSelect, optionsOf } from '@/table/FilterSelect';
import type { Change } from '@/table/listQuery';
import { useTyped } from '@/table/useTyped';
import { TYPE_LABEL } from './spreadLabels';
import { type SpreadState, spreadQuery } from './spreadQuery';

const VENUES = optionsOf(VENUE_LABEL);
const TYPES = optionsOf(TYPE_LABEL);
const ACTIONABLE = optionsOf({ '1': '现在可做', '0': '有阻碍' });

interface SpreadFiltersProps {
  state: SpreadState;
  change: Change<SpreadState>;
}

/** What the opportunities are narrowed down by; all of it is in the URL. */
export function SpreadFilters({ state, change }: SpreadFiltersProps) {
  const filter = (next: Partial<SpreadState>, typing = false) => change({ ...next, current: 1 }, { replace: typing });
  const [search, typeSearch] = useTyped(state.search, (text) => filter({ search: text }, true));
  return (
    <FilterBar
      filtered={spreadQuery.isFiltered(state)}
      onClear={() => change(spreadQuery.clear)}
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
      <FilterSelect label="交易所" options={VENUES} value={state.source} onChange={(source) => filter({ source })} />
      <FilterSelect label="类型" options={TYPES} value={state.type} onChange={(type) => filter({ type })} />
      <FilterSelect
        label="能不能做"
        options={ACTIONABLE}
        value={state.actionable}
        onChange={(actionable) => filter({ actionable })}
      />
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
        label="剩余天数"
        prefix="剩余 ≤"
        suffix="天"
        value={state.maxDays}
        onChange={(maxDays) => filter({ maxDays }, true)}
      />
    </FilterBar>
  );
}
