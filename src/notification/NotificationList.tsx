import { history } from '@umijs/max';
import { Button, Checkbox, Pagination, Select, Skeleton, Tag } from 'antd';
import { useEffect, useRef, useState } from 'react';
import {
  NOTIFICATION_KIND_LABEL,
  type NotificationKind,
  type NotificationLevel,
  type NotificationRow,
  notification,
} from '#contract/notification';
import { CLEARABLE } from '@/components/clearable';
import { DateTime } from '@/components/DateTime';
import { EmptyState } from '@/components/EmptyState';
import { ErrorState } from '@/components/ErrorState';
import { call } from '@/services/call';
import { useCall } from '@/services/useCall';
import styles from './notification.module.css';
import { LEVEL_LABEL } from './notificationLabels';

const PAGE = 20;
const KINDS = Object.entries(NOTIFICATION_KIND_LABEL).map(([value, label]) => ({
  value: value as NotificationKind,
  label,
}));

interface NotificationListProps {
  unread: number;
  onUnread: (unread: number) => void;
  /** The reader goes to what a line is about. */
  onLeave: () => void;
}

/** The notifications, the newest first. */
export function NotificationList({ unread, onUnread, onLeave }: NotificationListProps) {
  const [kind, setKind] = useState<NotificationKind>();
  const [onlyUnread, setOnlyUnread] = useState(false);
  const [current, setCurrent] = useState(1);
  const query = { current, pageSize: PAGE, kind, unread: onlyUnread || undefined };
  const { data, error, mutate, retry } = useCall(notification.list, { query }, { keepPreviousData: true });
  useAnew(unread, mutate);
  const read = async (ids?: string[]) => {
    const left = await call(notification.read, { body: ids === undefined ? {} : { ids } });
    onUnread(left.unread);
    void mutate();
  };
  const open = ({ id, link, readAt }: NotificationRow) => {
    if (readAt === null) void read([id]).catch(() => {});
    if (link === null) return;
    onLeave();
    history.push(link);
  };
  const narrow = (change: () => void) => {
    change();
    setCurrent(1);
  };
  return (
    <>
      <div className={styles.bar}>
        <Select
          allowClear={CLEARABLE}
          placeholder="类别"
          aria-label="类别筛选"
          className={styles.kind}
          options={KINDS}
          value={kind}
          onChange={(chosen) => narrow(() => setKind(chosen))}
        />
        <Checkbox checked={onlyUnread} onChange={({ target }) => narrow(() => setOnlyUnread(target.checked))}>
          只看未读
        </Checkbox>
        <Button type="link" className={styles.all} disabled={unread === 0} onClick={() => void read().catch(() => {})}>
          全部已读
        </Button>
      </div>
      {data === undefined && error === undefined && <Skeleton active />}
      {data === undefined && error && <ErrorState error={error} onRetry={() => void retry()} />}
      {data?.total === 0 && <EmptyState title={kind || onlyUnread ? '没有符合筛选的通知' : '还没有通知'} />}
      <ul className={styles.list}>
        {data?.list.map((row) => (
          <NotificationLine key={row.id} row={row} onOpen={() => open(row)} />
        ))}
      </ul>
      <Pagination
        size="small"
        hideOnSinglePage
        showSizeChanger={false}
        current={current}
        pageSize={PAGE}
        total={data?.total ?? 0}
        onChange={setCurrent}
      />
    </>
  );
}

/** Reads again when something has come, or was read in another window. */
function useAnew(unread: number, again: () => Promise<unknown>): void {
  const latest = useRef(again);
  latest.current = again;
  const known = useRef(unread);
  useEffect(() => {
    if (known.current === unread) return;
    known.current = unread;
    void latest.current();
  }, [unread]);
}

const COLOR: Record<NotificationLevel, string | undefined> = { info: undefined, warning: 'warning', error: 'error' };

interface NotificationLineProps {
  row: NotificationRow;
  /** Marks it as read, and leads to what it is about. */
  onOpen: () => void;
}

/** One notification. */
function NotificationLine({ row, onOpen }: NotificationLineProps) {
  const { kind, level, title, text, at, link, readAt } = row;
  const isUnread = readAt === null;
  return (
    <li className={isUnread ? styles.unread : undefined}>
      <button type="button" className={styles.line} onClick={onOpen} disabled={!isUnread && link === null}>
        <span className={styles.head}>
          {isUnread && <span className={styles.dot} role="img" aria-label="未读" />}
          <strong>{title}</strong>
          <Tag color={COLOR[level]}>
            {NOTIFICATION_KIND_LABEL[kind]}
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
