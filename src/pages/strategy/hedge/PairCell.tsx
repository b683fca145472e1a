import { Link } from '@umijs/max';
import type { HedgeRow } from '#contract/kinds/hedge/desk';
import type { Leg } from '#contract/lifecycle';
import styles from './PairCell.module.css';

/** Both legs of a hedge. */
export function PairCell({ long, short, source }: Pick<HedgeRow, 'long' | 'short' | 'source'>) {
  return (
    <span className={styles.sides}>
      <SymbolLink side="long" symbol={long} source={source} />
      <SymbolLink side="short" symbol={short} source={source} />
    </span>
  );
}

const SIDE = { long: { word: '多', arrow: '▲' }, short: { word: '空', arrow: '▼' } } as const;

/** A leg: its side by word, arrow and colour, and the way to the coin. */
function SymbolLink({ side, symbol, source }: { side: Leg; symbol: string; source: string }) {
  const address = `/indicator/symbol/detail/${encodeURIComponent(symbol)}?source=${encodeURIComponent(source)}`;
  const { word, arrow } = SIDE[side];
  return (
    <span className={styles.leg}>
      <span className={`${styles.side} ${side === 'long' ? 'up' : 'down'}`}>
        <span aria-hidden="true">{arrow}</span>
        {word}
      </span>
      <Link to={address}>{symbol}</Link>
    </span>
  );
}
