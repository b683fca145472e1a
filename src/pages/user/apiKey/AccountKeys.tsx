import { Select, Typography } from 'antd';
import { useState } from 'react';
import { type ApiKeyRow, apiKey, fitsVenue, type KeyDesk } from '#contract/apiKey';
import { EmptyState } from '@/components/EmptyState';
import { toast } from '@/components/toast';
import { failureText } from '@/services/CallError';
import { call } from '@/services/call';
import type { Column } from '@/table/column';
import { PlainTable } from '@/table/PlainTable';
import styles from './index.module.css';
import { accountLabel, keyTitle } from './keyLabels';

type Account = KeyDesk['accounts'][number];
const NONE = '';

/** The keys of the account's exchange. One of another that it has from before stays named, and cannot be chosen again. */
function optionsFor(account: Account, keys: readonly ApiKeyRow[]) {
  const fits = ({ exchange }: ApiKeyRow) => fitsVenue(exchange, account.venue);
  return [
    { value: NONE, label: '不使用密钥' },
    ...keys
      .filter((row) => fits(row) || row.id === account.apiKeyId)
      .map((row) => ({
        value: row.id,
        label: fits(row) ? keyTitle(row) : `${keyTitle(row)}（不是该交易所的）`,
        disabled: !fits(row),
      })),
  ];
}

interface AccountKeysProps {
  accounts: readonly Account[];
  /** undefined until they are read. */
  keys: readonly ApiKeyRow[] | undefined;
  refresh: () => void;
}

/** Which key each account of the user trades by. */
export function AccountKeys({ accounts, keys, refresh }: AccountKeysProps) {
  const [saving, setSaving] = useState<string>();
  const [refusal, setRefusal] = useState<{ accountId: string; text: string }>();
  const assign = async (accountId: string, id: string) => {
    setSaving(accountId);
    setRefusal(undefined);
    try {
      await call(apiKey.account, { body: { accountId, ...(id === NONE ? {} : { id }) } }, { quiet: () => true });
      toast.success(id === NONE ? '已取消' : '已指定');
    } catch (error) {
      setRefusal({ accountId, text: failureText(error, '没有完成，请重试') });
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
      render: (account) => {
        const text = refusal?.accountId === account.id ? refusal.text : undefined;
        return (
          <>
            <Select
              className={styles.choice}
              aria-label={`${accountLabel(account)} 使用的密钥`}
              options={optionsFor(account, keys ?? [])}
              loading={saving === account.id || keys === undefined}
              disabled={saving === account.id || keys === undefined}
              value={keys === undefined ? null : (account.apiKeyId ?? NONE)}
              placeholder="正在读取密钥"
              {...(text ? { status: 'error' as const } : {})}
              onChange={(id) => assign(account.id, id)}
            />
            {text && (
              <Typography.Text type="danger" role="alert" className={styles.refusal}>
                {text}
              </Typography.Text>
            )}
          </>
        );
      },
    },
  ];
  return (
    <section className={`card ${styles.card} ${styles.accounts}`} aria-label="交易账户">
      <h2>交易账户</h2>
      <p className="soft">
        策略用所在账户的密钥交易，只能选该交易所的。模拟盘不向交易所下单，给它指定密钥只用于核对权限。使用中的密钥在策略停止前不能删除，也不能取消，只能换成另一个。
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
