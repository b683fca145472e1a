import { Button, Skeleton, Tag } from 'antd';
import { session } from '#contract/session';
import { confirmAction } from '@/components/confirmAction';
import { DateTime } from '@/components/DateTime';
import { ErrorState } from '@/components/ErrorState';
import { OriginWord } from '@/components/OriginWord';
import { toast } from '@/components/toast';
import { call } from '@/services/call';
import { useCall } from '@/services/useCall';
import styles from './profile.module.css';

const END = '退出该设备';

/** Where one is signed in; each of the others can be ended, or all of them. */
export function OwnSessions() {
  const { data, error, mutate, retry } = useCall(session.list, {});
  if (error && data === undefined) return <ErrorState error={error} onRetry={retry} />;
  if (data === undefined) return <Skeleton active />;
  const end = (verb: string, subject: string, consequence: string, id?: string) =>
    confirmAction({
      verb,
      subject,
      consequence,
      run: async () => {
        const { revoked } = await call(session.revoke, { body: id === undefined ? {} : { id } });
        toast.success(`已退出 ${revoked} 台设备`);
        await mutate();
      },
    });
  return (
    <>
      {data.list.map(({ id, current, device, address, origin, createdAt, seenAt }) => (
        <div key={id} className={styles.session}>
          <div>
            {device ?? '未知设备'} · {address}（<OriginWord origin={origin} />）
            <div className="soft">
              登录 <DateTime value={createdAt} />
              ，最近访问 <DateTime value={seenAt} />
            </div>
          </div>
          {current ? (
            <Tag color="processing">当前</Tag>
          ) : (
            <Button danger size="small" onClick={() => end(END, device ?? '未知设备', '该设备需要重新登录。', id)}>
              {END}
            </Button>
          )}
        </div>
      ))}
      {data.list.length > 1 && (
        <Button danger onClick={() => end('退出', '其他全部设备', '除本设备外，所有设备都需要重新登录。')}>
          退出其他全部设备
        </Button>
      )}
    </>
  );
}
