import { DIRECTIONS, type EvaluateRow } from '#contract/evaluate';
import { DirectionTag } from '@/components/DirectionTag';
import { DIRECTION_LABEL } from '@/components/labels';
import styles from './cells.module.css';
import { useSelection } from './selectionContext';

/** The team's direction; who may edit it chooses right here, and takes it back by choosing it again. Plain buttons: a page has fifty of these. */
export function DirectionCell({ row }: { row: EvaluateRow }) {
  const { editable, setDirection } = useSelection();
  if (!editable)
    return row.direction ? <DirectionTag direction={row.direction} /> : <span className="missing">未评</span>;
  return (
    <fieldset className={styles.segmented} aria-label={`${row.symbol} 方向`}>
      {DIRECTIONS.map((direction) => {
        const isSaid = row.direction === direction;
        return (
          <button
            key={direction}
            type="button"
            aria-pressed={isSaid}
            title={isSaid ? '再点一次撤回' : undefined}
            className={isSaid ? styles[direction] : undefined}
            onClick={() => setDirection(row, isSaid ? null : direction)}
          >
            {DIRECTION_LABEL[direction]}
          </button>
        );
      })}
    </fieldset>
  );
}
