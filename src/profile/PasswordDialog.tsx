import { Input } from 'antd';
import { password } from '#contract/password';
import { toast } from '@/components/toast';
import { Field } from '@/form/Field';
import { FormDialog } from '@/form/FormDialog';
import { repeats, rulesOf } from '@/form/rulesOf';
import { call } from '@/services/call';

const rules = rulesOf(password.change.body!);

/** Changes one's own password. */
export function PasswordDialog({ onClose }: { onClose: () => void }) {
  return (
    <FormDialog
      title="修改密码"
      initialValues={{ password: '', newPassword: '', repeated: '' }}
      losing={{ newPassword: '新密码' }}
      okText="修改密码"
      save={async ({ repeated: _repeated, ...body }, options) => {
        const { revoked } = await call(password.change, { body }, options);
        toast.success(revoked === 0 ? '已修改密码' : `已修改密码，并退出了其他 ${revoked} 台设备`);
        onClose();
      }}
      onClose={onClose}
    >
      <Field name="password" label="当前密码" rules={rules.password}>
        <Input.Password autoComplete="current-password" maxLength={200} />
      </Field>
      <Field
        name="newPassword"
        label="新密码"
        extra="至少 10 个字符，不含用户名，不是常见密码"
        rules={rules.newPassword}
      >
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
