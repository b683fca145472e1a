import type { ReactNode } from 'react';
import type { FillRow, OrderRow } from '#contract/order';
import { SideCell } from './tradeColumns';
import styles from './trades.module.css';

interface TradeCardProps {
  row: OrderRow | FillRow;
  figures: readonly (readonly [string, ReactNode])[];
  tag: ReactNode;
  action: ReactNode;
}

/** An order or a fill on a phone. */
export function TradeCard({ row, figures, tag, action }: TradeCardProps) {
  return (
    <article className={styles.tradeCard} aria-label={`${row.user} ${row.symbol}`}>
      <div className={styles.cardHead}>
        <span>
          <strong>{row.symbol}</strong> <SideCell row={row} /> <span className="soft">{row.user}</span>
        </span>
        {tag}
      </div>
      <dl className={styles.cardFigures}>
        {figures.map(([label, figure]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{figure}</dd>
          </div>
        ))}
      </dl>
      {action}
    </article>
  );
}
