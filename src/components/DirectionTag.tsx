import type { Direction } from '#contract/evaluate';
import { DIRECTION_LABEL } from '#contract/lifecycle';
import styles from './DirectionTag.module.css';

const ARROW: Record<Direction, string> = { long: '▲', short: '▼', neutral: '' };

/** Long, short or wait: by word and arrow, coloured besides. */
export function DirectionTag({ direction }: { direction: Direction }) {
  return (
    <span className={`${styles.tag} ${styles[direction]}`}>
      <span aria-hidden="true">{ARROW[direction]}</span>
      {DIRECTION_LABEL[direction]}
    </span>
  );
}
