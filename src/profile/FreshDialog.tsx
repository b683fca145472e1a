import { Input } from 'antd';
import { MINUTE_MS } from '#contract/duration';
import { secondFactor } from '#contract/secondFactor';
import { FRESH_MS, security } from '#contract/security';
import { Field } from '@/form/Field';
import { FormDialog } from '@/form/FormDialog';
import { rulesOf } from '@/form/rulesOf';
import { call } from '@/services/call';
import { useCall } from '@/services/useCall';
import styles from './profile.module.css';

interface FreshDialogProps {
  onProved: () => void;
  onClose: () => void;
}

type Values = Record<'password' | 'code', string>;

const rules = rulesOf(security.prove.body!);
const required = (label: string) => ({ required: true, message: `请输入${label}` });

/** Above the confirmation that waits for it (2000), below what is told (2010). */
const ABOVE = 2001;

/** Asks for the password, of who has a second factor for a code of it, before something that a stolen session must not do. */
export default function FreshDialog({ onProved, onClose }: FreshDialogProps) {
  const { data } = useCall(secondFactor.state, {});
  const by = data?.enabledAt == null ? 'password' : 'code';
  return (
    <FormDialog<Values>
      title="请确认是本人"
      first="password"
      zIndex={ABOVE}
      initialValues={{ password: '', code: '' }}
      okText="确认并继续"
      save={async (values, options) => {
        await call(security.prove, { body: { [by]: values[by].trim() } }, options);
        onProved();
      }}
      onClose={onClose}
    >
      <p className={styles.ask}>这一步涉及账户安全。确认后 {FRESH_MS / MINUTE_MS} 分钟内不再询问。</p>
      {by === 'password' ? (
        <Field name="password" label="当前密码" rules={[required('当前密码'), ...rules.password]}>
          <Input.Password autoComplete="current-password" maxLength={200} />
        </Field>
      ) : (
        <Field
          name="code"
          label="验证码"
          extra="认证器上的 6 位数字，或一个恢复码"
          rules={[required('验证码'), ...rules.code]}
        >
          <Input autoComplete="one-time-code" maxLength={32} autoFocus />
        </Field>
      )}
    </FormDialog>
  );
}
