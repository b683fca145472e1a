import type { CSSProperties, ReactNode } from 'react';
import styles from './RowCard.module.css';

interface RowCardProps {
  /** Accessible name. */
  label: string;
  head?: ReactNode;
  children: ReactNode;
}

/** Rows on a phone, one below the other. @param busy newer ones are on their way */
export const Cards = ({ busy, children }: { busy?: boolean; children: ReactNode }) => (
  <div className={styles.cards} aria-busy={busy}>
    {children}
  </div>
);

/** A row on a phone. */
export const RowCard = ({ label, head, children }: RowCardProps) => (
  <article className={styles.card} aria-label={label}>
    {head && <div className={styles.head}>{head}</div>}
    {children}
  </article>
);

/** Label, which may be empty, and figure; a wide one takes a line of its own. */
export type CardFigure = readonly [label: string, figure: ReactNode, wide?: boolean];

interface CardFiguresProps {
  figures: readonly CardFigure[];
  columns: 2 | 3;
}

/** What the columns of a list say, in a card. */
export const CardFigures = ({ figures, columns }: CardFiguresProps) => (
  <dl className={styles.figures} style={{ '--columns': columns } as CSSProperties}>
    {figures.map(([label, figure, wide]) => (
      <div key={label} className={wide ? styles.wide : undefined}>
        {label !== '' && <dt>{label}</dt>}
        <dd>{figure}</dd>
      </div>
    ))}
  </dl>
);
