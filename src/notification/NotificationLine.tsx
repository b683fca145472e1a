import { Tag } from 'antd';
import type { NotificationLevel, NotificationRow } from '#contract/notification';
import { DateTime } from '@/components/DateTime';
import styles from './notification.module.css';
import { KIND_LABEL, LEVEL_LABEL } from './notificationLabels';

const COLOR: Record<NotificationLevel, string | undefined> = { info: undefined, warning: 'warning', error: 'error' };

interface NotificationLineProps {
  row: NotificationRow;
  /** Marks it as read, and leads to what it is about. */
  onOpen: () => void;
}

/** One notification. */
export function NotificationLine({ row, onOpen }: NotificationLineProps) {
  const { kind, level, title, text, at, link, readAt } = row;
  const isUnread = readAt === null;
  return (
    <li className={isUnread ? styles.unread : undefined}>
      <button type="button" className={styles.line} onClick={onOpen} disabled={!isUnread && link === null}>
        <span className={styles.head}>
          {isUnread && <span className={styles.dot} role="img" aria-label="未读" />}
          <strong>{title}</strong>
          <Tag color={COLOR[level]}>
            {KIND_LABEL[kind]}
            {LEVEL_LABEL[level] !== '' && ` · ${LEVEL_LABEL[level]}`}
          </Tag>
          <span className={styles.at}>
            <DateTime value={at} />
          </span>
        </span>
        <span className={styles.text}>{text}</span>
      </button>
    </li>
  );
}
