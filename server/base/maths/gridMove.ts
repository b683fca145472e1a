import { type GridShape, gridProfits, levelPrice, levelPrices } from './grid';
import { type GridCell, type GridLeg, type GridNote, type GridShift, movedShape } from './gridLadder';

interface Moved {
  shift: GridShift;
  lower: number;
  upper: number;
  /** F27 a unit of the narrowest cell. */
  least: number;
  /** What it may come to hold more than before, USDT at the upper bound. */
  grows: number;
}

interface Asked {
  /** Cells; up is positive. */
  by: number;
  /** Those of before, with what they hold. */
  cells: readonly GridCell[];
  makerFee: number;
  /** Fees of purchases are taken in the coin. */
  inCoin?: boolean;
  /** UTC ms. */
  at: number;
}

const sidesOf = (long: number) => ({ long, short: 1 - long });

/**
 * A range moved by so many cells: up is positive. Each leg may take what its cells can hold then, and what it still holds in
 * cells that the range has left.
 * @returns `null` where a level would be 0 or less.
 */
export function movedRange(shape: GridShape, note: GridNote, { by, cells, makerFee, inCoin, at }: Asked): Moved | null {
  const first = (note.shifts?.at(-1)?.first ?? 0) + by;
  const tick = Number(note.tickSize);
  const [lower, upper] = [levelPrice(shape, tick, first), levelPrice(shape, tick, first + shape.cells)];
  if (!(lower > 0)) return null;
  const empty: GridShift = { at, first, weights: { long: 0, short: 0 } };
  const moved = movedShape(shape, { ...note, shifts: [empty] });
  const { least } = gridProfits(levelPrices(moved.shape, tick), makerFee, inCoin)!;
  const left = (leg: GridLeg) =>
    cells.filter((one) => one.leg === leg && !one.held.eq(0) && (one.cell < first || one.cell >= first + shape.cells))
      .length;
  const long = moved.note.anchor / shape.cells;
  const weightOf = (share: number, behind: number) => (share + behind / shape.cells) * (upper / shape.upper);
  const weights = { long: weightOf(long, left('long')), short: weightOf(1 - long, left('short')) };
  const before = note.shifts?.at(-1)?.weights ?? sidesOf(note.anchor / shape.cells);
  const most = (of: GridShift['weights']) => Math.max(of.long, of.short);
  const grows = Math.max(0, most(weights) - most(before)) * Number(note.quantity) * shape.cells * shape.upper;
  return { shift: { at, first, weights }, lower, upper, least, grows };
}
