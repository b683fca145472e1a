import 'dayjs/locale/zh-cn';
import { BgColorsOutlined, StopOutlined, UserOutlined } from '@ant-design/icons';
import { Link, useLocation, useModel } from '@umijs/max';
import { Button } from 'antd';
import dayjs from 'dayjs';
import { Suspense, useState } from 'react';
import { service } from '#contract/service';
import type { Rise } from '#contract/user';
import { MoneyButton } from '@/components/MoneyButton';
import { KeyListener } from '@/keys/KeyListener';
import { Bell } from '@/notification/Bell';
import { withCallback } from '@/services/callback';
import { useCall } from '@/services/useCall';
import { useHeld } from '../flatten/useHeld';
import { ActionMenu } from './ActionMenu';
import { chooseAppearance } from './chooseAppearance';
import { LiveTag } from './LiveTag';
import { late } from './late';
import { logout } from './logout';
import { roleLabel } from './roleLabel';
import { type Theme, useAppearance } from './useAppearance';

/** In the head of every screen: closes all that the user holds, whatever its kind. A sign alone on a phone. */
function FlattenButton() {
  const { data, mutate } = useHeld();
  const ask = () =>
    void import('@/flatten/confirmFlatten').then(({ confirmFlatten }) =>
      confirmFlatten({ aim: {}, subject: '我的全部交易单', done: () => void mutate() }),
    );
  return (
    <MoneyButton
      danger
      size="small"
      icon={<StopOutlined />}
      className="flatten"
      why={data?.deals === 0 ? '没有进行中的交易单' : undefined}
      onClick={ask}
      aria-label="全部平仓"
    >
      全部平仓
    </MoneyButton>
  );
}

const ProfileDrawer = late(() => import('@/profile/ProfileDrawer'));

// Date pickers take the names of months and weekdays from here.
dayjs.locale('zh-cn');

const THEME_LABELS: Record<Theme, string> = { light: '浅色', dark: '深色', system: '跟随系统' };
const RISE_LABELS: Record<Rise, string> = { green: '绿涨红跌', red: '红涨绿跌' };

function AppearanceMenu({ signedIn }: { signedIn: boolean }) {
  const { theme, rise } = useAppearance();
  const group = <W extends string>(key: string, label: string, labels: Record<W, string>) => ({
    key,
    label,
    type: 'group' as const,
    children: Object.entries<string>(labels).map(([word, text]) => ({ key: `${key}:${word}`, label: text })),
  });
  const choose = (choice: string) => {
    const [name, word] = choice.split(':');
    chooseAppearance(name === 'theme' ? { theme: word as Theme } : { rise: word as Rise }, signedIn);
  };
  return (
    <ActionMenu
      menu={{
        items: [group('theme', '主题', THEME_LABELS), group('rise', '涨跌颜色', RISE_LABELS)],
        selectedKeys: [`theme:${theme}`, `rise:${rise}`],
        onClick: ({ key }) => choose(key),
      }}
    >
      <Button type="text" icon={<BgColorsOutlined />} aria-label="外观" />
    </ActionMenu>
  );
}

function UserMenu({ name, role }: { name: string; role: string }) {
  const [profile, setProfile] = useState(false);
  return (
    <>
      <ActionMenu
        menu={{
          items: [
            { key: 'profile', label: '个人设置' },
            { key: 'logout', label: '退出登录' },
          ],
          onClick: ({ key }) => (key === 'profile' ? setProfile(true) : void logout().catch(() => {})),
        }}
      >
        <Button type="text" icon={<UserOutlined />} className="who" aria-label={`${name} · ${roleLabel(role)}`}>
          {name} · {roleLabel(role)}
        </Button>
      </ActionMenu>
      <Suspense fallback={null}>{profile && <ProfileDrawer onClose={() => setProfile(false)} />}</Suspense>
    </>
  );
}

/** That real orders go out from here, seen from every screen. */
function TradesLive() {
  const { data } = useCall(service.environment, {});
  return <LiveTag mode={data && data.trading !== 'paper' ? 'live' : 'paper'} />;
}

/** The right end of the header: search, notifications, how it looks, and who is signed in. */
export function HeaderActions() {
  const { pathname, search } = useLocation();
  const user = useModel('@@initialState').initialState?.user;
  return (
    <div className="header-actions">
      <TradesLive />
      <KeyListener />
      {user?.viewer === null && <FlattenButton />}
      {user && <Bell />}
      <AppearanceMenu signedIn={user !== undefined} />
      {user ? (
        <UserMenu name={user.name} role={user.role} />
      ) : (
        <Link to={withCallback('/login', `${pathname}${search}`)}>
          <Button type="primary">登录</Button>
        </Link>
      )}
    </div>
  );
}
