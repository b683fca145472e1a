import { Button } from 'antd';
import { useState } from 'react';
import { type FlattenRow, flatten } from '#contract/flatten';
import { Amount } from '@/components/Amount';
import { DateTime } from '@/components/DateTime';
import { EmptyState } from '@/components/EmptyState';
import { ErrorState } from '@/components/ErrorState';
import { useNarrow } from '@/components/useNarrow';
import { useCall } from '@/services/useCall';
import type { Column } from '@/table/column';
import { numberColumn, timeColumn, wordColumn } from '@/table/columns';
import { PlainTable } from '@/table/PlainTable';
import { CardFigures, Cards, RowCard } from '@/table/RowCard';
import styles from './flatten.module.css';
import { bpsOf, scopeText, secondsText } from './flattenLabels';

const REFRESH_MS = 5_000;
const PAGE = 10;

const open = (id: string) => void import('./showReport').then(({ showReport }) => showReport(id));

const lastingText = ({ at, doneAt, left }: FlattenRow): string =>
  doneAt === null ? `剩 ${left} 张` : secondsText((doneAt - at) / 1000);

const COLUMNS: Column<FlattenRow>[] = [
  timeColumn<FlattenRow>('at', '请求', { precision: 'second' }),
  wordColumn<FlattenRow>('by', '由', 96, ({ by }) => by),
  wordColumn<FlattenRow>('scope', '范围', 140, scopeText),
  wordColumn<FlattenRow>('reason', '原因', 160, ({ reason }) => reason || '-'),
  {
    key: 'deals',
    title: '已平 / 张',
    width: 92,
    figure: true,
    render: ({ closed, deals, left }) => (
      <span className={left > 0 ? styles.left : undefined}>
        {closed} / {deals}
      </span>
    ),
  },
  numberColumn<FlattenRow>('notional', '平掉的名义', { money: true, digits: 0, width: 116 }),
  {
    key: 'slippage',
    title: '滑点',
    width: 130,
    figure: true,
    render: ({ slippage, notional }) => (
      <>
        <Amount money value={slippage} reason="请求时没有中间价" />{' '}
        <span className="soft">
          <Amount value={bpsOf(slippage, notional)} digits={1} unit="bps" reason="没有成交" />
        </span>
      </>
    ),
  },
  numberColumn<FlattenRow>('fees', '手续费', { money: true, width: 96 }),
  wordColumn<FlattenRow>('doneAt', '用时', 92, lastingText),
  {
    key: 'open',
    title: '',
    width: 72,
    render: ({ id }) => (
      <Button size="small" onClick={() => open(id)}>
        报告
      </Button>
    ),
  },
];

const Card = ({ row }: { row: FlattenRow }) => (
  <RowCard
    label={`平仓 ${scopeText(row)}`}
    head={
      <>
        <strong>{scopeText(row)}</strong>
        <span className="soft">
          <DateTime value={row.at} /> · {row.by}
        </span>
      </>
    }
  >
    {row.reason !== '' && <span>{row.reason}</span>}
    <CardFigures
      columns={3}
      figures={[
        ['已平 / 张', `${row.closed} / ${row.deals}`],
        ['滑点', <Amount key="slippage" money value={row.slippage} reason="请求时没有中间价" />],
        ['用时', lastingText(row)],
      ]}
    />
    <span>
      <Button size="small" onClick={() => open(row.id)}>
        报告
      </Button>
    </span>
  </RowCard>
);

/** Past requests to close everything, and what came of each: one's own, or everybody's for masters. */
export default function FlattenReports({ everybody = false }: { everybody?: boolean }) {
  const [current, turn] = useState(1);
  const narrow = useNarrow();
  const { data, error, isLoading, retry } = useCall(
    flatten.list,
    { query: { current, pageSize: PAGE, ...(everybody && { everybody }) } },
    { refreshInterval: REFRESH_MS, keepPreviousData: true },
  );
  const cards = narrow && data !== undefined && data.total > 0;
  return (
    <section className={`card ${styles.panel}`} aria-label="平仓报告">
      <PlainTable
        label="平仓报告"
        rowKey="id"
        columns={COLUMNS}
        rows={data?.list}
        loading={isLoading}
        pagination={{ current, pageSize: PAGE, total: data?.total ?? 0, onChange: turn, hideOnSinglePage: true }}
        empty={<EmptyState title="还没有全部平仓过" description="全部平仓后，每张的成交价、滑点与用时留在这里" />}
        caption={<h2>平仓报告</h2>}
        instead={
          (error && !data && <ErrorState error={error} onRetry={() => void retry()} />) ||
          (cards && (
            <Cards>
              {data.list.map((row) => (
                <Card key={row.id} row={row} />
              ))}
            </Cards>
          ))
        }
      />
    </section>
  );
}
