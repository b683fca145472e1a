import { BAR_MS } from '#contract/candle';
import { DAY_MS } from '#contract/duration';
import type { Market } from '../exchange/exchange';
import { commonTimes, usableCloses, valuesAt } from '../maths/closes';
import { type Past, pastOf } from '../maths/standing';
import { readBehind } from './readBehind';
import type { Quoted } from './sight';

/** The basis at the closes of the last 90 days; `short` where both legs have fewer than 30 days of them. */
export type BasisPast = Past | 'short' | 'pending';

export const BAR = '4h';
const WINDOW_MS = 90 * DAY_MS;
const LEAST_MS = 30 * DAY_MS;

interface Asked {
  near: Quoted;
  far: Quoted;
  /** UTC ms. */
  now: number;
}

/** Tells at once what is known of a basis; see `readBehind`. */
export function createBasisPast(): (near: Quoted, far: Quoted, now: number) => BasisPast {
  const known = readBehind(readPast);
  return (near, far, now) => {
    const key = `${near.market.source} ${near.instrument.symbol} ${far.instrument.symbol}`;
    return known(key, near.market.version(), { near, far, now }) ?? 'pending';
  };
}

/** The basis at the common closes of the last 90 days, as fractions, and both closes; `null` where a leg has no candles. @param now UTC ms. */
export async function basisCurve(
  market: Market,
  near: string,
  far: string,
  now: number,
): Promise<{ time: Float64Array; basis: Float64Array; near: Float64Array; far: Float64Array } | null> {
  const range = { start: now - WINDOW_MS };
  const [ours, theirs] = await Promise.all([near, far].map((symbol) => market.candles(symbol, BAR, range)));
  if (!ours || !theirs) return null;
  const [nearCloses, farCloses] = [usableCloses(ours), usableCloses(theirs)];
  const times = commonTimes([nearCloses.time, farCloses.time]);
  const nearValues = valuesAt(nearCloses.time, nearCloses.close, times);
  const farValues = valuesAt(farCloses.time, farCloses.close, times);
  const basis = farValues.map((value, i) => value / nearValues[i]! - 1);
  return { time: times, basis, near: nearValues, far: farValues };
}

async function readPast({ near, far, now }: Asked): Promise<Past | 'short'> {
  const curve = await basisCurve(near.market, near.instrument.symbol, far.instrument.symbol, now);
  const time = curve?.time ?? [];
  const span = time.length === 0 ? 0 : time.at(-1)! - time[0]! + BAR_MS[BAR];
  return span < LEAST_MS ? 'short' : (pastOf(curve!.basis) ?? 'short');
}
