import { Button, Card, Tag, Tooltip } from 'antd';
import { useMemo } from 'react';
import type { DataOf } from '#contract/endpoint';
import { VenueAccount, type venueAccount } from '#contract/venueAccount';
import { Amount } from '@/components/Amount';
import { formatDateTime } from '@/components/DateTime';
import { LiveTag } from '@/components/LiveTag';
import { usePreparing } from '@/components/usePreparing';
import { PlainTable } from '@/table/PlainTable';
import { schemaColumns } from '@/table/schemaColumns';
import { untold } from '@/table/untold';

/** Whether the venue answers, how soon, and whether all it told is booked. */
function DataState({ row: { state, latencyMs, pending, recordedAt } }: { row: VenueAccount }) {
  const recorded = recordedAt === null ? '还没有记录' : `权益记录至 ${formatDateTime(recordedAt)}`;
  if (state === 'failed') {
    return (
      <Tooltip title={`交易所没有回答，持仓与保证金未知；${recorded}`}>
        <Tag color="error">离线</Tag>
      </Tooltip>
    );
  }
  const late = (pending ?? 0) > 0;
  return (
    <Tooltip title={late ? `${pending} 个事件尚未入账；${recorded}` : recorded}>
      <Tag color={late ? 'warning' : 'success'}>{late ? `待入账 ${pending}` : '同步'}</Tag>
      <span className="soft">{latencyMs} ms</span>
    </Tooltip>
  );
}

const columnsOf = (onChoose: (id: string) => void) =>
  schemaColumns(VenueAccount, {
    widths: {
      ...{ name: 120, equity: 112, share: 76, available: 112, withdrawable: 112, positions: 76 },
      ...{ state: 132, openedAt: 110 },
    },
    own: [
      {
        key: 'name',
        fixed: 'left',
        render: ({ id, name, mode }) => (
          <>
            <Button size="small" type="link" onClick={() => onChoose(id)}>
              {name}
            </Button>
            <LiveTag mode={mode} />
          </>
        ),
      },
      { key: 'state', render: (row) => <DataState row={row} /> },
    ],
  });

interface AccountsCardProps {
  data: DataOf<typeof venueAccount.list>;
  /** Of which money: the other is never added to it. */
  mode: VenueAccount['mode'];
  onChoose: (id: string) => void;
}

/** The caller's accounts beside each other: how the money is spread over them, and how fresh each one's data is. */
export default function AccountsCard({ data, mode, onChoose }: AccountsCardProps) {
  const missing = usePreparing();
  const columns = useMemo(() => untold(columnsOf(onChoose), missing), [onChoose, missing]);
  const inTransit = Number(data.inTransit);
  return (
    <Card
      size="small"
      title="各账户"
      extra={
        inTransit !== 0 && (
          <span>
            在途 <Amount money value={inTransit} unit="USDT" />
          </span>
        )
      }
    >
      <PlainTable label="各账户" rowKey="id" columns={columns} rows={data.list.filter((row) => row.mode === mode)} />
    </Card>
  );
}
