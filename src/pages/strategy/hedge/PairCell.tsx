import type { HedgeRow } from '#contract/hedge';
import { useHedgeScreen } from './hedgeContext';
import styles from './index.module.css';
import { SymbolLink } from './SymbolLink';

/** Both legs of a hedge, and the way to its detail. */
export function PairCell({ row }: { row: HedgeRow }) {
  const { open } = useHedgeScreen();
  const { id, long, short, source } = row;
  return (
    <span className={styles.sides}>
      <SymbolLink side="long" symbol={long} source={source} />
      <SymbolLink side="short" symbol={short} source={source} />
      <button type="button" className={styles.detailLink} onClick={() => open(id)}>
        详情
      </button>
    </span>
  );
}
