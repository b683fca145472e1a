import type { AttentionRow } from '#contract/hedge';
import { attentionColumns } from './attentionColumns';
import styles from './index.module.css';

interface AttentionCardsProps {
  rows: readonly AttentionRow[];
  at: number;
  refresh: () => void;
}

/** The same rows on a phone: one card each, which says what the columns say. */
export function AttentionCards({ rows, at, refresh }: AttentionCardsProps) {
  const columns = attentionColumns(at, refresh);
  return (
    <div className={styles.cards}>
      {rows.map((row) => (
        <article key={row.id} className={styles.tradeCard} aria-label={`${row.user} ${row.long} / ${row.short}`}>
          <dl className={styles.attentionFigures}>
            {columns.map(({ key, title, wide, render }) => (
              <div key={key} className={wide ? styles.wideFigure : undefined}>
                {title !== '' && <dt>{title}</dt>}
                <dd>{render(undefined, row)}</dd>
              </div>
            ))}
          </dl>
        </article>
      ))}
    </div>
  );
}
