import type { GridParams } from '#contract/grid';
import type { TradingTerms } from '../../exchange/venue';
import { cellQuantity, levelPrices } from '../../maths/grid';
import type { GridNote } from '../../maths/gridLadder';
import type { Need } from '../entries';

type Steps = Pick<TradingTerms, 'tickSize' | 'lotSize'>;

/** How a grid begins at a price: which cells buy first, and which hold from the beginning. */
export function noteAt(params: GridParams, { tickSize, lotSize }: Steps, price: number): GridNote {
  const { cells, direction, legNotional } = params;
  const levels = levelPrices(params, Number(tickSize));
  const quantity = String(cellQuantity(params, legNotional, Number(lotSize)));
  // The cell that the price is in, from its lower level.
  const here = levels.slice(0, -1).findLastIndex((level) => level < price);
  const starts = { long: [here + 1, cells - here - 1], short: [0, here], neutral: [0, 0] } as const;
  const anchor = { long: cells, short: 0, neutral: here + 1 }[direction];
  const [startFrom, startCells] = starts[direction];
  return { tickSize, lotSize, quantity, anchor, startFrom, startCells };
}

/** What each side takes of its account when it holds all it can, and what going in and out at once costs. */
export function gridNeeds({ cells, legNotional, leverage }: GridParams, { anchor }: GridNote, takerFee: number) {
  const of = (share: number): Need => ({ margin: share * legNotional * (1 / leverage + 2 * takerFee), cash: 0 });
  return { long: of(anchor / cells), short: of(1 - anchor / cells) };
}
