import { DownloadOutlined } from '@ant-design/icons';
import { Button, Tooltip } from 'antd';
import { useState } from 'react';
import { toast } from '@/components/toast';
import type { Column } from './column';

interface ExportButtonProps<R> {
  /** Of the file. */
  name: string;
  columns: readonly Column<R>[];
  /** All rows of the filter. */
  readAll: () => Promise<R[]>;
}

/** Writes all rows of the filter, as the columns export them. */
export function ExportButton<R>({ name, columns, readAll }: ExportButtonProps<R>) {
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
  return (
    <Tooltip title="导出当前筛选的全部行 (CSV)">
      <Button type="text" icon={<DownloadOutlined />} aria-label="导出 CSV" loading={exporting} onClick={exportCsv} />
    </Tooltip>
  );
}
