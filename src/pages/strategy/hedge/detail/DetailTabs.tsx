import { Checkbox, Skeleton, Tabs, Timeline } from 'antd';
import { Suspense, useState } from 'react';
import { ORDER_TYPE_LABEL } from '#contract/kinds/hedge/config';
import type { HedgeDetail } from '#contract/kinds/hedge/desk';
import { LEG_LABEL, ORDER_PURPOSE_LABEL, ORDER_SIDE_LABEL, ORDER_STATE_LABEL } from '#contract/lifecycle';
import { Amount } from '@/components/Amount';
import { formatDateTime } from '@/components/DateTime';
import { eventText, HEDGE_EVENT_LABEL } from '@/components/labels';
import { late } from '@/components/late';
import { Percent } from '@/components/Percent';
import { Pnl } from '@/components/Pnl';
import { limitPriceColumn, steppedColumn } from '@/strategy/steppedColumns';
import type { Column } from '@/table/column';
import { exactColumn, timeColumn, wordColumn } from '@/table/columns';
import { PlainTable } from '@/table/PlainTable';
import desk from '../index.module.css';
import { settingsForm } from '../settings/settingsForm';
import styles from './detail.module.css';

const BacktestTab = late(() => import('./BacktestTab'));
const BACKTEST = 'backtest';

const TROUBLE: readonly string[] = [
  'refused',
  'inDoubt',
  'lost',
  'oneLeg',
  'unwinding',
  'failed',
  'frozen',
  'liquidated',
  'deleveraged',
  'delisted',
  'delivered',
];

interface DetailTabsProps {
  detail: HedgeDetail;
  /** Whether the backtest is what it was opened for. */
  compared: boolean;
  onCompared: (compared: boolean) => void;
}

/** Timeline, fills, orders, funding, the settings that the hedge is managed by, and its backtest. */
export function DetailTabs({ detail, compared, onCompared }: DetailTabsProps) {
  const { events, fills, orders, fundings } = detail;
  const [tab, setTab] = useState('events');
  const choose = (key: string) => {
    if (key !== BACKTEST) setTab(key);
    onCompared(key === BACKTEST);
  };
  const items = [
    { key: 'events', label: `时间线 ${events.length}`, children: <Events events={events} /> },
    {
      key: 'fills',
      label: `成交 ${fills.length}`,
      children: <PlainTable label="成交" rowKey="id" columns={FILL_COLUMNS} rows={fills} empty="还没有成交" />,
    },
    {
      key: 'orders',
      label: `委托 ${orders.length}`,
      children: <PlainTable label="委托" rowKey="id" columns={ORDER_COLUMNS} rows={orders} empty="还没有委托" />,
    },
    {
      key: 'fundings',
      label: `资金费 ${fundings.length}`,
      children: (
        <PlainTable
          label="资金费"
          rowKey={({ symbol, at }) => `${symbol} ${at}`}
          columns={FUNDING_COLUMNS}
          rows={fundings}
          empty="持有期内还没有结算"
        />
      ),
    },
    { key: 'settings', label: '所用参数', children: <Settings settings={detail.settings} /> },
    ...(detail.hedge.openedAt === null ? [] : [backtestItem(detail.hedge.id)]),
  ];
  return <Tabs items={items} activeKey={compared ? BACKTEST : tab} onChange={choose} />;
}

const backtestItem = (id: string) => ({
  key: BACKTEST,
  label: '对比回测',
  children: (
    <Suspense fallback={<Skeleton active paragraph={{ rows: 8 }} />}>
      <BacktestTab id={id} />
    </Suspense>
  ),
});

/** Newest first; settlements have a table of their own and would hide the rest. */
function Events({ events }: Pick<HedgeDetail, 'events'>) {
  const [all, setAll] = useState(false);
  const items = [...events]
    // What happened in one instant was told in its order.
    .reverse()
    .sort((a, b) => b.at - a.at)
    .filter(({ kind }) => all || kind !== 'funding')
    .map(({ id, at, kind, detail }) => ({
      key: id,
      color: TROUBLE.includes(kind) ? 'red' : 'blue',
      content: (
        <>
          <strong>{HEDGE_EVENT_LABEL[kind]}</strong> <time className="soft">{formatDateTime(at, 'second')}</time>
          {detail && <div className={styles.eventText}>{eventText(detail)}</div>}
        </>
      ),
    }));
  return (
    <>
      <Checkbox checked={all} onChange={({ target }) => setAll(target.checked)}>
        含资金费结算
      </Checkbox>
      <Timeline className={styles.timeline} items={items} />
    </>
  );
}

function Settings({ settings }: Pick<HedgeDetail, 'settings'>) {
  return (
    <dl className={desk.facts}>
      {settingsForm.names.map((name) => (
        <div key={name}>
          <dt>{settingsForm.label(name)}</dt>
          <dd>{settingsForm.text(settings, name)}</dd>
        </div>
      ))}
    </dl>
  );
}

type Fill = HedgeDetail['fills'][number];
type Order = HedgeDetail['orders'][number];
type Funding = HedgeDetail['fundings'][number];

/** What fills and orders both say first. */
const tradeColumns = <R extends Fill | Order>(): Column<R>[] => [
  wordColumn<R>('leg', '腿', 56, ({ leg }) => LEG_LABEL[leg]),
  wordColumn<R>('symbol', '合约', 116, ({ symbol }) => symbol),
  wordColumn<R>('purpose', '用途', 84, ({ purpose }) => ORDER_PURPOSE_LABEL[purpose]),
  wordColumn<R>('side', '方向', 64, ({ side }) => ORDER_SIDE_LABEL[side]),
];

const FILL_COLUMNS: Column<Fill>[] = [
  timeColumn<Fill>('at', '时间', { precision: 'second' }),
  ...tradeColumns<Fill>(),
  steppedColumn<Fill>('quantity', '数量', 112, 'lotSize'),
  steppedColumn<Fill>('price', '价格 (USDT)', 116, 'tickSize'),
  {
    ...exactColumn<Fill>('fee', '手续费 (USDT)', 132),
    render: ({ fee }) => <Amount value={Number(fee)} digits={4} />,
  },
  wordColumn<Fill>('maker', '成交角色', 84, ({ maker }) => (maker ? '挂单' : '吃单')),
];

const ORDER_COLUMNS: Column<Order>[] = [
  timeColumn<Order>('createdAt', '时间', { precision: 'second' }),
  ...tradeColumns<Order>(),
  wordColumn<Order>('type', '类型', 64, ({ type }) => ORDER_TYPE_LABEL[type]),
  limitPriceColumn,
  steppedColumn<Order>('quantity', '数量', 112, 'lotSize'),
  steppedColumn<Order>('filledQuantity', '已成交', 112, 'lotSize'),
  wordColumn<Order>('state', '状态', 96, ({ state }) => ORDER_STATE_LABEL[state]),
  wordColumn<Order>('reason', '原因', 180, ({ reason }) => reason),
];

const FUNDING_COLUMNS: Column<Funding>[] = [
  timeColumn<Funding>('at', '结算时间', { precision: 'second' }),
  wordColumn<Funding>('symbol', '合约', 116, ({ symbol }) => symbol),
  {
    ...exactColumn<Funding>('rate', '费率', 96),
    render: ({ rate }) => <Percent value={Number(rate)} digits={4} signed />,
  },
  steppedColumn<Funding>('mark', '标记价 (USDT)', 132, 'tickSize'),
  steppedColumn<Funding>('quantity', '计费持仓', 112, 'lotSize'),
  {
    ...exactColumn<Funding>('amount', '金额 (USDT)', 116),
    render: ({ amount }) => <Pnl value={Number(amount)} digits={4} />,
  },
];
