import { Alert, Modal, Select, Skeleton } from 'antd';
import { useMemo, useState } from 'react';
import { ROLES, type Role } from '#contract/access';
import { type UserRow, userAdmin } from '#contract/userAdmin';
import { roleLabel } from '@/components/roleLabel';
import { toast } from '@/components/toast';
import { failureText } from '@/services/CallError';
import { call } from '@/services/call';
import { useCall } from '@/services/useCall';
import { type AccessRow, accessRows, roleChange } from './accessRows';
import styles from './index.module.css';

interface RoleDialogProps {
  row: UserRow;
  onSaved: () => void;
  onClose: () => void;
}

const ROLE_OPTIONS = ROLES.map((value) => ({ value, label: `${roleLabel(value)}（${value}）` }));

/** Gives a user another role, with what that gives and takes. */
export function RoleDialog({ row, onSaved, onClose }: RoleDialogProps) {
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
