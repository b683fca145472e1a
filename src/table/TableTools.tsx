import { DownloadOutlined, ReloadOutlined, SettingOutlined } from '@ant-design/icons';
import { Button, Popover, Tooltip } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { toast } from '@/components/toast';
import type { Column } from './column';
import type { ColumnChoice } from './useColumnChoice';

const ColumnChooser = lazy(() => import('./ColumnChooser')) as typeof import('./ColumnChooser').default;

interface TableToolsProps<R> {
  name: string;
  columns: readonly Column<R>[];
  choice: ColumnChoice<R>;
  reading: boolean;
  onReload: () => void;
  /** All rows of the filter, for the CSV. */
  readAll: () => Promise<R[]>;
}

/** What can be done with a table as a whole: read again, choose columns, export. */
export function TableTools<R>({ name, columns, choice, reading, onReload, readAll }: TableToolsProps<R>) {
  const [exporting, setExporting] = useState(false);
  const exportCsv = async () => {
    setExporting(true);
    try {
      const [rows, { exportRows }] = await Promise.all([readAll(), import('./exportRows')]);
      exportRows(name, columns, rows);
      toast.success(`已导出 ${rows.length} 行`);
    } catch {
      // The call itself has said what went wrong.
    } finally {
      setExporting(false);
    }
  };
  const chooser = (
    <Suspense fallback={null}>
      <ColumnChooser choice={choice} />
    </Suspense>
  );
  return (
    <>
      <Tooltip title="刷新">
        <Button icon={<ReloadOutlined />} aria-label="刷新" loading={reading} onClick={onReload} />
      </Tooltip>
      <Popover trigger="click" placement="bottomRight" content={chooser}>
        <Tooltip title="列设置">
          <Button icon={<SettingOutlined />} aria-label="列设置" />
        </Tooltip>
      </Popover>
      <Tooltip title="导出当前筛选的全部行 (CSV)">
        <Button icon={<DownloadOutlined />} aria-label="导出 CSV" loading={exporting} onClick={exportCsv} />
      </Tooltip>
    </>
  );
}
