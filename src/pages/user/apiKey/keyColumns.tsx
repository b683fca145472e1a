import { Button, Tag, Tooltip } from 'antd';
import { useState } from 'react';
import { ApiKeyRow, KEY_UNTESTED } from '#contract/apiKey';
import { Missing } from '@/components/Missing';
import { columnsCard } from '@/table/RowCard';
import { schemaColumns } from '@/table/schemaColumns';
import styles from './index.module.css';
import { KeyDetail } from './KeyDetail';
import { Expiry, IpTags, ipText, RightTags, StateTag, stateText } from './KeyTags';
import { useKeyScreen } from './keyContext';
import { ACCOUNT_TYPE_LABEL, keyTitle, missingRights, RIGHT_LABEL } from './keyLabels';

const accountType = ({ report }: ApiKeyRow) => (report?.accountType ? ACCOUNT_TYPE_LABEL[report.accountType] : null);

/** How many strategies use it, and what they miss. */
function Strategies({ row }: { row: ApiKeyRow }) {
  const missing = missingRights(row.needs);
  return (
    <span className="figure">
      {row.strategies} {missing.length > 0 && <Tag color="error">缺少{missing.join('、')}</Tag>}
    </span>
  );
}

const ORDER = ['name', 'exchange', 'state', 'maskedKey', 'subAccount', 'rights', 'ipList', 'expiresAt', 'accountType'];

export const KEY_COLUMNS = schemaColumns(ApiKeyRow, {
  deciding: ORDER,
  widths: {
    name: 120,
    exchange: 84,
    state: 104,
    maskedKey: 96,
    expiresAt: 158,
    latencyMs: 96,
    strategies: 132,
    note: 160,
  },
  own: [
    { key: 'name', fixed: 'left' },
    { key: 'state', render: (row) => <StateTag row={row} />, csv: stateText },
    { key: 'maskedKey', render: ({ maskedKey }) => <span className="figure">{maskedKey}</span> },
    {
      key: 'rights',
      title: '权限',
      width: 192,
      render: ({ report }) => <RightTags rights={report?.rights ?? null} />,
      csv: ({ report }) => report?.rights?.map((right) => RIGHT_LABEL[right]).join(' ') ?? null,
    },
    {
      key: 'ipList',
      title: 'IP 白名单',
      width: 124,
      explain: { text: '交易所只接受这些地址使用该密钥' },
      render: ({ report }) => <IpTags report={report} />,
      csv: ({ report }) => ipText(report),
    },
    { key: 'expiresAt', render: (row) => <Expiry row={row} /> },
    {
      key: 'accountType',
      title: '账户类型',
      width: 92,
      render: (row) => accountType(row) ?? <Missing reason={KEY_UNTESTED} />,
      csv: accountType,
    },
    { key: 'strategies', render: (row) => <Strategies row={row} /> },
    { key: 'note', render: ({ note }) => note || <Missing /> },
    { key: 'actions', title: '操作', width: 284, fixed: 'right', render: (row) => <KeyActions row={row} /> },
  ],
});

/** A key on a phone. */
export const keyCard = columnsCard(KEY_COLUMNS, {
  label: keyTitle,
  head: ['name', 'exchange'],
  end: ['state'],
  figures: ['maskedKey', 'strategies', 'rights', 'ipList', 'usedAt', 'expiresAt', 'note'],
  wide: ['rights', 'expiresAt', 'note'],
  maybe: ['note'],
  foot: (row) => <CardFoot row={row} />,
});

function CardFoot({ row }: { row: ApiKeyRow }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <KeyActions row={row} />
      <Button size="small" type="link" aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? '收起' : '权限对照与测试结果'}
      </Button>
      {open && <KeyDetail row={row} />}
    </>
  );
}

const acts = () => import('./keyActs');

/** The strategies that keep a key from being deleted. */
const running = ({ uses }: ApiKeyRow): string[] => [
  ...new Set(
    uses.flatMap(({ strategies }) => strategies.filter(({ state }) => state !== 'stopped').map(({ name }) => name)),
  ),
];

/** What may be done with a key; what may not says why. */
function KeyActions({ row }: { row: ApiKeyRow }) {
  const { refresh, rotate, edit } = useKeyScreen();
  const [testing, setTesting] = useState(false);
  const busy = running(row);
  const isLocked = row.state === 'locked' || row.state === 'damaged';
  const test = async () => {
    setTesting(true);
    await (await acts()).testStored(row, refresh);
    setTesting(false);
  };
  return (
    <span className={styles.actions}>
      <Tooltip title={isLocked ? '无法读取，不能测试' : undefined}>
        <Button size="small" loading={testing} disabled={isLocked} onClick={test}>
          测试
        </Button>
      </Tooltip>
      <Button size="small" onClick={() => rotate(row)}>
        更换
      </Button>
      <Button size="small" onClick={() => edit(row)}>
        编辑
      </Button>
      {row.enabled ? (
        <Button size="small" onClick={async () => (await acts()).confirmDisable(row, refresh)}>
          停用
        </Button>
      ) : (
        <Button size="small" onClick={async () => (await acts()).enable(row, refresh)}>
          启用
        </Button>
      )}
      <Tooltip title={busy.length > 0 ? `使用中，不能删除：${busy.join('、')}` : undefined}>
        <Button
          size="small"
          danger
          disabled={busy.length > 0}
          onClick={async () => (await acts()).confirmDelete(row, refresh)}
        >
          删除
        </Button>
      </Tooltip>
    </span>
  );
}
