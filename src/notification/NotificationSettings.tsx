import { Skeleton } from 'antd';
import type { BodyOf } from '#contract/endpoint';
import { notification } from '#contract/notification';
import { ErrorState } from '@/components/ErrorState';
import { call } from '@/services/call';
import { useCall } from '@/services/useCall';
import { BrowserSwitch } from './BrowserSwitch';
import { ChannelMatrix } from './ChannelMatrix';
import styles from './notification.module.css';
import { WebhookPanel } from './WebhookPanel';

/** Which kinds reach the user by which way, and where those ways lead. */
export default function NotificationSettings() {
  const { data, error, mutate, retry } = useCall(notification.settings, {});
  if (data === undefined) {
    return error ? <ErrorState error={error} onRetry={() => void retry()} /> : <Skeleton active />;
  }
  const change = async (body: BodyOf<typeof notification.setSettings>) => {
    await mutate(await call(notification.setSettings, { body }));
  };
  return (
    <>
      <h3 className={styles.heading}>提醒</h3>
      <p className="soft">不勾选的照样记录在通知里：铃铛不计入未读，推送与浏览器不发出。</p>
      <ChannelMatrix off={data.off} onChange={(off) => void change({ off }).catch(() => {})} />
      <BrowserSwitch on={data.browser} onChange={(browser) => change({ browser })} />
      <WebhookPanel
        webhook={data.webhook}
        onChange={(webhook) => void mutate({ ...data, webhook })}
        onTried={() => void mutate()}
      />
    </>
  );
}
