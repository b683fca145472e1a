import { useModel } from '@umijs/max';
import { Button, Drawer, Skeleton } from 'antd';
import { type ReactNode, Suspense, useState } from 'react';
import { DateTime } from '@/components/DateTime';
import { late } from '@/components/late';
import { roleLabel } from '@/components/roleLabel';
import { useFocusBack } from '@/components/useFocusBack';
import BinanceIdDialog from './BinanceIdDialog';
import { Habits } from './Habits';
import { OwnSessions } from './OwnSessions';
import { PasswordDialog } from './PasswordDialog';
import styles from './profile.module.css';
import { SecondFactor } from './SecondFactor';

const NotificationSettings = late(() => import('@/notification/NotificationSettings'));

const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className={styles.section} aria-label={title}>
    <h2>{title}</h2>
    {children}
  </section>
);

/** 个人设置: what a user keeps of the own account, open until it is closed. */
export default function ProfileDrawer({ onClose }: { onClose: () => void }) {
  useFocusBack();
  const { initialState, setInitialState } = useModel('@@initialState');
  const [dialog, setDialog] = useState<'binanceId' | 'password' | null>(null);
  const user = initialState?.user;
  if (!user) return null;
  const bound = (binanceId: string) => {
    setDialog(null);
    void setInitialState({ ...initialState, user: { ...user, binanceId } });
  };
  return (
    <Drawer open title="个人设置" size="min(560px, 100vw)" onClose={onClose}>
      <div className={styles.sections}>
        <Section title="账户">
          <p>
            {user.name} · {roleLabel(user.role)} · 创建于 <DateTime value={user.createdAt} precision="day" />
          </p>
          <div className={styles.line}>
            <span>
              币安 UID：<strong className="figure">{user.binanceId ?? '未绑定'}</strong>
            </span>
            <Button onClick={() => setDialog('binanceId')}>{user.binanceId === null ? '绑定' : '修改'}</Button>
          </div>
        </Section>
        <Section title="密码">
          <div className={styles.line}>
            <span className="soft">修改后其他设备上的登录随即失效</span>
            <Button onClick={() => setDialog('password')}>修改密码</Button>
          </div>
        </Section>
        <Section title="两步验证">
          <SecondFactor />
        </Section>
        <Section title="登录会话">
          <OwnSessions />
        </Section>
        <Section title="显示">
          <Habits />
        </Section>
        <Section title="通知">
          <Suspense fallback={<Skeleton active />}>
            <NotificationSettings />
          </Suspense>
        </Section>
      </div>
      {dialog === 'binanceId' && (
        <BinanceIdDialog current={user.binanceId} onSaved={bound} onClose={() => setDialog(null)} />
      )}
      {dialog === 'password' && <PasswordDialog onClose={() => setDialog(null)} />}
    </Drawer>
  );
}
