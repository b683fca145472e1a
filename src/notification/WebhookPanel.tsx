import { Alert, Button, Descriptions, Input, Tag } from 'antd';
import { Suspense, useState } from 'react';
import { notification, type Webhook } from '#contract/notification';
import { confirmAction } from '@/components/confirmAction';
import { DateTime } from '@/components/DateTime';
import { late } from '@/components/late';
import { toast } from '@/components/toast';
import { call } from '@/services/call';
import { DeliveryState, tellResult } from './DeliveryState';
import styles from './notification.module.css';

const WebhookDialog = late(() => import('./WebhookDialog'));

interface WebhookPanelProps {
  webhook: Webhook | null;
  onChange: (webhook: Webhook | null) => void;
  onTried: () => void;
}

/** Without what may be a token in it; with the word why nothing goes there. */
const Address = ({ webhook: { url, endedAt, isDamaged } }: { webhook: Webhook }) => (
  <>
    <span className={styles.url}>{url}</span>
    {isDamaged && <Tag color="error">已损坏：请重新设置</Tag>}
    {endedAt !== null && (
      <Tag color="error">
        对方已停用（410），
        <DateTime value={endedAt} /> 起不再推送
      </Tag>
    )}
  </>
);

/** An address of the user's own that gets every notification as well. */
export function WebhookPanel({ webhook, onChange, onTried }: WebhookPanelProps) {
  const [editing, setEditing] = useState(false);
  const [secret, setSecret] = useState<string>();
  const [trying, setTrying] = useState(false);
  const tryOut = async () => {
    setTrying(true);
    try {
      tellResult(await call(notification.testWebhook, {}));
    } catch {
      // The call has said why.
    }
    setTrying(false);
    onTried();
  };
  const remove = () =>
    confirmAction({
      verb: '停止推送',
      subject: webhook?.url ?? '',
      consequence: '等待重试的通知不再发送，签名密钥作废。',
      run: async () => {
        await call(notification.removeWebhook, {});
        setSecret(undefined);
        onChange(null);
      },
    });
  return (
    <section aria-label="推送">
      <h3 className={styles.heading}>推送到我的地址（Webhook）</h3>
      <p className="soft">
        每条在“推送”一列勾选的通知以 POST 发送 JSON，按 Standard Webhooks 签名（请求头 webhook-id、webhook-timestamp、
        webhook-signature），可用各语言的 standardwebhooks 库核对；未答复 2xx 时按 10 秒、1 分、5 分、30 分、2
        小时重试，webhook-id 不变。只接受公网 https 地址，不跟随跳转。
      </p>
      {webhook && (
        <Descriptions
          column={1}
          size="small"
          items={[
            { key: 'url', label: '地址', children: <Address webhook={webhook} /> },
            { key: 'last', label: '最近一次', children: <DeliveryState {...webhook} /> },
          ]}
        />
      )}
      {secret !== undefined && <Secret secret={secret} />}
      <div className={styles.buttons}>
        <Button onClick={() => setEditing(true)}>{webhook ? '更换地址与密钥' : '设置推送地址'}</Button>
        {webhook && (
          <>
            <Button loading={trying} onClick={() => void tryOut()}>
              发送测试
            </Button>
            <Button danger onClick={remove}>
              停止推送
            </Button>
          </>
        )}
      </div>
      <Suspense fallback={null}>
        {editing && (
          <WebhookDialog
            onClose={() => setEditing(false)}
            onSaved={(saved) => {
              setEditing(false);
              setSecret(saved.secret);
              onChange(saved.webhook);
            }}
          />
        )}
      </Suspense>
    </section>
  );
}

/** A secret that is shown this once. */
function Secret({ secret }: { secret: string }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(secret);
      toast.success('已复制');
    } catch {
      // Without TLS a page may not write to the clipboard.
      toast.error('无法写入剪贴板，请手动复制');
    }
  };
  return (
    <Alert
      type="warning"
      showIcon
      title="签名密钥只显示这一次，请立即保存"
      description={<Input readOnly value={secret} aria-label="签名密钥" />}
      action={<Button onClick={() => void copy()}>复制</Button>}
    />
  );
}
