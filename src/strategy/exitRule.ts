import type { ExitMeasure, ExitRule } from '#contract/dealOutlook';
import { HOUR_MS } from '#contract/duration';
import { formatDateTime } from '@/components/DateTime';
import { durationText } from '@/components/Duration';
import { formatNumber, priceDigits } from '@/components/formatNumber';

const percent = (digits: number) => (value: number) => `${formatNumber(value * 100, { digits })}%`;

const MEASURES: Record<ExitMeasure, [name: string, words: (value: number) => string]> = {
  net: ['净盈亏', (value) => `${formatNumber(value, { digits: 2 })} USDT`],
  held: ['持有', durationText],
  instant: ['时间', (value) => formatDateTime(value)],
  apr: ['费率年化', percent(2)],
  rate: ['预测费率', percent(4)],
  level: ['平仓价差', percent(3)],
  z: ['z', (value) => formatNumber(value, { digits: 2 })],
  price: ['价格', (value) => formatNumber(value, { digits: priceDigits(value) })],
};

const UNREAD = '读不到';

/** At what it closes. */
export const exitText = ({ by, at, falls }: ExitRule): string => {
  const [name, words] = MEASURES[by];
  return `${name} ${falls ? '≤' : '≥'} ${words(at)}`;
};

/** Where what it looks at stands. */
export const standText = ({ by, now, at }: ExitRule): string => {
  if (now === null) return UNREAD;
  return by === 'instant' ? `还有 ${durationText((at - now) / HOUR_MS)}` : MEASURES[by][1](now);
};

/** What it waits for before it acts. */
export function gateText({ is, now, at }: NonNullable<ExitRule['gate']>): string {
  switch (is) {
    case 'breakEven':
      return `开仓成本赚回之前不看：已结算 ${now} / ${at} 次`;
    case 'minHolding':
      return `最短持有之前不看：已持有 ${durationText(now ?? 0)} / ${durationText(at ?? 0)}`;
    case 'negativeRate':
      return '费率转负之后才看';
    case 'prices':
      return '等两腿的新价格';
  }
}

/** The same beside the rule. */
const GATE_BRIEFLY: Record<NonNullable<ExitRule['gate']>['is'], string> = {
  breakEven: '回本前不看',
  minHolding: '未到最短持有',
  negativeRate: '转负后才看',
  prices: '等新价格',
};

/** Rules that only time brings about. */
const IN_TIME: readonly ExitMeasure[] = ['held', 'instant'];
/** What any kind may have: a loss, a gain, an end. */
const COMMON: readonly ExitMeasure[] = ['net', ...IN_TIME];

/** What is waited for in one line: how it stands, and at what it closes. */
function lineOf(rule: ExitRule): string {
  const [name, words] = MEASURES[rule.by];
  const stands = rule.now === null ? UNREAD : words(rule.now);
  const gate = rule.gate === null ? '' : `（${GATE_BRIEFLY[rule.gate.is]}）`;
  return `${name} ${stands}，${rule.falls ? '≤' : '≥'} ${words(rule.at).replace(' USDT', '')} 平${gate}`;
}

const hoursLeft = ({ by, now, at }: ExitRule): number =>
  now === null ? Number.POSITIVE_INFINITY : by === 'instant' ? (at - now) / HOUR_MS : at - now;

/** Two lines: what of the market a deal is held for and at what that ends, and when time ends it; else the other limits. */
export function exitLines(rules: readonly ExitRule[]): string[] {
  const own = rules.filter(({ by }) => !COMMON.includes(by));
  const [soonest] = rules.filter(({ by }) => IN_TIME.includes(by)).toSorted((a, b) => hoursLeft(a) - hoursLeft(b));
  const limits = rules.filter(({ by }) => by === 'net');
  const lines = [...own.slice(0, 1), ...limits].map(lineOf);
  const end =
    soonest && Number.isFinite(hoursLeft(soonest)) ? `最迟 ${durationText(hoursLeft(soonest))}后平` : undefined;
  return end === undefined ? lines.slice(0, 2) : [...lines.slice(0, 1), end];
}
