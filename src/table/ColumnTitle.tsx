import { Tooltip } from 'antd';
import { createContext, use } from 'react';
import { worded } from '@/services/modeLabel';
import type { Explanation } from './column';
import styles from './table.module.css';

/** Whether the headers are there to be measured alone, and nobody sees them. */
export const MeasuredContext = createContext(false);

interface ColumnTitleProps {
  title: string;
  explain?: Explanation;
  /** The keyboard comes here; a header that sorts takes it by itself. */
  reachable?: boolean;
}

/** A column's header, which tells on hover and focus how its figure comes about. */
export function ColumnTitle({ title, explain, reachable = false }: ColumnTitleProps) {
  const isMeasured = use(MeasuredContext);
  if (explain === undefined || isMeasured) return title;
  const lines = [
    ['', typeof explain.text === 'string' ? worded(explain.text) : explain.text],
    ['公式：', explain.formula],
    ['窗口：', explain.window],
    ['数据时间：', explain.inputAt],
  ] as const;
  const text = lines
    .filter(([, line]) => line !== undefined)
    .map(([label, line]) => (
      <div key={label}>
        {label}
        {line}
      </div>
    ));
  return (
    <Tooltip title={text}>
      <span className={styles.explained} tabIndex={reachable ? 0 : undefined}>
        {title}
      </span>
    </Tooltip>
  );
}
