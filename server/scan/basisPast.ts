import { BAR_MS } from '#contract/candle';
import { DAY_MS } from '#contract/duration';
import { commonTimes, usableCloses, valuesAt } from '../maths/closes';
import { type Past, pastOf } from '../maths/standing';
import { readBehind } from './readBehind';
import type { Quoted } from './sight';

/** The basis at the closes of the last 90 days; `short` where both legs have fewer than 30 days of them. */
export type BasisPast = Past | 'short' | 'pending';

const BAR = '4h';
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

async function readPast({ near, far, now }: Asked): Promise<Past | 'short'> {
  const range = { start: now - WINDOW_MS };
  const [ours, theirs] = await Promise.all(
    [near, far].map(({ market, instrument }) => market.candles(instrument.symbol, BAR, range)),
  );
  if (!ours || !theirs) return 'short';
  const [nearCloses, farCloses] = [usableCloses(ours), usableCloses(theirs)];
  const times = commonTimes([nearCloses.time, farCloses.time]);
  const span = times.length === 0 ? 0 : times.at(-1)! - times[0]! + BAR_MS[BAR];
  if (span < LEAST_MS) return 'short';
  const nearValues = valuesAt(nearCloses.time, nearCloses.close, times);
  const farValues = valuesAt(farCloses.time, farCloses.close, times);
  return pastOf(farValues.map((value, i) => value / nearValues[i]! - 1)) ?? 'short';
}
