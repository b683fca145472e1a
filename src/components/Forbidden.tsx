import { Link, useLocation, useModel } from '@umijs/max';
import { Button, Result } from 'antd';
import { routeOf } from '@/routeOf';
import { withCallback } from '@/services/callback';
import { roleLabel, rolesWith } from './roleLabel';

/** A screen that the account may not see: who may, and two ways on. */
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
      extra={[
        <Link key="login" to={login}>
          <Button type="primary">{user ? '换个账户登录' : '登录'}</Button>
        </Link>,
        <Link key="trial" to="/indicator/hedge">
          <Button>访客体验：中性选币</Button>
        </Link>,
      ]}
    />
  );
}
