import { defined } from './statistics';

/** A hedge as it was traded; USDT. */
export interface LiveResult {
  /** Realised price PnL of both legs; what slippage cost is in it. */
  price: number;
  /** Received is positive. */
  funding: number;
  /** Paid is positive, as is `slippage` (against the mid at each decision). */
  fees: number;
  slippage: number;
  /** Notional that was filled, in and out. */
  traded: number;
}

/** Price result and funding of one leg in a run without costs; USDT. */
export interface LegResult {
  price: number;
  funding: number;
}

/** How large a leg of the run was, what was filled in truth, and what was aimed at; positive notionals at entry, USDT. */
export interface LegScale {
  run: LegResult;
  runNotional: number;
  filled: number;
  aimed: number;
}

/** The gap between a live hedge and its backtest; USDT. `slippage` + `fees` + `funding` + `missed` + `rest` = `gap`. */
export interface LiveGap {
  live: number;
  backtest: number;
  gap: number;
  /** Costs are negative. */
  slippage: number;
  fees: number;
  funding: number;
  missed: number;
  rest: number;
  traded: number;
  /** gap / traded x 10^4; `null` where nothing was traded. */
  bps: number | null;
}

/**
 * Live net (F11) - backtest net, split without a rest of its own. A leg of a run without costs and rebalancing is
 * proportional to its notional, so the run is scaled to what was aimed at (the backtest) and to what was filled:
 * - slippage = -(paid against the mid), fees = -(paid),
 * - funding = received - funding of the run at the filled notional,
 * - missed = run at the filled notional - run at the notional aimed at (fills missed, lot rounding),
 * - rest = live price result before slippage - price result of the run at the filled notional: instants of fills against
 *   closes of bars, rebalances, exits in parts.
 */
export function liveGap(live: LiveResult, legs: readonly LegScale[]): LiveGap {
  const filled = scaled(legs, ({ filled: notional }) => notional);
  const aimed = scaled(legs, ({ aimed: notional }) => notional);
  const net = live.price + live.funding - live.fees;
  const backtest = aimed.price + aimed.funding;
  const gap = net - backtest;
  return {
    live: net,
    backtest,
    gap,
    // Adding 0 turns the -0 of no costs into 0.
    slippage: -live.slippage + 0,
    fees: -live.fees + 0,
    funding: live.funding - filled.funding,
    missed: filled.price + filled.funding - backtest,
    rest: live.price + live.slippage - filled.price,
    traded: live.traded,
    bps: bpsOf(gap, live.traded),
  };
}

/** The gaps of several hedges together; `null` without any. */
export function totalGap(gaps: readonly LiveGap[]): LiveGap | null {
  if (gaps.length === 0) return null;
  const sum = (key: Exclude<keyof LiveGap, 'bps'>) => gaps.reduce((total, gap) => total + gap[key], 0);
  const [gap, traded] = [sum('gap'), sum('traded')];
  return {
    ...{ live: sum('live'), backtest: sum('backtest'), gap, slippage: sum('slippage'), fees: sum('fees') },
    ...{ funding: sum('funding'), missed: sum('missed'), rest: sum('rest'), traded, bps: bpsOf(gap, traded) },
  };
}

const bpsOf = (gap: number, traded: number): number | null => (traded > 0 ? defined((gap / traded) * 1e4) : null);

function scaled(legs: readonly LegScale[], notionalOf: (leg: LegScale) => number): LegResult {
  let price = 0;
  let funding = 0;
  for (const leg of legs) {
    const scale = notionalOf(leg) / leg.runNotional;
    price += leg.run.price * scale;
    funding += leg.run.funding * scale;
  }
  return { price, funding };
}
