import { formatDateTime } from '@/components/DateTime';
import { LiveStatus } from '@/components/LiveStatus';
import { usePrices } from '@/services/usePrices';
import styles from './index.module.css';
import { useSelection } from './selectionContext';

/** Keeps the prices of the source new, and says how old they are. */
export function PriceStatus() {
  const { source } = useSelection();
  const { data, error, updatedAt } = usePrices(source);
  if (data === undefined) {
    return <span className={styles.live}>{error ? `行情读取失败：${error.message}` : '正在读取行情'}</span>;
  }
  return (
    <span className={styles.live}>
      <LiveStatus polledAt={updatedAt} />
      {data.delayed && (
        <span className={styles.delayed}>延迟 · {formatDateTime(data.at, 'second').slice(11)} 的行情</span>
      )}
    </span>
  );
}
