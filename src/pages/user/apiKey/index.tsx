import { PlusOutlined } from '@ant-design/icons';
import { Button, Tooltip } from 'antd';
import { Suspense, useCallback, useMemo, useRef, useState } from 'react';
import { type ApiKeyRow, apiKey } from '#contract/apiKey';
import { EmptyState } from '@/components/EmptyState';
import { ErrorState } from '@/components/ErrorState';
import { late } from '@/components/late';
import { useQueryState } from '@/components/useQueryState';
import { call } from '@/services/call';
import { useCall } from '@/services/useCall';
import { ListTable } from '@/table/ListTable';
import { NoRows } from '@/table/NoRows';
import { useListed } from '@/table/useListed';
import { AccountKeys } from './AccountKeys';
import { DeskNotes } from './DeskNotes';
import styles from './index.module.css';
import { KeyCard } from './KeyCard';
import { KeyDetail } from './KeyDetail';
import { KeyFilters } from './KeyFilters';
import { KEY_COLUMNS } from './keyColumns';
import { KeyContext } from './keyContext';
import { keyQuery } from './keyQuery';

const KeyDrawer = late(() => import('./KeyDrawer'));
const EditDialog = late(() => import('./EditDialog'));

/** More than a user may have, so that every account can be given any of them. */
const ALL_KEYS = { pageSize: 200, sort: 'name' };

type Open = { what: 'create' } | { what: 'rotate' | 'edit'; row: ApiKeyRow };

/** A key may be changed in another tab, and at its exchange. */
const RENEWED = { refreshInterval: 15_000 };

const expanded = (row: ApiKeyRow) => <KeyDetail row={row} />;
const card = (row: ApiKeyRow) => <KeyCard row={row} />;

/** API 密钥: the user's keys at exchanges, what they may, what needs them, and which account uses which. */
export default function ApiKeyPage() {
  const [state, change] = useQueryState(keyQuery.codecs);
  const [open, setOpen] = useState<Open>();
  const query = keyQuery.toApi(state);
  const reading = useCall(apiKey.list, { query }, RENEWED);
  const all = useCall(apiKey.list, { query: ALL_KEYS }, RENEWED);
  const desk = useCall(apiKey.desk, {}, RENEWED);
  const { listed } = useListed(reading, 'id');
  const latest = useRef([reading, all, desk]);
  latest.current = [reading, all, desk];
  const refresh = useCallback(() => latest.current.forEach(({ mutate }) => void mutate()), []);
  const screen = useMemo(
    () => ({
      refresh,
      rotate: (row: ApiKeyRow) => setOpen({ what: 'rotate', row }),
      edit: (row: ApiKeyRow) => setOpen({ what: 'edit', row }),
    }),
    [refresh],
  );
  const closed = desk.data?.closed ?? null;
  const add = (
    <Tooltip title={closed ?? undefined}>
      <Button
        type="primary"
        icon={<PlusOutlined />}
        disabled={closed !== null}
        onClick={() => setOpen({ what: 'create' })}
      >
        添加密钥
      </Button>
    </Tooltip>
  );
  const done = { onSaved: refresh, onClose: () => setOpen(undefined) };
  return (
    <KeyContext value={screen}>
      <div className={styles.page}>
        <h1>API 密钥</h1>
        {desk.data ? <DeskNotes desk={desk.data} /> : !desk.error && <div className={styles.room} />}
        <section className={styles.card} aria-label="密钥">
          <ListTable
            name="apiKeys"
            title="API 密钥"
            columns={KEY_COLUMNS}
            rowKey="id"
            list={listed}
            readPage={(page) => call(apiKey.list, { query: { ...query, ...page } })}
            place={state}
            onPlace={change}
            filters={<KeyFilters state={state} change={change} />}
            actions={add}
            expanded={expanded}
            card={card}
            empty={
              <NoRows of="密钥" filtered={keyQuery.isFiltered(state)} onClear={() => change(keyQuery.clear)}>
                <EmptyState
                  title="还没有交易所密钥"
                  description="在交易所创建只有读取与交易权限、限制 IP 的密钥，再添加到这里。保存前会先测试；Key 与 Secret 加密保存，从不回显。"
                >
                  {add}
                </EmptyState>
              </NoRows>
            }
          />
        </section>
        {desk.data && <AccountKeys accounts={desk.data.accounts} keys={all.data?.list} refresh={refresh} />}
        {desk.error && desk.data === undefined && (
          <section className={styles.card} aria-label="交易账户">
            <ErrorState error={desk.error} onRetry={refresh} />
          </section>
        )}
      </div>
      <Suspense fallback={null}>
        {open?.what === 'create' && <KeyDrawer desk={desk.data} replaced={null} {...done} />}
        {open?.what === 'rotate' && <KeyDrawer desk={desk.data} replaced={open.row} {...done} />}
        {open?.what === 'edit' && <EditDialog row={open.row} {...done} />}
      </Suspense>
    </KeyContext>
  );
}
