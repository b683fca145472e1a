import type { TableColumnType } from 'antd';
import { type CSSProperties, createContext, type ReactNode, use, useRef } from 'react';
import { isTouched, useReturns } from '@/services/touch';
import { ColumnTitle } from './ColumnTitle';
import { type Column, hasChanged } from './column';
import type { ListRows } from './rowsContext';
import { directionIn } from './sortOf';

/** Of a table: whether the cells right of the window may be drawn too, and whether it was scrolled to them. */
export interface Sight {
  whole: boolean;
  aside: { readonly current: boolean };
}
export const SightContext = createContext<Sight>({ whole: true, aside: { current: false } });

/**
 * A cell right of the window: drawn after those in sight. While nobody has a hand on the tab it stays as it is, since
 * who wants to see it comes back first.
 */
function Late({ draw }: { draw: () => ReactNode }) {
  const { whole, aside } = use(SightContext);
  useReturns();
  const drawn = useRef<ReactNode>(undefined);
  if (whole && (drawn.current === undefined || aside.current || isTouched())) drawn.current = draw();
  return drawn.current ?? null;
}

/** A column as the reader has it: where it is, and whether it is pinned. */
export type Ordered = Pick<TableColumnType<object>, 'key' | 'fixed'>;
interface Placed extends Omit<Column<object>, 'fixed'> {
  fixed: 'left' | 'right' | undefined;
}

const sideOf = ({ fixed }: Pick<Ordered, 'fixed'>) =>
  fixed === 'right' || fixed === 'end' ? 'right' : fixed ? ('left' as const) : undefined;

/** Of columns side by side, px. */
export const widthOf = (columns: readonly Pick<TableColumnType<object>, 'width'>[]) =>
  columns.reduce((sum, { width }) => sum + Number(width), 0);

/** Distance of each pinned column from its edge, px; `edge` is what is pinned left of them. */
function offsetsOf(placed: readonly Placed[], edge: number): Map<string, CSSProperties> {
  const offsets = new Map<string, CSSProperties>();
  const left = placed.filter(({ fixed }) => fixed === 'left');
  const right = placed.filter(({ fixed }) => fixed === 'right');
  left.forEach(({ key }, i) => {
    offsets.set(key, { insetInlineStart: edge + widthOf(left.slice(0, i)) });
  });
  right.forEach(({ key }, i) => {
    offsets.set(key, { insetInlineEnd: widthOf(right.slice(i + 1)) });
  });
  return offsets;
}

/** The first click's order first. */
export const directionsOf = (first: 'ascend' | 'descend') =>
  first === 'descend' ? ['descend' as const, 'ascend' as const] : ['ascend' as const, 'descend' as const];

/** What antd is told of a column in every table. */
export const antColumn = <R,>(
  { key, title, explain, width, figure, sort, fixed, render }: Column<R>,
  now: (row: R) => R = (row) => row,
) =>
  ({
    key,
    title: <ColumnTitle title={title} explain={explain} reachable={sort === undefined} />,
    width,
    fixed,
    align: figure ? 'right' : undefined,
    render: (_value, row) => render(row, () => now(row)),
  }) satisfies TableColumnType<R>;

interface InList extends Pick<ListRows, 'sort' | 'now'> {
  late: boolean;
  style: CSSProperties | undefined;
}

function listColumn({ fixed, ...column }: Placed, { sort: order, now, late, style }: InList) {
  const { key, sort, render } = column;
  const base = antColumn(column, now);
  const drawn: TableColumnType<object> = {
    ...base,
    fixed,
    ...(sort && {
      sorter: true,
      sortDirections: directionsOf(sort),
      sortOrder: directionIn(order, key),
    }),
    ...(style && { onCell: () => ({ style }), onHeaderCell: () => ({ style }) }),
    // A cell says what its row says, and reads what else changes itself.
    shouldCellUpdate: (row, before) => hasChanged(render, row, before),
    ...(late && { render: (value, row) => <Late draw={() => base.render(value, row)} /> }),
  };
  return drawn;
}

/** Widths in px: of what comes before the first column, which opens a row or ticks it, and of the table as it is seen. */
interface Frame {
  expand: number;
  tick: number;
  /** 0 while it is not known. */
  room: number;
}

/** As wide as it is drawn, px, and where it is pinned. */
type Sized = Pick<TableColumnType<object>, 'width' | 'fixed'>;
export const isPinnedRight = (column: Sized) => sideOf(column) === 'right';

/**
 * The last column that is seen whole takes what is left beside those that are pinned on the right: they cut no figure
 * of the next one. Nothing is changed where all columns have room.
 */
export function widened<C extends Sized>(columns: readonly C[], room: number): readonly C[] {
  const free = room - widthOf(columns.filter(isPinnedRight));
  const moving = columns.filter((one) => !isPinnedRight(one));
  const cut = moving.findIndex((_one, i) => widthOf(moving.slice(0, i + 1)) > free);
  const last = moving[cut - 1];
  if (last === undefined || last.fixed || moving.length === columns.length) return columns;
  const width = Number(last.width) + free - widthOf(moving.slice(0, cut));
  return columns.map((one) => (one === last ? { ...one, width } : one));
}

/**
 * A list's columns as antd takes them, in the reader's order. The pinned ones get their places here, by the widths that
 * all of them have.
 */
export function antColumns({ own, sort, now }: ListRows, ordered: readonly Ordered[], { expand, tick, room }: Frame) {
  const wished = ordered.flatMap((one): Placed[] => {
    const column = own.find(({ key }) => key === one.key);
    return column ? [{ ...column, fixed: sideOf(one) }] : [];
  });
  const placed = widened(wished, room - expand - tick);
  const offsets = offsetsOf(placed, tick);
  const pinnedLeft = widthOf(placed.filter(({ fixed }) => fixed === 'left'));
  const pinnedRight = widthOf(placed.filter(({ fixed }) => fixed === 'right'));
  let right = expand + tick;
  const columns = placed.map((one) => {
    const late = one.fixed === undefined && right > window.innerWidth;
    right += one.width;
    return listColumn(one, { sort, now, late, style: offsets.get(one.key) });
  });
  const pinned = { '--pinned-left': `${tick + pinnedLeft}px`, '--pinned-right': `${pinnedRight}px` } as CSSProperties;
  return { columns, width: expand + tick + widthOf(placed), pinned };
}
