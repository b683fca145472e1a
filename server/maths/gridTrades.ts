import Big from 'big.js';
import { ZERO } from './decimal';
import { type GridNote, START_SLOT, startShare, type Traded } from './gridLadder';
import { type HeldCost, movedBy } from './heldCost';

/** A fill of a grid. */
export interface GridFill {
  slot: string;
  /** UTC ms. */
  at: number;
  /** Base currency; negative is sold. */
  signed: Big;
  /** USDT a coin. */
  price: Big;
  /** USDT, paid is positive. */
  fee: Big;
}

/** As the database keeps it: a side, and decimals as text. */
interface FillRow {
  slot: string | null;
  at: number;
  side: string;
  quantity: string;
  price: string;
  fee: string;
}

export function gridFill({ slot, at, side, quantity, price, fee }: FillRow): GridFill {
  const size = new Big(quantity);
  return { slot: slot ?? '', at, signed: side === 'buy' ? size : size.neg(), price: new Big(price), fee: new Big(fee) };
}

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
  /** Whether the cell is flat with it: a pair is complete. */
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
export function matchedFills(note: GridNote, fills: readonly GridFill[]): Matched[] {
  const held = startOf(note, fills);
  const found: Matched[] = [];
  for (const fill of fills) {
    const cell = Number(fill.slot);
    if (fill.slot === START_SLOT || !Number.isInteger(cell)) continue;
    const before = held.get(cell) ?? EMPTY;
    const { quantity, cost, realised } = movedBy(before, fill.signed, fill.price);
    const isExit = before.quantity.times(fill.signed).lt(0);
    if (!isExit) {
      const since = before.quantity.eq(0) ? fill.at : before.since;
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
      completes: quantity.eq(0),
    });
  }
  return found;
}

function startOf(note: GridNote, fills: readonly GridFill[]): Map<number, Held> {
  const own = fills.filter(({ slot }) => slot === START_SLOT);
  const sum = (part: (fill: GridFill) => Big) => own.reduce((total, fill) => total.plus(part(fill)), ZERO);
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

/** The part of what was put in by which its pairs have grown a grid that puts them in again; 0 while they have lost. */
export function grownBy(note: GridNote, fills: readonly GridFill[], capital: number): number {
  const made = matchedFills(note, fills).reduce((sum, { profit }) => sum.plus(profit), ZERO);
  return Math.max(0, made.toNumber() / capital);
}
