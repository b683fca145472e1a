import { Segmented } from 'antd';
import type { NumberStyle, Rise } from '#contract/user';
import { Amount } from '@/components/Amount';
import { chooseAppearance } from '@/components/chooseAppearance';
import { Pnl } from '@/components/Pnl';
import { useAppearance } from '@/components/useAppearance';
import styles from './profile.module.css';

const RISES: { value: Rise; label: string }[] = [
  { value: 'green', label: '绿涨红跌' },
  { value: 'red', label: '红涨绿跌' },
];
const NUMBERS: { value: NumberStyle; label: string }[] = [
  { value: 'auto', label: '自动' },
  { value: 'compact', label: '万 / 亿' },
  { value: 'thousands', label: '千分位' },
];

/** Colour and number habit, kept with the account and so on every device, with what they look like. */
export function Habits() {
  const { rise, numbers } = useAppearance();
  return (
    <div className={styles.stack}>
      <div className={styles.line}>
        <span>涨跌颜色</span>
        <Segmented
          aria-label="涨跌颜色"
          options={RISES}
          value={rise}
          onChange={(value) => chooseAppearance({ rise: value }, true)}
        />
      </div>
      <div className={styles.line}>
        <span>金额写法</span>
        <Segmented
          aria-label="金额写法"
          options={NUMBERS}
          value={numbers}
          onChange={(value) => chooseAppearance({ numbers: value }, true)}
        />
      </div>
      <p className="soft">
        例：成交额 <Amount value={1_234_567_890} compact unit="USDT" />
        ，权益 <Amount value={123_456.78} unit="USDT" />
        ，盈亏 <Pnl value={12_345.6} unit="USDT" /> <Pnl value={-789.1} unit="USDT" />
        。自动：成交额等大数缩写，账目写全。确认对话框与委托的精确数值总是写全。
      </p>
    </div>
  );
}
