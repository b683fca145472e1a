import { Button } from 'antd';
import { type CSSProperties, Fragment, type ReactNode, useState } from 'react';
import type { Column } from './column';
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

/** What may be done with a row, and what it tells when it is opened. */
export function CardFoot({ acts, open }: { acts: ReactNode; open?: () => ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <span className={styles.foot}>
        {acts}
        {open && (
          <Button size="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? '收起' : '展开'}
          </Button>
        )}
      </span>
      {isOpen && open?.()}
    </>
  );
}

interface ColumnsCard<R> {
  /** Accessible name. */
  label: (row: R) => string;
  /** Keys of the columns in the head: the first by its weight, the others beside it, and those at its end. */
  head: readonly string[];
  end: readonly string[];
  /** Keys of the columns below, each with its title; where two are across there is room for its unit. Absent: all others. */
  figures?: readonly string[];
  /** Those of them that take a line of their own. */
  wide?: readonly string[];
  /** Those that are left out where the row has nothing to say. */
  maybe?: readonly string[];
  across?: 2 | 3;
  foot?: (row: R) => ReactNode;
}

/** Rows on a phone, made of the columns of their table. */
export function columnsCard<R>(
  columns: readonly Column<R>[],
  { label, head, end, figures, wide = [], maybe = [], across = 2, foot }: ColumnsCard<R>,
) {
  const elsewhere = [...head, ...end];
  const rest = columns.filter(({ key, spare }) => !spare && !elsewhere.includes(key)).map(({ key }) => key);
  const of = (keys: readonly string[]) => keys.flatMap((key) => columns.find((column) => column.key === key) ?? []);
  const [first, ...beside] = of(head);
  const drawn = (some: readonly Column<R>[], row: R) =>
    some.map(({ key, render }) => <Fragment key={key}> {render(row)}</Fragment>);
  const below = of(figures ?? rest);
  return (row: R) => (
    <RowCard
      label={label(row)}
      head={
        <>
          <span>
            <strong>{first?.render(row)}</strong>
            <span className="soft">{drawn(beside, row)}</span>
          </span>
          <span>{drawn(of(end), row)}</span>
        </>
      }
    >
      <CardFigures
        columns={across}
        figures={below
          .filter(({ key, csv }) => !maybe.includes(key) || csv?.(row))
          .map(
            ({ key, title, csvTitle, ownUnit, render }) =>
              [(across === 2 && !ownUnit && csvTitle) || title, render(row), wide.includes(key)] as const,
          )}
      />
      {foot?.(row)}
    </RowCard>
  );
}
