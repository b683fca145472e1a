import { Button, Checkbox } from 'antd';
import { VENUE_LABEL } from '@/components/labels';
import { ActionableFilter, ScanFilters } from '@/scan/ScanFilters';
import { FilterBound } from '@/table/FilterBound';
import { FilterSelect, optionsOf } from '@/table/FilterSelect';
import type { Change } from '@/table/listQuery';
import { FILTER_WORDS } from './filterWords';
import { CARRY_LABEL } from './fundingColumns';
import { type FundingState, fundingQuery, USUAL } from './fundingQuery';

const VENUES = optionsOf(VENUE_LABEL);
const DIRECTIONS = optionsOf(CARRY_LABEL);
const WAN = 1e4;

interface FundingFiltersProps {
  state: FundingState;
  change: Change<FundingState>;
}

/** What the opportunities are narrowed down by; all of it is in the URL. */
export function FundingFilters({ state, change }: FundingFiltersProps) {
  const isUsual = state.minApr === USUAL.minApr && state.maxBreakEvenHours === USUAL.maxBreakEvenHours;
  const filter = (next: Partial<FundingState>, typing = false) => change({ ...next, current: 1 }, { replace: typing });
  return (
    <ScanFilters
      search={state.search}
      onSearch={(search) => filter({ search }, true)}
      filtered={fundingQuery.isFiltered(state)}
      onClear={() => change(fundingQuery.clear)}
      clearText="恢复默认筛选"
    >
      <FilterSelect label="交易所" options={VENUES} value={state.source} onChange={(source) => filter({ source })} />
      <FilterSelect
        label="方向"
        options={DIRECTIONS}
        value={state.direction}
        onChange={(direction) => filter({ direction })}
      />
      <ActionableFilter value={state.actionable} onChange={(actionable) => filter({ actionable })} />
      <FilterBound
        label="年化"
        prefix="年化 ≥"
        suffix="%"
        unit={0.01}
        value={state.minApr}
        onChange={(minApr) => filter({ minApr }, true)}
      />
      <FilterBound
        label="回本小时"
        prefix="回本 ≤"
        suffix="h"
        least={1}
        value={state.maxBreakEvenHours}
        onChange={(maxBreakEvenHours) => filter({ maxBreakEvenHours }, true)}
      />
      <FilterBound
        label="24h 成交额"
        prefix="成交额 ≥"
        suffix="万"
        unit={WAN}
        value={state.minTurnover}
        onChange={(minTurnover) => filter({ minTurnover }, true)}
      />
      <FilterBound
        label="5% 深度"
        prefix="深度 ≥"
        suffix="万"
        unit={WAN}
        value={state.minDepth}
        onChange={(minDepth) => filter({ minDepth }, true)}
      />
      <FilterBound
        label="成交额名次"
        prefix="成交额前"
        suffix="名"
        least={1}
        whole
        value={state.top}
        onChange={(top) => filter({ top }, true)}
      />
      <Checkbox checked={state.lowAdl} onChange={({ target }) => filter({ lowAdl: target.checked })}>
        ADL 不高于 2
      </Checkbox>
      {isUsual && (
        <span className="missing">
          默认：{FILTER_WORDS.minApr(USUAL)}、{FILTER_WORDS.maxBreakEvenHours(USUAL)}
          <Button type="link" size="small" onClick={() => filter({ minApr: null, maxBreakEvenHours: null })}>
            不限
          </Button>
        </span>
      )}
    </ScanFilters>
  );
}
