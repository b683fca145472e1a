import { Link, Navigate, useLocation, useModel, useSearchParams } from '@umijs/max';
import { Button, Form, Input } from 'antd';
import { Suspense, useState } from 'react';
import { REFUSALS } from '#contract/codes';
import { Credentials, session } from '#contract/session';
import { late } from '@/components/late';
import { SignInFrame } from '@/components/SignInFrame';
import { rulesOf } from '@/form/rulesOf';
import type { CallError } from '@/services/CallError';
import { call } from '@/services/call';
import { safeCallback, withCallback } from '@/services/callback';
import { useEnvironment } from '@/services/useEnvironment';
import { DemoAccounts } from './DemoAccounts';
import { givenCode } from './givenCode';
import { useLoginFailure } from './useLoginFailure';

const RedeemDialog = late(() => import('./RedeemDialog'));

const rules = rulesOf(Credentials);
/** That a second step follows is no failure. */
const isHalf = ({ code }: CallError) => code === REFUSALS.secondFactorNeeded.code;

/** Signs in; the envelope's 201 then leads to the callback. */
export default function Login() {
  const [form] = Form.useForm<Credentials>();
  const [params] = useSearchParams();
  const state = useLocation().state as { expired?: boolean } | null;
  const { initialState } = useModel('@@initialState');
  const { lockedFor, busy, asksCode, attempt } = useLoginFailure(form);
  const [given, setGiven] = useState(givenCode);
  const environment = useEnvironment();
  const callback = safeCallback(params.get('callback'));

  // Whoever is signed in goes on, unless they came to change accounts.
  if (initialState?.user && params.get('switch') !== '1') return <Navigate to={callback} replace />;

  const submit = ({ username, password, code }: Credentials) => {
    const body = { username, password, ...(asksCode && code ? { code } : {}) };
    return attempt(() => call(session.login, { body }, { quiet: isHalf }));
  };
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
        {asksCode && (
          <Form.Item
            name="code"
            label="两步验证码"
            extra="认证器上的 6 位数字；没有认证器时用一个恢复码"
            rules={[{ required: true, message: '请输入两步验证码' }]}
            validateTrigger="onBlur"
          >
            <Input autoComplete="one-time-code" autoFocus maxLength={32} />
          </Form.Item>
        )}
        <Button type="primary" htmlType="submit" block loading={busy} disabled={lockedFor > 0}>
          {lockedFor > 0 ? `请 ${lockedFor} 秒后再试` : '登录'}
        </Button>
      </Form>
      <nav className="sign-in-links" aria-label="其他入口">
        {environment?.registration !== false && <Link to={withCallback('/register', callback)}>注册账户</Link>}
        <Button type="link" size="small" onClick={() => setGiven({ username: '', code: '' })}>
          使用一次性代码
        </Button>
        <Link to="/indicator/hedge">访客体验：中性选币</Link>
      </nav>
      <Suspense fallback={null}>
        {given && (
          <RedeemDialog
            given={given}
            onClose={() => setGiven(null)}
            onDone={(account) => {
              setGiven(null);
              form.setFieldsValue(account);
              form.submit();
            }}
          />
        )}
      </Suspense>
      <DemoAccounts environment={environment} onChoose={(account) => form.setFieldsValue(account)} />
    </SignInFrame>
  );
}
