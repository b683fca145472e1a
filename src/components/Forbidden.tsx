import { Link, useLocation, useModel } from '@umijs/max';
import { Button, Flex, Result } from 'antd';
import { routeOf } from '@/routeOf';
import { withCallback } from '@/services/callback';
import { roleLabel, rolesWith } from './roleLabel';

function Way({ to, name, primary = false }: { to: string; name: string; primary?: boolean }) {
  return (
    <Link to={to}>
      <Button type={primary ? 'primary' : 'default'}>{name}</Button>
    </Link>
  );
}

/** A screen that the account may not see: who may, and the ways on; a trial is for who has no account. */
export function Forbidden() {
  const { pathname, search } = useLocation();
  const user = useModel('@@initialState').initialState?.user;
  const needed = rolesWith(routeOf(pathname)?.access ?? 'signedIn');
  // Who is signed in would be sent straight back here, were it not for the wish to change accounts.
  const login = withCallback('/login', `${pathname}${search}`) + (user ? '&switch=1' : '');
  return (
    <Result
      status="403"
      title="抱歉，你没有权限访问该页面"
      subTitle={`需要的角色：${needed}。${user ? `你现在的角色：${roleLabel(user.role)}` : '你现在是访客'}。`}
      extra={
        <Flex wrap justify="center" gap="small">
          {user && <Way to="/" name="返回账户总览" primary />}
          <Way to={login} name={user ? '换个账户登录' : '登录'} primary={!user} />
          <Way to="/indicator/hedge" name={user ? '中性选币' : '访客体验：中性选币'} />
        </Flex>
      }
    />
  );
}
