import { useEffect, useState } from 'react';
import { formatDateTime } from '@/components/DateTime';
import styles from './index.module.css';

const STALE_MS = 10_000;

interface FreshnessProps {
  /** When the figures were read, UTC ms. */
  updatedAt: number | undefined;
  /** Why the newest reading failed, when it did. */
  failing: { message: string } | undefined;
}

/** How old the figures are; a warning once they stand still. */
export function Freshness({ updatedAt, failing }: FreshnessProps) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const clock = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(clock);
  }, []);
  if (updatedAt === undefined) return <span className={styles.live}>正在读取</span>;
  const stale = now - updatedAt > STALE_MS;
  return (
    <span className={`${styles.live} ${stale ? styles.stale : ''}`} role={stale ? 'alert' : undefined}>
      <span className={styles.dot} aria-hidden="true" />
      更新于 <time>{formatDateTime(updatedAt, 'second').slice(11)}</time>
      {stale && `，数据停滞${failing ? `：${failing.message}` : ''}`}
    </span>
  );
}
