import { Alert, Button, Drawer, Select, Spin } from 'antd';
import { useState } from 'react';
import { order, type ReconciledAccount } from '#contract/order';
import { CLEARABLE } from '@/components/clearable';
import { DateTime } from '@/components/DateTime';
import { EmptyState } from '@/components/EmptyState';
import { ErrorState } from '@/components/ErrorState';
import { useFocusBack } from '@/components/useFocusBack';
import { useCall } from '@/services/useCall';
import { AccountReport } from './AccountReport';
import styles from './reconcile.module.css';

interface ReconcileDrawerProps {
  /** Among whom is chosen; absent where the caller's own are asked about. */
  accounts?: readonly { userId: string; user: string }[];
  /** Who is asked about at once; absent: a click asks first. */
  first?: string | undefined;
  onClose: () => void;
}

interface Asked {
  userId: string | undefined;
  /** Every click asks anew. */
  round: number;
}

/** Holds the books against the venue, on a click. */
export default function ReconcileDrawer({ accounts, first, onClose }: ReconcileDrawerProps) {
  const isOwn = accounts === undefined;
  useFocusBack();
  const [userId, setUserId] = useState(first);
  const [asked, setAsked] = useState<Asked | undefined>(
    isOwn || first !== undefined ? { userId: first, round: 1 } : undefined,
  );
  const ofAll = useCall(
    order.reconcile,
    isOwn || asked === undefined ? null : { query: asked.userId === undefined ? {} : { userId: asked.userId } },
  );
  const own = useCall(order.reconcileOwn, isOwn ? {} : null);
  const { data, error, isLoading, retry } = isOwn ? own : ofAll;
  const [again, setAgain] = useState(false);
  const working = isLoading || again;
  const start = async () => {
    if (asked?.userId !== userId || asked === undefined) return setAsked({ userId, round: (asked?.round ?? 0) + 1 });
    setAgain(true);
    await retry().catch(() => undefined);
    setAgain(false);
  };
  const differing = data?.accounts.filter(({ verdict }) => verdict === 'differs').length ?? 0;
  const unknown = data?.accounts.filter(({ verdict }) => verdict === 'unknown').length ?? 0;
  return (
    <Drawer open onClose={onClose} title="与交易所核对" size="min(860px, 100vw)">
      <div className={styles.reconcile}>
        <div className={styles.reconcileHead}>
          {!isOwn && (
            <Select
              allowClear={CLEARABLE}
              className={styles.wide}
              placeholder="全部用户"
              aria-label="核对用户"
              options={accounts.map((account) => ({ value: account.userId, label: account.user }))}
              value={userId}
              onChange={(next) => setUserId(next ?? undefined)}
            />
          )}
          <Button type="primary" loading={working} onClick={start}>
            开始核对
          </Button>
          {data && (
            <span className="soft">
              核对于 <DateTime value={data.at} precision="second" />
            </span>
          )}
        </div>
        {asked === undefined && (
          <EmptyState
            title="还没有核对"
            description="向交易所询问每个账户的未结束委托、持仓、余额、手续费与资金费，并检查账目"
          />
        )}
        {working && <Spin className={styles.waiting} description="正在询问交易所" />}
        {error && !working && <ErrorState error={error} onRetry={start} />}
        {data && !error && !working && (
          <>
            <Alert
              showIcon
              type={differing > 0 ? 'error' : unknown + data.left > 0 ? 'warning' : 'success'}
              title={summaryOf(data.accounts.length, differing, unknown, data.left)}
            />
            {data.accounts.toSorted(byVerdict).map((account) => (
              <AccountReport key={account.userId} account={account} />
            ))}
          </>
        )}
      </div>
    </Drawer>
  );
}

const FIRST: readonly ReconciledAccount['verdict'][] = ['differs', 'unknown', 'agrees'];
/** What differs comes first. */
const byVerdict = (a: ReconciledAccount, b: ReconciledAccount) => FIRST.indexOf(a.verdict) - FIRST.indexOf(b.verdict);

function summaryOf(accounts: number, differing: number, unknown: number, left: number): string {
  const parts = [
    `核对了 ${accounts} 个用户的全部账户`,
    `一致 ${accounts - differing - unknown} 个`,
    differing > 0 && `有差异 ${differing} 个`,
    unknown > 0 && `未能确认 ${unknown} 个`,
    left > 0 && `另有 ${left} 个因时间或数量上限没有核对，可逐个选择`,
  ];
  return parts.filter((part) => part !== false).join('，');
}
