import { Alert, Button } from 'antd';
import { type LoginLock, userAdmin } from '#contract/userAdmin';
import { formatDateTime } from '@/components/DateTime';
import { toast } from '@/components/toast';
import { call } from '@/services/call';
import { useCall } from '@/services/useCall';
import { LOCK_LABEL } from './centerLabels';
import styles from './index.module.css';

const REFRESH_MS = 15_000;

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
