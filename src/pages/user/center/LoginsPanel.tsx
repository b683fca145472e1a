import { Alert, Button, Tag } from 'antd';
import { type LOCK_KINDS, LOGIN_RESULT_LABEL, LoginAttempt, type LoginLock, userAdmin } from '#contract/userAdmin';
import { formatDateTime } from '@/components/DateTime';
import { toast } from '@/components/toast';
import { call } from '@/services/call';
import { useCall } from '@/services/useCall';
import { optionsOf } from '@/table/FilterSelect';
import { ListPanel } from '@/table/ListPanel';
import { columnsCard } from '@/table/RowCard';
import { schemaColumns } from '@/table/schemaColumns';
import { useList } from '@/table/useListed';
import { centerQuery, type PanelProps, toLogins, whoseFilter } from './centerQuery';
import styles from './index.module.css';

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

const loginCard = columnsCard(COLUMNS, {
  label: ({ user, at }) => `${user} ${formatDateTime(at, 'second')}`,
  head: ['user'],
  end: ['result'],
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
        card={loginCard}
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

const LOCKS_MS = 15_000;

const LOCK_LABEL: Record<(typeof LOCK_KINDS)[number], string> = {
  pair: '该地址登录该用户',
  address: '该地址登录任何用户',
  name: '任何地址登录该用户',
  register: '该地址注册',
  password: '用户核对自己的密码',
  code: '用户的两步验证码',
};

const wordsOf = ({ kind, user, address, failures, lockedUntil }: LoginLock): string => {
  const who = [user, address].filter(Boolean).join(' · ');
  const until = lockedUntil === null ? '每次要多等几秒' : `锁定到 ${formatDateTime(lockedUntil, 'second')}`;
  return `${LOCK_LABEL[kind]}（${who}）：失败 ${failures} 次，${until}`;
};

/** What is locked or slowed down now, and the way out; not there while nothing is. */
function Locks() {
  const { data, mutate } = useCall(userAdmin.locks, {}, { refreshInterval: LOCKS_MS });
  const unlock = async (id: string) => {
    try {
      await call(userAdmin.unlock, { body: { id } });
      toast.success('已解除锁定');
    } catch {
      // The call has said what went wrong.
    }
    await mutate();
  };
  return data?.list.map((lock) => (
    <Alert
      key={lock.id}
      className={styles.lock}
      type="warning"
      showIcon
      title={wordsOf(lock)}
      action={
        <Button size="small" onClick={() => unlock(lock.id)}>
          解除
        </Button>
      }
    />
  ));
}
