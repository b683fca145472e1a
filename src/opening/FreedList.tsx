import type { DueRow } from '#contract/opening';
import { OpeningRow, Sums } from './OpeningList';
import styles from './opening.module.css';

interface FreedListProps {
  rows: readonly DueRow[];
  /** They open by their rules; otherwise each waits for a person. */
  opens: boolean;
}

/** What comes into the place of something that ends. */
export default function FreedList({ rows, opens }: FreedListProps) {
  return (
    <section aria-label="平掉之后">
      <strong>
        {opens
          ? `平掉后按规则接着开 ${rows.length} 个：`
          : `平掉后空出的位置轮到 ${rows.length} 个：不会自动开，都转为待确认`}
      </strong>
      <ul className={styles.rows}>
        {rows.map((row) => (
          <OpeningRow key={row.targetId} row={row} />
        ))}
      </ul>
      {opens && <Sums rows={rows} />}
    </section>
  );
}
