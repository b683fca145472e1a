import { Skeleton, Switch } from 'antd';
import { NOTIFICATION_KINDS, type NotificationKind, notification } from '#contract/notification';
import { ErrorState } from '@/components/ErrorState';
import { call } from '@/services/call';
import { useCall } from '@/services/useCall';
import styles from './notification.module.css';
import { KIND_LABEL, KIND_TEXT } from './notificationLabels';
import { WebhookPanel } from './WebhookPanel';

/** Which kinds are quiet, and where notifications go as well. */
export default function NotificationSettings() {
  const { data, error, mutate, retry } = useCall(notification.settings, {});
  if (data === undefined) {
    return error ? <ErrorState error={error} onRetry={() => void retry()} /> : <Skeleton active />;
  }
  const mute = async (kind: NotificationKind, quiet: boolean) => {
    const muted = quiet ? [...data.muted, kind] : data.muted.filter((one) => one !== kind);
    await mutate(await call(notification.mute, { body: { muted } }));
  };
  return (
    <>
      <h3 className={styles.heading}>提醒</h3>
      <p className="soft">静音的类别照样记录，但不计入未读，也不推送。</p>
      <ul className={styles.kinds}>
        {NOTIFICATION_KINDS.map((kind) => (
          <li key={kind}>
            <span>
              {KIND_LABEL[kind]}
              <span className={`soft ${styles.text}`}>{KIND_TEXT[kind]}</span>
            </span>
            <Switch
              checked={!data.muted.includes(kind)}
              checkedChildren="提醒"
              unCheckedChildren="静音"
              aria-label={`${KIND_LABEL[kind]}提醒`}
              onChange={(on) => void mute(kind, !on).catch(() => {})}
            />
          </li>
        ))}
      </ul>
      <WebhookPanel
        webhook={data.webhook}
        onChange={(webhook) => void mutate({ ...data, webhook })}
        onTried={() => void mutate()}
      />
    </>
  );
}
