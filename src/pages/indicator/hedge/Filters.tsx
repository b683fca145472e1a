import { Input, InputNumber } from 'antd';
import type { DIRECTIONS } from '#contract/evaluate';
import { DIRECTION_LABEL } from '@/components/labels';
import { FilterBar } from '@/table/FilterBar';
import { FilterSelect, optionsOf } from '@/table/FilterSelect';
import { useTyped } from '@/table/useTyped';
import styles from './index.module.css';
import { DIRECTION_FILTERS, type SelectionState, selectionQuery } from './selectionQuery';

const WAN = 1e4;
const LABEL = { ...DIRECTION_LABEL, none: '未评' };
const DIRECTION_OPTIONS = DIRECTION_FILTERS.map((value) => ({ value, label: LABEL[value] }));
const SUGGESTION_OPTIONS = DIRECTION_OPTIONS.filter(
  (option): option is { value: (typeof DIRECTIONS)[number]; label: string } => option.value !== 'none',
);
const NOTE_OPTIONS = optionsOf({ '1': '有评价', '0': '无评价' });

interface FiltersProps {
  state: SelectionState;
  onChange: (change: Partial<SelectionState>, options?: { replace?: boolean }) => void;
}

/** What the list is narrowed down by; all of it is in the URL. */
export function Filters({ state, onChange }: FiltersProps) {
  const filter = (change: Partial<SelectionState>, typing = false) =>
    onChange({ ...change, current: 1 }, { replace: typing });
  const [search, typeSearch] = useTyped(state.search, (text) => filter({ search: text }, true));
  const [turnover, typeTurnover] = useTyped(state.minTurnover, (minTurnover) => filter({ minTurnover }, true));
  const [days, typeDays] = useTyped(state.minListedDays, (minListedDays) => filter({ minListedDays }, true));
  return (
    <FilterBar
      filtered={selectionQuery.isFiltered(state)}
      onClear={() => onChange(selectionQuery.clear)}
      lead={
        <Input
          className={styles.search}
          allowClear
          maxLength={64}
          placeholder="搜索币种、板块"
          aria-label="搜索"
          value={search}
          onChange={({ target }) => typeSearch(target.value)}
        />
      }
    >
      <FilterSelect
        label="方向"
        options={DIRECTION_OPTIONS}
        value={state.direction}
        onChange={(direction) => filter({ direction })}
      />
      <FilterSelect
        label="建议"
        options={SUGGESTION_OPTIONS}
        value={state.suggestion}
        onChange={(suggestion) => filter({ suggestion })}
      />
      <FilterSelect
        label="评价"
        options={NOTE_OPTIONS}
        value={state.hasNote}
        onChange={(hasNote) => filter({ hasNote })}
      />
      <InputNumber
        min={0}
        controls={false}
        prefix="成交额 ≥"
        suffix="万"
        aria-label="最低成交额（万 USDT）"
        value={turnover === null ? null : turnover / WAN}
        onChange={(value) => typeTurnover(value === null ? null : value * WAN)}
      />
      <InputNumber
        min={0}
        precision={0}
        controls={false}
        prefix="上市 ≥"
        suffix="天"
        aria-label="最少上市天数"
        value={days}
        onChange={typeDays}
      />
    </FilterBar>
  );
}
