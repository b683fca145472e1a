import { Segmented, Select } from 'antd';
import { type NumberStyle, type Rise, TIME_ZONES, type TimeZone } from '#contract/user';
import { Amount } from '@/components/Amount';
import { chooseAppearance } from '@/components/chooseAppearance';
import { formatDateTime } from '@/components/DateTime';
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

const ZONE_LABEL: Record<TimeZone, string> = {
  local: '跟随浏览器',
  UTC: 'UTC',
  'Asia/Shanghai': '北京',
  'Asia/Singapore': '新加坡',
  'Asia/Tokyo': '东京',
  'Asia/Dubai': '迪拜',
  'Europe/London': '伦敦',
  'Europe/Zurich': '苏黎世',
  'America/New_York': '纽约',
  'America/Los_Angeles': '洛杉矶',
};
const ZONES = TIME_ZONES.map((value) => ({ value, label: ZONE_LABEL[value] }));

/** Colour and number habit and time zone, kept with the account and so on every device, with what they look like. */
export function Habits() {
  const { rise, numbers, timeZone } = useAppearance();
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
      <div className={styles.line}>
        <span>时区</span>
        <Select
          aria-label="时区"
          className={styles.zone}
          options={ZONES}
          value={timeZone}
          onChange={(value) => chooseAppearance({ timeZone: value }, true)}
        />
      </div>
      <p className="soft">
        例：成交额 <Amount value={1_234_567_890} compact unit="USDT" />
        ，权益 <Amount value={123_456.78} unit="USDT" />
        ，盈亏 <Pnl value={12_345.6} unit="USDT" /> <Pnl value={-789.1} unit="USDT" />
        。自动：成交额等大数缩写，账目写全。确认对话框与委托的精确数值总是写全。时区用于所有时间与日内图表，现在是{' '}
        {formatDateTime(Date.now())}；日线、结算日仍为 UTC 日。
      </p>
    </div>
  );
}
