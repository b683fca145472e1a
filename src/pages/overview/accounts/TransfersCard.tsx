import { Card, Tag } from 'antd';
import { useState } from 'react';
import { TRANSFER_STATE_LABEL, Transfer, type TransferState, venueAccount } from '#contract/venueAccount';
import { Amount } from '@/components/Amount';
import { DateTime } from '@/components/DateTime';
import { EmptyState } from '@/components/EmptyState';
import { ErrorState } from '@/components/ErrorState';
import { useCall } from '@/services/useCall';
import { PlainTable } from '@/table/PlainTable';
import { schemaColumns } from '@/table/schemaColumns';

const REFRESH_MS = 5_000;
const PAGE = 10;
const USDT = 'USDT';

const COLOUR: Record<TransferState, string> = {
  asked: 'default',
  transit: 'processing',
  arrived: 'success',
  failed: 'error',
};

const COLUMNS = schemaColumns(Transfer, {
  widths: { askedAt: 120, from: 110, to: 110, amount: 140, fee: 112, state: 180, arrivedAt: 150 },
  own: [
    { key: 'from', render: ({ from }) => from.name },
    { key: 'to', render: ({ to }) => to.name },
    {
      key: 'amount',
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
    },
    {
      key: 'state',
      render: ({ state, reason }) => (
        <>
          <Tag color={COLOUR[state]}>{TRANSFER_STATE_LABEL[state]}</Tag>
          {reason !== null && <span className="soft">{reason}</span>}
        </>
      ),
    },
    {
      key: 'arrivedAt',
      render: ({ arrivedAt, dueAt, state }) =>
        state === 'transit' && dueAt !== null ? (
          <span className="soft">
            预计 <DateTime value={dueAt} />
          </span>
        ) : (
          <DateTime value={arrivedAt} reason={state === 'failed' ? '没有转出' : '还没有转出'} />
        ),
    },
  ],
});

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
