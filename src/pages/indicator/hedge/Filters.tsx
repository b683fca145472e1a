import { FilterOutlined } from '@ant-design/icons';
import { Button, Input, InputNumber, Select } from 'antd';
import { useState } from 'react';
import type { DIRECTIONS } from '#contract/evaluate';
import { DIRECTION_LABEL } from './directionLabel';
import styles from './index.module.css';
import { DIRECTION_FILTERS, isFiltered, NO_FILTER, type SelectionState } from './selectionQuery';
import { useTyped } from './useTyped';

const WAN = 1e4;
const LABEL = { ...DIRECTION_LABEL, none: '未评' };
const DIRECTION_OPTIONS = DIRECTION_FILTERS.map((value) => ({ value, label: LABEL[value] }));
const SUGGESTION_OPTIONS = DIRECTION_OPTIONS.filter(
  (option): option is { value: (typeof DIRECTIONS)[number]; label: string } => option.value !== 'none',
);
const NOTE_OPTIONS = [
  { value: '1' as const, label: '有评价' },
  { value: '0' as const, label: '无评价' },
];

interface FiltersProps {
  state: SelectionState;
  onChange: (change: Partial<SelectionState>, options?: { replace?: boolean }) => void;
}

/** What the list is narrowed down by; all of it stands in the URL. On a phone it folds behind one button. */
export function Filters({ state, onChange }: FiltersProps) {
  const [open, setOpen] = useState(false);
  const filter = (change: Partial<SelectionState>, typing = false) =>
    onChange({ ...change, current: 1 }, { replace: typing });
  const [search, typeSearch] = useTyped(state.search, (text) => filter({ search: text }, true));
  const [turnover, typeTurnover] = useTyped(state.minTurnover, (minTurnover) => filter({ minTurnover }, true));
  const [days, typeDays] = useTyped(state.minListedDays, (minListedDays) => filter({ minListedDays }, true));
  return (
    <search className={styles.filters}>
      <Input
        className={styles.search}
        allowClear
        maxLength={64}
        placeholder="搜索币种、板块"
        aria-label="搜索"
        value={search}
        onChange={({ target }) => typeSearch(target.value)}
      />
      <Button
        className={styles.unfold}
        icon={<FilterOutlined />}
        aria-expanded={open}
        type={isFiltered(state) ? 'primary' : 'default'}
        onClick={() => setOpen(!open)}
      >
        筛选
      </Button>
      <div className={`${styles.more} ${open ? styles.open : ''}`}>
        <Select
          allowClear
          placeholder="方向"
          aria-label="方向"
          options={DIRECTION_OPTIONS}
          value={state.direction}
          onChange={(direction) => filter({ direction: direction ?? null })}
        />
        <Select
          allowClear
          placeholder="建议"
          aria-label="建议"
          options={SUGGESTION_OPTIONS}
          value={state.suggestion}
          onChange={(suggestion) => filter({ suggestion: suggestion ?? null })}
        />
        <Select
          allowClear
          placeholder="评价"
          aria-label="评价"
          options={NOTE_OPTIONS}
          value={state.hasNote}
          onChange={(hasNote) => filter({ hasNote: hasNote ?? null })}
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
        {isFiltered(state) && (
          <Button type="link" onClick={() => onChange(NO_FILTER)}>
            清除筛选
          </Button>
        )}
      </div>
    </search>
  );
}
