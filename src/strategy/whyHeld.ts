import type { ExitRule } from '#contract/dealOutlook';
import type { DealRow } from '#contract/strategyRow';
import { CLOSE_REASON_LABEL } from '@/components/labels';

export type Held = Pick<DealRow, 'state' | 'frozen' | 'unguarded' | 'closeAsked'> & Partial<Balance>;
type Balance = Pick<DealRow, 'uneven' | 'taken'> & {
  reducing: number | null | undefined;
  legs: readonly { quantity?: string }[];
};
type Rules = readonly Pick<ExitRule, 'reason' | 'isMet'>[];

/** Whether legs are apart and nobody brings them together but a person: the engine is not at work on them. */
export const isLeftUneven = ({ state, closeAsked, reducing, uneven }: Held): boolean =>
  state === 'open' && !closeAsked && reducing == null && uneven === true;

/** What keeps the rules that close a deal from being looked at, or what they have come to; null while they all wait. */
export function whyNow(deal: Held, rules: Rules): string | null {
  const { state, frozen, unguarded, closeAsked } = deal;
  if (frozen !== null) return '已冻结：不发送委托，平仓条件也不会触发，先处理冻结';
  if (unguarded) return '无人看护：策略已停止，平仓条件都不会触发，只能手动平仓或先接管';
  const isFlat = deal.legs?.every(({ quantity }) => Number(quantity) === 0) ?? false;
  if (state === 'closing' && isFlat) return '两腿已平，正在核对交易所的持仓；对不上就不算平完，见「与交易所核对」';
  if (state === 'closing' || closeAsked) return '正在平仓，还没有平完';
  if (state === 'waiting' || state === 'opening') return '正在建仓，两腿建成后才看平仓条件';
  if (deal.taken) return deal.taken;
  if (isLeftUneven(deal)) return '两腿数量不等，多出的部分没有对冲，也不会自己补上：请补齐或退回；平仓条件照常';
  const met = rules.find(({ isMet }) => isMet);
  return met ? `「${CLOSE_REASON_LABEL[met.reason]}」的条件已到，等待平仓` : null;
}

const BY_HAND = '没有设自动平仓的条件，只会由人平仓';

/** In one sentence why a deal is still held. @param unruled of one that no rule closes */
export const whyHeld = (deal: Held, rules: Rules, unruled = BY_HAND): string =>
  whyNow(deal, rules) ?? (rules.length === 0 ? unruled : `${rules.length} 个平仓条件都还没有到`);
