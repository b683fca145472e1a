import type { HedgePair } from '#contract/kinds/hedge/config';
import type { HedgeRow } from '#contract/kinds/hedge/desk';
import { REARM_VERB } from '@/components/labels';
import type { RealMoneyAt } from '@/components/RealMoney';
import { realOfDeal } from '@/strategy/realMoney';

export type Sides = Pick<HedgeRow, 'long' | 'short'>;
export const sidesOf = ({ long, short }: Sides) => `多 ${long} / 空 ${short}`;

/** Where a hedge moves real money. */
export const realOfHedge = (row: Pick<HedgeRow, 'mode' | 'source'>): RealMoneyAt =>
  realOfDeal({ mode: row.mode, legs: [row] });

export type Reopened = Partial<Pick<HedgePair, 'block' | 'held'>>;

/** What opening a pair once more is called, by why it is not opened now. */
export const reopenVerb = ({ block, held }: Reopened): string =>
  held ? REARM_VERB[held.hold] : block === 'unarmed' ? '建仓' : '再开一次';
