import { Pagination, Spin } from 'antd';
import type { ReactNode } from 'react';
import type { FillRow, OrderRow } from '#contract/order';
import { ErrorState } from '@/components/ErrorState';
import styles from './index.module.css';
import type { ChangeOrders, OrderState } from './orderQuery';
import { SideCell } from './tradeColumns';
import type { Listed } from './useListed';

interface TradeCardsProps<R> {
  listed: Listed<{ list: R[]; total: number }>;
  state: OrderState;
  change: ChangeOrders;
  figures: (row: R) => readonly (readonly [string, ReactNode])[];
  tag?: (row: R) => ReactNode;
  action?: ((row: R) => ReactNode) | undefined;
  nothing: ReactNode;
}

/** Orders or fills on a phone: one card each. */
export function TradeCards<R extends OrderRow | FillRow>(props: TradeCardsProps<R>) {
  const { listed, state, change, figures, tag, action, nothing } = props;
  const { data, error, loading, retry } = listed;
  if (error) return <ErrorState error={error} onRetry={retry} />;
  if (data === undefined) return <Spin className={styles.waiting} description="加载中" />;
  if (data.list.length === 0) return nothing;
  return (
    <div className={styles.cards} aria-busy={loading}>
      {data.list.map((row) => (
        <article key={row.id} className={styles.tradeCard} aria-label={`${row.user} ${row.symbol}`}>
          <div className={styles.cardHead}>
            <span>
              <strong>{row.symbol}</strong> <SideCell row={row} /> <span className="soft">{row.user}</span>
            </span>
            {tag?.(row)}
          </div>
          <dl className={styles.cardFigures}>
            {figures(row).map(([label, figure]) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{figure}</dd>
              </div>
            ))}
          </dl>
          {action?.(row)}
        </article>
      ))}
      <Pagination
        size="small"
        total={data.total}
        pageSize={state.pageSize}
        current={state.current}
        showSizeChanger={false}
        hideOnSinglePage
        onChange={(current) => change({ current })}
      />
    </div>
  );
}
