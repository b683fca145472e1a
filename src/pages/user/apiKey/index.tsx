import { PlusOutlined } from '@ant-design/icons';
import { Alert, Button, Tooltip } from 'antd';
import { Suspense, useCallback, useMemo, useRef, useState } from 'react';
import { type ApiKeyRow, apiKey, KEY_RIGHTS, KEY_STATE_LABEL, type KeyDesk, type KeyState } from '#contract/apiKey';
import { LIVE_EXCHANGES, LIVE_NAMES } from '#contract/candle';
import { CopyId } from '@/components/CopyId';
import { EmptyState } from '@/components/EmptyState';
import { ErrorState } from '@/components/ErrorState';
import { late } from '@/components/late';
import { type StateOf, textCodec, useQueryState, wordCodec } from '@/components/useQueryState';
import { isAnswered, useCall } from '@/services/useCall';
import { optionsOf } from '@/table/FilterSelect';
import { type ListFilter, ListPanel } from '@/table/ListPanel';
import { listQuery } from '@/table/listQuery';
import { useList } from '@/table/useListed';
import { AccountKeys } from './AccountKeys';
import styles from './index.module.css';
import { KeyDetail } from './KeyDetail';
import { KEY_COLUMNS, keyCard } from './keyColumns';
import { KeyContext } from './keyContext';
import { RIGHT_LABEL } from './keyLabels';

/** Everything of the screen that a reload and a link keep. */
const keyQuery = listQuery(
  {
    exchange: wordCodec(LIVE_NAMES, null),
    state: wordCodec(Object.keys(KEY_STATE_LABEL) as KeyState[], null),
    keyRight: wordCodec(KEY_RIGHTS, null),
    search: { ...textCodec(), ask: (text: string) => text.trim() || undefined },
  },
  {},
);

const KeyDrawer = late(() => import('./KeyDrawer'));
const EditDialog = late(() => import('./EditDialog'));

/** More than a user may have, so that every account can be given any of them. */
const ALL_KEYS = { pageSize: 200, sort: 'name' };

type Open = { what: 'create' } | { what: 'rotate' | 'edit'; row: ApiKeyRow };

/** A key may be changed in another tab, and at its exchange. */
const RENEWED = { refreshInterval: 15_000 };

const expanded = (row: ApiKeyRow) => <KeyDetail row={row} />;

const FILTERS: readonly ListFilter<StateOf<typeof keyQuery.codecs>>[] = [
  { key: 'search', label: '搜索', placeholder: '名称、末四位、备注', leads: true },
  { key: 'exchange', label: '交易所', options: optionsOf(LIVE_EXCHANGES) },
  { key: 'state', label: '状态', options: optionsOf(KEY_STATE_LABEL) },
  { key: 'keyRight', label: '权限', options: optionsOf(RIGHT_LABEL) },
];

/** API 密钥: the user's keys at exchanges, what they may, what needs them, and which account uses which. */
export default function ApiKeyPage() {
  const [state, change] = useQueryState(keyQuery.codecs);
  const [open, setOpen] = useState<Open>();
  const list = useList(apiKey.list, { query: keyQuery.toApi(state) }, RENEWED.refreshInterval);
  const all = useCall(apiKey.list, { query: ALL_KEYS }, RENEWED);
  const desk = useCall(apiKey.desk, {}, RENEWED);
  const latest = useRef([list.reload, all.mutate, desk.mutate]);
  latest.current = [list.reload, all.mutate, desk.mutate];
  const refresh = useCallback(() => latest.current.forEach((again) => void again()), []);
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
      <div className="stack">
        <h1>API 密钥</h1>
        {desk.data ? <DeskNotes desk={desk.data} /> : !desk.error && <div className={styles.room} />}
        <section className={`card ${styles.card}`} aria-label="密钥">
          <ListPanel
            name="apiKeys"
            title="API 密钥"
            columns={KEY_COLUMNS}
            list={list}
            query={keyQuery}
            {...{ state, change, expanded }}
            filters={FILTERS}
            actions={add}
            card={keyCard}
            of="密钥"
            none={
              <EmptyState
                title="还没有交易所密钥"
                description="在交易所创建只有读取与交易权限、限制 IP 的密钥，再添加到这里。保存前会先测试；Key 与 Secret 加密保存，从不回显。"
              >
                {add}
              </EmptyState>
            }
          />
        </section>
        {isAnswered(list) && desk.data && (
          <AccountKeys accounts={desk.data.accounts} keys={all.data?.list} refresh={refresh} />
        )}
        {desk.error && desk.data === undefined && (
          <section className={`card ${styles.card}`} aria-label="交易账户">
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

/** Who tests keys here, the address to put on their whitelists, and why none can be stored. */
function DeskNotes({ desk }: { desk: KeyDesk }) {
  const { closed, exchange } = desk;
  return (
    <>
      {closed !== null && <Alert type="error" showIcon title="现在不能保存密钥" description={closed} />}
      {exchange === null && (
        <Alert
          type="warning"
          showIcon
          title="没有跟随任何交易所（EXCHANGES）：密钥可以加密保存，但不能测试，权限未知；没有任何策略会用到它。"
        />
      )}
      {exchange?.simulated && (
        <Alert
          type="info"
          showIcon
          title="演示环境：由模拟交易所回答，不连接真实交易所。请不要填写真实的密钥，表单里有可以试的例子。"
        />
      )}
      {exchange !== null && exchange.outboundIp === null && (
        <div className={styles.ip}>出口 IP 未知：本服务不向外询问自己的地址，请在服务器上查看后填入 IP 白名单。</div>
      )}
      {exchange?.outboundIp && (
        <div className={styles.ip}>
          出口 IP{exchange.simulated && '（模拟）'}，填入交易所的 IP 白名单：
          <CopyId id={exchange.outboundIp} />
        </div>
      )}
    </>
  );
}
