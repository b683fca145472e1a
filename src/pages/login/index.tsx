import { Link, Navigate, useLocation, useModel, useSearchParams } from '@umijs/max';
import { Button, Form, Input } from 'antd';
import { Credentials, session } from '#contract/session';
import { SignInFrame } from '@/components/SignInFrame';
import { rulesOf } from '@/form/rulesOf';
import { call } from '@/services/call';
import { safeCallback, withCallback } from '@/services/callback';
import { DemoAccounts } from './DemoAccounts';
import { useLoginFailure } from './useLoginFailure';

const rules = rulesOf(Credentials);

/** Signs in; the envelope's 201 then leads to the callback. */
export default function Login() {
  const [form] = Form.useForm<Credentials>();
  const [params] = useSearchParams();
  const state = useLocation().state as { expired?: boolean } | null;
  const { initialState } = useModel('@@initialState');
  const { lockedFor, busy, attempt } = useLoginFailure(form);
  const callback = safeCallback(params.get('callback'));

  // Whoever is signed in goes on, unless they came to change accounts.
  if (initialState?.user && params.get('switch') !== '1') return <Navigate to={callback} replace />;

  const submit = ({ username, password }: Credentials) =>
    attempt(() => call(session.login, { body: { username, password } }));
  return (
    <SignInFrame title="登录">
      {state?.expired && (
        <p className="sign-in-notice" role="status">
          登录已过期，请重新登录；登录后回到刚才的页面
        </p>
      )}
      <Form form={form} layout="vertical" size="large" requiredMark={false} onFinish={submit} disabled={busy}>
        <Form.Item name="username" label="用户名" rules={rules.username} validateTrigger="onBlur">
          <Input autoComplete="username" autoFocus maxLength={64} />
        </Form.Item>
        <Form.Item name="password" label="密码" rules={rules.password} validateTrigger="onBlur">
          <Input.Password autoComplete="current-password" maxLength={200} />
        </Form.Item>
        <Button type="primary" htmlType="submit" block loading={busy} disabled={lockedFor > 0}>
          {lockedFor > 0 ? `请 ${lockedFor} 秒后再试` : '登录'}
        </Button>
      </Form>
      <nav className="sign-in-links" aria-label="其他入口">
        <Link to={withCallback('/register', callback)}>注册账户</Link>
        <Link to="/indicator/hedge">访客体验：中性选币</Link>
      </nav>
      <DemoAccounts onChoose={(account) => form.setFieldsValue(account)} />
    </SignInFrame>
  );
}
