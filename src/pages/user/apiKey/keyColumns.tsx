import { Tag } from 'antd';
import type { ApiKeyRow } from '#contract/apiKey';
import { Missing } from '@/components/Missing';
import type { Column } from '@/table/column';
import { numberColumn, percentColumn, timeColumn, wordColumn } from '@/table/columns';
import { KeyActions } from './KeyActions';
import { Expiry, IpTags, RightTags, StateTag, UNTESTED } from './KeyTags';
import { ACCOUNT_TYPE_LABEL, EXCHANGE_LABEL, missingRights, RIGHT_LABEL, STATE_LABEL } from './keyLabels';

const accountType = ({ report }: ApiKeyRow) => (report?.accountType ? ACCOUNT_TYPE_LABEL[report.accountType] : null);
const rightWords = ({ report }: ApiKeyRow) => report?.rights?.map((right) => RIGHT_LABEL[right]).join(' ') ?? null;
const ipWords = ({ report }: ApiKeyRow) =>
  report?.ipList?.length === 0 ? '未限制' : (report?.ipList?.join(' ') ?? null);

/** How many strategies use it, and what they miss. */
function Strategies({ row }: { row: ApiKeyRow }) {
  const missing = missingRights(row.needs);
  return (
    <span className="figure">
      {row.strategies} {missing.length > 0 && <Tag color="error">缺少{missing.join('、')}</Tag>}
    </span>
  );
}

export const KEY_COLUMNS: Column<ApiKeyRow>[] = [
  wordColumn<ApiKeyRow>('name', '名称', 120, ({ name }) => name, { fixed: 'left' }),
  wordColumn<ApiKeyRow>('exchange', '交易所', 84, ({ exchange }) => EXCHANGE_LABEL[exchange]),
  wordColumn<ApiKeyRow>('state', '状态', 96, ({ state }) => STATE_LABEL[state], {
    render: (row) => <StateTag row={row} />,
    explain: { text: '最近一次测试的结果；悬停看要注意的事' },
  }),
  wordColumn<ApiKeyRow>('maskedKey', 'Key', 96, ({ maskedKey }) => maskedKey, {
    explain: { text: '只显示末四位；Secret 只写入，从不回显' },
    render: ({ maskedKey }) => <span className="figure">{maskedKey}</span>,
  }),
  wordColumn<ApiKeyRow>('subAccount', '子账户', 96, ({ subAccount }) => subAccount, { spare: true }),
  {
    key: 'rights',
    title: '权限',
    width: 192,
    render: ({ report }) => <RightTags rights={report?.rights ?? null} />,
    csv: rightWords,
  },
  {
    key: 'ipList',
    title: 'IP 白名单',
    width: 124,
    explain: { text: '交易所只接受这些地址使用该密钥' },
    render: ({ report }) => <IpTags ipList={report?.ipList ?? null} />,
    csv: ipWords,
  },
  timeColumn<ApiKeyRow>('expiresAt', '到期日', { width: 158, sort: 'ascend', render: (row) => <Expiry row={row} /> }),
  {
    key: 'accountType',
    title: '账户类型',
    width: 92,
    render: (row) => accountType(row) ?? <Missing reason={UNTESTED} />,
    csv: accountType,
  },
  timeColumn<ApiKeyRow>('usedAt', '最近使用', { reason: '还没有用过', explain: { text: '最近一次用它询问交易所' } }),
  numberColumn<ApiKeyRow>('latencyMs', '延迟 (ms)', { width: 96, digits: 0, reason: UNTESTED }),
  percentColumn<ApiKeyRow>('weightUsed', '请求权重', {
    width: 96,
    digits: 0,
    reason: UNTESTED,
    explain: { text: '最近一次询问时，一分钟内已用的请求权重 / 交易所的上限；超过 80 % 会通知' },
  }),
  numberColumn<ApiKeyRow>('strategies', '使用策略', {
    width: 132,
    explain: { text: '用它交易的策略数，以及它们缺少的权限；展开看对照' },
    render: (row) => <Strategies row={row} />,
  }),
  timeColumn<ApiKeyRow>('createdAt', '创建时间'),
  wordColumn<ApiKeyRow>('note', '备注', 160, ({ note }) => note || null),
  timeColumn<ApiKeyRow>('rotatedAt', '更换时间', { spare: true, reason: '没有更换过' }),
  { key: 'actions', title: '操作', width: 284, fixed: 'right', render: (row) => <KeyActions row={row} /> },
];
