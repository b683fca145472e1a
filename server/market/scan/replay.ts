import { LRUCache } from 'lru-cache';
import { DAY_MS, HOUR_MS } from '#contract/duration';
import { type Obstacle, REPLAY_DAYS, type ReplaySpan } from '#contract/scan';
import { roundTrip } from '../../base/maths/basis';
import { depthWithin, openEdge, type Prices } from '../../base/maths/depth';
import type { Market } from '../exchange';
import { backgroundCache } from './backgroundCache';
import { Quoted } from './sight';

const REACH = 0.05;
const HIGH_ADL = 4;
const YOUNG_MS = 30 * DAY_MS;

/** USDT within 5 % that the thinner of the two books holds for selling one leg and buying the other. */
export function depthOfLegs(short: Quoted, long: Quoted): number | null {
  if (!short.sides || !long.sides) return null;
  return Math.min(depthWithin(short.sides.bids, REACH), depthWithin(long.sides.asks, REACH));
}

/** Best prices; `null` where a side of the book is empty. */
export function touchOf({ sides }: Quoted): Prices | null {
  const [bid, ask] = [sides?.bids.levels[0], sides?.asks.levels[0]];
  return bid && ask ? { bid: bid.ticks * sides!.bids.tick, ask: ask.ticks * sides!.asks.tick } : null;
}

/** What is risky of these legs whatever they make: near to being closed for others' losses, or listed of late. */
export function riskObstacles(legs: readonly Quoted[], now: number): Obstacle[] {
  const found: Obstacle[] = [];
  if (legs.some(({ terms }) => (terms?.adl ?? 0) >= HIGH_ADL)) found.push('adl');
  if (legs.some(({ instrument }) => now - instrument.listedAt < YOUNG_MS)) found.push('young');
  return found;
}

/** When an instrument was quoted that is looked at now, UTC ms: a venue that is out says nothing new. */
export const quotedAt = ({ ticker }: Quoted, isOut: boolean, at: number): number =>
  isOut ? Math.min(at, ticker.at) : at;

/** The smaller of two figures; `null` where one is not known. */
export const lesserOf = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? null : Math.min(a, b);

/** Of each span of a replay. */
export type BySpan<T> = Record<ReplaySpan, T>;

export const bySpan = <T>(of: (span: ReplaySpan) => T): BySpan<T> => ({ week: of('week'), month: of('month') });

/** Average prices of an instrument at a size where each span began; `null` where nobody quoted that much, or it was not listed. */
export type PricesBefore = BySpan<Prices | null>;

/** Instruments at the sizes that somebody looks at. */
const KEPT = 20_000;

const read = new WeakMap<Market, LRUCache<string, { version: string; prices: PricesBefore }>>();

/** Read from the books of then, counted back from the last full hour, so that all who ask within one see the same. @param size USDT. @param now UTC ms */
export function pricesBefore(quoted: Quoted, size: number, now: number): PricesBefore {
  const { market, instrument } = quoted;
  const kept = read.get(market) ?? new LRUCache({ max: KEPT });
  read.set(market, kept);
  const key = `${instrument.symbol} ${size}`;
  const version = market.version();
  const known = kept.get(key);
  if (known?.version === version) return known.prices;
  const until = now - (now % HOUR_MS);
  const prices = bySpan((span) => pricesAt(quoted, size, until - REPLAY_DAYS[span] * DAY_MS));
  kept.set(key, { version, prices });
  return prices;
}

function pricesAt({ market, instrument, ticker }: Quoted, size: number, at: number): Prices | null {
  if (instrument.listedAt > at) return null;
  const then = new Quoted(market, instrument, ticker, at);
  return then.mid === null ? null : then.at(size / then.mid);
}

interface Asked {
  quoted: Quoted;
  size: number;
  now: number;
}

/** Tells at once what is known of the books of then; see `backgroundCache`. */
export function createPricesBefore(
  ended?: AbortSignal,
): (quoted: Quoted, size: number, now: number) => PricesBefore | undefined {
  const known = backgroundCache({
    read: async ({ quoted, size, now }: Asked) => pricesBefore(quoted, size, now),
    keyOf: ({ quoted: { market, instrument }, size }) => `${market.source} ${instrument.symbol} ${size}`,
    versionOf: ({ quoted }) => quoted.market.version(),
    ...{ max: KEPT, ended },
  });
  return (quoted, size, now) => known({ quoted, size, now }, quoted.instrument, size);
}

/** One leg of what is replayed. */
interface ReplayedLeg {
  before: PricesBefore | undefined;
  /** Sum of the rates that were settled; absent of what pays no funding. */
  settled?: BySpan<number | null> | undefined;
}

interface Replayed {
  long: ReplayedLeg;
  short: ReplayedLeg;
  /** Fractions of a leg's notional: the level left at now (F5), the fees that count, and interest a year. */
  leaveAt: number;
  fees: number;
  borrowApr: number | null;
}

/** What a row made in each span, under the names that its schema has. */
export interface Replays {
  replay7: number | null;
  replay30: number | null;
  /** What it takes of the past is still being read. */
  replaying?: boolean;
}

export const NO_REPLAYS: Replays = { replay7: null, replay30: null };
export const REPLAYING: Replays = { ...NO_REPLAYS, replaying: true };

/**
 * F30 of two legs: entered at the prices of then, left at those of now, with what was settled in between, a fraction of a
 * leg's notional. `null` where something of it is not known.
 */
export function replaysOf(replayed: Replayed): Replays {
  if (replayed.long.before === undefined || replayed.short.before === undefined) return REPLAYING;
  return { replay7: replayOver('week', replayed), replay30: replayOver('month', replayed) };
}

function replayOver(span: ReplaySpan, { long, short, leaveAt, fees, borrowApr }: Replayed): number | null {
  const bought = long.before?.[span];
  const sold = short.before?.[span];
  const paid = long.settled ? long.settled[span] : 0;
  const received = short.settled ? short.settled[span] : 0;
  if (!bought || !sold || paid === null || received === null) return null;
  const borrowed = ((borrowApr ?? 0) * REPLAY_DAYS[span]) / 365;
  return roundTrip(openEdge(sold, bought), leaveAt, fees + borrowed) + received - paid;
}

/** What lost both times is not opened. */
export const replayObstacles = ({ replay7, replay30 }: Replays): Obstacle[] =>
  replay7 !== null && replay30 !== null && replay7 < 0 && replay30 < 0 ? ['lostBefore'] : [];
