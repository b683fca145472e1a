import { Alert, Tag } from 'antd';
import { type ApiKeyRow, apiKey, KeyBalance, type KeyNeed, KeyPosition, totalsIn } from '#contract/apiKey';
import { Amount } from '@/components/Amount';
import { DateTime } from '@/components/DateTime';
import { EmptyState } from '@/components/EmptyState';
import { ErrorState } from '@/components/ErrorState';
import { useCall } from '@/services/useCall';
import type { Column } from '@/table/column';
import { PlainTable } from '@/table/PlainTable';
import { CardFigures } from '@/table/RowCard';
import { schemaColumns } from '@/table/schemaColumns';
import styles from './index.module.css';
import { accountLabel, RIGHT_LABEL, VERDICT } from './keyLabels';
import { ReportView } from './ReportView';

const BALANCES = schemaColumns(KeyBalance, { widths: { wallet: 104, asset: 80, total: 128, free: 128 } });
const POSITIONS = schemaColumns(KeyPosition, {
  widths: {
    ...{ symbol: 120, side: 56, quantity: 104, ours: 104, external: 104 },
    ...{ entryPrice: 104, markPrice: 104, liquidationPrice: 104, unrealised: 112 },
  },
});

/** An account is not asked about more often: what an address may ask is shared with the market that is followed. */
const RENEWED = { refreshInterval: 30_000 };

/** What the account of a key holds at its exchange, to be looked at alone. */
function KeyHeldView({ row: { id, name } }: { row: ApiKeyRow }) {
  const { data, error, mutate } = useCall(apiKey.held, { query: { id } }, RENEWED);
  return (
    <section className={`stack ${styles.held}`} aria-label={`${name} 的账户`}>
      <h3>交易所里的账户</h3>
      {error && data === undefined && <ErrorState error={error} onRetry={() => void mutate()} />}
      {data && (
        <>
          <p className="soft">
            只读{data.simulated && '，由模拟交易所回答'}，<DateTime value={data.at} precision="second" /> 的余额与持仓。
            没有交易单解释的持仓是外部的，不计入任何策略，本系统不动它。
            {data.multiAsset && '多资产保证金模式：合计以 USD 计。'}
          </p>
          <CardFigures
            columns={2}
            figures={[
              ['合约权益', <Amount key="equity" value={Number(data.equity)} unit={totalsIn(data)} />],
              ['可用', <Amount key="available" value={Number(data.available)} unit={totalsIn(data)} />],
              ['占用保证金', <Amount key="initial" value={Number(data.initialMargin)} unit={totalsIn(data)} />],
              ['维持保证金', <Amount key="maintenance" value={Number(data.maintenanceMargin)} unit={totalsIn(data)} />],
            ]}
          />
          <PlainTable
            label="余额"
            rowKey={({ wallet, asset }) => `${wallet} ${asset}`}
            columns={BALANCES}
            rows={data.balances}
            empty={<EmptyState title="没有余额" />}
          />
          <PlainTable
            label="持仓对照"
            rowKey={({ symbol, side }) => `${symbol} ${side}`}
            columns={POSITIONS}
            rows={data.positions}
            empty={<EmptyState title="没有合约持仓" />}
          />
        </>
      )}
    </section>
  );
}

const NEED_COLUMNS: Column<KeyNeed>[] = [
  { key: 'right', title: '权限', width: 56, render: ({ right }) => RIGHT_LABEL[right] },
  { key: 'has', title: '密钥', width: 56, render: ({ has }) => (has === null ? '未知' : has ? '有' : '没有') },
  {
    key: 'neededBy',
    title: '需要它的',
    width: 120,
    render: ({ neededBy }) => (neededBy.length === 0 ? <span className="soft">无</span> : neededBy.join('、')),
  },
  {
    key: 'verdict',
    title: '对照',
    width: 112,
    render: ({ verdict }) => <Tag color={VERDICT[verdict].color}>{VERDICT[verdict].label}</Tag>,
  },
];

/** What was seen of it since it was stored: refusals one after another, and rights that its exchange has changed. */
function Watched({ row: { failures, failingSince, rightsBefore, rightsChangedAt } }: { row: ApiKeyRow }) {
  if (failingSince === null && rightsChangedAt === null) return null;
  return (
    <div className={styles.watched}>
      {failingSince !== null && (
        <Alert
          type="error"
          showIcon
          title={
            <>
              交易所已连续 {failures} 次拒绝，自 <DateTime value={failingSince} />
            </>
          }
        />
      )}
      {rightsChangedAt !== null && (
        <Alert
          type="warning"
          showIcon
          title={
            <>
              <DateTime value={rightsChangedAt} /> 发现交易所改变了权限，此前为
              {rightsBefore?.map((right) => RIGHT_LABEL[right]).join('、')}
            </>
          }
        />
      )}
    </div>
  );
}

/** A key in full: what it may against what is needed, who uses it, and what the last test said. */
export function KeyDetail({ row }: { row: ApiKeyRow }) {
  return (
    <div className={styles.detail}>
      <section aria-label={`${row.name} 的权限对照`}>
        <h3>所需与所有</h3>
        <PlainTable label="权限对照" rowKey="right" columns={NEED_COLUMNS} rows={row.needs} pagination={false} />
        <p className="soft">
          {row.uses.length === 0
            ? '没有交易账户使用它；在下方“交易账户”里指定。'
            : `使用它的账户：${row.uses.map(accountLabel).join('、')}`}
        </p>
      </section>
      <Watched row={row} />
      {row.report ? (
        <ReportView report={row.report} />
      ) : (
        <p className="soft">还没有测试：没有跟随它的交易所，不知道它的权限。</p>
      )}
      {row.state === 'ready' && <KeyHeldView row={row} />}
    </div>
  );
}
