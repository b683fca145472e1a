import { Select } from 'antd';
import { useState } from 'react';
import { type ApiKeyRow, apiKey, type KeyDesk } from '#contract/apiKey';
import { EmptyState } from '@/components/EmptyState';
import { toast } from '@/components/toast';
import { call } from '@/services/call';
import type { Column } from '@/table/column';
import { PlainTable } from '@/table/PlainTable';
import styles from './index.module.css';
import { accountLabel, keyTitle } from './keyLabels';

type Account = KeyDesk['accounts'][number];
const NONE = '';

interface AccountKeysProps {
  accounts: readonly Account[];
  /** undefined until they are read. */
  keys: readonly ApiKeyRow[] | undefined;
  refresh: () => void;
}

/** Which key each account of the user trades by. */
export function AccountKeys({ accounts, keys, refresh }: AccountKeysProps) {
  const [saving, setSaving] = useState<string>();
  const options = [
    { value: NONE, label: '不使用密钥' },
    ...(keys ?? []).map((row) => ({ value: row.id, label: keyTitle(row) })),
  ];
  const assign = async (accountId: string, id: string) => {
    setSaving(accountId);
    try {
      await call(apiKey.account, { body: { accountId, ...(id === NONE ? {} : { id }) } });
      toast.success('已指定');
    } catch {
      // The call itself has said what went wrong.
    } finally {
      setSaving(undefined);
      refresh();
    }
  };
  const columns: Column<Account>[] = [
    { key: 'venue', title: '账户', width: 150, render: accountLabel },
    {
      key: 'apiKeyId',
      title: '使用的密钥',
      width: 176,
      render: (account) => (
        <Select
          className={styles.choice}
          aria-label={`${accountLabel(account)} 使用的密钥`}
          options={options}
          loading={saving === account.id || keys === undefined}
          disabled={saving === account.id || keys === undefined}
          value={keys === undefined ? null : (account.apiKeyId ?? NONE)}
          placeholder="正在读取密钥"
          onChange={(id) => assign(account.id, id)}
        />
      ),
    },
  ];
  return (
    <section className={`${styles.card} ${styles.accounts}`} aria-label="交易账户">
      <h2>交易账户</h2>
      <p className="soft">
        策略用所在账户的密钥交易。模拟盘不向交易所下单，给它指定密钥只用于核对权限。使用中的密钥在策略停止前不能删除。
      </p>
      <PlainTable
        label="交易账户"
        rowKey="id"
        columns={columns}
        rows={accounts}
        empty={<EmptyState title="还没有交易账户" />}
      />
    </section>
  );
}
