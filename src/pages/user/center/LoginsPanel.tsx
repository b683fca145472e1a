import { Tag } from 'antd';
import { LOGIN_RESULT_LABEL, LoginAttempt, userAdmin } from '#contract/userAdmin';
import { optionsOf } from '@/table/FilterSelect';
import { ListPanel } from '@/table/ListPanel';
import { schemaColumns } from '@/table/schemaColumns';
import { useList } from '@/table/useListed';
import { centerQuery, type PanelProps, toLogins, whoseFilter } from './centerQuery';
import { Locks } from './Locks';

const REFRESH_MS = 30_000;
const RESULTS = optionsOf(LOGIN_RESULT_LABEL);
const RESULT_COLOR = { ok: 'success', refused: 'error', locked: 'error' } as const;

/** The password was right, and nothing is wrong: the second step is still to come. */
const isHalfway = ({ reason }: LoginAttempt) => reason === 'codeAsked';
const resultWord = (row: LoginAttempt) => (isHalfway(row) ? '未完成' : LOGIN_RESULT_LABEL[row.result]);
const addressOf = ({ address }: LoginAttempt) => address || '多个地址';

const COLUMNS = schemaColumns(LoginAttempt, {
  widths: { user: 150, address: 150, device: 200 },
  own: [
    { key: 'at', fixed: 'left' },
    {
      key: 'result',
      render: (row) => <Tag color={isHalfway(row) ? 'processing' : RESULT_COLOR[row.result]}>{resultWord(row)}</Tag>,
      csv: resultWord,
    },
    { key: 'address', render: addressOf, csv: addressOf },
  ],
});

/** Attempts to sign in, and what is locked because of them. */
export function LoginsPanel({ state, change, users }: PanelProps) {
  const list = useList(userAdmin.attempts, { query: toLogins(state) }, REFRESH_MS);
  return (
    <>
      <Locks />
      <ListPanel
        name="logins"
        title="登录记录"
        columns={COLUMNS}
        list={list}
        query={centerQuery}
        {...{ state, change }}
        filters={[
          whoseFilter('用户', users),
          { key: 'login', label: '结果', options: RESULTS },
          { period: '期间' },
          { key: 'address', label: 'IP 地址', placeholder: 'IP 地址' },
        ]}
        of="登录记录"
        none="还没有登录记录"
      />
    </>
  );
}
