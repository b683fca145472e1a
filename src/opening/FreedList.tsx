import type { DueRow } from '#contract/opening';
import { OpeningRow, Sums } from './OpeningList';
import styles from './opening.module.css';

/** What comes into the place of something that ends: what opens by its rules, and what waits for a person. */
export default function FreedList({ rows }: { rows: readonly DueRow[] }) {
  const going = rows.filter(({ opens }) => opens);
  const waiting = rows.filter(({ opens }) => !opens);
  return (
    <section aria-label="平掉之后">
      {going.length > 0 && (
        <>
          <strong>平掉后按规则接着开 {going.length} 个：</strong>
          <Rows rows={going} />
          <Sums rows={going} />
        </>
      )}
      {waiting.length > 0 && (
        <>
          <strong>
            {going.length > 0 ? '有风险标记的' : '平掉后空出的位置轮到'} {waiting.length} 个：不会自动开，都转为待确认
          </strong>
          <Rows rows={waiting} />
        </>
      )}
    </section>
  );
}

const Rows = ({ rows }: { rows: readonly DueRow[] }) => (
  <ul className={styles.rows}>
    {rows.map((row) => (
      <OpeningRow key={row.targetId} row={row} />
    ))}
  </ul>
);
