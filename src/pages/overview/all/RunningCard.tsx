import { Link } from '@umijs/max';
import { Card, Skeleton } from 'antd';
import { type RunningDeal, strategyOverview } from '#contract/strategyOverview';
import { EmptyState } from '@/components/EmptyState';
import { ErrorState } from '@/components/ErrorState';
import { HedgeStateTag } from '@/components/HedgeStateTag';
import { HEDGE_STATE_LABEL, HELD_BRIEFLY } from '@/components/labels';
import { useNarrow } from '@/components/useNarrow';
import { KINDS } from '@/kinds';
import { useCall } from '@/services/useCall';
import { dealPath } from '@/strategy/dealPath';
import type { Column } from '@/table/column';
import { gainColumn, moneyColumn, numberColumn, percentColumn, timeColumn, wordColumn } from '@/table/columns';
import { PlainTable } from '@/table/PlainTable';
import { CardFigures, RowCard } from '@/table/RowCard';
import styles from '../index.module.css';

const NO_PRICE = '没有标记价';
const NOT_OPEN = '还没有开仓';

const symbolsOf = ({ symbols }: RunningDeal): string => symbols.join(' / ');

const badgeOf = ({ oneLegSince }: RunningDeal) => (oneLegSince === null ? null : 'oneLeg');

const RUNNING_COLUMNS: Column<RunningDeal>[] = [
  wordColumn<RunningDeal>('symbols', '标的', 184, symbolsOf, {
    fixed: 'left',
    render: (row) => <Link to={dealPath(row.kind, row.id, row.strategyId)}>{symbolsOf(row)}</Link>,
  }),
  wordColumn<RunningDeal>('user', '用户', 76, ({ user }) => user),
  wordColumn<RunningDeal>('kind', '类型', 84, ({ kind }) => KINDS[kind].label),
  wordColumn<RunningDeal>('strategy', '策略', 104, ({ strategy }) => strategy),
  wordColumn<RunningDeal>('state', '状态', 84, ({ state }) => HEDGE_STATE_LABEL[state], {
    render: (row) => <HedgeStateTag state={row.state} frozen={row.frozen} badge={badgeOf(row)} />,
  }),
  moneyColumn<RunningDeal>('value', '名义', {
    width: 96,
    reason: NO_PRICE,
    explain: { text: '两腿现在的数量 × 标记价，USDT' },
  }),
  gainColumn<RunningDeal>('funding', '资金费', { explain: { text: 'USDT，收到为正' } }),
  gainColumn<RunningDeal>('net', '净盈亏', {
    reason: NO_PRICE,
    explain: { formula: '价格盈亏 + 资金费 − 手续费（F11），USDT' },
  }),
  percentColumn<RunningDeal>('roi', '收益率', {
    signed: true,
    reason: NO_PRICE,
    explain: { formula: '净盈亏 / 占用本金（F12）' },
  }),
  percentColumn<RunningDeal>('apr', '年化', {
    signed: true,
    reason: HELD_BRIEFLY,
    explain: { text: 'F12' },
  }),
  numberColumn<RunningDeal>('heldDays', '持有 天', { digits: 1, reason: NOT_OPEN }),
  timeColumn<RunningDeal>('openedAt', '开仓', { reason: NOT_OPEN }),
];

const REFRESH_MS = 5_000;
const [PAIR, , , , ...FIGURES] = RUNNING_COLUMNS;

/** Everything that runs, of all users or of one: a table, and cards on a phone. */
export function RunningCard({ userId }: { userId: string }) {
  const narrow = useNarrow();
  const query = userId === '' ? {} : { userId };
  const options = { refreshInterval: REFRESH_MS, keepPreviousData: true };
  const { data, error, retry } = useCall(strategyOverview.running, { query }, options);
  return (
    <Card size="small" title={`进行中的交易单${data ? `（${data.total}）` : ''}`}>
      {data === undefined ? (
        error ? (
          <ErrorState error={error} onRetry={() => void retry()} />
        ) : (
          <Skeleton active />
        )
      ) : data.total === 0 ? (
        <EmptyState title="没有进行中的交易单" />
      ) : narrow ? (
        <div className={styles.positions}>
          {data.list.map((row) => (
            <RowCard
              key={row.id}
              label={`${row.user} ${symbolsOf(row)}`}
              head={
                <>
                  <strong>{PAIR!.render(row)}</strong>
                  <span className="soft">
                    {row.user} · {row.strategy}
                  </span>
                </>
              }
            >
              <CardFigures figures={FIGURES.map(({ title, render }) => [title, render(row)])} columns={3} />
            </RowCard>
          ))}
        </div>
      ) : (
        <PlainTable sortable label="进行中的交易单" rowKey="id" columns={RUNNING_COLUMNS} rows={data.list} />
      )}
    </Card>
  );
}
