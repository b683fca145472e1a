import type { FundingFilter } from '#contract/kinds/fundingRate/scan';
import { formatNumber } from '@/components/formatNumber';
import { venueLabel } from '@/scan/venueLabel';
import { CARRY_LABEL } from './fundingColumns';
import type { FundingState } from './fundingQuery';

/** Only those that are set are put into words. */
type Words = { [F in FundingFilter]: (state: Pick<FundingState, F>) => string };

const wan = (value: number | null): string => `${formatNumber((value ?? 0) / 1e4, { digits: 0 })} 万`;

/** What each filter asks of a row. */
export const FILTER_WORDS: Words = {
  search: ({ search }) => `币种含「${search.trim()}」`,
  source: ({ source }) => `交易所为 ${venueLabel(source ?? '')}`,
  direction: ({ direction }) => `方向为${direction === null ? '' : CARRY_LABEL[direction]}`,
  actionable: ({ actionable }) => (actionable === '1' ? '现在可开仓' : '有阻碍'),
  // Twelve digits hide what a product of decimals adds.
  minApr: ({ minApr }) => `年化 ≥ ${Number(((minApr ?? 0) * 100).toPrecision(12))} %`,
  maxBreakEvenHours: ({ maxBreakEvenHours }) => `回本 ≤ ${maxBreakEvenHours} 小时`,
  minTurnover: ({ minTurnover }) => `成交额 ≥ ${wan(minTurnover)}`,
  minDepth: ({ minDepth }) => `深度 ≥ ${wan(minDepth)}`,
  top: ({ top }) => `成交额前 ${top} 名`,
  lowAdl: () => 'ADL 不高于 2',
};
