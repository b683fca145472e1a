import type { ReactNode } from 'react';
import { Explained } from './Explained';
import styles from './FigureTiles.module.css';
import { Missing } from './Missing';

export interface FigureTile {
  label: string;
  /** How the figure comes about. */
  formula: ReactNode;
  /** The stretch of time it covers. */
  window?: ReactNode;
  /** Null where there is nothing that it could be of: it is not drawn then. */
  figure: ReactNode;
  /** A second line under the figure. */
  detail?: ReactNode;
}

interface FigureTilesProps {
  /** Accessible name of the group. */
  label: string;
  tiles: readonly FigureTile[];
  /** When the inputs were read. */
  inputAt: ReactNode;
  /** Why none of them can be told yet; absent: they can. */
  missing?: string | undefined;
}

/** Said under each figure that cannot be told yet: a tooltip alone is not seen. */
const PENDING = '生成中';

/** Figures side by side; each label tells formula, window and the time of its inputs. */
export function FigureTiles({ label: group, tiles, inputAt, missing }: FigureTilesProps) {
  const isTold = missing === undefined;
  return (
    <dl className={styles.tiles} aria-label={group}>
      {tiles.map(
        ({ label, formula, window, figure, detail }) =>
          figure !== null && (
            <div key={label} className={styles.tile}>
              <dt>
                <Explained formula={formula} window={window} inputAt={inputAt}>
                  {label}
                </Explained>
              </dt>
              <dd className={styles.figure}>{isTold ? figure : <Missing reason={missing} />}</dd>
              {(detail || !isTold) && <dd className={styles.detail}>{isTold ? detail : PENDING}</dd>}
            </div>
          ),
      )}
    </dl>
  );
}
