import { Alert } from 'antd';
import type { Statistic } from '#contract/statistic';
import { formatDateTime } from '@/components/DateTime';
import { Explained } from '@/components/Explained';
import { formatNumber } from '@/components/formatNumber';

/** Differences below this are rounding, USDT. */
const ROUNDING = 0.005;
const DAYS_NAMED = 40;

const money = (value: number) => `${formatNumber(value, { digits: 2, signed: true })} USDT`;

/** What the figures are based on: days, what is missing, what was taken out. */
export function QualityLine({ data }: { data: Statistic }) {
  const { accounts, from, to, at, daily, quality } = data;
  const { missingDays, missingAccountDays, transferCount, transfers, unexplained, running } = quality;
  const span =
    from === null || to === null
      ? '没有完整的一天'
      : `${formatDateTime(from, 'day', true)} 至 ${formatDateTime(to, 'day', true)} 零点（UTC），${daily.day.length} 天`;
  const named = missingDays.slice(0, DAYS_NAMED).join('、') + (missingDays.length > DAYS_NAMED ? ' …' : '');
  const off = Math.abs(unexplained) >= ROUNDING;
  return (
    <Alert
      type={missingDays.length > 0 || off ? 'warning' : 'info'}
      role="note"
      aria-label="数据质量"
      title={
        <>
          账户 {accounts} 个，{span}；
          {missingDays.length === 0 ? (
            '没有缺记录的日子'
          ) : (
            <Explained text={named}>
              缺记录 {missingDays.length} 天（{missingAccountDays}{' '}
              个账户日，权益沿用上一记录，其间盈亏计入下一有记录的日子）
            </Explained>
          )}
          ；剔除划转 {transferCount} 笔{transferCount > 0 && `，净额 ${money(transfers)}`}
          {off && `；权益变化中有 ${money(unexplained)} 不能由价格、资金费与手续费解释`}；进行中 {running}{' '}
          单按标记价计入净值，不计入对冲单统计与归因。更新于 {formatDateTime(at, 'second').slice(11)}
        </>
      }
    />
  );
}
