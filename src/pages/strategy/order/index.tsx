import { AuditOutlined } from '@ant-design/icons';
import { Button, Tabs } from 'antd';
import { Suspense, useCallback, useRef, useState } from 'react';
import { order } from '#contract/order';
import { LiveStatus } from '@/components/LiveStatus';
import { late } from '@/components/late';
import { stateOf, textCodec, useQueryState } from '@/components/useQueryState';
import { readForLink } from '@/services/read';
import { useCall } from '@/services/useCall';
import { useChanges } from '@/services/useChanges';
import { Outages } from '@/strategy/Outages';
import { useListed } from '@/table/useListed';
import { AttentionCard } from './AttentionCard';
import styles from './index.module.css';
import { OrderFilters } from './OrderFilters';
import { OrdersPanel } from './OrdersPanel';
import { RefreshContext, ToolsPlace } from './orderContext';
import { orderQuery, TABS, type Tab, toFills, toOrders } from './orderQuery';

const FillsPanel = late(() => import('./FillsPanel'));
const ReconcileDrawer = late(() => import('@/strategy/ReconcileDrawer'));

/** Whom the address asks to hold against the exchange. */
const codecs = { reconcile: textCodec() };

const REFRESH_MS = 5_000;
const TAB_LABEL: Record<Tab, string> = { live: '当前委托', ended: '历史委托', fills: '成交明细' };

/** 订单列表: orders and fills of all users, and whether the venue agrees. */
export default function OrderPage() {
  const [state, change] = useQueryState(orderQuery.codecs);
  const [{ reconcile: first }, turnTo] = useQueryState(codecs);
  const [reconciling, setReconciling] = useState(false);
  const onFills = state.tab === 'fills';
  const orders = useListed(
    useCall(order.list, onFills ? null : { query: toOrders(state) }, { refreshInterval: REFRESH_MS }),
    'id',
  );
  const fills = useListed(
    useCall(order.fills, onFills ? { query: toFills(state) } : null, { refreshInterval: REFRESH_MS }),
    'id',
  );
  const accounts = useCall(order.accounts, {});
  const shown = onFills ? fills : orders;
  /** Beside the tabs is room for what is done with the rows: below, the filters take the whole line. */
  const [beside, setBeside] = useState<HTMLElement | null>(null);
  const latest = useRef(shown);
  latest.current = shown;
  const refresh = useCallback(() => latest.current.listed.reload(), []);
  useChanges(['order:all'], refresh);
  const turn = (key: string) => change({ tab: key as Tab, sort: '', state: null, refused: false, current: 1 });
  const filters = <OrderFilters state={state} change={change} accounts={accounts.data?.list ?? []} />;
  return (
    <RefreshContext value={refresh}>
      <div className={styles.page}>
        <header className={styles.head}>
          <h1>订单列表</h1>
          <Button icon={<AuditOutlined />} onClick={() => setReconciling(true)}>
            与交易所核对
          </Button>
          <span className={styles.live}>
            <LiveStatus polledOnly polledAt={shown.updatedAt} />
          </span>
        </header>
        <Outages />
        <AttentionCard />
        <section className={styles.card} aria-label="订单">
          <div className={styles.tabRow}>
            <Tabs
              className={styles.tabs}
              activeKey={state.tab}
              items={TABS.map((key) => ({ key, label: TAB_LABEL[key] }))}
              onChange={turn}
            />
            <div ref={setBeside} className={styles.tools} />
          </div>
          <ToolsPlace value={beside}>
            {onFills ? (
              <Suspense fallback={filters}>
                <FillsPanel list={fills.listed} state={state} change={change} filters={filters} />
              </Suspense>
            ) : (
              <OrdersPanel key={state.tab} list={orders.listed} state={state} change={change} filters={filters} />
            )}
          </ToolsPlace>
        </section>
      </div>
      <Suspense fallback={null}>
        {(reconciling || first !== '') && (
          <ReconcileDrawer
            accounts={accounts.data?.list ?? []}
            first={first || undefined}
            onClose={() => {
              setReconciling(false);
              turnTo({ reconcile: '' });
            }}
          />
        )}
      </Suspense>
    </RefreshContext>
  );
}

OrderPage.ahead = (search: URLSearchParams) => {
  const state = stateOf(orderQuery.codecs, search);
  if (state.tab !== 'fills') readForLink(order.list, { query: toOrders(state) });
};
