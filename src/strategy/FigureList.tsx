import type { ReactNode } from 'react';
import { Explained } from '@/components/Explained';
import styles from './strategy.module.css';

export interface ListedFigure {
  label: string;
  figure: ReactNode;
  /** How the figure comes about, where its label does not say so. */
  formula?: string;
}

interface FigureListProps {
  /** Accessible name of the group; absent where it is one with what is around it. */
  label?: string;
  figures: readonly ListedFigure[];
  /** When the inputs of the formulas were read. */
  inputAt?: string;
}

/** Figures in the size of the text, which share a line as long as they find room. */
export function FigureList({ label: group, figures, inputAt }: FigureListProps) {
  return (
    <dl className={styles.figures} aria-label={group}>
      {figures.map(({ label, figure, formula }) => (
        <div key={label}>
          <dt>
            {formula === undefined ? (
              label
            ) : (
              <Explained formula={formula} inputAt={inputAt}>
                {label}
              </Explained>
            )}
          </dt>
          <dd>{figure}</dd>
        </div>
      ))}
    </dl>
  );
}
