import { useMemo, useState } from 'react';
import type { Column } from './column';

export type Density = 'small' | 'middle';

interface Choice {
  /** Keys of the movable columns in the reader's order. */
  order: string[];
  hidden: string[];
  density: Density;
}

function stored(key: string, fallback: Choice): Choice {
  try {
    return { ...fallback, ...(JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<Choice>) };
  } catch {
    return fallback;
  }
}

function store(key: string, choice: Choice): void {
  try {
    localStorage.setItem(key, JSON.stringify(choice));
  } catch {
    // Without storage it holds until the tab is closed.
  }
}

function arrange<R>(columns: readonly Column<R>[], order: string[]): Column<R>[] {
  const placed = order.flatMap((key) => columns.find((column) => column.key === key) ?? []);
  // A column that came with a later release stands where the catalogue has it.
  columns.forEach((column, i) => {
    if (!placed.includes(column)) placed.splice(i, 0, column);
  });
  return placed;
}

/** Which columns the reader wants, in which order and how close; kept for the next visit under `name`. */
export function useColumnChoice<R>(name: string, columns: readonly Column<R>[]) {
  const key = `columns.${name}`;
  const fallback = useMemo<Choice>(
    () => ({ order: [], hidden: columns.filter(({ spare }) => spare).map((column) => column.key), density: 'small' }),
    [columns],
  );
  const [choice, setChoice] = useState(() => stored(key, fallback));
  const change = (changes: Partial<Choice>) => {
    const next = { ...choice, ...changes };
    setChoice(next);
    store(key, next);
  };
  const movable = useMemo(
    () =>
      arrange(
        columns.filter(({ fixed }) => !fixed),
        choice.order,
      ),
    [columns, choice.order],
  );
  const shown = useMemo(() => {
    const side = (where: 'left' | 'right') => columns.filter(({ fixed }) => fixed === where);
    return [...side('left'), ...movable.filter((column) => !choice.hidden.includes(column.key)), ...side('right')];
  }, [columns, movable, choice.hidden]);
  const move = (from: number, to: number) => {
    const order = movable.map((column) => column.key);
    const [moved] = order.splice(from, 1);
    if (moved === undefined || to < 0 || to > order.length) return;
    order.splice(to, 0, moved);
    change({ order });
  };
  const toggle = (column: string) => {
    const { hidden } = choice;
    change({ hidden: hidden.includes(column) ? hidden.filter((one) => one !== column) : [...hidden, column] });
  };
  const { hidden, density } = choice;
  return { shown, movable, hidden, density, move, toggle, setDensity, reset: () => change(fallback) };

  function setDensity(next: Density) {
    change({ density: next });
  }
}

export type ColumnChoice<R> = ReturnType<typeof useColumnChoice<R>>;
