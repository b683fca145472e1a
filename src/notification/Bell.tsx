import { BellOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { unread as unreadApi } from '#contract/unread';
import { late } from '@/components/late';
import { useCall } from '@/services/useCall';
import { useIsLive } from '@/services/useLive';
import { useStream } from '@/services/useStream';
import { useBrowserPermission } from './browserPermission';

// They show nothing themselves: without them the bell still counts.
const BrowserNotices = lazy(() => import('./BrowserNotices').catch(() => ({ default: () => null })));
const NotificationDrawer = late(() => import('./NotificationDrawer'));

/** Where no event comes. */
const POLL_MS = 15_000;
/** An event may have been lost all the same. */
const LOOK_MS = 120_000;
const MOST_SHOWN = 99;

/** How much has not been read, and on a click the list. */
export function Bell() {
  const [asked, setAsked] = useState(false);
  const [open, setOpen] = useState(false);
  const isLive = useIsLive();
  const { data, mutate } = useCall(unreadApi.count, {}, { refreshInterval: isLive ? LOOK_MS : POLL_MS });
  useStream(['notification'], (event) => {
    if (event.name === 'notification') void mutate({ unread: event.data.unread });
    else void mutate();
  });
  const isAllowed = useBrowserPermission() === 'granted';
  const unread = data?.unread ?? 0;
  const show = () => {
    setAsked(true);
    setOpen(true);
  };
  return (
    <>
      <Button
        type="text"
        icon={<BellOutlined />}
        aria-label={unread === 0 ? '通知' : `通知，${unread} 条未读`}
        className="bell"
        onClick={show}
      >
        {unread > 0 && <b>{unread > MOST_SHOWN ? `${MOST_SHOWN}+` : unread}</b>}
      </Button>
      {isAllowed && data && (
        <Suspense fallback={null}>
          <BrowserNotices unread={unread} />
        </Suspense>
      )}
      {asked && (
        <Suspense fallback={null}>
          <NotificationDrawer
            open={open}
            unread={unread}
            onUnread={(left) => void mutate({ unread: left })}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  );
}
