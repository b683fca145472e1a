import { Table, type TableColumnType, type TableProps } from 'antd';
import {
  memo,
  type ReactNode,
  type RefObject,
  startTransition,
  type UIEvent,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useSame } from '@/components/useSame';
import { antColumns, isPinnedRight, type Ordered, type Sight, SightContext, widened, widthOf } from './antColumns';
import { MeasuredContext } from './ColumnTitle';
import { type ListRows, type Rows, useRows } from './rowsContext';
import styles from './table.module.css';

/** Rows that a window shows at first, and a few more. */
const AT_ONCE = 20;

/** The browser scrolls the head alone to what gets the focus in it: the body follows. */
function follow(target: HTMLElement): void {
  if (!target.classList.contains('ant-table-header')) return;
  const body = target.nextElementSibling;
  if (body && body.scrollLeft !== target.scrollLeft) body.scrollLeft = target.scrollLeft;
}

/** antd's row that measures columns comes first; where every column has a width there is nothing to measure. */
function Unmeasured({ children, ...rest }: { children?: ReactNode }) {
  return <tbody {...rest}>{Array.isArray(children) ? children.slice(1) : children}</tbody>;
}
const UNMEASURED: TableProps<object>['components'] = { body: { wrapper: Unmeasured } };

/** Elsewhere that row has the heads in it once more, unseen: nothing in them takes the focus. */
function Measured({ children, ...rest }: { children?: ReactNode }) {
  const [measured, rows] = Array.isArray(children) ? children : [null, children];
  return (
    <tbody {...rest}>
      <MeasuredContext value>{measured}</MeasuredContext>
      {rows}
    </tbody>
  );
}
const MEASURED: TableProps<object>['components'] = { body: { wrapper: Measured } };

interface TableRowsProps {
  /** As the reader has them: ordered, pinned, without the hidden ones. */
  columns: readonly TableColumnType<object>[];
  size: TableProps<object>['size'];
}

/** The rows of a list, or what is in their place. */
export function TableRows({ columns, size }: TableRowsProps) {
  const now = useRows();
  const before = useDeferredValue(now);
  // Rows that follow others are drawn in pieces between which the browser answers: they are there a moment later, a click is not.
  const follows = !now.instead && !before.instead && (before.table.dataSource?.length ?? 0) > 0;
  const { table, list, totals, instead } = follows ? before : now;
  const fixed = useMemo(() => [...columns], [columns]);
  // ProTable makes its columns anew although they say the same.
  const ordered = useSame(columns.map(({ key, fixed }) => ({ key, fixed }) as Ordered));
  if (instead) return instead;
  if (list === undefined) return <FixedTable size={size} columns={fixed} totals={totals} {...table} />;
  return <GrowingTable ordered={ordered} size={size} table={table} {...list} />;
}

type FixedTableProps = TableProps<object> & Pick<Rows, 'totals'>;

const FixedTable = memo(function FixedTable({ totals, ...table }: FixedTableProps) {
  const { columns: wished = [], expandable, scroll, virtual } = table;
  const place = useReachable();
  const room = useRoom(place, wished.some(isPinnedRight));
  const columns = useMemo(
    () => [...widened(wished, room - Number(expandable?.columnWidth ?? 0))],
    [wished, room, expandable?.columnWidth],
  );
  const width = widthOf(columns);
  const first = expandable ? 1 : 0;
  return (
    <div ref={place}>
      <Table<object>
        {...table}
        columns={columns}
        scroll={{ ...scroll, x: width }}
        components={virtual ? undefined : MEASURED}
        summary={totals && (() => <TotalsRow columns={columns} totals={totals} first={first} />)}
      />
    </div>
  );
});

/** Width that an element has on the screen, px; 0 before it is there, and where it does not matter. */
function useRoom(place: RefObject<HTMLElement | null>, matters = true): number {
  const [room, setRoom] = useState(0);
  useLayoutEffect(() => {
    if (!matters) return;
    const element = place.current!;
    const read = () => setRoom(element.clientWidth);
    const observer = new ResizeObserver(read);
    observer.observe(element);
    read();
    return () => observer.disconnect();
  }, [place, matters]);
  return room;
}

interface GrowingTableProps extends ListRows {
  ordered: readonly Ordered[];
  size: TableProps<object>['size'];
  table: TableProps<object>;
}

/**
 * Comes up with what a window shows and fills in the rest while the browser has time: fifty rows of twenty columns at
 * once would keep a slow machine from answering for seconds.
 */
const GrowingTable = memo(function GrowingTable(props: GrowingTableProps) {
  const { ordered, size, own, sort, totals, now } = props;
  const { dataSource = [], ...rest } = props.table;
  const [whole, setWhole] = useState(false);
  const place = useReachable();
  const aside = useRef(false);
  useEffect(() => startTransition(() => setWhole(true)), []);
  const sight = useMemo<Sight>(() => ({ whole, aside }), [whole]);
  const onScroll = ({ target }: UIEvent) => {
    if (!(target instanceof HTMLElement)) return;
    // What scrolls in a row that is opened says nothing of this table.
    if (target === place.current!.querySelector(SCROLLERS)) aside.current = target.scrollLeft > 0;
    follow(target);
  };
  const { expandable, rowSelection } = rest;
  const expand = expandable ? Number(expandable.columnWidth) : 0;
  const tick = rowSelection ? Number(rowSelection.columnWidth) : 0;
  const room = useRoom(place);
  const drawn = useMemo(
    () => antColumns({ own, sort, now }, ordered, { expand, tick, room }),
    [own, sort, now, ordered, expand, tick, room],
  );
  const first = (expandable ? 1 : 0) + (rowSelection ? 1 : 0);
  return (
    <SightContext value={sight}>
      <div ref={place} onScrollCapture={onScroll} style={drawn.pinned}>
        <Table<object>
          className={styles.table}
          size={size}
          columns={drawn.columns}
          components={totals ? MEASURED : UNMEASURED}
          scroll={{ x: drawn.width }}
          rowHoverable={false}
          summary={totals && (() => <TotalsRow columns={drawn.columns} totals={totals} first={first} />)}
          {...rest}
          dataSource={whole ? dataSource : dataSource.slice(0, AT_ONCE)}
        />
      </div>
    </SightContext>
  );
});

/** What scrolls by itself in a table. */
const SCROLLERS = '.ant-table-content, .ant-table-body';

/** Where a table in this element scrolls, the keyboard can come to it, also when nothing in it takes the focus. */
function useReachable(): RefObject<HTMLDivElement | null> {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const observer = new ResizeObserver(() => {
      for (const part of place.current?.querySelectorAll<HTMLElement>(SCROLLERS) ?? []) {
        const scrolls = part.scrollWidth > part.clientWidth || part.scrollHeight > part.clientHeight;
        if (scrolls) part.tabIndex = 0;
        else part.removeAttribute('tabindex');
      }
    });
    observer.observe(place.current!);
    return () => observer.disconnect();
  }, []);
  return place;
}

interface TotalsRowProps {
  columns: readonly Pick<TableColumnType<object>, 'key' | 'align'>[];
  totals: (column: string) => ReactNode;
  /** Index of the first column's cell. */
  first: number;
}

/** What all rows of the filter come to, under their columns. */
function TotalsRow({ columns, totals, first }: TotalsRowProps) {
  return (
    <Table.Summary.Row>
      {first > 0 && <Table.Summary.Cell index={0} colSpan={first} />}
      {columns.map(({ key, align }, i) => (
        <Table.Summary.Cell key={key} index={i + first} align={align}>
          {totals(String(key))}
        </Table.Summary.Cell>
      ))}
    </Table.Summary.Row>
  );
}
