import { Input } from 'antd';
import { FilterBar } from '@/table/FilterBar';
import { FilterSelect, optionsOf } from '@/table/FilterSelect';
import { useTyped } from '@/table/useTyped';
import styles from './index.module.css';
import { EXCHANGE_LABEL, RIGHT_LABEL, STATE_LABEL } from './keyLabels';
import { type ChangeKeys, type KeyQuery, keyQuery } from './keyQuery';

const EXCHANGES = optionsOf(EXCHANGE_LABEL);
const STATES = optionsOf(STATE_LABEL);
const RIGHTS = optionsOf(RIGHT_LABEL);

interface KeyFiltersProps {
  state: KeyQuery;
  change: ChangeKeys;
}

/** What the keys are narrowed down by; all of it is in the URL. */
export function KeyFilters({ state, change }: KeyFiltersProps) {
  const filter = (next: Partial<KeyQuery>, typing = false) => change({ ...next, current: 1 }, { replace: typing });
  const [typed, type] = useTyped(state.search, (search) => filter({ search }, true));
  return (
    <FilterBar
      filtered={keyQuery.isFiltered(state)}
      onClear={() => change(keyQuery.clear)}
      lead={
        <Input
          className={styles.search}
          allowClear
          maxLength={64}
          placeholder="名称、末四位、备注"
          aria-label="搜索"
          value={typed}
          onChange={({ target }) => type(target.value)}
        />
      }
    >
      <FilterSelect
        label="交易所"
        options={EXCHANGES}
        value={state.exchange}
        onChange={(exchange) => filter({ exchange })}
      />
      <FilterSelect label="状态" options={STATES} value={state.state} onChange={(next) => filter({ state: next })} />
      <FilterSelect
        label="权限"
        options={RIGHTS}
        value={state.keyRight}
        onChange={(keyRight) => filter({ keyRight })}
      />
    </FilterBar>
  );
}
