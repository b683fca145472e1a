import { Input } from 'antd';
import type { ReactNode } from 'react';
import { EmptyState } from '@/components/EmptyState';
import type { ListPage } from './everyPage';
import { FilterBar } from './FilterBar';
import styles from './FilterBar.module.css';
import { FilterSelect } from './FilterSelect';
import { ListTable, type ListTableProps } from './ListTable';
import type { Change, Place } from './listQuery';
import { NoRows } from './NoRows';
import { PeriodFilter } from './PeriodFilter';
import type { PeriodState } from './period';
import type { Listed } from './useListed';
import { useTyped } from './useTyped';

/** One of the things that a list is narrowed down by: a word of several, a text, or a span of time. */
export type ListFilter<S> =
  | {
      key: keyof S & string;
      label: string;
      options: readonly { value: string; label: string }[];
      /** Found by typing: for lists that grow. */
      searchable?: true;
      className?: string | undefined;
    }
  | {
      key: keyof S & string;
      label: string;
      placeholder: string;
      /** It narrows as it is typed, and stays beside the button of a phone. */
      leads?: true;
    }
  | { period: string }
  /** A field of the screen's own. */
  | { key: string; node: ReactNode; leads?: true };

interface ListFiltersProps<S extends Place> {
  /** What its URL holds. */
  query: { isFiltered: (state: S) => boolean; clear: Partial<S> };
  state: S;
  change: Change<S>;
  filters: readonly ListFilter<S>[];
}

/** What a list is narrowed down by; all of it is in the URL. */
export function ListFilters<S extends Place>({ query, state, change, filters }: ListFiltersProps<S>) {
  const drawn = (leads: boolean) =>
    filters
      .filter((filter) => 'leads' in filter === leads)
      .map((filter) => <FilterOf key={keyOf(filter)} {...{ filter, query, state, change }} />);
  return (
    <FilterBar filtered={query.isFiltered(state)} onClear={() => change(query.clear)} lead={drawn(true)}>
      {drawn(false)}
    </FilterBar>
  );
}

interface ListPanelProps<R extends object, S extends Place>
  extends ListFiltersProps<S>,
    Omit<ListTableProps<R>, 'rowKey' | 'readPage' | 'place' | 'onPlace' | 'filters' | 'empty'> {
  list: Listed<R> & { readPage: (page: { current: number; pageSize: number }) => Promise<ListPage<R>> };
  /** What the list holds. */
  of: string;
  /** What is said when no filter is to blame that there is none. */
  none: ReactNode;
}

/** A list of the API whose rows have an `id`, with its filters. */
export function ListPanel<R extends { id: string }, S extends Place>(props: ListPanelProps<R, S>) {
  const { list, query, state, change, filters, of, none, ...table } = props;
  return (
    <ListTable<R>
      {...table}
      rowKey={'id' as keyof R & string}
      list={list}
      readPage={list.readPage}
      place={state}
      onPlace={change as Change<Place>}
      filters={<ListFilters {...{ query, state, change, filters }} />}
      empty={
        <NoRows of={of} filtered={query.isFiltered(state)} onClear={() => change(query.clear)}>
          {typeof none === 'string' ? <EmptyState title={none} /> : none}
        </NoRows>
      }
    />
  );
}

const keyOf = <S,>(filter: ListFilter<S>) => ('period' in filter ? filter.period : filter.key);

interface FilterOfProps<S extends Place> extends Omit<ListFiltersProps<S>, 'filters'> {
  filter: ListFilter<S>;
}

function FilterOf<S extends Place>({ filter, query, state, change }: FilterOfProps<S>) {
  if ('node' in filter) return filter.node;
  const set = (next: object, typing = false) =>
    change({ ...next, current: 1 } as Partial<S>, typing ? { replace: true } : undefined);
  if ('period' in filter)
    return <PeriodFilter label={filter.period} state={state as unknown as PeriodState} onChange={set} />;
  const { key, label } = filter;
  const held = (state[key] ?? '') as string;
  if ('options' in filter)
    return (
      <FilterSelect
        {...{ label, options: filter.options, searchable: filter.searchable ?? false }}
        {...(filter.className !== undefined && { className: filter.className })}
        value={held || null}
        onChange={(word) => set({ [key]: word ?? query.clear[key] })}
      />
    );
  const { placeholder, leads } = filter;
  const shared = { allowClear: true, maxLength: 64, placeholder, 'aria-label': label };
  if (leads)
    return <Typed {...shared} className={styles.lead} value={held} onType={(text) => set({ [key]: text }, true)} />;
  return (
    <Input.Search
      {...shared}
      className={styles.search}
      key={held}
      defaultValue={held}
      onSearch={(text) => set({ [key]: text.trim() })}
    />
  );
}

interface TypedProps extends Omit<React.ComponentProps<typeof Input>, 'onChange'> {
  value: string;
  onType: (text: string) => void;
}

function Typed({ value, onType, ...rest }: TypedProps) {
  const [typed, type] = useTyped(value, onType);
  return <Input {...rest} value={typed} onChange={({ target }) => type(target.value)} />;
}
