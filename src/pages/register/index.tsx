import { Link, Navigate, useModel, useSearchParams } from '@umijs/max';
import { Button, Form, type FormInstance, Input } from 'antd';
import { useState } from 'react';
import * as REFUSALS from '#contract/codes';
import { PAPER_CAPITAL } from '#contract/kinds/hedge/config';
import { containsName, Registration, session } from '#contract/session';
import { formatNumber } from '@/components/formatNumber';
import { SignInFrame } from '@/components/SignInFrame';
import { repeats, rulesOf } from '@/form/rulesOf';
import { CallError } from '@/services/CallError';
import { call } from '@/services/call';
import { safeCallback, withCallback } from '@/services/callback';
import { useEnvironment } from '@/services/useEnvironment';

interface RegisterForm extends Registration {
  repeated: string;
}

const rules = rulesOf(Registration);

type Field = keyof Registration;

/** Refusals of the server that are about one field. */
const FIELD_OF_CODE: Record<number, Field> = {
  [REFUSALS.nameTaken.code]: 'username',
  [REFUSALS.commonPassword.code]: 'password',
  [REFUSALS.passwordIsName.code]: 'password',
};

/** Where in the form a failure belongs: the fields that a 400 names, or the one that a refusal is about. */
function fieldsOfRefusal({ code, message, fields }: CallError): { name: Field; errors: string[] }[] {
  if (fields.length > 0) return fields.map((each) => ({ name: each.field as Field, errors: [each.message] }));
  const name = FIELD_OF_CODE[Number(code)];
  return name === undefined ? [] : [{ name, errors: [message] }];
}

/** Makes an account and signs in with it; the envelope's 201 then leads to the callback. */
export default function Register() {
  const [form] = Form.useForm<RegisterForm>();
  const [params] = useSearchParams();
  const [busy, setBusy] = useState(false);
  const { initialState } = useModel('@@initialState');
  const isClosed = useEnvironment()?.registration === false;
  const callback = safeCallback(params.get('callback'));
  if (initialState?.user) return <Navigate to={callback} replace />;

  const submit = async ({ username, password }: RegisterForm) => {
    setBusy(true);
    try {
      await call(session.register, { body: { username, password } });
    } catch (error) {
      if (error instanceof CallError) form.setFields(fieldsOfRefusal(error));
    } finally {
      setBusy(false);
    }
  };
  const elsewhere = (
    <nav className="sign-in-links" aria-label="其他入口">
      <Link to={withCallback('/login', callback)}>已有账户，去登录</Link>
      <Link to="/indicator/hedge">访客体验：中性选币</Link>
    </nav>
  );
  if (isClosed) {
    return (
      <SignInFrame title="注册">
        <p className="sign-in-notice" role="status">
          {REFUSALS.registrationClosed.message}
        </p>
        <p className="soft">管理员开户后会给你一个一次性代码，在登录页用它设置密码。</p>
        {elsewhere}
      </SignInFrame>
    );
  }
  return (
    <SignInFrame title="注册">
      <Form form={form} layout="vertical" size="large" requiredMark={false} onFinish={submit} disabled={busy}>
        <Form.Item
          name="username"
          label="用户名"
          extra="3-32 个字符：文字、数字、下划线、点、连字符"
          rules={rules.username}
          validateTrigger="onBlur"
        >
          <Input autoComplete="username" autoFocus maxLength={32} />
        </Form.Item>
        <Form.Item name="password" label="密码" rules={rules.password} validateTrigger="onBlur">
          <Input.Password autoComplete="new-password" maxLength={200} />
        </Form.Item>
        <Form.Item
          name="repeated"
          label="确认密码"
          dependencies={['password']}
          validateTrigger="onBlur"
          rules={repeats('password', '确认密码')}
        >
          <Input.Password autoComplete="new-password" maxLength={200} />
        </Form.Item>
        <PasswordRules form={form} />
        <p className="soft">
          注册后即有一个模拟账户，本金 {formatNumber(PAPER_CAPITAL, { digits: 0 })} USDT，不动真钱。
        </p>
        <Button type="primary" htmlType="submit" block loading={busy}>
          注册并登录
        </Button>
      </Form>
      {elsewhere}
    </SignInFrame>
  );
}

/** Registration's own limit; the schema refuses less as well. */
const LENGTH = 10;

interface PasswordRulesProps {
  form: FormInstance<{ username: string; password: string; repeated: string }>;
}

/** What a password must be, ticked off while it is typed. */
function PasswordRules({ form }: PasswordRulesProps) {
  const username = Form.useWatch('username', form) ?? '';
  const password = Form.useWatch('password', form) ?? '';
  const repeated = Form.useWatch('repeated', form) ?? '';
  const rules = [
    { text: `至少 ${LENGTH} 个字符（现在 ${[...password].length} 个）`, met: [...password].length >= LENGTH },
    { text: '不含用户名', met: password !== '' && !containsName(password, username) },
    { text: '两次输入一致', met: password !== '' && password === repeated },
  ];
  return (
    <ul className="password-rules" aria-label="密码要求">
      {rules.map(({ text, met }) => (
        <li key={text} className={met ? 'met' : undefined}>
          <span role="img" aria-label={met ? '已满足' : '未满足'}>
            {met ? '✓' : '○'}
          </span>{' '}
          {text}
        </li>
      ))}
    </ul>
  );
}
