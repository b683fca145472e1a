import { AuditOutlined } from '@ant-design/icons';
import { Link } from '@umijs/max';
import { Alert, Button, Tag } from 'antd';
import { type ReactNode, Suspense, useCallback, useEffect, useRef } from 'react';
import { type AccountState, account } from '#contract/account';
import { PAPER_CAPITAL } from '#contract/kinds/hedge/config';
import { EmptyState } from '@/components/EmptyState';
import { ErrorState } from '@/components/ErrorState';
import { formatNumber } from '@/components/formatNumber';
import { LiveStatus } from '@/components/LiveStatus';
import { LiveTag } from '@/components/LiveTag';
import { late } from '@/components/late';
import { PauseBanners } from '@/components/PauseBanners';
import { usePreparing } from '@/components/usePreparing';
import { flagCodec, textCodec, useQueryState } from '@/components/useQueryState';
import { Waiting } from '@/components/Waiting';
import { useCall } from '@/services/useCall';
import { useStream } from '@/services/useStream';
import { TroubleBanners } from '@/strategy/StopBanners';
import { UnguardedBanner } from '@/strategy/UnguardedBanner';
import { useStops } from '@/strategy/useStops';
import { AccountPanels } from './AccountPanels';
import { AccountBar } from './accounts/AccountBar';
import { useAccounts } from './accounts/useAccounts';
import { isOneAccount, whichAccount } from './accounts/whichAccount';
import styles from './index.module.css';
import { useLossLimit } from './LossLimit';

const ReconcileDrawer = late(() => import('@/strategy/ReconcileDrawer'));

/** A report that the address names is opened, and so is what holds the books against the exchange. */
const codecs = { account: textCodec(), report: textCodec(), reconcile: flagCodec };

/** Money, risk, carry, curves and positions of the caller's accounts together, or of one of them. */
export function OwnAccount() {
  const [{ account: chosen, report, reconcile }, change] = useQueryState(codecs);
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
    return <Waiting className={styles.waiting} rows={14} />;
  }
  const refresh = () => {
    void retry();
    void accounts.mutate();
  };
  // An address may name an account that is not the caller's.
  if (data.account === null && isOneAccount(chosen)) {
    return <Alert type="warning" showIcon title="没有这个账户" action={<a href="/">全部账户</a>} />;
  }
  if (data.account === null) return <NoAccount />;
  return (
    <>
      <AccountHead account={data.account} updatedAt={updatedAt} refresh={refresh}>
        <AccountBar
          accounts={accounts.data?.list ?? []}
          chosen={chosen || data.account.mode}
          onChoose={choose}
          refresh={refresh}
        />
        {accounts.data?.list.some(({ mode }) => mode === 'live') && (
          <Button icon={<AuditOutlined />} onClick={() => change({ reconcile: true })}>
            与交易所核对
          </Button>
        )}
      </AccountHead>
      <Suspense fallback={null}>
        {reconcile && <ReconcileDrawer onClose={() => change({ reconcile: false })} />}
      </Suspense>
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

/** The first moments of an account: its money is not booked yet, or the demo is still making the account's past. */
function NoAccount() {
  const isPreparing = usePreparing() !== undefined;
  return (
    <EmptyState
      title="账户正在开立"
      description={
        <>
          模拟账户的本金为 {formatNumber(PAPER_CAPITAL, { digits: 0 })}{' '}
          USDT，入账后这里显示权益、盈亏、风险、资金费与持仓，不需要刷新。
          {isPreparing && (
            <>
              <br />
              演示账户要等过去 60 天的交易生成出来，大约一分钟。
            </>
          )}
        </>
      }
    />
  );
}

const REFRESH_MS = 5_000;
/** What happens within so long of a reading is in the next one. */
const PAUSE_MS = 2_000;

/** The caller's accounts together, or one of them: read every five seconds, and sooner when something has happened to it. */
function useAccount(accountId: string) {
  const options = { refreshInterval: REFRESH_MS, keepPreviousData: true };
  const state = useCall(account.state, { query: whichAccount(accountId) }, options);
  const readAt = useRef(0);
  useStream(['account', 'hedge'], () => {
    if (Date.now() - readAt.current < PAUSE_MS) return;
    readAt.current = Date.now();
    void state.mutate();
  });
  return state;
}

interface AccountHeadProps {
  account: AccountState;
  updatedAt: number | undefined;
  refresh: () => void;
  /** What chooses among several accounts. */
  children: ReactNode;
}

/** Whether new hedges are opened, how old the figures are, and what keeps figures from being there. */
function AccountHead({ account, updatedAt, refresh, children }: AccountHeadProps) {
  const { mode, enabled, paused, pausedForAll, running, venue, unanswered, unpriced } = account;
  const which = unanswered.length === 0 ? '' : `（${unanswered.join('、')}）`;
  const limit = useLossLimit({ account, onSaved: refresh });
  const stops = useStops();
  const blocked = paused !== null || pausedForAll !== null;
  const opening = blocked ? '已暂停开仓' : enabled ? '对冲启用中' : '对冲已停用';
  return (
    <>
      <div className={styles.head}>
        <span className={styles.state}>
          {mode === 'paper' && <Tag>模拟账户</Tag>}
          <LiveTag mode={mode} />
          <Tag color={blocked ? 'warning' : enabled ? 'success' : 'default'}>{opening}</Tag>
          <span>进行中 {running} 单</span>
        </span>
        {children}
        <LiveStatus polledAt={updatedAt} />
        <Link to="/strategy/hedge">
          <Button>{blocked ? '前往恢复开仓' : '暂停开仓'}</Button>
        </Link>
      </div>
      <PauseBanners {...account} onLimit={limit.edit} />
      <TroubleBanners troubles={stops.data?.troubles ?? []} />
      {limit.dialog}
      {venue === 'failed' && (
        <Alert
          type="error"
          showIcon
          title={`交易场所读取失败${which}：持仓、保证金与风险未知，并不表示空仓。正在重试。`}
        />
      )}
      {unpriced.length > 0 && (
        <Alert type="warning" showIcon title={`没有价格：${unpriced.join('、')}。权益与盈亏暂时无法计算。`} />
      )}
    </>
  );
}
