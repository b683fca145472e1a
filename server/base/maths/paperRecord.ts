import { DAY_MS } from '#contract/duration';

const DAYS_PER_YEAR = 365;

/** A deal that has ended. Money in USDT. */
export interface EndedDeal {
  /** Net APR on the notional of a leg that it was opened for, a fraction. */
  signal: number | null;
  /** Of a leg, at entry. */
  notional: number;
  heldMs: number;
  net: number;
  /** Exposure of one leg without the other, USDT x seconds. */
  naked: number;
}

/**
 * How much of what deals were opened for they brought (F33) = sum of net PnL / sum of (net APR x notional of a leg x days
 * / 365), over those that were opened for something.
 * @returns a fraction; `null` where nothing was promised
 */
export function keptPromise(deals: readonly EndedDeal[]): number | null {
  let [promised, made] = [0, 0];
  for (const { signal, notional, heldMs, net } of deals) {
    if (signal === null) continue;
    promised += (signal * notional * heldMs) / (DAYS_PER_YEAR * DAY_MS);
    made += net;
  }
  return promised > 0 ? made / promised : null;
}

/** For how long the worst of deals stood on one whole leg (F33) = exposure of one leg over time / notional of a leg, seconds. */
export function longestAlone(deals: readonly EndedDeal[]): number | null {
  const alone = deals.filter(({ notional }) => notional > 0).map(({ naked, notional }) => naked / notional);
  return alone.length === 0 ? null : Math.max(...alone);
}
