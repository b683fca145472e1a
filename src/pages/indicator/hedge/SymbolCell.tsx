import { Link } from '@umijs/max';
import type { EvaluateRow } from '#contract/evaluate';
import styles from './cells.module.css';
import { useSelection } from './selectionContext';

/** The coin, leading to its own screen; a visitor hears what that screen needs. */
export function SymbolCell({ row: { symbol, sector } }: { row: EvaluateRow }) {
  const { source, visitor, offerAccount } = useSelection();
  const address = `/indicator/symbol/detail/${encodeURIComponent(symbol)}?source=${encodeURIComponent(source)}`;
  return (
    <span className={styles.symbol}>
      {visitor ? (
        <button
          type="button"
          className={styles.link}
          onClick={() => offerAccount('打开币种详情：K 线、资金费历史、统计与评价历史')}
        >
          {symbol}
        </button>
      ) : (
        <Link to={address}>{symbol}</Link>
      )}
      {sector && <small className="missing">{sector}</small>}
    </span>
  );
}
