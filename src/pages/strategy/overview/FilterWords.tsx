import { Input } from 'antd';
import { STRATEGY_KIND_LABEL } from '#contract/strategy';
import type { OverviewRow } from '#contract/strategyOverview';
import type { StateOf } from '@/components/useQueryState';
import { STRATEGY_STATE_LABEL } from '@/strategy/strategyLabels';
import { FilterSelect, optionsOf } from '@/table/FilterSelect';
import styles from './overview.module.css';
import type { overviewCodecs } from './overviewQuery';

type Query = StateOf<typeof overviewCodecs>;

interface FilterWordsProps {
  rows: readonly OverviewRow[];
  query: Query;
  change: (change: Partial<Query>) => void;
}

const named = (names: readonly string[]) => [...new Set(names)].sort().map((name) => ({ value: name, label: name }));

const KIND_OPTIONS = optionsOf(STRATEGY_KIND_LABEL);

/** Narrows the strategies down by a word of theirs. */
export function FilterWords({ rows, query, change }: FilterWordsProps) {
  return (
    <>
      <Input.Search
        allowClear
        className={styles.search}
        placeholder="名称"
        aria-label="搜索"
        key={query.search}
        defaultValue={query.search}
        onSearch={(search) => change({ search: search.trim() })}
      />
      <FilterSelect
        label="状态"
        options={optionsOf(STRATEGY_STATE_LABEL)}
        value={query.state}
        onChange={(state) => change({ state })}
      />
      <FilterSelect label="类型" options={KIND_OPTIONS} value={query.kind} onChange={(kind) => change({ kind })} />
      <FilterSelect
        label="用户"
        searchable
        options={named(rows.map(({ user }) => user))}
        value={query.user}
        onChange={(user) => change({ user })}
      />
      <FilterSelect
        label="标的"
        searchable
        options={named(rows.flatMap(({ symbols }) => symbols))}
        value={query.symbol}
        onChange={(symbol) => change({ symbol })}
      />
    </>
  );
}
