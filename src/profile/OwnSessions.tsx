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

/** Where one is signed in; each of the others can be ended, or all of them. */
export function OwnSessions() {
  const { data, error, mutate, retry } = useCall(session.list, {});
  if (error && data === undefined) return <ErrorState error={error} onRetry={retry} />;
  if (data === undefined) return <Skeleton active />;
  const end = (subject: string, consequence: string, id?: string) =>
    confirmAction({
      verb: '注销',
      subject,
      consequence,
      run: async () => {
        const { revoked } = await call(session.revoke, { body: id === undefined ? {} : { id } });
        toast.success(`已注销 ${revoked} 个会话`);
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
            <Button danger size="small" onClick={() => end(device ?? '未知设备', '该设备需要重新登录。', id)}>
              注销
            </Button>
          )}
        </div>
      ))}
      {data.list.length > 1 && (
        <Button danger onClick={() => end('其他全部会话', '除本设备外，所有设备都需要重新登录。')}>
          注销其他全部
        </Button>
      )}
    </>
  );
}
