import { Card } from 'antd';
import { useMemo } from 'react';
import type { AccountBalance } from '#contract/account';
import { Amount } from '@/components/Amount';
import type { Column } from '@/table/column';
import { percentColumn } from '@/table/columns';
import { PlainTable } from '@/table/PlainTable';
import type { AccountNames } from './accounts/accountNames';

interface BalancesCardProps {
  balances: AccountBalance[];
  failed: boolean;
  nameOf: AccountNames;
}

type Money = 'total' | 'available' | 'frozen' | 'value';

function columnsOf(failed: boolean, nameOf: AccountNames): Column<AccountBalance>[] {
  const unknown = failed ? '读取失败：交易场所没有回答' : '持仓没有价格';
  const money = (key: Money, title: string, reason: string): Column<AccountBalance> => ({
    key,
    title,
    width: 104,
    figure: true,
    render: ({ [key]: text, asset }) => (
      <Amount
        money={key === 'value' || asset === 'USDT'}
        value={text === null ? null : Number(text)}
        {...(key === 'value' || asset === 'USDT' ? {} : { digits: 6 })}
        reason={asset === 'USDT' || key === 'value' ? reason : '币不单独计'}
      />
    ),
  });
  const account: Column<AccountBalance>[] =
    nameOf === null
      ? []
      : [{ key: 'account', title: '账户', width: 96, render: ({ accountId }) => nameOf.get(accountId) }];
  return [
    ...account,
    { key: 'asset', title: '币种', width: 72, fixed: 'left', render: ({ asset }) => asset },
    money('total', '总额', '持仓没有价格'),
    money('available', '可用', unknown),
    money('frozen', '冻结', unknown),
    money('value', '折合 USDT', '持仓没有价格'),
    percentColumn<AccountBalance>('share', '占比', { width: 84, reason: '总额不为正' }),
  ];
}

/** What the accounts own, by asset. */
export default function BalancesCard({ balances, failed, nameOf }: BalancesCardProps) {
  const columns = useMemo(() => columnsOf(failed, nameOf), [failed, nameOf]);
  return (
    <Card size="small" title="余额">
      <PlainTable
        label="余额"
        rowKey={({ accountId, asset }) => `${accountId} ${asset}`}
        columns={columns}
        rows={balances}
      />
    </Card>
  );
}
