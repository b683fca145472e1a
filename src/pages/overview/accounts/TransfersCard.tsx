import { Card, Tag } from 'antd';
import { useState } from 'react';
import { type Transfer, type TransferState, venueAccount } from '#contract/venueAccount';
import { Amount } from '@/components/Amount';
import { DateTime } from '@/components/DateTime';
import { EmptyState } from '@/components/EmptyState';
import { ErrorState } from '@/components/ErrorState';
import { useCall } from '@/services/useCall';
import type { Column } from '@/table/column';
import { PlainTable } from '@/table/PlainTable';

const REFRESH_MS = 5_000;
const PAGE = 10;
const USDT = 'USDT';

const STATE: Record<TransferState, { label: string; color: string }> = {
  asked: { label: '等待转出', color: 'default' },
  transit: { label: '途中', color: 'processing' },
  arrived: { label: '到账', color: 'success' },
  failed: { label: '失败', color: 'error' },
};

const AMOUNT: Column<Transfer> = {
  key: 'amount',
  title: '数量',
  width: 140,
  figure: true,
  render: ({ asset, amount, value }) =>
    asset === USDT ? (
      <Amount money value={Number(amount)} unit={USDT} />
    ) : (
      <>
        <Amount value={Number(amount)} digits={6} unit={asset} />
        {value !== null && (
          <div className="soft">
            ≈ <Amount money value={Number(value)} unit={USDT} />
          </div>
        )}
      </>
    ),
};

const FEE: Column<Transfer> = {
  key: 'fee',
  title: '手续费 (USDT)',
  width: 112,
  figure: true,
  render: ({ fee }) => <Amount money value={Number(fee)} />,
};

const COLUMNS: Column<Transfer>[] = [
  { key: 'askedAt', title: '申请时间', width: 120, render: ({ askedAt }) => <DateTime value={askedAt} /> },
  { key: 'from', title: '转出', width: 110, render: ({ from }) => from.name },
  { key: 'to', title: '转入', width: 110, render: ({ to }) => to.name },
  AMOUNT,
  FEE,
  {
    key: 'state',
    title: '状态',
    width: 180,
    render: ({ state, reason }) => (
      <>
        <Tag color={STATE[state].color}>{STATE[state].label}</Tag>
        {reason !== null && <span className="soft">{reason}</span>}
      </>
    ),
  },
  {
    key: 'arrivedAt',
    title: '到账时间',
    width: 150,
    render: ({ arrivedAt, dueAt, state }) =>
      state === 'transit' && dueAt !== null ? (
        <span className="soft">
          预计 <DateTime value={dueAt} />
        </span>
      ) : (
        <DateTime value={arrivedAt} reason={state === 'failed' ? '没有转出' : '还没有转出'} />
      ),
  },
];

/** What was moved between the caller's accounts. */
export default function TransfersCard() {
  const [current, setCurrent] = useState(1);
  const options = { refreshInterval: REFRESH_MS, keepPreviousData: true };
  const { data, error, retry } = useCall(venueAccount.transfers, { query: { current, pageSize: PAGE } }, options);
  const pagination = { current, pageSize: PAGE, total: data?.total ?? 0, hideOnSinglePage: true, onChange: setCurrent };
  return (
    <Card size="small" title="划转记录">
      {data === undefined && error ? (
        <ErrorState error={error} onRetry={() => void retry()} />
      ) : (
        <PlainTable
          label="划转记录"
          rowKey="id"
          columns={COLUMNS}
          rows={data?.list}
          loading={data === undefined}
          pagination={pagination}
          empty={<EmptyState title="还没有划转" />}
        />
      )}
    </Card>
  );
}
