import type { ExitRule } from '#contract/dealOutlook';
import type { DealRow } from '#contract/strategyRow';
import { CLOSE_REASON_LABEL } from '@/components/labels';

export type Held = Pick<DealRow, 'state' | 'frozen' | 'unguarded' | 'closeAsked'>;

/** In one sentence why a deal is still held. */
export function whyHeld(
  { state, frozen, unguarded, closeAsked }: Held,
  rules: readonly Pick<ExitRule, 'reason' | 'isMet'>[],
): string {
  if (frozen !== null) return '已冻结：不发送委托，平仓条件也不会触发，先处理冻结';
  if (unguarded) return '无人看护：策略已停止，下面的条件都不会触发，只能手动平仓或先接管';
  if (state === 'closing' || closeAsked) return '正在平仓，还没有平完';
  if (state === 'waiting' || state === 'opening') return '正在建仓，两腿建成后才看平仓条件';
  const met = rules.find(({ isMet }) => isMet);
  if (met) return `「${CLOSE_REASON_LABEL[met.reason]}」的条件已到，等待平仓`;
  if (rules.length === 0) return '没有设自动平仓的条件，只会由人平仓';
  return `${rules.length} 个平仓条件都还没有到`;
}
