import { Segmented } from 'antd';
import { formatNumber } from '@/components/formatNumber';
import { AssumptionBox } from './AssumptionBox';
import styles from './scan.module.css';

const SIZES = [1_000, 10_000, 100_000];
const OPTIONS = SIZES.map((value) => ({ value, label: `${formatNumber(value / 1_000, { digits: 0 })}k` }));
/** What an address or the box may ask for, USDT a leg. */
export const SIZE_BOUNDS = { minimum: 10, maximum: 10_000_000 };

interface SizeBoxProps {
  /** USDT a leg. */
  value: number;
  onChange: (size: number) => void;
  /** What has that size. */
  label?: string;
  /** What stands before it where there is little room. */
  short?: string | undefined;
}

/** The size that every row is priced at. */
export const SizeBox = ({ value, onChange, label = '每腿名义', short = label }: SizeBoxProps) => (
  <span className={styles.size}>
    <span className="missing">{short}</span>
    <Segmented options={OPTIONS} value={value} onChange={onChange} aria-label="常用规模" />
    <AssumptionBox
      label={label}
      suffix="USDT"
      least={SIZE_BOUNDS.minimum}
      most={SIZE_BOUNDS.maximum}
      width={124}
      value={value}
      onChange={onChange}
    />
  </span>
);
