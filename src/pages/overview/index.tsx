import { useAccess } from '@umijs/max';
import { Segmented, Skeleton } from 'antd';
import { Suspense } from 'react';
import { late } from '@/components/late';
import { useQueryState, wordCodec } from '@/components/useQueryState';
import { FirstSteps } from './FirstSteps';
import styles from './index.module.css';
import { OwnAccount } from './OwnAccount';

const AllAccounts = late(() => import('./all/AllAccounts'));

const VIEWS = [
  { value: 'all' as const, label: '全部账户' },
  { value: 'own' as const, label: '我的账户' },
];
const codecs = { view: wordCodec(['all', 'own'], 'all') };

/** 账户总览: the caller's own account; a master lands on everybody's. */
export default function OverviewPage() {
  const { isMaster } = useAccess();
  const [{ view }, change] = useQueryState(codecs);
  return (
    <div className={styles.page}>
      <FirstSteps />
      {isMaster && (
        <Segmented
          className={styles.views}
          aria-label="账户范围"
          options={VIEWS}
          value={view}
          onChange={(next) => change({ view: next })}
        />
      )}
      {isMaster && view === 'all' ? (
        <Suspense fallback={<Skeleton active className={styles.waiting} paragraph={{ rows: 14 }} />}>
          <AllAccounts />
        </Suspense>
      ) : (
        <OwnAccount />
      )}
    </div>
  );
}
