import { InputNumber, Segmented } from 'antd';
import { formatNumber } from '@/components/formatNumber';
import { useTyped } from '@/table/useTyped';
import styles from './scan.module.css';

const SIZES = [1_000, 10_000, 100_000];
const OPTIONS = SIZES.map((value) => ({ value, label: `${formatNumber(value / 1_000, { digits: 0 })}k` }));
const SMALLEST = 10;
const LARGEST = 10_000_000;

interface SizeBoxProps {
  /** USDT a leg. */
  value: number;
  onChange: (size: number) => void;
}

/** The size that every row is priced at. */
export function SizeBox({ value, onChange }: SizeBoxProps) {
  const [typed, type] = useTyped<number | null>(value, (size) => size !== null && onChange(size));
  return (
    <span className={styles.size}>
      <span className="missing">每腿规模</span>
      <Segmented options={OPTIONS} value={value} onChange={onChange} aria-label="常用规模" />
      <InputNumber
        className={styles.amount}
        min={SMALLEST}
        max={LARGEST}
        precision={0}
        controls={false}
        suffix="USDT"
        aria-label="每腿规模（USDT）"
        value={typed}
        onChange={type}
      />
    </span>
  );
}
