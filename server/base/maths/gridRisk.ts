import { type GridShape, levelPrices } from './grid';
import type { GridNote } from './gridLadder';
import { liquidationPrice } from './liquidation';

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
