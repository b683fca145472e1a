import { DAY_MS } from '#contract/duration';
import { DEFAULT_OKX } from '#contract/kinds/okx/params';
import { REPLAY_DAYS } from '#contract/scan';
import { mapYielding } from '../../base/work/loopTurns';
import { backgroundCache } from '../../market/scan/backgroundCache';
import { NO_REPLAYS, type Replays } from '../../market/scan/replay';
import { Quoted } from '../../market/scan/sight';
import { streakOf } from './held';
import { type Offer, pricesOf, profitableQuantity, transferOf, type Way } from './way';

/** Pairs, each at the sizes that somebody looks at. */
const KEPT = 20_000;

/** What a trade of the past made. */
export interface PastTrade {
  /** UTC ms. */
  at: number;
  /** What of a leg came to the first venue, a fraction of the size; below 0 to the second one. */
  moved: number;
  /** After both fees, and what moving a leg back costs then, USDT. */
  made: number;
  transferFee: number;
}

type Pair = readonly [Offer, Offer];

interface Asked {
  pair: Pair;
  size: number;
  /** UTC ms, a midnight. */
  until: number;
}

/**
 * Tells at once what is known of what a pair made until the last midnight (UTC); see `backgroundCache`. Where nobody keeps
 * what was quoted there is nothing to wait for.
 */
export function createArbitrageReplays(
  ended?: AbortSignal,
): (pair: Pair, size: number, now: number) => Replays | undefined {
  const known = backgroundCache({
    read: async ({ pair, size, until }: Asked) => replayOf(await tradesBefore(pair, size, until), size, until),
    keyOf: ({ pair: [{ spot }, other], size }) =>
      `${spot.market.source} ${other.spot.market.source} ${spot.instrument.symbol} ${size}`,
    versionOf: ({ until }) => String(until),
    ...{ max: KEPT, ended },
  });
  return (pair, size, now) => {
    const [one, other] = pair;
    if (one.spot.market.gapsWithin === undefined) return NO_REPLAYS;
    return known({ pair, size, until: now - (now % DAY_MS) }, one.spot.instrument, other.spot.instrument, size);
  };
}

/**
 * F30 of an inventory of one leg of coin and of money at each of two venues, a fraction of the size. A trade that finds
 * none of it left has both sides moved back first, and what is apart in the end is moved back as well.
 * @param trades of both ways round, ascending in time; `null` where nobody kept what was quoted
 */
export function replayOf(trades: readonly PastTrade[] | null, size: number, until: number): Replays {
  if (trades === null) return { replay7: null, replay30: null };
  const madeIn = (days: number) => {
    let [made, apart, fee] = [0, 0, 0];
    for (const trade of trades.filter(({ at }) => at > until - days * DAY_MS)) {
      fee = trade.transferFee;
      if (Math.abs(apart + trade.moved) > 1 + 1e-9) {
        made -= fee;
        apart = 0;
      }
      apart += trade.moved;
      made += trade.made;
    }
    return (made - (Math.abs(apart) > 1e-9 ? fee : 0)) / size;
  };
  return { replay7: madeIn(REPLAY_DAYS.week), replay30: madeIn(REPLAY_DAYS.month) };
}

/** Every gap of the last days as the kind trades it unless told otherwise, both ways round. */
async function tradesBefore([one, other]: Pair, size: number, until: number): Promise<PastTrade[] | null> {
  const { market, instrument, terms } = one.spot;
  if (market.gapsWithin === undefined || terms === null || other.spot.terms === null) return null;
  const fees = terms.takerFee + other.spot.terms.takerFee;
  const sources = [market.source, other.spot.market.source];
  const days = Array.from({ length: REPLAY_DAYS.month }, (_, i) => until - (REPLAY_DAYS.month - i) * DAY_MS);
  const trades = await mapYielding(days, (from) =>
    market.gapsWithin!(instrument.symbol, sources, fees, from, from + DAY_MS).flatMap((at) => {
      const [here, there] = [offerAt(one, at), offerAt(other, at)];
      return (
        tradeAt({ buy: here, sell: there }, 1, size, at) ?? tradeAt({ buy: there, sell: here }, -1, size, at) ?? []
      );
    }),
  );
  return trades.flat();
}

function offerAt({ spot: { market, instrument, ticker } }: Offer, at: number): Offer {
  const wallet = (asset: string) => market.wallet(asset, at);
  return {
    venue: { market, isOut: market.isOut(at), coins: new Map(), wallet },
    spot: new Quoted(market, instrument, ticker, at),
  };
}

/** Decided by the quotes of an instant, filled by the books of when each order came in; `null` where nothing was traded. */
function tradeAt(way: Way, sign: 1 | -1, size: number, at: number): PastTrade | null {
  const { entryBps, triggers, maxDelayMs } = DEFAULT_OKX;
  const { buy, sell } = way;
  const quantity = profitableQuantity(way, size, entryBps);
  if (quantity === null || streakOf(way, at, entryBps, triggers) < triggers) return null;
  const { coinOut, coinIn, moneyOut, moneyIn, transferFee } = transferOf(way, null);
  if ([coinOut, coinIn, moneyOut, moneyIn].includes(false)) return null;
  const delays = [buy, sell].map(({ spot }) => spot.market.latencyMs(at));
  if (delays.some((ms) => ms === null || ms > maxDelayMs)) return null;
  const [bought, sold] = [offerAt(buy, at + delays[0]!), offerAt(sell, at + delays[1]!)];
  const filled = pricesOf({ buy: bought, sell: sold }, quantity);
  if (filled.bought === null || filled.sold === null) return null;
  const made =
    quantity * (filled.sold * (1 - sell.spot.terms!.takerFee) - filled.bought * (1 + buy.spot.terms!.takerFee));
  return { at, moved: (sign * quantity * filled.bought) / size, made, transferFee: transferFee ?? 0 };
}
