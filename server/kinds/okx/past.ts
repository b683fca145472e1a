import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/duration';
import { ARBITRAGE_DAYS, ARBITRAGE_STEP_MINUTES } from '#contract/scanPast';
import { mapYielding } from '../../base/work/loopTurns';
import type { Market } from '../../market/exchange';
import { Quoted } from '../../market/scan/sight';
import { touchBps } from './held';
import type { Offer } from './way';

const STEP_MS = ARBITRAGE_STEP_MINUTES * MINUTE_MS;
const PAST_MS = DAY_MS;
/** Samples of an hour of a day. */
const SAMPLES = 4;
const HOURS = 24;

/** Spot of a coin at a venue; `null` where there is none, or no books. @param at UTC ms */
export async function spotOffer(market: Market | undefined, base: string, at: number): Promise<Offer | null> {
  const spots = (await market?.instruments(['spot'])) ?? [];
  const symbol = spots.find((spot) => spot.base === base)?.symbol;
  const listing = symbol === undefined ? null : (market?.listed?.(symbol, at) ?? null);
  if (!market || !listing) return null;
  const wallet = (asset: string) => market.wallet(asset, at);
  return {
    venue: { market, isOut: market.isOut(at), coins: new Map(), wallet },
    spot: new Quoted(market, listing.instrument, listing.ticker, at),
  };
}

/** F25 by the best prices over the last day. @param now UTC ms */
export async function arbitragePast(buy: Offer, sell: Offer, now: number) {
  const last = Math.floor(now / STEP_MS) * STEP_MS;
  const time = Array.from({ length: PAST_MS / STEP_MS }, (_, i) => last - PAST_MS + (i + 1) * STEP_MS);
  const netBps = await mapYielding(time, (at) => touchBps({ buy, sell }, at));
  return { time, netBps, ...crossingsOf(netBps) };
}

/** How often a gap came to pay, and at which part of the samples it did. @param netBps bps; null where nobody quoted */
export function crossingsOf(netBps: readonly (number | null)[]): { above: number; share: number | null } {
  const known = netBps.filter((one) => one !== null);
  const isAbove = known.map((one) => one > 0);
  return {
    above: isAbove.filter((above, i) => above && i > 0 && !isAbove[i - 1]).length,
    share: known.length === 0 ? null : isAbove.filter(Boolean).length / known.length,
  };
}

/** The mean by hours of the day of what the better way round nets between each two venues, by the best prices. @param now UTC ms */
export async function arbitrageHours(offers: readonly Offer[], now: number) {
  const pairs = offers.flatMap((one, i) => offers.slice(i + 1).map((other) => [one, other] as const));
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  const instants = (hour: number) =>
    Array.from({ length: ARBITRAGE_DAYS * SAMPLES }, (_, i) => {
      const day = today - (1 + Math.floor(i / SAMPLES)) * DAY_MS;
      return day + hour * HOUR_MS + ((i % SAMPLES) * HOUR_MS) / SAMPLES;
    });
  const hours = await mapYielding(
    Array.from({ length: HOURS }, (_, hour) => hour),
    async (hour) => {
      const sampled = await mapYielding(instants(hour), (at) => pairs.map(([one, other]) => betterBps(one, other, at)));
      return { hour, netBps: pairs.map((_, pair) => meanOf(sampled.map((row) => row[pair]!))) };
    },
  );
  return {
    pairs: pairs.map(([one, other]) => ({ one: one.spot.market.source, other: other.spot.market.source })),
    ...{ hours, samples: ARBITRAGE_DAYS * SAMPLES },
  };
}

function betterBps(one: Offer, other: Offer, at: number): number | null {
  const [there, back] = [touchBps({ buy: one, sell: other }, at), touchBps({ buy: other, sell: one }, at)];
  return there === null || back === null ? null : Math.max(there, back);
}

function meanOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((one) => one !== null);
  return known.length === 0 ? null : known.reduce((sum, one) => sum + one, 0) / known.length;
}
