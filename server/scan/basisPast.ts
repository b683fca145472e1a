import { LRUCache } from 'lru-cache';
import { BAR_MS } from '#contract/candle';
import { DAY_MS } from '#contract/duration';
import { commonTimes, usableCloses, valuesAt } from '../maths/closes';
import { type Past, pastOf } from '../maths/standing';
import { inTurns } from './inTurns';
import type { Quoted } from './sight';

/** The basis at the closes of the last 90 days; `short` where both legs have fewer than 30 days of them. */
export type BasisPast = Past | 'short' | 'pending';

const BAR = '4h';
const WINDOW_MS = 90 * DAY_MS;
const LEAST_MS = 30 * DAY_MS;
const KEPT = 4_000;

interface Asked {
  key: string;
  version: string;
  near: Quoted;
  far: Quoted;
  now: number;
}

/**
 * Tells at once what is known of a basis, and works out what is not: candles of hundreds of instruments take seconds,
 * for which nobody waits. What was known of the version before holds until then.
 */
export function createBasisPast(): (near: Quoted, far: Quoted, now: number) => BasisPast {
  const kept = new LRUCache<string, { version: string; past: Past | 'short' }>({ max: KEPT });
  const waiting = new Map<string, Asked>();
  let isWorking = false;
  let failure: { reason: unknown } | undefined;

  async function work(): Promise<void> {
    isWorking = true;
    try {
      while (waiting.size > 0) {
        await inTurns([...waiting.values()], async (asked) => {
          kept.set(asked.key, { version: asked.version, past: await readPast(asked) });
          waiting.delete(asked.key);
        });
      }
    } catch (reason) {
      waiting.clear();
      failure = { reason };
    }
    isWorking = false;
  }

  return (near, far, now) => {
    if (failure) {
      const { reason } = failure;
      failure = undefined;
      throw reason;
    }
    const version = near.market.version();
    const key = `${near.market.source} ${near.instrument.symbol} ${far.instrument.symbol}`;
    const known = kept.get(key);
    if (known?.version !== version && !waiting.has(key)) waiting.set(key, { key, version, near, far, now });
    if (waiting.size > 0 && !isWorking) void work();
    return known?.past ?? 'pending';
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
