import { Button } from 'antd';
import type { ReactNode } from 'react';
import { EmptyState } from '@/components/EmptyState';

interface NoRowsProps {
  /** What the list holds. */
  of: string;
  filtered: boolean;
  onClear: () => void;
  /** Shown when no filter is to blame. */
  children: ReactNode;
}

/** Instead of a list's rows when there are none. */
export function NoRows({ of, filtered, onClear, children }: NoRowsProps) {
  if (!filtered) return children;
  return (
    <EmptyState title={`没有符合筛选的${of}`}>
      <Button onClick={onClear}>清除筛选</Button>
    </EmptyState>
  );
}
