import { ColumnHeightOutlined, ReloadOutlined, SettingOutlined } from '@ant-design/icons';
import { type ProColumns, ProTable } from '@ant-design/pro-components';
import { Button, type TableProps } from 'antd';
import { memo } from 'react';
import { useBar } from './rowsContext';
import { TableRows } from './TableRows';
import styles from './table.module.css';
import type { ColumnSettings } from './useColumnSettings';

interface TableShellProps {
  columns: ProColumns<object>[];
  /** How the reader wants the columns; absent: as they are. */
  settings?: ColumnSettings | undefined;
  /** There is no bar above the rows, where the reader could say so. */
  bare?: boolean;
  /** Keys of the ticked rows; absent: rows cannot be ticked. */
  ticked?: readonly React.Key[];
  onClear?: () => void;
}

const Filters = () => useBar().filters;
const Actions = () => useBar().actions;

function Reload() {
  const { loading, onReload } = useBar();
  return <Button type="text" icon={<ReloadOutlined />} aria-label="刷新" loading={loading} onClick={onReload} />;
}

// What ProTable is handed never changes: a change draws its provider anew, and with that every part of antd below it.
const BAR = { search: <Filters /> };
const OPTIONS = {
  fullScreen: false,
  // The button below reloads; ProTable itself reads nothing.
  reload: () => {},
  reloadIcon: <Reload />,
  density: true,
  densityIcon: <Button type="text" icon={<ColumnHeightOutlined />} aria-label="行距" />,
  setting: { listsHeight: 320, children: <Button type="text" icon={<SettingOutlined />} aria-label="列设置" /> },
};
const actions = () => [<Actions key="actions" />];
const view = ({ columns, size }: TableProps<object>) => <TableRows columns={columns ?? []} size={size} />;

// Rows handed to ProTable itself, measured in turn: 1.24 times the scripting of a load of 50 rows, 1.3 times that of a reading each second.
/** ProTable with its bar, column settings and alert row; the rows come by RowsContext. */
export const TableShell = memo(function TableShell(props: TableShellProps) {
  const { columns, settings, ticked, onClear } = props;
  const hasBar = settings !== undefined && !props.bare;
  return (
    <ProTable<object>
      className={styles.shell}
      columns={columns}
      {...settings}
      search={false}
      cardProps={false}
      pagination={false}
      ErrorBoundary={false}
      options={hasBar ? OPTIONS : false}
      toolbar={hasBar ? BAR : undefined}
      toolBarRender={hasBar ? actions : false}
      rowSelection={ticked && { selectedRowKeys: [...ticked], onChange: onClear }}
      tableViewRender={view}
    />
  );
});
