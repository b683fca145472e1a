import type { DataOf } from '#contract/endpoint';
import type { evaluate } from '#contract/evaluate';
import { DateTime } from '@/components/DateTime';
import styles from './LeftOut.module.css';

type List = DataOf<typeof evaluate.list>;

/** Coins that are not ranked, and why: their candles stopped, or there are too few. */
export function LeftOut({ stale, tooShort }: Pick<List, 'stale' | 'tooShort'>) {
  if (stale.length === 0 && tooShort.length === 0) return null;
  return (
    <div className={styles.leftOut}>
      {stale.length > 0 && (
        <details>
          <summary>停更 {stale.length} 个（最后收盘早于最新一日 3 天以上，不参与排名）</summary>
          <ul>
            {stale.map(({ symbol, lastAt }) => (
              <li key={symbol}>
                {symbol}{' '}
                <span className="missing">
                  最后 K 线 <DateTime utc precision="day" value={lastAt} />
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
      {tooShort.length > 0 && (
        <details>
          <summary>历史不足 {tooShort.length} 个（少于 31 根日线，不参与排名）</summary>
          <ul>
            {tooShort.map(({ symbol, days }) => (
              <li key={symbol}>
                {symbol} <span className="missing">{days} 天</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}
