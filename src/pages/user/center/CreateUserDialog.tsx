import { Input, Select } from 'antd';
import { ROLES } from '#contract/access';
import type { BodyOf } from '#contract/endpoint';
import { type OneTimeCode, userAdmin } from '#contract/userAdmin';
import { roleLabel } from '@/components/roleLabel';
import { Field } from '@/form/Field';
import { FormDialog } from '@/form/FormDialog';
import { rulesOf } from '@/form/rulesOf';
import { call } from '@/services/call';

interface CreateUserDialogProps {
  onCode: (code: OneTimeCode) => void;
  onClose: () => void;
}

const rules = rulesOf(userAdmin.create.body!);
const ROLE_OPTIONS = ROLES.map((value) => ({ value, label: `${roleLabel(value)}（${value}）` }));

/** Makes a user, who sets a password with a one-time code. */
export function CreateUserDialog({ onCode, onClose }: CreateUserDialogProps) {
  return (
    <FormDialog<BodyOf<typeof userAdmin.create>>
      title="创建用户"
      initialValues={{ username: '', role: 'user' }}
      losing={{ username: '用户名' }}
      okText="创建"
      refusedAt="username"
      save={async (body, options) => onCode(await call(userAdmin.create, { body }, options))}
      onClose={onClose}
    >
      <Field name="username" label="用户名" extra="3-32 个字符：文字、数字、下划线、点、连字符" rules={rules.username}>
        <Input autoComplete="off" maxLength={32} />
      </Field>
      <Field name="role" label="角色" rules={rules.role}>
        <Select options={ROLE_OPTIONS} aria-label="角色" />
      </Field>
      <p className="soft">创建后显示一个一次性代码：用户用它设置自己的密码后才能登录。</p>
    </FormDialog>
  );
}
