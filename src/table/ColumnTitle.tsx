import { Tooltip } from 'antd';
import type { Explanation } from './column';
import styles from './table.module.css';

/** A column's header, which tells on hover and focus how its figure comes about. */
export function ColumnTitle({ title, explain }: { title: string; explain?: Explanation }) {
  if (explain === undefined) return title;
  const lines = [
    ['', explain.text],
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
      <span className={styles.explained}>{title}</span>
    </Tooltip>
  );
}
