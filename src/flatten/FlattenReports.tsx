import { Button } from 'antd';
import { Fragment, useState } from 'react';
import { FlattenRow, flatten } from '#contract/flatten';
import { Amount } from '@/components/Amount';
import { EmptyState } from '@/components/EmptyState';
import { ErrorState } from '@/components/ErrorState';
import { useNarrow } from '@/components/useNarrow';
import { useCall } from '@/services/useCall';
import { called } from '@/table/columns';
import { PlainTable } from '@/table/PlainTable';
import { Cards, columnsCard } from '@/table/RowCard';
import { schemaColumns } from '@/table/schemaColumns';
import styles from './flatten.module.css';
import { bpsOf, scopeText, secondsText } from './flattenLabels';

const REFRESH_MS = 5_000;
const PAGE = 10;

const open = (id: string) => void import('./showReport').then(({ showReport }) => showReport(id));

const lastingText = ({ at, doneAt, left }: FlattenRow): string =>
  doneAt === null ? `剩 ${left} 张` : secondsText((doneAt - at) / 1000);

const Open = ({ id }: FlattenRow) => (
  <Button size="small" onClick={() => open(id)}>
    报告
  </Button>
);

const COLUMNS = schemaColumns(FlattenRow, {
  widths: { by: 96, reason: 160, deals: 92, notional: 116, slippage: 130, fees: 96 },
  own: [
    { ...called('scope', scopeText), width: 140 },
    { key: 'reason', render: ({ reason }) => reason || '-' },
    {
      key: 'deals',
      render: ({ closed, deals, left }) => (
        <span className={left > 0 ? styles.left : undefined}>
          {closed} / {deals}
        </span>
      ),
    },
    {
      key: 'slippage',
      render: ({ slippage, notional }) => (
        <>
          <Amount money value={slippage} reason="请求时没有中间价" />{' '}
          <span className="soft">
            <Amount value={bpsOf(slippage, notional)} digits={1} unit="bps" reason="没有成交" />
          </span>
        </>
      ),
    },
    { key: 'doneAt', width: 92, render: lastingText },
    { key: 'open', title: '', width: 72, render: Open },
  ],
});

const card = columnsCard(COLUMNS, {
  label: (row) => `平仓 ${scopeText(row)}`,
  ...{ head: ['scope', 'at', 'by'], end: [], across: 3, foot: Open },
  figures: ['reason', 'deals', 'slippage', 'doneAt'],
  wide: ['reason'],
  maybe: ['reason'],
});

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
                <Fragment key={row.id}>{card(row)}</Fragment>
              ))}
            </Cards>
          ))
        }
      />
    </section>
  );
}
