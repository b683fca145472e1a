import type { CSSProperties, ReactNode } from 'react';
import styles from './RowCard.module.css';

interface RowCardProps {
  /** Accessible name. */
  label: string;
  head: ReactNode;
  children: ReactNode;
}

/** A row on a phone. */
export const RowCard = ({ label, head, children }: RowCardProps) => (
  <article className={styles.card} aria-label={label}>
    <div className={styles.head}>{head}</div>
    {children}
  </article>
);

interface CardFiguresProps {
  /** Label and figure. */
  figures: readonly (readonly [string, ReactNode])[];
  columns: 2 | 3;
}

/** What the columns of a list say, in a card. */
export const CardFigures = ({ figures, columns }: CardFiguresProps) => (
  <dl className={styles.figures} style={{ '--columns': columns } as CSSProperties}>
    {figures.map(([label, figure]) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd>{figure}</dd>
      </div>
    ))}
  </dl>
);
