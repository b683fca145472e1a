import { Link, Navigate, useLocation, useModel, useSearchParams } from '@umijs/max';
import { Button, Form, type FormInstance, Input } from 'antd';
import { Suspense, useEffect, useState } from 'react';
import * as REFUSALS from '#contract/codes';
import { demoWords, type Environment } from '#contract/service';
import { Credentials, session } from '#contract/session';
import { late } from '@/components/late';
import { roleLabel } from '@/components/roleLabel';
import { SignInFrame } from '@/components/SignInFrame';
import { rulesOf } from '@/form/rulesOf';
import { CallError } from '@/services/CallError';
import { call } from '@/services/call';
import { safeCallback, withCallback } from '@/services/callback';
import { useEnvironment } from '@/services/useEnvironment';
import { givenCode } from './givenCode';

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

interface DemoAccountsProps {
  /** undefined until it is known. */
  environment: Environment | undefined;
  onChoose: (account: { username: string; password: string }) => void;
}

/** The accounts of a demo server, each filled in by one click; nothing on any other server. */
function DemoAccounts({ environment, onChoose }: DemoAccountsProps) {
  if (!environment?.demo || environment.accounts.length === 0) return null;
  return (
    <section className="demo-accounts" aria-label="演示账户">
      <p>{demoWords(environment)}。点击填入演示账户</p>
      {environment.accounts.map(({ name, password, role }) => (
        <Button key={name} size="small" onClick={() => onChoose({ username: name, password })}>
          {name} · {roleLabel(role)}
        </Button>
      ))}
    </section>
  );
}

/** Seconds to wait: from the header, else from the sentence itself. */
const waitOf = ({ retryAfter, message }: CallError): number =>
  retryAfter ?? Number(/(\d+)\s*秒/.exec(message)?.[1] ?? 0);

/** A clock that counts whole seconds down to 0. */
function useCountdown(): [number, (seconds: number) => void] {
  const [endsAt, setEndsAt] = useState(0);
  const [left, setLeft] = useState(0);
  useEffect(() => {
    if (endsAt === 0) return;
    const tick = () => setLeft(Math.max(0, Math.ceil((endsAt - Date.now()) / 1000)));
    tick();
    const timer = setInterval(tick, 250);
    return () => clearInterval(timer);
  }, [endsAt]);
  return [left, (seconds) => setEndsAt(Date.now() + seconds * 1000)];
}

/** Runs a login and shows at the form why it failed: which field, how long it is locked, or that a second step follows. */
function useLoginFailure(form: FormInstance<Credentials>) {
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState(0);
  const [asksCode, setAsksCode] = useState(false);
  const [lockedFor, lock] = useCountdown();

  // The field takes the focus again only once the form is enabled.
  useEffect(() => {
    if (refused > 0) form.getFieldInstance('password')?.focus({ cursor: 'all' });
  }, [refused, form]);

  const explain = (error: CallError) => {
    if (error.code === 429) lock(waitOf(error));
    if (error.code === REFUSALS.secondFactorNeeded.code) return setAsksCode(true);
    if (error.code === REFUSALS.wrongPassword.code) {
      form.setFields([{ name: 'password', errors: ['请检查用户名，并重新输入密码'] }]);
      setRefused((count) => count + 1);
    }
    form.setFields(error.fields.map(({ field, message }) => ({ name: field as keyof Credentials, errors: [message] })));
  };
  const attempt = async (login: () => Promise<unknown>) => {
    setBusy(true);
    try {
      await login();
    } catch (error) {
      if (error instanceof CallError) explain(error);
    } finally {
      setBusy(false);
    }
  };
  return { lockedFor, busy, asksCode, attempt };
}
