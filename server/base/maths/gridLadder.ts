import type Big from 'big.js';
import type { GridDirection } from '#contract/kinds/grid/params';
import { floorTo, smaller, ZERO } from './decimal';
import { cellQuantity, type GridShape, gridProfits, levelPrice, levelPrices } from './grid';
import { liquidationPrice } from './liquidation';

/** A range that a person moved: when (UTC ms), its first cell since, and the parts of its notional that each leg may take. */
export interface GridShift {
  at: number;
  first: number;
  weights: Record<GridLeg, number>;
}

/** What a grid noted when it began; its cells are numbered from the lower bound. */
export interface GridNote {
  tickSize: string;
  lotSize: string;
  /** Of each cell, base currency. */
  quantity: string;
  /** Cells below it buy first, this one and those above it sell first. */
  anchor: number;
  /** Cells that hold from the beginning: from the first of them up, and how many. */
  startFrom: number;
  startCells: number;
  /** Coin of the account that it began with in place of a purchase: base currency, USDT a coin, UTC ms. */
  taken?: { quantity: string; price: string; at: number };
  /** What it holds is to stay with the account: nothing is sold at its end. */
  keeps?: boolean;
  /** Ascending in time; none of a grid that follows the price by itself. */
  shifts?: readonly GridShift[];
}

/** The slot of what is bought or sold at the beginning, for all cells that hold from then on. */
export const START_SLOT = 'start';

export type GridLeg = 'long' | 'short';

/** One cell between two levels. */
export interface GridCell {
  /** Its slot too. */
  cell: number;
  leg: GridLeg;
  lower: number;
  upper: number;
  /** Base currency, signed: what it holds by the trades in its slot. */
  held: Big;
  /** Beyond the range since it was moved, and not there any more once it is flat. */
  isOutOfRange?: true;
}

/** What its cells have traded: signed base currency by slot, of everything that was sent for it. */
export type Traded = ReadonlyMap<string, Big>;

interface Ladder extends GridShape {
  trailing: boolean;
  note: GridNote;
}

/** What was traded by slot with the coin that a grid began with: that counts as its start. */
export function tradedWith({ taken }: Pick<GridNote, 'taken'>, bySlot: Traded): Traded {
  if (taken === undefined) return bySlot;
  return new Map(bySlot).set(START_SLOT, (bySlot.get(START_SLOT) ?? ZERO).plus(taken.quantity));
}

/** The number of a slot's cell; null for the start. */
const cellOf = (slot: string): number | null => (/^-?\d+$/.test(slot) ? Number(slot) : null);

/**
 * The first cell of the range now. It follows what was traded, so that nothing is to be remembered: the outermost cell
 * that anything was sent for belongs to it. One that does not follow is where a person has moved it.
 */
export function firstCell({ cells, trailing, note }: Ladder, traded: Traded): number {
  if (!trailing) return note.shifts?.at(-1)?.first ?? 0;
  const sent = [...traded.keys()].flatMap((slot) => cellOf(slot) ?? []);
  return note.anchor > 0 ? Math.max(0, Math.max(0, ...sent) - cells + 1) : Math.min(0, ...sent);
}

/** The range as it is now. */
export function cellsNow(ladder: Ladder, traded: Traded): GridCell[] {
  const first = firstCell(ladder, traded);
  const range = Array.from({ length: ladder.cells }, (_, i) => cellAt(ladder, traded, first + i));
  return [...range, ...leftCells(ladder, traded, first)].sort((a, b) => a.cell - b.cell);
}

/** Cells that a range was moved away from, and that still hold something. */
function leftCells(ladder: Ladder, traded: Traded, first: number): GridCell[] {
  const { cells, note } = ladder;
  if (note.shifts === undefined) return [];
  const started = Array.from({ length: note.startCells }, (_, i) => note.startFrom + i);
  const known = new Set([...[...traded.keys()].flatMap((slot) => cellOf(slot) ?? []), ...started]);
  return [...known]
    .filter((cell) => cell < first || cell >= first + cells)
    .map((cell) => ({ ...cellAt(ladder, traded, cell), isOutOfRange: true as const }))
    .filter(({ held }) => !held.eq(0));
}

/** The shape of a range as a person has moved it, with the cells that begin on either side counted from its own first one. */
export function movedShape(shape: GridShape, note: GridNote): { shape: GridShape; note: GridNote } {
  const first = note.shifts?.at(-1)?.first ?? 0;
  if (first === 0) return { shape, note };
  const { cells } = shape;
  const tick = Number(note.tickSize);
  const [lower, upper] = [levelPrice(shape, tick, first), levelPrice(shape, tick, first + cells)];
  const { anchor, startFrom } = note;
  const isOneSided = anchor === 0 || anchor === cells;
  const moved = isOneSided ? anchor : Math.min(cells, Math.max(0, anchor - first));
  return { shape: { ...shape, lower, upper }, note: { ...note, anchor: moved, startFrom: startFrom - first } };
}

export function cellAt(ladder: Ladder, traded: Traded, cell: number): GridCell {
  const { note } = ladder;
  const tick = Number(note.tickSize);
  return {
    cell,
    leg: legOf(ladder, cell),
    lower: levelPrice(ladder, tick, cell),
    upper: levelPrice(ladder, tick, cell + 1),
    held: (traded.get(String(cell)) ?? ZERO).plus(startShare(note, traded, cell)),
  };
}

/** Of a grid that follows the price, cells beyond its bounds are on its one side. */
const legOf = ({ cells, note: { anchor } }: Ladder, cell: number): GridLeg =>
  anchor === cells || (anchor > 0 && cell < anchor) ? 'long' : 'short';

/** What of the start fell to a cell: those nearest to the price of then have it first. */
export function startShare({ quantity, anchor, startFrom, startCells }: GridNote, traded: Traded, cell: number): Big {
  const place = cell - startFrom;
  const started = traded.get(START_SLOT);
  if (started === undefined || place < 0 || place >= startCells) return ZERO;
  // A long grid holds for the cells above the price, a short one for those below.
  const before = anchor > 0 ? place : startCells - 1 - place;
  const left = started.abs().minus(ZERO.plus(quantity).times(before));
  // The last one has what a rounded purchase has brought too much: a part of a lot.
  const own = before === startCells - 1 ? left : smaller(left, ZERO.plus(quantity));
  const part = left.lte(0) ? ZERO : own;
  return started.lt(0) ? part.neg() : part;
}

/** What a cell waits for: the one order that should rest for it. */
export interface CellOrder {
  side: 'buy' | 'sell';
  /** Whether it adds to the leg. */
  adds: boolean;
  price: number;
  quantity: Big;
}

/** With what cells are bought anew for, in which lots. */
export type Lots = Pick<GridNote, 'quantity' | 'lotSize'>;

/**
 * A rest too small for an order of its own is no holding: the next purchase takes it in. A fee in coin leaves parts of a lot,
 * which stay until they are one. @param least USDT
 */
export function orderOfCell(cell: GridCell, lots: Lots, least: number): CellOrder {
  const { quantity } = lots;
  const { leg, lower, upper } = cell;
  const held = wholeLots(cell, lots);
  const isHeld = isHolding(cell, lots, least);
  const price = (leg === 'long') === isHeld ? upper : lower;
  const side = price === upper ? 'sell' : 'buy';
  return { side, adds: !isHeld, price, quantity: isHeld ? held : ZERO.plus(quantity) };
}

const wholeLots = ({ held }: GridCell, { lotSize }: Lots): Big => floorTo(held.abs(), lotSize);

function isHolding(cell: GridCell, lots: Lots, least: number): boolean {
  const whole = wholeLots(cell, lots);
  return whole.gt(0) && whole.toNumber() * cell.lower >= least;
}

/** A cell with the order that is to rest for it. */
export interface GridOrder {
  at: GridCell;
  order: CellOrder;
  /** A person took its order back, and nobody has asked for its repair since. */
  isSuspended: boolean;
}

/** When people took orders back by slot, and when somebody last asked for the repair; UTC ms. */
export interface Withdrawn {
  bySlot: ReadonlyMap<string, number | null>;
  repairedAt: number | null;
}

/**
 * @param cells of the range now, and those that it was moved away from. @param note with what a cell is bought anew for.
 * @param least USDT of an order.
 */
export function gridOrdersOf(cells: readonly GridCell[], note: Lots, least: number, withdrawn: Withdrawn): GridOrder[] {
  const kept = cells.filter((at) => at.isOutOfRange !== true || isHolding(at, note, least));
  return kept.map((at) => {
    const withdrawnAt = withdrawn.bySlot.get(String(at.cell)) ?? null;
    const isSuspended = withdrawnAt !== null && withdrawnAt >= (withdrawn.repairedAt ?? 0);
    return { at, order: orderOfCell(at, note, least), isSuspended };
  });
}

/** Those for which something is to rest, the nearest to the price first. @param off nothing is added any more. */
export const nearestFirst = <R extends GridOrder>(
  gridOrders: readonly R[],
  price: number,
  entriesDisabled: boolean,
): R[] =>
  gridOrders
    .filter(({ order, isSuspended }) => !isSuspended && !(order.adds && entriesDisabled))
    .sort((a, b) => Math.abs(a.order.price - price) - Math.abs(b.order.price - price));

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

interface GridStake {
  shape: GridShape;
  note: GridNote;
  /** At which the cells that hold from the beginning were filled, or would be. */
  startPrice: number;
  /** What was put in, USDT. */
  capital: number;
}

/** All that one side of a grid comes to hold: base currency, and its average price. `null` where it has no cells. */
function wholeOf({ shape, note, startPrice }: GridStake, side: 'long' | 'short') {
  const levels = levelPrices(shape, Number(note.tickSize));
  let cost = 0;
  let cells = 0;
  for (let cell = 0; cell < shape.cells; cell += 1) {
    if (cell < note.anchor !== (side === 'long')) continue;
    const isStart = cell >= note.startFrom && cell < note.startFrom + note.startCells;
    cost += isStart ? startPrice : levels[side === 'long' ? cell : cell + 1]!;
    cells += 1;
  }
  return cells === 0 ? null : { quantity: cells * Number(note.quantity), average: cost / cells };
}

/**
 * Prices at which a grid that holds all it can would be liquidated if what was put in were all that stands behind it; `null`
 * where no price leads to it.
 */
export function gridLiquidation(stake: GridStake, maintenanceRate: number) {
  const priceOf = (side: 'long' | 'short') => {
    const whole = wholeOf(stake, side);
    if (whole === null) return null;
    const { quantity, average: mark } = whole;
    const signed = side === 'long' ? quantity : -quantity;
    const maintenance = quantity * mark * maintenanceRate;
    return liquidationPrice({ quantity: signed, mark, maintenanceRate, balance: stake.capital, maintenance });
  };
  return { low: priceOf('long'), high: priceOf('short') };
}

/** What is lost at most by prices at which it is left, USDT; `null` where one side has none. Fees are not in it. */
export function lossAtStops(stake: GridStake, stops: { low: number | null; high: number | null }): number | null {
  const [long, short] = [wholeOf(stake, 'long'), wholeOf(stake, 'short')];
  if ((long && stops.low === null) || (short && stops.high === null)) return null;
  const losses = [
    long && long.quantity * (long.average - stops.low!),
    short && short.quantity * (stops.high! - short.average),
  ];
  return Math.max(...losses.map((loss) => loss ?? 0));
}
