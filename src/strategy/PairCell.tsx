import { Link } from '@umijs/max';
import type { Leg } from '#contract/lifecycle';
import styles from './pairCell.module.css';

const SIDE = { long: { word: '多', arrow: '▲' }, short: { word: '空', arrow: '▼' } } as const;

interface PairLeg {
  leg: Leg;
  symbol: string;
  source: string;
  /** Its venue, where the legs lie at several. */
  at?: string;
}

/** The legs of a deal, one below the other: side by word, arrow and colour, and the way to the coin. */
export const PairCell = ({ legs }: { legs: readonly PairLeg[] }) => (
  <span className={styles.sides}>
    {legs.map(({ leg, symbol, source, at }) => (
      <span key={leg} className={styles.leg}>
        <span className={`${styles.side} ${leg === 'long' ? 'up' : 'down'}`}>
          <span aria-hidden="true">{SIDE[leg].arrow}</span>
          {SIDE[leg].word}
        </span>
        <Link
          title={symbol}
          to={`/indicator/symbol/detail/${encodeURIComponent(symbol)}?source=${encodeURIComponent(source)}`}
        >
          {symbol}
        </Link>
        {at !== undefined && <span className={styles.at}>{at}</span>}
      </span>
    ))}
  </span>
);
