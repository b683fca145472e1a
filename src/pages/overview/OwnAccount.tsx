import { Alert, Skeleton } from 'antd';
import { ErrorState } from '@/components/ErrorState';
import { AccountHead } from './AccountHead';
import { AccountPanels } from './AccountPanels';
import styles from './index.module.css';
import { NoAccount } from './NoAccount';
import { useAccount } from './useAccount';

/** Money, risk, carry, curves and positions of the caller's own account. */
export function OwnAccount() {
  const { data, error, isLoading, retry, updatedAt } = useAccount();
  if (data === undefined) {
    if (error) return <ErrorState error={error} onRetry={() => void retry()} retrying={isLoading} />;
    return <Skeleton active className={styles.waiting} paragraph={{ rows: 14 }} aria-label="加载中" />;
  }
  if (data.account === null) return <NoAccount />;
  return (
    <>
      <AccountHead account={data.account} updatedAt={updatedAt} />
      {error && <Alert type="error" showIcon title={`账户读取失败：${error.message}。下方是上一次读到的数据。`} />}
      <AccountPanels account={data.account} at={data.at} refresh={() => void retry()} />
    </>
  );
}
