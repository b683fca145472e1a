import type { Direction } from '#contract/evaluate';
import { DIRECTION_LABEL } from './directionLabel';
import styles from './index.module.css';

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
