import { CopyOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import styles from './CopyId.module.css';
import { toast } from './toast';

async function copy(id: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(id);
    toast.success('已复制');
  } catch {
    // Without TLS a page may not write to the clipboard.
    toast.error(`无法写入剪贴板，请手动复制：${id}`);
  }
}

/** An id, cut short where there is no room, and a button that copies all of it. */
export function CopyId({ id }: { id: string | null }) {
  if (id === null) return <span className="missing">-</span>;
  return (
    <span className={styles.copyId}>
      <span className={styles.idText} title={id}>
        {id}
      </span>
      <Button type="text" size="small" icon={<CopyOutlined />} aria-label={`复制 ${id}`} onClick={() => copy(id)} />
    </span>
  );
}
