import { Card } from 'antd';
import { useMemo } from 'react';
import type { AccountBalance } from '#contract/account';
import { Amount } from '@/components/Amount';
import type { Column } from '@/table/column';
import { percentColumn } from '@/table/columns';
import { PlainTable } from '@/table/PlainTable';

interface BalancesCardProps {
  balances: AccountBalance[];
  failed: boolean;
}

type Money = 'total' | 'available' | 'frozen' | 'value';

function columnsOf(failed: boolean): Column<AccountBalance>[] {
  const unknown = failed ? '读取失败：交易场所没有回答' : '持仓没有价格';
  const money = (key: Money, title: string, reason: string): Column<AccountBalance> => ({
    key,
    title,
    width: 104,
    figure: true,
    render: ({ [key]: text }) => <Amount money value={text === null ? null : Number(text)} reason={reason} />,
  });
  return [
    { key: 'asset', title: '币种', width: 72, fixed: 'left', render: ({ asset }) => asset },
    money('total', '总额', '持仓没有价格'),
    money('available', '可用', unknown),
    money('frozen', '冻结', unknown),
    money('value', '折合 USDT', '持仓没有价格'),
    percentColumn<AccountBalance>('share', '占比', { width: 84, reason: '总额不为正' }),
  ];
}

/** What the account owns, by asset. */
export default function BalancesCard({ balances, failed }: BalancesCardProps) {
  const columns = useMemo(() => columnsOf(failed), [failed]);
  return (
    <Card size="small" title="余额">
      <PlainTable label="余额" rowKey="asset" columns={columns} rows={balances} />
    </Card>
  );
}
