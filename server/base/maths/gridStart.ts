import type { GridDirection } from '#contract/kinds/grid/params';
import { cellQuantity, type GridShape, levelPrices } from './grid';
import type { GridNote } from './gridLadder';

interface Wished extends GridShape {
  direction: GridDirection;
  /** Of all cells at the upper bound, USDT. */
  legNotional: number;
}

/** How a grid begins at a price (USDT): which cells buy first, and which hold from the beginning. */
export function noteAt(
  params: Wished,
  { tickSize, lotSize }: Pick<GridNote, 'tickSize' | 'lotSize'>,
  price: number,
): GridNote {
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
