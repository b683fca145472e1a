import { Button, Card, Tag, Tooltip } from 'antd';
import { useMemo } from 'react';
import type { DataOf } from '#contract/endpoint';
import type { VenueAccount, venueAccount } from '#contract/venueAccount';
import { Amount } from '@/components/Amount';
import { DateTime, formatDateTime } from '@/components/DateTime';
import { venueLabel } from '@/scan/venueLabel';
import type { Column } from '@/table/column';
import { percentColumn } from '@/table/columns';
import { PlainTable } from '@/table/PlainTable';

const UNANSWERED = '交易所没有回答';

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

type Money = 'equity' | 'available' | 'withdrawable';

const money = (key: Money, title: string, reason: string, formula?: string): Column<VenueAccount> => ({
  key,
  title,
  width: 112,
  figure: true,
  ...(formula === undefined ? {} : { explain: { formula } }),
  render: ({ [key]: text }) => <Amount money value={text === null ? null : Number(text)} reason={reason} />,
});

function columnsOf(onChoose: (id: string) => void): Column<VenueAccount>[] {
  return [
    {
      key: 'name',
      title: '账户',
      width: 120,
      fixed: 'left',
      render: ({ id, name }) => (
        <Button size="small" type="link" onClick={() => onChoose(id)}>
          {name}
        </Button>
      ),
    },
    { key: 'venue', title: '交易所', width: 84, render: ({ venue }) => venueLabel(venue) },
    money('equity', '权益', '持仓没有价格'),
    percentColumn<VenueAccount>('share', '占比', { width: 76, reason: '总权益未知或不为正' }),
    money('available', '可用', UNANSWERED, '保证金余额 − 持仓与挂单占用的保证金'),
    money('withdrawable', '可划出', UNANSWERED, '余额与可用保证金中较小者，不含挂单占用'),
    percentColumn<VenueAccount>('marginRatio', '保证金率', { width: 92, reason: UNANSWERED }),
    {
      key: 'positions',
      title: '持仓数',
      width: 76,
      figure: true,
      render: ({ positions }) => <Amount value={positions} digits={0} reason={UNANSWERED} />,
    },
    { key: 'state', title: '数据状态', width: 132, render: (row) => <DataState row={row} /> },
    { key: 'openedAt', title: '开户', width: 110, render: ({ openedAt }) => <DateTime value={openedAt} /> },
  ];
}

interface AccountsCardProps {
  data: DataOf<typeof venueAccount.list>;
  onChoose: (id: string) => void;
}

/** The caller's accounts beside each other: how the money is spread over them, and how fresh each one's data is. */
export default function AccountsCard({ data, onChoose }: AccountsCardProps) {
  const columns = useMemo(() => columnsOf(onChoose), [onChoose]);
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
      <PlainTable label="各账户" rowKey="id" columns={columns} rows={data.list} />
    </Card>
  );
}
