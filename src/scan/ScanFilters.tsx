import { Input } from 'antd';
import type { ReactNode } from 'react';
import { FilterBar } from '@/table/FilterBar';
import { useTyped } from '@/table/useTyped';
import styles from './scan.module.css';

interface ScanFiltersProps {
  search: string;
  onSearch: (search: string) => void;
  /** Whether some filter narrows the list now. */
  filtered: boolean;
  onClear: () => void;
  /** What clearing does, where some filters stand by default. */
  clearText?: string;
  children?: ReactNode;
}

/** What every scanner is narrowed down by: the coin, and after it its own filters. */
export function ScanFilters({ search, onSearch, filtered, onClear, clearText, children }: ScanFiltersProps) {
  const [typed, type] = useTyped(search, onSearch);
  return (
    <FilterBar
      filtered={filtered}
      onClear={onClear}
      clearText={clearText}
      lead={
        <Input
          className={styles.search}
          allowClear
          maxLength={64}
          placeholder="搜索币种"
          aria-label="搜索"
          value={typed}
          onChange={({ target }) => type(target.value)}
        />
      }
    >
      {children}
    </FilterBar>
  );
}
