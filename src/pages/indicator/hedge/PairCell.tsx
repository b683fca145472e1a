import { HistoryOutlined } from '@ant-design/icons';
import type { EvaluateRow } from '#contract/evaluate';
import { DIRECTION_LABEL } from '@/components/labels';
import styles from './cells.module.css';
import { useSelection } from './selectionContext';

const SIDES = ['long', 'short'] as const;

/** Puts a coin on a side of the pair, and opens the history of what was thought of it. */
export function PairCell({ row: { symbol } }: { row: EvaluateRow }) {
  const { baskets, visitor, offerAccount, showHistory } = useSelection();
  return (
    <span className={styles.rowActions}>
      {SIDES.map((side) => {
        const chosen = baskets[side].includes(symbol);
        return (
          <button
            key={side}
            type="button"
            aria-pressed={chosen}
            aria-label={`${symbol} ${side === 'long' ? '加入多头' : '加入空头'}`}
            className={`${styles.mini} ${chosen ? styles[side] : ''}`}
            onClick={() => baskets.toggle(side, symbol)}
          >
            {DIRECTION_LABEL[side]}
          </button>
        );
      })}
      <button
        type="button"
        className={styles.mini}
        aria-label={`${symbol} 的评价历史`}
        onClick={() =>
          visitor ? offerAccount('查看每个币种的方向与评价历史，含作者、时间与此后涨跌') : showHistory(symbol)
        }
      >
        <HistoryOutlined />
      </button>
    </span>
  );
}
