import { Alert, Input, Modal, Select, Skeleton, Typography } from 'antd';
import { useMemo, useState } from 'react';
import { ROLES, type Role } from '#contract/access';
import type { BodyOf } from '#contract/endpoint';
import { type OneTimeCode, type UserRow, userAdmin } from '#contract/userAdmin';
import { DateTime } from '@/components/DateTime';
import { roleLabel } from '@/components/roleLabel';
import { toast } from '@/components/toast';
import { Field } from '@/form/Field';
import { FormDialog } from '@/form/FormDialog';
import { rulesOf } from '@/form/rulesOf';
import { failureText } from '@/services/CallError';
import { call } from '@/services/call';
import { useCall } from '@/services/useCall';
import { type AccessRow, accessRows, roleChange } from './accessRows';
import type { Dialog } from './centerContext';
import styles from './index.module.css';

interface UserDialogsProps {
  dialog: Dialog;
  onDialog: (dialog: Dialog | null) => void;
  /** The users are not what they were. */
  onChanged: () => void;
}

/** The dialog that is open about the users. */
export default function UserDialogs({ dialog, onDialog, onChanged }: UserDialogsProps) {
  const close = () => onDialog(null);
  const showCode = (code: (Dialog & { what: 'code' })['code']) => {
    onDialog({ what: 'code', code });
    onChanged();
  };
  switch (dialog.what) {
    case 'create':
      return <CreateUserDialog onCode={showCode} onClose={close} />;
    case 'code':
      return <CodeDialog code={dialog.code} onClose={close} />;
    case 'role':
      return (
        <RoleDialog
          row={dialog.row}
          onSaved={() => {
            close();
            onChanged();
          }}
          onClose={close}
        />
      );
  }
}

interface CreateUserDialogProps {
  onCode: (code: OneTimeCode) => void;
  onClose: () => void;
}

const rules = rulesOf(userAdmin.create.body!);
const ROLE_OPTIONS = ROLES.map((value) => ({ value, label: `${roleLabel(value)}（${value}）` }));

/** Makes a user, who sets a password with a one-time code. */
function CreateUserDialog({ onCode, onClose }: CreateUserDialogProps) {
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

interface CodeDialogProps {
  code: OneTimeCode;
  onClose: () => void;
}

/** The part after # never reaches a server, nor its logs. */
const linkOf = ({ username, code }: OneTimeCode): string =>
  `${window.location.origin}/login#${new URLSearchParams({ user: username, code })}`;

/** A one-time code, shown this once, as a code and as a link. */
function CodeDialog({ code, onClose }: CodeDialogProps) {
  return (
    <Modal
      open
      title={`${code.username} 的一次性代码`}
      okText="我已转交"
      footer={(_, { OkBtn }) => <OkBtn />}
      onOk={onClose}
      onCancel={onClose}
      mask={{ closable: false }}
    >
      <Alert type="warning" showIcon title="只显示这一次，关闭后不能再看；请用可靠的方式转交本人。" />
      <p>
        有效期至 <DateTime value={code.expiresAt} />
        。在登录页选择“使用一次性代码”，或打开下面的链接，设置新密码后即可登录；用过即失效。
      </p>
      <Typography.Text className={styles.code} copyable={{ text: code.code, tooltips: ['复制代码', '已复制'] }}>
        {code.code}
      </Typography.Text>
      <p>
        <Typography.Text copyable={{ text: linkOf(code), tooltips: ['复制链接', '已复制'] }}>
          设置密码的链接
        </Typography.Text>
      </p>
    </Modal>
  );
}

interface RoleDialogProps {
  row: UserRow;
  onSaved: () => void;
  onClose: () => void;
}

/** Gives a user another role, with what that gives and takes. */
function RoleDialog({ row, onSaved, onClose }: RoleDialogProps) {
  const [role, setRole] = useState<Role>(row.role as Role);
  const [saving, setSaving] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const { data } = useCall(userAdmin.access, {});
  const rows = useMemo(() => data && accessRows(data.endpoints), [data]);
  const save = async () => {
    setSaving(true);
    try {
      await call(userAdmin.role, { body: { userId: row.id, role } });
      toast.success(`${row.name} 现在是${roleLabel(role)}`);
      onSaved();
    } catch (error) {
      setRefusal(failureText(error, '没有完成，请重试'));
      setSaving(false);
    }
  };
  const change = rows && roleChange(rows, row.role, role);
  return (
    <Modal
      open
      title={`改变角色：${row.name}`}
      width="min(720px, calc(100vw - 32px))"
      okText="改变角色"
      okButtonProps={{ disabled: role === row.role, loading: saving }}
      cancelText="返回"
      onOk={save}
      onCancel={onClose}
    >
      <p>现在是{roleLabel(row.role)}。新角色从其下一次请求起生效。</p>
      <Select
        className={styles.role}
        options={ROLE_OPTIONS}
        value={role}
        onChange={setRole}
        aria-label="新角色"
        popupMatchSelectWidth={false}
      />
      {change === undefined && <Skeleton active />}
      {change && role !== row.role && (
        <div className={styles.gains}>
          <Listed title="将获得" rows={change.gained} />
          <Listed title="将失去" rows={change.lost} />
        </div>
      )}
      {refusal && <Alert type="error" showIcon title={refusal} />}
    </Modal>
  );
}

const Listed = ({ title, rows }: { title: string; rows: readonly AccessRow[] }) => (
  <section aria-label={title}>
    <strong>
      {title} {rows.length} 项
    </strong>
    <ul>
      {rows.map(({ key, kind, name }) => (
        <li key={key}>
          {kind}：{name}
        </li>
      ))}
    </ul>
  </section>
);
