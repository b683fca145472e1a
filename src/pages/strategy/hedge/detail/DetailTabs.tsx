import { Checkbox, Skeleton, Tabs, Timeline } from 'antd';
import { Suspense, useState } from 'react';
import type { HedgeDetail } from '#contract/kinds/hedge/desk';
import { formatDateTime } from '@/components/DateTime';
import { eventText, HEDGE_EVENT_LABEL } from '@/components/labels';
import { late } from '@/components/late';
import { PlainTable } from '@/table/PlainTable';
import desk from '../index.module.css';
import { settingsForm } from '../settings/settingsForm';
import styles from './detail.module.css';
import { FILL_COLUMNS, FUNDING_COLUMNS, ORDER_COLUMNS } from './detailColumns';

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
