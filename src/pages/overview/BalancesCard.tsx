import { Card, type TableColumnsType } from 'antd';
import { useMemo } from 'react';
import type { AccountBalance } from '#contract/account';
import { Amount } from '@/components/Amount';
import { Percent } from '@/components/Percent';
import { PlainTable } from '@/table/PlainTable';

interface BalancesCardProps {
  balances: AccountBalance[];
  failed: boolean;
}

function columnsOf(failed: boolean): TableColumnsType<AccountBalance> {
  const unknown = failed ? '读取失败：交易场所没有回答' : '持仓没有价格';
  const money = (key: 'total' | 'available' | 'frozen' | 'value', title: string, reason: string) => ({
    title,
    dataIndex: key,
    align: 'right' as const,
    render: (text: string | null) => <Amount value={text === null ? null : Number(text)} reason={reason} />,
  });
  return [
    { title: '币种', dataIndex: 'asset', fixed: 'start' },
    money('total', '总额', '持仓没有价格'),
    money('available', '可用', unknown),
    money('frozen', '冻结', unknown),
    money('value', '折合 USDT', '持仓没有价格'),
    {
      title: '占比',
      dataIndex: 'share',
      align: 'right',
      render: (share: number | null) => <Percent value={share} reason="总额不为正" />,
    },
  ];
}

/** What the account owns, by asset. */
export default function BalancesCard({ balances, failed }: BalancesCardProps) {
  const columns = useMemo(() => columnsOf(failed), [failed]);
  return (
    <Card size="small" title="余额">
      <PlainTable
        aria-label="余额"
        rowKey="asset"
        columns={columns}
        rows={balances}
        pagination={false}
        scroll={{ x: 'max-content' }}
      />
    </Card>
  );
}
