import { Input } from 'antd';
import { useEffect } from 'react';
import { password } from '#contract/password';
import { toast } from '@/components/toast';
import { Field } from '@/form/Field';
import { FormDialog } from '@/form/FormDialog';
import { repeats, rulesOf } from '@/form/rulesOf';
import { call } from '@/services/call';
import { type GivenCode, hideCode } from './givenCode';

interface RedeemDialogProps {
  /** What of it is known. */
  given: GivenCode;
  /** The account, which may sign in now. */
  onDone: (account: { username: string; password: string }) => void;
  onClose: () => void;
}

interface Values extends GivenCode {
  newPassword: string;
  repeated: string;
}

const rules = rulesOf(password.redeem.body!);

/** Sets a password with a one-time code. */
export default function RedeemDialog({ given, onDone, onClose }: RedeemDialogProps) {
  // Not before: the page may begin anew until it is all there.
  useEffect(hideCode, []);
  return (
    <FormDialog<Values>
      title="用一次性代码设置密码"
      // With a link only the password is still to be typed.
      first={given.code ? 'newPassword' : 'username'}
      initialValues={{ ...given, newPassword: '', repeated: '' }}
      okText="设置密码并登录"
      back={{ text: '返回', go: onClose }}
      save={async ({ repeated: _repeated, ...body }, options) => {
        await call(password.redeem, { body }, options);
        toast.success('已设置新密码');
        onDone({ username: body.username, password: body.newPassword });
      }}
      onClose={onClose}
    >
      <Field name="username" label="用户名" rules={rules.username}>
        <Input autoComplete="username" maxLength={64} />
      </Field>
      <Field name="code" label="一次性代码" extra="由管理员给出，24 小时内有效" rules={rules.code}>
        <Input autoComplete="off" maxLength={64} />
      </Field>
      <Field name="newPassword" label="新密码" extra="至少 10 个字符" rules={rules.newPassword}>
        <Input.Password autoComplete="new-password" maxLength={200} />
      </Field>
      <Field
        name="repeated"
        label="确认新密码"
        dependencies={['newPassword']}
        rules={repeats('newPassword', '确认新密码')}
      >
        <Input.Password autoComplete="new-password" maxLength={200} />
      </Field>
    </FormDialog>
  );
}
