import { Tag } from 'antd';
import { venueName } from '#contract/candle';
import type { Compared, ReconciledAccount } from '#contract/order';
import { CopyId } from '@/components/CopyId';
import { DateTime } from '@/components/DateTime';
import { LiveTag } from '@/components/LiveTag';
import { modeLabel } from '@/services/modeLabel';
import type { Column } from '@/table/column';
import { exactColumn } from '@/table/columns';
import { PlainTable } from '@/table/PlainTable';
import styles from './reconcile.module.css';

type Difference = ReconciledAccount['orders'][number];

const VERDICT = {
  agrees: { color: 'success', label: '一致' },
  differs: { color: 'error', label: '有差异' },
  unknown: { color: 'warning', label: '未能确认' },
} as const;

const WHAT: Record<Difference['what'], string> = {
  missingThere: '本地有、交易所无',
  missingHere: '交易所有、本地无',
  differs: '状态不同',
  unknown: '未能查询',
};

const ORDER_COLUMNS: Column<Difference>[] = [
  { key: 'what', title: '差异', width: 140, render: ({ what }) => WHAT[what] },
  { key: 'symbol', title: '合约', width: 110, render: ({ symbol }) => symbol },
  { key: 'id', title: '委托编号', width: 160, render: ({ id }) => <CopyId id={id} /> },
  { key: 'text', title: '说明', width: 240, render: ({ text }) => text },
];

const COMPARED: Record<Compared['what'], string> = {
  position: '持仓',
  wallet: '余额',
  fee: '手续费合计',
  funding: '资金费合计',
};

const COMPARED_COLUMNS: Column<Compared>[] = [
  { key: 'what', title: '项目', width: 140, render: ({ what, symbol }) => `${COMPARED[what]} ${symbol}` },
  {
    key: 'verdict',
    title: '结论',
    width: 72,
    render: ({ agrees }) => (agrees ? '一致' : <Tag color="error">不一致</Tag>),
  },
  exactColumn<Compared>('ledger', '账本', 110),
  exactColumn<Compared>('venue', '交易所', 110),
];

const PAGING = { hideOnSinglePage: true, pageSize: 10 } as const;

/** What one account has by the books and by its exchange: what differs first, then money. */
function AccountTable({ rows }: { rows: readonly Compared[] }) {
  const [first] = rows;
  if (first === undefined) return null;
  const name = `${first.account} · ${venueName(first.source)}`;
  return (
    <>
      <h4>
        {name} <LiveTag mode={first.mode} />
      </h4>
      <PlainTable
        label={`${name}的账本与交易所`}
        rowKey={({ source, what, symbol }) => `${source} ${what} ${symbol}`}
        columns={COMPARED_COLUMNS}
        rows={rows.toSorted((a, b) => Number(a.agrees) - Number(b.agrees))}
        pagination={PAGING}
      />
    </>
  );
}

/** What was found about the accounts of one user. */
export function AccountReport({ account }: { account: ReconciledAccount }) {
  const { user, verdict, unknown, pending, liveOrders, orders, positions, money, daily, findings } = account;
  const compared = [...money, ...positions];
  // What differs comes first, and of the rest what is real.
  const rank = ({ agrees, mode }: Compared) => Number(agrees) * 2 + Number(mode === 'paper');
  const accounts = [...new Set(compared.toSorted((a, b) => rank(a) - rank(b)).map(({ accountId }) => accountId))];
  return (
    <section className={styles.report} aria-label={`${user} 的核对`}>
      <h3>
        {user} <Tag color={VERDICT[verdict].color}>{VERDICT[verdict].label}</Tag>
      </h3>
      <p className="soft">
        未结束委托 {liveOrders} 笔，未入账事件 {pending ?? '-'} 个
        {daily && (
          <>
            ，{modeLabel('live')}每日对账 <DateTime value={daily.at} /> {VERDICT[daily.verdict].label}
          </>
        )}
      </p>
      {unknown.length > 0 && (
        <ul className={styles.unknown}>
          {unknown.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      {orders.length > 0 && (
        <PlainTable label="有差异的委托" rowKey="id" columns={ORDER_COLUMNS} rows={orders} pagination={PAGING} />
      )}
      {accounts.map((id) => (
        <AccountTable key={id} rows={compared.filter(({ accountId }) => accountId === id)} />
      ))}
      {findings.length > 0 && (
        <ul className={styles.findings}>
          {findings.map((line) => (
            <li key={line}>账目：{line}</li>
          ))}
        </ul>
      )}
    </section>
  );
}
