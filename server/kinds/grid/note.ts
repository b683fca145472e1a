import { type GridParams, isSpotGrid } from '#contract/kinds/grid/params';
import type { Leg } from '#contract/lifecycle';
import { levelPrices } from '../../base/maths/grid';
import type { GridNote } from '../../base/maths/gridLadder';
import type { Need } from '../../engine/entries';

const NOTHING: Need = { margin: 0, cash: 0 };

/** Coin that the cells hold from the beginning, base currency. */
export const startCoin = ({ quantity, startCells }: GridNote): number => Number(quantity) * startCells;

/** Margin and cash of each side when it is full, with the cost of entering and exiting. */
export function gridNeeds(params: GridParams, note: GridNote, takerFee: number, price: number): Record<Leg, Need> {
  const { cells, legNotional, leverage } = params;
  if (isSpotGrid(params)) return { long: { margin: 0, cash: spotCash(params, note, takerFee, price) }, short: NOTHING };
  const of = (share: number): Need => ({ margin: share * legNotional * (1 / leverage + 2 * takerFee), cash: 0 });
  return { long: of(note.anchor / cells), short: of(1 - note.anchor / cells) };
}

/** USDT that a spot grid pays at most: each cell that waits below, and the coin it begins with where that is bought. */
function spotCash(params: GridParams, note: GridNote, takerFee: number, price: number): number {
  const waiting = levelPrices(params, Number(note.tickSize)).slice(0, note.startFrom);
  const below = waiting.reduce((sum, level) => sum + level * Number(note.quantity), 0);
  const bought = params.invest === 'base' ? 0 : (startCoin(note) * price) / (1 - takerFee);
  return below + bought;
}
