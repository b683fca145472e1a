import { Button } from 'antd';
import { useState } from 'react';
import type { AttentionRow } from '#contract/hedge';
import styles from './attention.module.css';
import { attentionColumns } from './attentionColumns';

interface AttentionCardsProps {
  rows: readonly AttentionRow[];
  at: number;
  refresh: () => void;
}

/** The orders below must stay in reach. */
const AT_FIRST = 2;

/** The same rows on a phone: one card each, which says what the columns say. */
export function AttentionCards({ rows, at, refresh }: AttentionCardsProps) {
  const [all, setAll] = useState(false);
  const columns = attentionColumns(at, refresh);
  const hidden = all ? 0 : rows.length - AT_FIRST;
  return (
    <div className={styles.cards}>
      {rows.slice(0, all ? undefined : AT_FIRST).map((row) => (
        <article key={row.id} className={styles.card} aria-label={`${row.user} ${row.long} / ${row.short}`}>
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
      {hidden > 0 && <Button onClick={() => setAll(true)}>显示其余 {hidden} 张</Button>}
    </div>
  );
}
