import Big from 'big.js';
import type { PaperOrder } from '../../db/paperOrder';
import { larger, money, ZERO } from '../../maths/decimal';
import { symbolKey } from '../symbolKey';
import { type Boards, listedOn } from './marketFeed';
import type { PaperAccount, PaperPosition } from './paperAccount';
import { HIGHEST_MAINTENANCE_RATE } from './tradingTerms';

type Holdings = Pick<PaperAccount, 'cash' | 'positions' | 'resting'>;

/** USDT. */
interface Margin {
  equity: Big;
  initial: Big;
  maintenance: Big;
}

/** What may come of one symbol: the position, and the resting orders that open. */
interface Exposure {
  source: string;
  symbol: string;
  held: Big;
  buys: Big;
  sells: Big;
  leverage: number;
}

/** What of a resting order is still to be filled. */
export const remainingOf = ({ order, report }: PaperOrder): Big => new Big(order.quantity).minus(report.filledQuantity);

/**
 * Cash plus positions at their marks against what they need. Resting orders that open hold margin for the
 * larger of what buying and what selling alone would lead to.
 * @throws when a position has no price: then nobody knows.
 */
export function marginOf({ cash, positions, resting }: Holdings, boards: Boards): Margin {
  let equity = cash;
  let initial = ZERO;
  let maintenance = ZERO;
  for (const { source, symbol, held, buys, sells, leverage } of exposures(positions, resting)) {
    const listed = listedOn(boards, { source, symbol });
    if (!listed) throw new Error(`no price for ${source} ${symbol}`);
    const worst = larger(held.plus(buys).abs(), larger(held.minus(sells).abs(), held.abs()));
    equity = equity.plus(held.times(listed.mark));
    initial = initial.plus(worst.times(listed.mark).div(leverage));
    maintenance = maintenance.plus(held.abs().times(listed.mark).times(listed.terms.maintenanceRate));
  }
  return { equity, initial: money(initial), maintenance: money(maintenance) };
}

function exposures(
  positions: ReadonlyMap<string, PaperPosition>,
  resting: ReadonlyMap<string, PaperOrder>,
): Iterable<Exposure> {
  const bySymbol = new Map<string, Exposure>();
  for (const [key, { source, symbol, quantity, leverage }] of positions) {
    bySymbol.set(key, { source, symbol, held: quantity, buys: ZERO, sells: ZERO, leverage });
  }
  for (const stored of resting.values()) {
    const { order } = stored;
    if (order.reduceOnly) continue;
    const key = symbolKey(order);
    const { source, symbol, leverage } = order;
    const known = bySymbol.get(key) ?? { source, symbol, held: ZERO, buys: ZERO, sells: ZERO, leverage };
    const remaining = remainingOf(stored);
    if (order.side === 'buy') known.buys = known.buys.plus(remaining);
    else known.sells = known.sells.plus(remaining);
    known.leverage = Math.min(known.leverage, leverage);
    bySymbol.set(key, known);
  }
  return bySymbol.values();
}

/** Room for the rounding of binary numbers, so that the quick look never misses what the exact one would find. */
const CAUTION = 1 + 1e-6;

/**
 * A quick look at whether the account may have to be liquidated: with the highest rate that any coin has,
 * because most accounts are far from it. False where a price is missing.
 */
export function mayBeLiquidated({ cash, positions }: PaperAccount, boards: Boards): boolean {
  if (positions.size === 0) return false;
  let equity = cash.toNumber();
  let gross = 0;
  for (const position of positions.values()) {
    const listed = listedOn(boards, position);
    if (!listed) return false;
    const value = position.size * listed.mark;
    equity += value;
    gross += Math.abs(value);
  }
  return equity <= gross * HIGHEST_MAINTENANCE_RATE * CAUTION && equity <= maintenanceOf(positions, boards) * CAUTION;
}

function maintenanceOf(positions: PaperAccount['positions'], boards: Boards): number {
  let maintenance = 0;
  for (const position of positions.values()) {
    const listed = listedOn(boards, position);
    if (listed) maintenance += Math.abs(position.size) * listed.mark * listed.terms.maintenanceRate;
  }
  return maintenance;
}
