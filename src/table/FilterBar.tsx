import { FilterOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { type ReactNode, useState } from 'react';
import styles from './FilterBar.module.css';

interface FilterBarProps {
  /** Whether some filter narrows the list now. */
  filtered: boolean;
  onClear: () => void;
  /** What clearing does, where some filters stand by default. */
  clearText?: string;
  /** Stays beside the button on a phone. */
  lead?: ReactNode;
  children: ReactNode;
}

/** What a list is narrowed down by. On a phone it folds behind one button. */
export function FilterBar({ filtered, onClear, clearText = '清除筛选', lead, children }: FilterBarProps) {
  const [open, setOpen] = useState(false);
  return (
    <search className={styles.bar}>
      {lead}
      <Button
        className={styles.unfold}
        icon={<FilterOutlined />}
        aria-expanded={open}
        type={filtered ? 'primary' : 'default'}
        onClick={() => setOpen(!open)}
      >
        筛选
      </Button>
      <div className={`${styles.more} ${open ? styles.open : ''}`}>
        {children}
        {filtered && (
          <Button type="link" onClick={onClear}>
            {clearText}
          </Button>
        )}
      </div>
    </search>
  );
}
