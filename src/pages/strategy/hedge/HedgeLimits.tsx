import type { HedgeLimit, HedgeRow } from '#contract/kinds/hedge/desk';
import { formatNumber } from '@/components/formatNumber';
import { LimitBar } from '@/components/LimitBar';
import styles from './index.module.css';

const usdt = (value: number) => `${formatNumber(value, { digits: 2 })} USDT`;
const hours = (value: number) => `${formatNumber(value, { digits: 1 })} h`;

const RULES = [
  { key: 'stop', label: '距止损', rule: '止损', words: usdt, meaning: 'bad' },
  { key: 'target', label: '距止盈', rule: '止盈', words: usdt, meaning: 'good' },
  { key: 'longest', label: '距到期', rule: '最长持有', words: hours, meaning: 'plain' },
] as const;
type Rule = (typeof RULES)[number];

const textOf = ({ rule, words }: Rule, { limit, left, used }: HedgeLimit) =>
  `${rule} ${words(limit)}，${left > 0 ? `还差 ${words(left)}` : '已到'}，已走 ${Math.round(used * 100)}%`;

/** How near a hedge is to its stop, its target and its longest hold, each as a bar. */
export function HedgeLimits({ row }: { row: Pick<HedgeRow, 'stop' | 'target' | 'longest'> }) {
  const shown = RULES.flatMap((rule) => {
    const limit = row[rule.key];
    return limit === null ? [] : [{ rule, limit }];
  });
  if (shown.length === 0) return <span className="missing">-</span>;
  return (
    <div className={styles.limits}>
      {shown.map(({ rule, limit }) => (
        <LimitBar
          key={rule.key}
          label={rule.label}
          used={limit.used}
          figure={rule.words(Math.max(0, limit.left))}
          text={textOf(rule, limit)}
          meaning={rule.meaning}
        />
      ))}
    </div>
  );
}
