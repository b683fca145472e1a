import { ArrowDownOutlined, ArrowUpOutlined } from '@ant-design/icons';
import { Button, Checkbox, Segmented } from 'antd';
import styles from './table.module.css';
import type { ColumnChoice, Density } from './useColumnChoice';

const DENSITIES: { value: Density; label: string }[] = [
  { value: 'small', label: '紧凑' },
  { value: 'middle', label: '标准' },
];

/** Shows, hides and moves columns. */
export default function ColumnChooser<R>({ choice }: { choice: ColumnChoice<R> }) {
  const { movable, hidden, density, move, toggle, setDensity, reset } = choice;
  return (
    <div className={styles.chooser}>
      <div className={styles.chooserHead}>
        <Segmented size="small" aria-label="行距" options={DENSITIES} value={density} onChange={setDensity} />
        <Button type="link" size="small" onClick={reset}>
          恢复默认
        </Button>
      </div>
      <ul>
        {movable.map(({ key, title }, i) => (
          <li key={key}>
            <Checkbox checked={!hidden.includes(key)} onChange={() => toggle(key)}>
              {title}
            </Checkbox>
            <span>
              <Button
                type="text"
                size="small"
                icon={<ArrowUpOutlined />}
                aria-label={`${title} 前移`}
                disabled={i === 0}
                onClick={() => move(i, i - 1)}
              />
              <Button
                type="text"
                size="small"
                icon={<ArrowDownOutlined />}
                aria-label={`${title} 后移`}
                disabled={i === movable.length - 1}
                onClick={() => move(i, i + 1)}
              />
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
