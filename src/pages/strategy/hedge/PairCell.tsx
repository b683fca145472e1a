import type { HedgeRow } from '#contract/kinds/hedge/desk';
import styles from './PairCell.module.css';
import { SymbolLink } from './SymbolLink';

/** Both legs of a hedge. */
export function PairCell({ long, short, source }: Pick<HedgeRow, 'long' | 'short' | 'source'>) {
  return (
    <span className={styles.sides}>
      <SymbolLink side="long" symbol={long} source={source} />
      <SymbolLink side="short" symbol={short} source={source} />
    </span>
  );
}
