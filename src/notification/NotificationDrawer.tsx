import { Drawer, Tabs } from 'antd';
import { Suspense } from 'react';
import { late } from '@/components/late';
import { NotificationList } from './NotificationList';

const NotificationSettings = late(() => import('./NotificationSettings'));

interface NotificationDrawerProps {
  open: boolean;
  unread: number;
  onUnread: (unread: number) => void;
  onClose: () => void;
}

/** What a user was told, and what he wants to be told. */
export default function NotificationDrawer({ open, unread, onUnread, onClose }: NotificationDrawerProps) {
  return (
    <Drawer open={open} onClose={onClose} title="通知" size={440} destroyOnHidden>
      <Tabs
        destroyOnHidden
        items={[
          {
            key: 'list',
            label: '全部通知',
            children: <NotificationList unread={unread} onUnread={onUnread} onLeave={onClose} />,
          },
          {
            key: 'settings',
            label: '提醒与推送',
            children: (
              <Suspense fallback={null}>
                <NotificationSettings />
              </Suspense>
            ),
          },
        ]}
      />
    </Drawer>
  );
}
