import { Link, useLocation } from '@umijs/max';
import { Button } from 'antd';
import { withCallback } from '@/services/callback';

/** To where one signs in or registers, and back here afterwards. */
export function SignInButton() {
  const { pathname, search } = useLocation();
  return (
    <Link to={withCallback('/login', `${pathname}${search}`)}>
      <Button type="primary">登录或注册</Button>
    </Link>
  );
}
