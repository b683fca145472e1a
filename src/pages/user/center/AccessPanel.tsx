import { Alert } from 'antd';
import { useMemo } from 'react';
import { accessOf, type Right } from '#contract/access';
import { userAdmin } from '#contract/userAdmin';
import { ErrorState } from '@/components/ErrorState';
import { roleLabel } from '@/components/roleLabel';
import { useCall } from '@/services/useCall';
import type { Column } from '@/table/column';
import { wordColumn } from '@/table/columns';
import { PlainTable } from '@/table/PlainTable';
import { type AccessRow, accessRows, WHO } from './accessRows';
import styles from './index.module.css';

const RIGHT_LABEL: Record<Right, string> = {
  open: '所有人',
  signedIn: '登录用户',
  evaluateEditable: '可编辑评价',
  isMaster: '管理员',
};

const COLUMNS: Column<AccessRow>[] = [
  wordColumn<AccessRow>('kind', '类别', 72, (row) => row.kind),
  wordColumn<AccessRow>('name', '名称', 380, (row) => row.name),
  wordColumn<AccessRow>('place', '地址', 260, (row) => row.place),
  wordColumn<AccessRow>('right', '需要的权限', 116, (row) => RIGHT_LABEL[row.right]),
  ...WHO.map((role): Column<AccessRow> => {
    const words = ({ right }: AccessRow) => (accessOf(role)[right] ? '✓ 可以' : '— 不可以');
    return {
      key: role ?? 'visitor',
      title: role === undefined ? '访客' : roleLabel(role),
      width: 92,
      sort: 'descend',
      render: (row) => <span className={accessOf(role)[row.right] ? undefined : 'soft'}>{words(row)}</span>,
      csv: words,
    };
  }),
];

/** Who may open which screen and call what. */
export function AccessPanel() {
  const { data, error, retry } = useCall(userAdmin.access, {});
  const rows = useMemo(() => data && accessRows(data.endpoints), [data]);
  if (error && data === undefined) return <ErrorState error={error} onRetry={retry} />;
  return (
    <>
      <Alert
        className={styles.lock}
        type="info"
        showIcon
        title="由控制台的路由表与服务器据以拒绝请求的那张权限表生成，不能在这里修改；改变一个人的权限请改变其角色。"
      />
      <PlainTable<AccessRow>
        label="权限矩阵"
        columns={COLUMNS}
        rows={rows}
        rowKey="key"
        loading={rows === undefined}
        sortable
        pagination={false}
      />
    </>
  );
}
