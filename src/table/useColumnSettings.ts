import type { ColumnsState } from '@ant-design/pro-components';
import { useModel } from '@umijs/max';
import { useMemo, useState } from 'react';
import { useSame } from '@/components/useSame';
import type { Column } from './column';

export type Density = 'small' | 'middle' | 'large';
type Side = 'left' | 'right';

/** What a reader has chosen, as it is kept. */
interface Kept {
  /** Keys of the columns in the reader's order; those that came later are where the catalogue has them. */
  order: string[];
  hidden: string[];
  /** Columns that are pinned otherwise than in the catalogue. */
  pinned: Record<string, Side | null>;
  density: Density;
}

type ColumnStates = Record<string, ColumnsState>;
type AnyColumn = Pick<Column<never>, 'key' | 'fixed' | 'spare'>;

/** What this account has kept, or anybody of this browser before accounts had columns of their own. */
function stored(name: string, account: string): Partial<Kept> {
  try {
    const text = localStorage.getItem(keyOf(name, account)) ?? localStorage.getItem(`columns.${name}`);
    return JSON.parse(text ?? '{}') as Partial<Kept>;
  } catch {
    return {};
  }
}

const keyOf = (name: string, account: string) => `columns.${name}.${account}`;

function store(key: string, kept: Kept): void {
  try {
    localStorage.setItem(key, JSON.stringify(kept));
  } catch {
    // Without storage it holds until the tab is closed.
  }
}

function arrange<C extends AnyColumn>(columns: readonly C[], order: readonly string[]): C[] {
  const placed = order.flatMap((key) => columns.find((column) => column.key === key) ?? []);
  columns.forEach((column, i) => {
    if (!placed.includes(column)) placed.splice(i, 0, column);
  });
  return placed;
}

/** A spare column that came after the reader's choice waits to be chosen. */
const isHidden = ({ key, spare }: AnyColumn, { order, hidden }: Kept): boolean =>
  hidden.includes(key) || (spare === true && order.length > 0 && !order.includes(key));

/** As ProTable takes it. */
function statesOf(columns: readonly AnyColumn[], kept: Kept): ColumnStates {
  const states = arrange(columns, kept.order).map((column, order): [string, ColumnsState] => {
    const { key, fixed } = column;
    const side = key in kept.pinned ? kept.pinned[key] : fixed;
    // What names a row or acts on it stays in sight.
    const disable = fixed && { checkbox: true };
    return [key, { order, show: !isHidden(column, kept), fixed: side ?? undefined, disable }];
  });
  return Object.fromEntries(states);
}

/** As it is kept. */
function keptOf(columns: readonly AnyColumn[], states: ColumnStates, density: Density): Kept {
  const known = columns.filter(({ key }) => states[key] !== undefined);
  const orderOf = ({ key }: AnyColumn) => states[key]?.order ?? 0;
  const moved = known.filter(({ key, fixed }) => states[key]?.fixed !== fixed);
  return {
    order: [...known].sort((a, b) => orderOf(a) - orderOf(b)).map(({ key }) => key),
    hidden: known.filter(({ key }) => states[key]?.show === false).map(({ key }) => key),
    pinned: Object.fromEntries(moved.map(({ key }) => [key, (states[key]?.fixed as Side | undefined) ?? null])),
    density,
  };
}

/** Which columns the reader wants, in which order, pinned where and how close; kept for the account under `name`. */
export function useColumnSettings(name: string, catalogue: readonly AnyColumn[]) {
  const columns = useSame(catalogue.map(({ key: own, fixed, spare }): AnyColumn => ({ key: own, fixed, spare })));
  const account = useModel('@@initialState').initialState?.user?.name ?? 'visitor';
  const key = keyOf(name, account);
  const fallback = useMemo<Kept>(
    () => ({
      order: [],
      hidden: columns.filter(({ spare }) => spare).map((one) => one.key),
      pinned: {},
      density: 'small',
    }),
    [columns],
  );
  const [changed, setChanged] = useState<{ key: string; kept: Kept }>();
  const kept = useMemo<Kept>(
    () => (changed?.key === key ? changed.kept : { ...fallback, ...stored(name, account) }),
    [changed, key, fallback, name, account],
  );
  return useMemo(() => {
    const keep = (next: Kept) => {
      store(key, next);
      setChanged({ key, kept: next });
    };
    const value = statesOf(columns, kept);
    const columnsState = {
      value,
      defaultValue: statesOf(columns, fallback),
      onChange: (next: ColumnStates) => {
        // ProTable hands back at first what it was given, and calls while it computes its own state.
        if (next !== value) queueMicrotask(() => keep(keptOf(columns, next, kept.density)));
      },
    };
    const onSizeChange = (size: unknown) => queueMicrotask(() => keep({ ...kept, density: size as Density }));
    return { columnsState, size: kept.density, onSizeChange };
  }, [columns, kept, fallback, key]);
}

export type ColumnSettings = ReturnType<typeof useColumnSettings>;
