import type { ReactNode } from 'react';
import { Explained } from '@/components/Explained';
import styles from './TotalsStrip.module.css';

export interface Total<T> {
  label: string;
  text: string;
  /** Null where there is nothing that it could be of: it is not drawn then. */
  figure: (totals: T) => ReactNode;
}

/** Figures of all rows that the filter lets through, not only the page's. */
export function TotalsStrip<T>({
  label: group,
  totals,
  figures,
  side,
}: {
  label: string;
  totals: T;
  figures: readonly Total<T>[];
  /** Where the list is that they belong to. */
  side: 'above' | 'below';
}) {
  return (
    <dl className={`${styles.totals} ${styles[side]}`} aria-label={group}>
      {figures.map(({ label, text, figure }) => {
        const drawn = figure(totals);
        return (
          drawn !== null && (
            <div key={label}>
              <dt>
                <Explained text={text}>{label}</Explained>
              </dt>
              <dd>{drawn}</dd>
            </div>
          )
        );
      })}
    </dl>
  );
}
