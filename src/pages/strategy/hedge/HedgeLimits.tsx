import type { HedgeLimit, HedgeRow } from '#contract/kinds/hedge/desk';
import { durationText } from '@/components/Duration';
import { formatNumber } from '@/components/formatNumber';
import { LimitBar } from '@/components/LimitBar';
import { whyHeld } from '@/strategy/whyHeld';
import styles from './index.module.css';

const usdt = (value: number) => `${formatNumber(value, { digits: 2 })} USDT`;
/** The same in few words: cents do not count of much. */
const usdtLeft = (value: number) => `${formatNumber(value, { digits: value < 100 ? 2 : 0 })} USDT`;
const zs = (value: number) => `z ${formatNumber(value, { digits: 2 })}`;

const RULES = [
  { key: 'stop', label: '距止损', rule: '止损', words: usdt, brief: usdtLeft, meaning: 'bad', reason: 'stopLoss' },
  { key: 'target', label: '距止盈', rule: '止盈', words: usdt, brief: usdtLeft, meaning: 'good', reason: 'takeProfit' },
  { key: 'exit', label: '距 z 出场', rule: 'z 出场', words: zs, brief: zs, meaning: 'good', reason: 'exitZ' },
  {
    key: 'longest',
    label: '距到期',
    rule: '最长持有',
    words: durationText,
    brief: durationText,
    meaning: 'plain',
    reason: 'maxHolding',
  },
] as const;
type Rule = (typeof RULES)[number];

const textOf = ({ rule, words }: Rule, { limit, left, used }: HedgeLimit) =>
  `${rule} ${words(limit)}，${left > 0 ? `还差 ${words(left)}` : '已到'}，已走 ${Math.round(used * 100)}%`;

type Limits = Pick<HedgeRow, Rule['key']>;

const rulesOf = (row: Limits) =>
  RULES.flatMap((rule) => {
    const limit = row[rule.key];
    return limit === null ? [] : [{ rule, limit }];
  });

/** Why a hedge is still held, and how near it is to what closes it. */
export function HedgeOutlook({ row }: { row: HedgeRow }) {
  const rules = rulesOf(row).map(({ rule, limit }) => ({ reason: rule.reason, isMet: limit.left <= 0 }));
  const isUnread = row.state === 'open' && row.net === null && row.frozen === null;
  return (
    <div className={styles.outlook}>
      <div className="soft">{isUnread ? '没有标记价，止损与止盈读不到' : whyHeld(row, rules)}</div>
      {rules.length > 0 && <HedgeLimits row={row} />}
    </div>
  );
}

/** How near a hedge is to its stop, its target, its z and its longest hold, each as a bar. */
export function HedgeLimits({ row }: { row: Limits }) {
  const shown = rulesOf(row);
  if (shown.length === 0) return <span className="missing">-</span>;
  return (
    <div className={styles.limits}>
      {shown.map(({ rule, limit }) => (
        <LimitBar
          key={rule.key}
          label={rule.label}
          used={limit.used}
          figure={rule.brief(Math.max(0, limit.left))}
          text={textOf(rule, limit)}
          meaning={rule.meaning}
        />
      ))}
    </div>
  );
}
