import { Skeleton, Switch } from 'antd';
import { useState } from 'react';
import type { BodyOf } from '#contract/endpoint';
import { notification } from '#contract/notification';
import { ErrorState } from '@/components/ErrorState';
import { call } from '@/services/call';
import { useCall } from '@/services/useCall';
import { askPermission, type BrowserPermission, useBrowserPermission } from './browserPermission';
import { ChannelMatrix } from './ChannelMatrix';
import { ChannelsPanel } from './ChannelsPanel';
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
      <ChannelsPanel />
      <WebhookPanel
        webhook={data.webhook}
        onChange={(webhook) => void mutate({ ...data, webhook })}
        onTried={() => void mutate()}
      />
    </>
  );
}

interface BrowserSwitchProps {
  /** Whether the user wants them at all, on any browser that allows them. */
  on: boolean;
  onChange: (on: boolean) => Promise<void>;
}

const WORDS: Record<BrowserPermission, string> = {
  granted: '控制台开着时（包括在后台标签页）由浏览器弹出。',
  default: '打开时浏览器会询问是否允许；每个浏览器各问一次。',
  denied: '这个浏览器已拒绝本站的通知：请在地址栏左侧的站点设置里改为允许，再打开。',
  unsupported: '这个浏览器在此地址不能弹出通知：需要 https 或本机地址。',
};

/** Whether the browser shows notifications; it is asked for leave on this click and at no other time. */
function BrowserSwitch({ on, onChange }: BrowserSwitchProps) {
  const permission = useBrowserPermission();
  const [busy, setBusy] = useState(false);
  const turn = async (wanted: boolean) => {
    setBusy(true);
    try {
      if (!wanted || (await askPermission()) === 'granted') await onChange(wanted);
    } catch {
      // The call itself has said what went wrong.
    }
    setBusy(false);
  };
  return (
    <section aria-label="浏览器通知">
      <h3 className={styles.heading}>浏览器通知</h3>
      <div className={styles.switch}>
        <span className="soft">{WORDS[permission]}</span>
        <Switch
          aria-label="浏览器通知"
          checked={on && permission === 'granted'}
          loading={busy}
          disabled={permission === 'denied' || permission === 'unsupported'}
          onChange={(wanted) => void turn(wanted)}
        />
      </div>
    </section>
  );
}
