import { Alert, Skeleton } from 'antd';
import { useCallback, useEffect, useRef } from 'react';
import { ErrorState } from '@/components/ErrorState';
import { textCodec, useQueryState } from '@/components/useQueryState';
import { UnguardedBanner } from '@/strategy/UnguardedBanner';
import { AccountHead } from './AccountHead';
import { AccountPanels } from './AccountPanels';
import { AccountBar } from './accounts/AccountBar';
import { useAccounts } from './accounts/useAccounts';
import styles from './index.module.css';
import { NoAccount } from './NoAccount';
import { useAccount } from './useAccount';

/** A report that the address names is opened. */
const codecs = { account: textCodec(), report: textCodec() };

/** Money, risk, carry, curves and positions of the caller's accounts together, or of one of them. */
export function OwnAccount() {
  const [{ account: chosen, report }, change] = useQueryState(codecs);
  const latest = useRef(change);
  latest.current = change;
  useEffect(() => {
    if (report === '') return;
    const forget = () => latest.current({ report: '' });
    void import('@/flatten/showReport').then(({ showReport }) => showReport(report, forget));
  }, [report]);
  const accounts = useAccounts();
  const { data, error, isLoading, retry, updatedAt } = useAccount(chosen);
  const choose = useCallback((id: string) => change({ account: id }), [change]);
  if (data === undefined) {
    if (error) return <ErrorState error={error} onRetry={() => void retry()} retrying={isLoading} />;
    return <Skeleton active className={styles.waiting} paragraph={{ rows: 14 }} aria-label="加载中" />;
  }
  const refresh = () => {
    void retry();
    void accounts.mutate();
  };
  // An address may name an account that is not the caller's.
  if (data.account === null && chosen !== '') {
    return <Alert type="warning" showIcon title="没有这个账户" action={<a href="/">全部账户</a>} />;
  }
  if (data.account === null) return <NoAccount />;
  return (
    <>
      <AccountHead account={data.account} updatedAt={updatedAt} refresh={refresh}>
        <AccountBar accounts={accounts.data?.list ?? []} chosen={chosen} onChoose={choose} refresh={refresh} />
      </AccountHead>
      <UnguardedBanner />
      {error && <Alert type="error" showIcon title={`账户读取失败：${error.message}。下方是上一次读到的数据。`} />}
      <AccountPanels
        account={data.account}
        at={data.at}
        accounts={accounts.data}
        chosen={chosen}
        onChoose={choose}
        refresh={() => void retry()}
      />
    </>
  );
}
