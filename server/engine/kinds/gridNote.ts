import type { GridParams } from '#contract/grid';
import type { GridNote } from '../../maths/gridLadder';
import type { Need } from '../entries';

/** What each side takes of its account when it holds all it can, and what going in and out at once costs. */
export function gridNeeds({ cells, legNotional, leverage }: GridParams, { anchor }: GridNote, takerFee: number) {
  const of = (share: number): Need => ({ margin: share * legNotional * (1 / leverage + 2 * takerFee), cash: 0 });
  return { long: of(anchor / cells), short: of(1 - anchor / cells) };
}
