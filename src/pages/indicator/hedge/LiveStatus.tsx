import { useEffect, useState } from 'react';
import { market } from '#contract/market';
import { formatDateTime } from '@/components/DateTime';
import { useCall } from '@/services/useCall';
import styles from './index.module.css';
import { useSelection } from './selectionContext';

const REFRESH_MS = 5_000;
const STALE_MS = 10_000;

/** Reads the prices every five seconds while the tab is seen, and says how old they are. */
export function LiveStatus() {
  const { source, tickers } = useSelection();
  const { data, error, updatedAt, mutate } = useCall(
    market.ticker,
    { query: { source } },
    { refreshInterval: REFRESH_MS },
  );
  const [now, setNow] = useState(Date.now);

  useEffect(() => {
    if (data) tickers.publish(data.list);
  }, [data, tickers]);

  useEffect(() => {
    const clock = setInterval(() => setNow(Date.now()), 1_000);
    const seen = () => {
      if (!document.hidden) void mutate();
    };
    document.addEventListener('visibilitychange', seen);
    return () => {
      clearInterval(clock);
      document.removeEventListener('visibilitychange', seen);
    };
  }, [mutate]);

  if (data === undefined || updatedAt === undefined) {
    return <span className={styles.live}>{error ? `行情读取失败：${error.message}` : '正在读取行情'}</span>;
  }
  const stale = Math.max(now, updatedAt) - updatedAt > STALE_MS;
  return (
    <span className={`${styles.live} ${stale ? styles.stale : ''}`} role={stale ? 'alert' : undefined}>
      <span className={styles.dot} aria-hidden="true" />
      更新于 <time>{formatDateTime(updatedAt, 'second').slice(11)}</time>
      {stale && '，行情停滞'}
      {data.delayed && (
        <span className={styles.delayed}>延迟 · {formatDateTime(data.at, 'second').slice(11)} 的行情</span>
      )}
    </span>
  );
}
