import type { HedgeDesk } from '#contract/hedgeConfig';
import { clockWordsOf } from '@/components/clockWords';
import { formatNumber } from '@/components/formatNumber';
import { LimitBar } from '@/components/LimitBar';
import { Missing } from '@/components/Missing';
import { Pnl } from '@/components/Pnl';
import styles from './index.module.css';

const UNKNOWN = '今日的记账还没有开始，或有持仓没有标记价';
const usdt = (value: number) => formatNumber(value, { digits: 2 });

/** How much of the daily loss limit is used, always in sight, with the boundary of the day. */
export function DayLoss({ desk: { day, dayPnl, loss } }: { desk: Pick<HedgeDesk, 'day' | 'dayPnl' | 'loss'> }) {
  const { used, limit, share } = loss;
  const words = `${used === null ? '-' : usdt(used)} / ${limit === null ? '未设上限' : `${usdt(limit)} USDT`}`;
  return (
    <section className={styles.dayLoss} aria-label="单日亏损">
      <LimitBar
        label="今日已用 / 上限"
        used={share ?? 0}
        figure={used === null ? <Missing reason={UNKNOWN} /> : words}
        text={words}
        meaning="bad"
      />
      <span className="soft">
        今日盈亏 <Pnl value={dayPnl} unit="USDT" reason={UNKNOWN} />
        ，自 {clockWordsOf(day.start)}
      </span>
    </section>
  );
}
