import { Alert, Button } from 'antd';
import { type LOCK_KINDS, type LoginLock, userAdmin } from '#contract/userAdmin';
import { formatDateTime } from '@/components/DateTime';
import { toast } from '@/components/toast';
import { call } from '@/services/call';
import { useCall } from '@/services/useCall';
import styles from './index.module.css';

const REFRESH_MS = 15_000;

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
export function Locks() {
  const { data, mutate } = useCall(userAdmin.locks, {}, { refreshInterval: REFRESH_MS });
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
