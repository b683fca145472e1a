import { Link, useLocation } from '@umijs/max';
import { Button } from 'antd';
import { service } from '#contract/service';
import { withCallback } from '@/services/callback';
import { useCall } from '@/services/useCall';

/** To where one signs in or registers, and back here afterwards. */
export function SignInButton() {
  const { pathname, search } = useLocation();
  const isClosed = useCall(service.environment, {}, { once: true }).data?.registration === false;
  return (
    <Link to={withCallback('/login', `${pathname}${search}`)}>
      <Button type="primary">{isClosed ? '登录' : '登录或注册'}</Button>
    </Link>
  );
}
