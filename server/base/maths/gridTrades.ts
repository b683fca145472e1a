import Big from 'big.js';
import { ZERO } from './decimal';
import { type GridNote, START_SLOT, startShare, type Traded } from './gridLadder';
import { type HeldCost, movedBy } from './heldCost';
import type { SlotFill } from './slotFill';

/** What was bought and sold in one cell. */
export interface Matched {
  cell: number;
  /** UTC ms, of the fill that matched, and of the first one that it was matched with. */
  at: number;
  from: number;
  /** Base currency. */
  quantity: Big;
  /** Average prices, USDT a coin. */
  entry: Big;
  exit: Big;
  /** Net of both fees (F27), USDT. */
  profit: Big;
  /** Whether the cell is flat with it, but for a part of a lot: a pair is complete. */
  completes: boolean;
}

interface Held extends HeldCost {
  /** Paid for what is held, USDT. */
  fees: Big;
  /** UTC ms. */
  since: number;
}

const EMPTY: Held = { quantity: ZERO, cost: ZERO, fees: ZERO, since: 0 };

/**
 * Matches what each cell has sold with what it bought, in the order of time; what was traded at the beginning is shared out over the
 * cells that hold from then on. Grid profit is the sum over what this finds, floating profit what of the net is left (F27).
 * @param fills ascending in time.
 */
export function matchedFills(note: GridNote, fills: readonly SlotFill[]): Matched[] {
  const held = startOf(note, fills);
  const isFlat = (quantity: Big) => quantity.abs().lt(note.lotSize);
  const found: Matched[] = [];
  for (const fill of fills) {
    const cell = Number(fill.slot);
    if (fill.slot === START_SLOT || !Number.isInteger(cell)) continue;
    const before = held.get(cell) ?? EMPTY;
    const { quantity, cost, realised } = movedBy(before, fill.signed, fill.price);
    const isExit = before.quantity.times(fill.signed).lt(0);
    if (!isExit) {
      const since = isFlat(before.quantity) ? fill.at : before.since;
      held.set(cell, { quantity, cost, fees: before.fees.plus(fill.fee), since });
      continue;
    }
    const taken = before.quantity.abs().lt(fill.signed.abs()) ? before.quantity.abs() : fill.signed.abs();
    const paid = before.fees.times(taken).div(before.quantity.abs());
    held.set(cell, { quantity, cost, fees: before.fees.minus(paid), since: before.since });
    found.push({
      cell,
      at: fill.at,
      from: before.since,
      quantity: taken,
      entry: before.cost.div(before.quantity),
      exit: fill.price,
      profit: realised.minus(paid).minus(fill.fee),
      completes: isFlat(quantity),
    });
  }
  return found;
}

function startOf(note: GridNote, fills: readonly SlotFill[]): Map<number, Held> {
  const own = fills.filter(({ slot }) => slot === START_SLOT);
  if (note.taken !== undefined) own.unshift(takenFill(note.taken));
  const sum = (part: (fill: SlotFill) => Big) => own.reduce((total, fill) => total.plus(part(fill)), ZERO);
  const started = sum(({ signed }) => signed);
  const held = new Map<number, Held>();
  if (started.eq(0)) return held;
  const cost = sum(({ signed, price }) => signed.times(price));
  const fees = sum(({ fee }) => fee);
  const traded: Traded = new Map([[START_SLOT, started]]);
  for (let i = 0; i < note.startCells; i += 1) {
    const cell = note.startFrom + i;
    const quantity = startShare(note, traded, cell);
    const share = (whole: Big) => whole.times(quantity).div(started);
    const since = own[0]!.at;
    if (!quantity.eq(0)) held.set(cell, { quantity, cost: share(cost), fees: share(fees), since });
  }
  return held;
}

/** The coin that a grid began with, as if it had been bought at the price of then without a fee. */
export const takenFill = ({ quantity, price, at }: NonNullable<GridNote['taken']>): SlotFill => ({
  slot: START_SLOT,
  at,
  signed: new Big(quantity),
  price: new Big(price),
  fee: ZERO,
});

/** What the pairs of a grid have made after fees, USDT. */
export const madeBy = (note: GridNote, fills: readonly SlotFill[]): number =>
  matchedFills(note, fills)
    .reduce((sum, { profit }) => sum.plus(profit), ZERO)
    .toNumber();

/** The part of what was put in (USDT) by which a grid has grown that puts in again what its pairs made; 0 while they have lost. */
export const grownBy = (made: number, capital: number): number => Math.max(0, made / capital);
