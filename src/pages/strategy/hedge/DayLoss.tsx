import type { HedgeDesk } from '#contract/kinds/hedge/config';
import { clockWordsOf } from '@/components/clockWords';
import { formatNumber } from '@/components/formatNumber';
import { LimitBar } from '@/components/LimitBar';
import { Missing } from '@/components/Missing';
import { Pnl } from '@/components/Pnl';
import styles from './index.module.css';

const UNKNOWN = '今日的记账还没有开始，或有持仓没有标记价';
const usdt = (value: number) => formatNumber(value, { digits: 2 });

interface DayLossProps {
  desk: Pick<HedgeDesk, 'day' | 'dayPnl' | 'accountLimit' | 'loss'>;
}

/** How much of the strategy's daily loss limit is used, always in sight, beside the account's day and its own limit. */
export function DayLoss({ desk: { day, dayPnl, accountLimit, loss } }: DayLossProps) {
  const { result, used, limit, share } = loss;
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
        对冲今日 <Pnl value={result} unit="USDT" reason={UNKNOWN} />
        ，账户今日 <Pnl value={dayPnl} unit="USDT" reason={UNKNOWN} />
        （账户上限 {accountLimit === null ? '未设' : `${usdt(accountLimit)} USDT`}），自 {clockWordsOf(day.start)}
      </span>
    </section>
  );
}
