import { Checkbox } from 'antd';
import {
  NOTIFICATION_CHANNEL_LABEL,
  NOTIFICATION_CHANNELS,
  NOTIFICATION_KIND_LABEL,
  NOTIFICATION_KINDS,
  type NotificationChannel,
  type NotificationKind,
  type NotificationSettings,
} from '#contract/notification';
import styles from './notification.module.css';
import { KIND_TEXT } from './notificationLabels';

type Off = NotificationSettings['off'];

interface ChannelMatrixProps {
  off: Off;
  /** The kinds that are off in the one way that was changed. */
  onChange: (change: Partial<Off>) => void;
}

/** Each kind against each way; a tick lets it through. */
export function ChannelMatrix({ off, onChange }: ChannelMatrixProps) {
  const toggle = (channel: NotificationChannel, kind: NotificationKind, on: boolean) =>
    onChange({ [channel]: on ? off[channel].filter((one) => one !== kind) : [...off[channel], kind] });
  return (
    <table className={styles.matrix}>
      <thead>
        <tr>
          <th scope="col">类别</th>
          {NOTIFICATION_CHANNELS.map((channel) => (
            <th key={channel} scope="col">
              {NOTIFICATION_CHANNEL_LABEL[channel]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {NOTIFICATION_KINDS.map((kind) => (
          <tr key={kind}>
            <th scope="row">
              {NOTIFICATION_KIND_LABEL[kind]}
              <span className={`soft ${styles.text}`}>{KIND_TEXT[kind]}</span>
            </th>
            {NOTIFICATION_CHANNELS.map((channel) => (
              <td key={channel}>
                <Checkbox
                  checked={!off[channel].includes(kind)}
                  aria-label={`${NOTIFICATION_KIND_LABEL[kind]}：${NOTIFICATION_CHANNEL_LABEL[channel]}`}
                  onChange={({ target }) => toggle(channel, kind, target.checked)}
                />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
