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

/** Figures side by side; each label tells formula, window and the time of its inputs. */
export function FigureTiles({ label: group, tiles, inputAt, missing }: FigureTilesProps) {
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
              <dd className={styles.figure}>{missing === undefined ? figure : <Missing reason={missing} />}</dd>
              {detail && missing === undefined && <dd className={styles.detail}>{detail}</dd>}
            </div>
          ),
      )}
    </dl>
  );
}
