import { Pagination } from 'antd';
import { Fragment, type ReactNode } from 'react';
import { CardOrder } from './CardOrder';
import type { Column } from './column';
import type { Place } from './listQuery';
import { Cards } from './RowCard';

interface ListCardsProps<R> {
  rows: readonly R[];
  keyOf: (row: R) => string;
  total: number;
  place: Place;
  onPlace: (change: Partial<Place>) => void;
  card: (row: R) => ReactNode;
  /** Those of the table, whose heads order the rows there. */
  columns: readonly Pick<Column<R>, 'key' | 'title' | 'sort'>[];
  busy: boolean;
}

/** A list on a phone: one card a row. */
export function ListCards<R>({ rows, keyOf, total, place, onPlace, card, columns, busy }: ListCardsProps<R>) {
  return (
    <>
      <CardOrder columns={columns} sort={place.sort} onSort={(sort) => onPlace({ sort, current: 1 })} />
      <Cards busy={busy}>
        {rows.map((row) => (
          <Fragment key={keyOf(row)}>{card(row)}</Fragment>
        ))}
        <Pagination
          size="small"
          total={total}
          pageSize={place.pageSize}
          current={place.current}
          showSizeChanger={false}
          hideOnSinglePage
          onChange={(current) => onPlace({ current })}
        />
      </Cards>
    </>
  );
}
