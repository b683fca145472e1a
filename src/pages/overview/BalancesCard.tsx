import { Card } from 'antd';
import { useMemo } from 'react';
import { AccountBalance, NO_VALUE } from '#contract/account';
import { Amount } from '@/components/Amount';
import { PlainTable } from '@/table/PlainTable';
import { type OwnColumn, schemaColumns } from '@/table/schemaColumns';
import { type AccountNames, accountColumn } from './accounts/accountNames';

interface BalancesCardProps {
  balances: AccountBalance[];
  failed: boolean;
  nameOf: AccountNames;
}

/** Of USDT an amount of money, of a coin how many. */
const held = (key: 'total' | 'available' | 'frozen', reason: string): OwnColumn<AccountBalance> => ({
  key,
  render: ({ [key]: text, asset }) => {
    const value = text === null ? null : Number(text);
    return asset === 'USDT' ? (
      <Amount money value={value} reason={reason} />
    ) : (
      <Amount value={value} digits={6} reason="币不单独计" />
    );
  },
});

function columnsOf(failed: boolean, nameOf: AccountNames) {
  const unknown = failed ? '读取失败：交易场所没有回答' : NO_VALUE;
  return schemaColumns(AccountBalance, {
    deciding: ['account', 'asset'],
    widths: { asset: 72, share: 84 },
    own: [
      ...accountColumn<AccountBalance>(nameOf),
      { key: 'asset', fixed: 'left' },
      held('total', NO_VALUE),
      held('available', unknown),
      held('frozen', unknown),
    ],
  });
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
