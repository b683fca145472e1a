import { DownOutlined } from '@ant-design/icons';
import { Button, Dropdown, Tag } from 'antd';
import { Suspense, useState } from 'react';
import {
  PUSH_CHANNEL_LABEL,
  PUSH_CHANNELS,
  type PushChannel,
  type PushChannelName,
  pushChannel,
} from '#contract/pushChannel';
import { confirmAction } from '@/components/confirmAction';
import { ErrorState } from '@/components/ErrorState';
import { late } from '@/components/late';
import { call } from '@/services/call';
import { useCall } from '@/services/useCall';
import { DeliveryState, tellResult } from './DeliveryState';
import styles from './notification.module.css';

const ChannelDialog = late(() => import('./ChannelDialog'));

/** Robots of chats, and mail, that get every pushed notification as well: one of each. */
export function ChannelsPanel() {
  const { data, error, mutate, retry } = useCall(pushChannel.list, {});
  const [editing, setEditing] = useState<PushChannelName>();
  const list = data?.list ?? [];
  const unset = PUSH_CHANNELS.filter((name) => list.every(({ channel }) => channel !== name));
  return (
    <section aria-label="推送渠道">
      <h3 className={styles.heading}>推送到聊天与邮箱</h3>
      <p className="soft">
        “推送”一列勾选的通知也经这里发出，每种渠道一个；对方答复出错时按 10 秒、1 分、5 分、30 分、2
        小时重试，仍不成功则放弃并在站内告知。
      </p>
      {data === undefined && error && <ErrorState error={error} onRetry={() => void retry()} />}
      <ul className={styles.channels}>
        {list.map((one) => (
          <ChannelLine
            key={one.channel}
            channel={one}
            onEdit={() => setEditing(one.channel)}
            onDone={() => void mutate()}
          />
        ))}
      </ul>
      {data !== undefined && unset.length > 0 && (
        <Dropdown
          trigger={['click']}
          menu={{
            items: unset.map((key) => ({ key, label: PUSH_CHANNEL_LABEL[key] })),
            onClick: ({ key }) => setEditing(key as PushChannelName),
          }}
        >
          <Button className={styles.add}>
            添加推送渠道 <DownOutlined />
          </Button>
        </Dropdown>
      )}
      <Suspense fallback={null}>
        {editing !== undefined && (
          <ChannelDialog
            channel={editing}
            onClose={() => setEditing(undefined)}
            onSaved={() => {
              setEditing(undefined);
              void mutate();
            }}
          />
        )}
      </Suspense>
    </section>
  );
}

interface ChannelLineProps {
  channel: PushChannel;
  onEdit: () => void;
  /** Something was tried or taken away. */
  onDone: () => void;
}

function ChannelLine({ channel: { channel, address, isDamaged, last, waiting }, onEdit, onDone }: ChannelLineProps) {
  const [trying, setTrying] = useState(false);
  const label = PUSH_CHANNEL_LABEL[channel];
  const tryOut = async () => {
    setTrying(true);
    // What went wrong with the call itself it has said.
    await call(pushChannel.test, { body: { channel } }).then(tellResult, () => undefined);
    setTrying(false);
    onDone();
  };
  const remove = () =>
    confirmAction({
      verb: '停用',
      subject: `${label}：${address}`,
      consequence: '等待重试的通知不再发送，保存的令牌与密钥删除。',
      run: async () => {
        await call(pushChannel.remove, { body: { channel } });
        onDone();
      },
    });
  return (
    <li aria-label={label}>
      <strong>{label}</strong> <span className={styles.url}>{address}</span>
      {isDamaged && <Tag color="error">已损坏：请重新设置</Tag>}
      <div className="soft">
        最近一次：
        <DeliveryState last={last} waiting={waiting} />
      </div>
      <div className={styles.buttons}>
        <Button size="small" loading={trying} onClick={() => void tryOut()}>
          测试发送
        </Button>
        <Button size="small" onClick={onEdit}>
          重新设置
        </Button>
        <Button size="small" danger onClick={remove}>
          停用
        </Button>
      </div>
    </li>
  );
}
