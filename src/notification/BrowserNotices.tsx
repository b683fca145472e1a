import { history } from '@umijs/max';
import { useEffect, useRef } from 'react';
import { type NotificationRow, notification } from '#contract/notification';
import { call } from '@/services/call';
import { useCall } from '@/services/useCall';
import { useStream } from '@/services/useStream';

/** The newest that are looked at when something has come: more at once nobody could read. */
const MOST = 5;
const quiet = () => true;

const newest = () => call(notification.list, { query: { pageSize: MOST } }, { quiet });

/** One by the browser; several tabs show the same one in one place. */
function show({ id, title, text, link }: NotificationRow): void {
  try {
    const shown = new Notification(title, { body: text, tag: `notification-${id}`, lang: 'zh-CN', icon: '/logo.svg' });
    shown.onclick = () => {
      window.focus();
      if (link !== null) history.push(link);
      shown.close();
    };
  } catch {
    // Some phones show notifications of installed pages alone.
  }
}

/** Shows by the browser what comes from now on, of the kinds that the user wants so. @param unread tells that something came. */
export default function BrowserNotices({ unread }: { unread: number }) {
  const { data: settings, mutate } = useCall(notification.settings, {});
  const last = useRef<number>(undefined);
  const look = useRef<() => Promise<void>>(async () => {});
  look.current = async () => {
    const { list } = await newest().catch(() => ({ list: [] }));
    const seen = last.current;
    last.current = Math.max(seen ?? 0, ...list.map(({ id }) => Number(id)));
    // What was there before is no news.
    if (seen === undefined) return;
    const fresh = list.filter(({ id }) => Number(id) > seen);
    if (fresh.length === 0) return;
    // Another tab may have changed them.
    const now = (await mutate().catch(() => undefined)) ?? settings;
    if (!now?.browser) return;
    for (const row of fresh.reverse()) if (!now.off.browser.includes(row.kind)) show(row);
  };
  useStream(['notification'], () => void look.current());
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is looked again whenever the count changes.
  useEffect(() => void look.current(), [unread]);
  return null;
}
