import { Select } from 'antd';
import { CLEARABLE } from '@/components/clearable';
import type { Column } from './column';
import { directionIn } from './sortOf';
import styles from './table.module.css';

interface CardOrderProps {
  /** Those of the table, whose heads order the rows there. */
  columns: readonly Pick<Column<never>, 'key' | 'title' | 'sort'>[];
  /** `field` or `-field`; empty for the list's own order. */
  sort: string;
  onSort: (sort: string) => void;
}

/** The orders on offer, each the way a head's first click has it; and the other way round where rows have that already. */
function ordersOf({ columns, sort: chosen }: Pick<CardOrderProps, 'columns' | 'sort'>) {
  return columns.flatMap(({ key, title, sort }) => {
    if (sort === undefined) return [];
    const first = { value: sort === 'descend' ? `-${key}` : key, label: title };
    const direction = directionIn(chosen, key);
    if (direction === null || direction === sort) return [first];
    return [first, { value: chosen, label: `${title}（${direction === 'descend' ? '降序' : '升序'}）` }];
  });
}

/** In what order cards stand, which have no heads. */
export function CardOrder({ columns, sort, onSort }: CardOrderProps) {
  const orders = ordersOf({ columns, sort });
  if (orders.length === 0) return null;
  const isOffered = orders.some(({ value }) => value === sort);
  return (
    <div className={styles.order}>
      <Select<string | null>
        allowClear={CLEARABLE}
        aria-label="排序"
        placeholder="排序"
        value={isOffered ? sort : null}
        options={orders}
        onChange={(order) => onSort(order ?? '')}
      />
    </div>
  );
}
