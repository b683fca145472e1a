import { ProForm } from '@ant-design/pro-components';
import { Button, Input, Select } from 'antd';
import { useState } from 'react';
import { ROLES, type Role } from '#contract/access';
import { type OneTimeCode, userAdmin } from '#contract/userAdmin';
import { roleLabel } from '@/components/roleLabel';
import { Field } from '@/form/Field';
import { ModalForm } from '@/form/ModalForm';
import { rulesOf } from '@/form/rulesOf';
import { CallError } from '@/services/CallError';
import { call } from '@/services/call';

interface CreateUserDialogProps {
  onCode: (code: OneTimeCode) => void;
  onClose: () => void;
}

interface Values {
  username: string;
  role: Role;
}

const rules = rulesOf(userAdmin.create.body!);
const ROLE_OPTIONS = ROLES.map((value) => ({ value, label: `${roleLabel(value)}（${value}）` }));

/** Makes a user, who sets a password with a one-time code. */
export function CreateUserDialog({ onCode, onClose }: CreateUserDialogProps) {
  const [form] = ProForm.useForm<Values>();
  const [saving, setSaving] = useState(false);
  const create = async (body: Values) => {
    setSaving(true);
    try {
      onCode(await call(userAdmin.create, { body }));
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      setSaving(false);
      form.setFields([{ name: 'username', errors: [error.message] }]);
    }
  };
  return (
    <ModalForm<Values>
      title="创建用户"
      form={form}
      initialValues={{ username: '', role: 'user' }}
      unsavedIn={({ username }) => (username === '' ? [] : ['用户名'])}
      onFinish={create}
      onClose={onClose}
      buttons={(leave) => (
        <>
          <Button onClick={leave}>取消</Button>
          <Button type="primary" loading={saving} onClick={form.submit}>
            创建
          </Button>
        </>
      )}
    >
      <Field name="username" label="用户名" extra="3-32 个字符：文字、数字、下划线、点、连字符" rules={rules.username}>
        <Input autoComplete="off" maxLength={32} />
      </Field>
      <Field name="role" label="角色" rules={rules.role}>
        <Select options={ROLE_OPTIONS} aria-label="角色" />
      </Field>
      <p className="soft">创建后显示一个一次性代码：用户用它设置自己的密码后才能登录。</p>
    </ModalForm>
  );
}
