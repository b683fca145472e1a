import { ProForm } from '@ant-design/pro-components';
import { Button, Input } from 'antd';
import { useState } from 'react';
import { password } from '#contract/password';
import { toast } from '@/components/toast';
import { Field } from '@/form/Field';
import { showFieldErrors } from '@/form/fieldErrors';
import { ModalForm } from '@/form/ModalForm';
import { rulesOf } from '@/form/rulesOf';
import { CallError } from '@/services/CallError';
import { call } from '@/services/call';

interface Values {
  password: string;
  newPassword: string;
  repeated: string;
}

const rules = rulesOf(password.change.body!);
const EMPTY: Values = { password: '', newPassword: '', repeated: '' };

/** Changes one's own password. */
export function PasswordDialog({ onClose }: { onClose: () => void }) {
  const [form] = ProForm.useForm<Values>();
  const [saving, setSaving] = useState(false);
  const save = async ({ repeated: _repeated, ...body }: Values) => {
    setSaving(true);
    try {
      const { revoked } = await call(password.change, { body });
      toast.success(revoked === 0 ? '已修改密码' : `已修改密码，并退出了其他 ${revoked} 台设备`);
      onClose();
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      showFieldErrors(form, error.fields);
      setSaving(false);
    }
  };
  return (
    <ModalForm<Values>
      title="修改密码"
      form={form}
      initialValues={EMPTY}
      unsavedIn={({ newPassword }) => (newPassword === '' ? [] : ['新密码'])}
      onFinish={save}
      onClose={onClose}
      buttons={(leave) => (
        <>
          <Button onClick={leave}>取消</Button>
          <Button type="primary" loading={saving} onClick={form.submit}>
            修改密码
          </Button>
        </>
      )}
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
        rules={[
          { required: true, message: '请输入确认新密码' },
          ({ getFieldValue }) => ({
            validator: async (_, value) => {
              if (value && value !== getFieldValue('newPassword')) throw new Error('两次输入的密码不一致');
            },
          }),
        ]}
      >
        <Input.Password autoComplete="new-password" maxLength={200} />
      </Field>
    </ModalForm>
  );
}
