import { Button } from 'antd';
import { EmptyState } from '@/components/EmptyState';
import type { Change } from '@/table/listQuery';
import { type Filters, filterWords } from '@/table/schemaFilters';
import styles from './hiddenRows.module.css';

export interface HiddenRowsProps {
  filters: Filters;
  state: { search: string };
  change: Change<Record<string, unknown>>;
  /** Rows without any filter, and those that pass. */
  all: number;
  total: number;
  /** What each filter keeps away, whatever the others do. */
  hidden: readonly { filter: string; rows: number; unopened?: number }[];
}

/** Those of every scanner. */
const COMMON: Record<string, { off: unknown; words: (search: string) => string }> = {
  search: { off: '', words: (search) => `币种含「${search.trim()}」` },
  coins: { off: false, words: () => '只看自选' },
};

const offOf = (filter: string) => COMMON[filter]?.off ?? null;

/** What the filters keep away: which of them how many rows, each with a way to take it off. */
export function HiddenRows({ filters, state, change, all, total, hidden }: HiddenRowsProps) {
  if (hidden.length === 0) return null;
  const take = (off: readonly string[]) =>
    change({ ...Object.fromEntries(off.map((filter) => [filter, offOf(filter)])), current: 1 });
  const wordsOf = (filter: string) =>
    filters[filter] === undefined
      ? COMMON[filter]!.words(state.search)
      : filterWords(filters[filter], state[filter as keyof typeof state]);
  const list = (
    <ul className={styles.hidden} aria-label="挡住机会的筛选">
      {hidden.map(({ filter, rows, unopened }) => (
        <li key={filter}>
          <span>{wordsOf(filter)}</span>
          <span className="figure">
            {rows} 行{unopened !== undefined && `，其中 ${unopened} 行只差开户`}
          </span>
          <Button size="small" aria-label={`去掉 ${wordsOf(filter)}`} onClick={() => take([filter])}>
            去掉
          </Button>
        </li>
      ))}
    </ul>
  );
  const rest = hidden.length > 1 && (
    <Button onClick={() => take([...Object.keys(COMMON), ...Object.keys(filters)])}>全部去掉</Button>
  );
  if (total === 0) {
    return (
      <EmptyState title="没有符合筛选的机会" description={`共 ${all} 行，每一条筛选各挡住：`}>
        {list}
        {rest}
      </EmptyState>
    );
  }
  return (
    <details className={styles.fold}>
      <summary>另有 {all - total} 行不符合筛选</summary>
      {list}
      {rest}
    </details>
  );
}
