import { BAR_MS, type Bar } from '#contract/candle';
import { DAY_MS } from '#contract/duration';
import { barsOfCloses, type ClosedAt } from '../../base/maths/basis';
import { commonTimes, usableCloses, valuesAt } from '../../base/maths/closes';
import { type Past, pastOf } from '../../base/maths/pair';
import type { Market } from '../../market/exchange';
import { backgroundCache } from '../../market/scan/backgroundCache';
import type { Quoted } from '../../market/scan/sight';

/** The basis at the closes of the last 90 days; `short` where both legs have fewer than 30 days of them. */
export type BasisPast = Past | 'short' | 'pending';

export const BAR = '4h';
/** What every market that has those keeps as well, at hardly a cost. */
const FINEST = '1h';
const WINDOW_MS = 90 * DAY_MS;
const LEAST_MS = 30 * DAY_MS;

interface Asked {
  near: Quoted;
  far: Quoted;
  /** UTC ms. */
  now: number;
}

/** Tells at once what is known of a basis; see `backgroundCache`. */
export function createBasisPast(ended?: AbortSignal): (near: Quoted, far: Quoted, now: number) => BasisPast {
  const known = backgroundCache({
    read: readPast,
    keyOf: ({ near, far }) => `${near.market.source} ${near.instrument.symbol} ${far.instrument.symbol}`,
    versionOf: ({ near }) => near.market.version(),
    ended,
  });
  return (near, far, now) => known({ near, far, now }, far.instrument, near.instrument) ?? 'pending';
}

/** The basis at common closes, as fractions, with both closes; by the opening instants of the bars. */
interface BasisCurve {
  time: Float64Array;
  basis: Float64Array;
  near: Float64Array;
  far: Float64Array;
}

/** At the closes of the last 90 days; `null` where a leg has no such candles. @param now UTC ms. */
async function basisCurve(
  market: Market,
  near: string,
  far: string,
  now: number,
  bar: Bar = BAR,
): Promise<BasisCurve | null> {
  const range = { start: now - WINDOW_MS };
  const [ours, theirs] = await Promise.all([near, far].map((symbol) => market.candles(symbol, bar, range)));
  if (!ours || !theirs) return null;
  const [nearCloses, farCloses] = [usableCloses(ours), usableCloses(theirs)];
  const times = commonTimes([nearCloses.time, farCloses.time]);
  const nearValues = valuesAt(nearCloses.time, nearCloses.close, times);
  const farValues = valuesAt(farCloses.time, farCloses.close, times);
  const basis = farValues.map((value, i) => value / nearValues[i]! - 1);
  return { time: times, basis, near: nearValues, far: farValues };
}

/** A basis as bars, whose closes are its curve. */
interface BasisBars extends BasisCurve {
  open: Float64Array;
  high: Float64Array;
  low: Float64Array;
  /** The bars by whose closes opens and extremes are known. */
  finest: Bar;
}

const closedAt = ({ time, basis }: BasisCurve, bar: Bar): ClosedAt => ({ time, value: basis, barMs: BAR_MS[bar] });

/**
 * The basis of the last 90 days as bars. Highs of two legs are of different moments, so that the extremes are those of
 * the basis at the finest closes that both legs have.
 * @returns `null` where a leg has no candles. @param now UTC ms.
 */
export async function basisBars(market: Market, near: string, far: string, now: number): Promise<BasisBars | null> {
  const [curve, finer] = await Promise.all([
    basisCurve(market, near, far, now),
    basisCurve(market, near, far, now, FINEST),
  ]);
  if (curve === null) return null;
  const bars = closedAt(curve, BAR);
  if (finer === null || finer.time.length === 0) return { ...curve, ...barsOfCloses(bars, bars), finest: BAR };
  return { ...curve, ...barsOfCloses(bars, closedAt(finer, FINEST)), finest: FINEST };
}

async function readPast({ near, far, now }: Asked): Promise<Past | 'short'> {
  const curve = await basisCurve(near.market, near.instrument.symbol, far.instrument.symbol, now);
  const time = curve?.time ?? [];
  const span = time.length === 0 ? 0 : time.at(-1)! - time[0]! + BAR_MS[BAR];
  return span < LEAST_MS ? 'short' : (pastOf(curve!.basis) ?? 'short');
}
