import { isOneMarket } from '#contract/candle';
import type { QueryOf } from '#contract/endpoint';
import { ArbitrageCandidate, type arbitrageScan } from '#contract/kinds/okx/scan';
import type { Obstacle } from '#contract/scan';
import { profitableDepth, slippageAt } from '../../base/maths/depth';
import { mapYielding } from '../../base/work/loopTurns';
import { commonQuantity } from '../../market/scan/commonQuantity';
import { createRanking, type ReadRanking, type RowFilters, type ScanDeps } from '../../market/scan/ranking';
import { quotedAt, REPLAYING, type Replays, replayObstacles } from '../../market/scan/replay';
import { areAmong, atLeast } from '../../market/scan/rowFilters';
import type { MarketSight } from '../../market/scan/sight';
import { createHeld } from './held';
import { createArbitrageReplays } from './replay';
import { type Offer, type Prices, pricesOf, transferOf, type Way } from './way';

const BPS = 1e4;

/** What rows are worked out with. */
export interface ArbitragePlan {
  /** Notional of each leg, USDT. */
  size: number;
  /** Instant of the quotes, and the present; UTC ms. */
  at: number;
  now: number;
  /** For how long a way that is above its fees now has been so, ms. */
  held: (way: Way, at: number) => number;
  /** The venue that is bought at; the better way round, unless told. */
  buy?: string;
  /** What the pair made before, both ways round; absent until it is worked out, and where nobody asks. */
  replays?: Replays | undefined;
}

/** Every coin at every two venues that have spot of it, the pair always in the same order. */
export function arbitragePairs({ venues }: MarketSight): [Offer, Offer][] {
  return venues.flatMap((venue, i) =>
    venues.slice(i + 1).flatMap((other) => {
      if (!isOneMarket(venue.market.source, other.market.source)) return [];
      return [...venue.coins.values()].flatMap(({ base, spot }): [Offer, Offer][] => {
        const there = other.coins.get(base)?.spot;
        if (!spot || !there) return [];
        return [
          [
            { venue, spot },
            { venue: other, spot: there },
          ],
        ];
      });
    }),
  );
}

/** What buying the coin at one of two venues and selling it at the other would make now, the better way round. */
export function arbitrageCandidate([one, other]: readonly [Offer, Offer], plan: ArbitragePlan): ArbitrageCandidate {
  const { base } = one.spot.instrument;
  const price = Math.max(one.spot.mid ?? 0, other.spot.mid ?? 0);
  const quantity = commonQuantity([one.spot, other.spot], plan.size, price);
  const there = pricesOf({ buy: one, sell: other }, quantity);
  const back = pricesOf({ buy: other, sell: one }, quantity);
  const isBack = plan.buy === undefined ? isBetter(back, there) : plan.buy === other.venue.market.source;
  const best = isBack ? back : there;
  const { way, ask, bid, netBps, touchBps } = best;
  const { buy, sell } = way;
  const { replays = REPLAYING } = plan;
  const row = {
    id: `${base} ${one.venue.market.source} ${other.venue.market.source}`,
    base,
    perpetual: buy.venue.coins.get(base)?.perpetual?.instrument.symbol ?? null,
    buy: buy.venue.market.source,
    ask,
    sell: sell.venue.market.source,
    bid,
    grossBps: ask === null || bid === null ? null : (bid / ask - 1) * BPS,
    netBps,
    ...replays,
    quantity,
    ...costsOf(best, quantity),
    heldSeconds: touchBps === null ? null : touchBps > 0 ? plan.held(way, plan.at) / 1_000 : 0,
    ...transferOf(way, best.bought === null ? null : best.bought * quantity),
    // Whose accounts they are is known where somebody asks.
    ...{ buyerCash: null, sellerCoin: null },
    buyLatencyMs: buy.venue.market.latencyMs(plan.at),
    sellLatencyMs: sell.venue.market.latencyMs(plan.at),
    ageMs: plan.now - Math.min(...[buy, sell].map(({ spot, venue }) => quotedAt(spot, venue.isOut, plan.at))),
  };
  return { ...row, obstacles: obstaclesOf(best, row) };
}

/** By what is made at the size; where neither can be filled, by the best prices. */
function isBetter(one: Prices, other: Prices): boolean {
  const worth = ({ netBps }: Prices) => netBps ?? Number.NEGATIVE_INFINITY;
  if (worth(one) !== worth(other)) return worth(one) > worth(other);
  return (one.touchBps ?? 0) > (other.touchBps ?? 0);
}

function costsOf({ way, bought, sold, touchBps }: Prices, quantity: number) {
  const [{ spot: from }, { spot: to }] = [way.buy, way.sell];
  const fees = from.terms && to.terms && { buy: from.terms.takerFee, sell: to.terms.takerFee };
  const isFilled = bought !== null && sold !== null;
  return {
    feesBps: fees && (fees.buy + fees.sell) * BPS,
    slippageBps: isFilled ? (slippageAt(bought, from.mid!) + slippageAt(sold, to.mid!)) * BPS : null,
    profit: isFilled && fees ? quantity * (sold * (1 - fees.sell) - bought * (1 + fees.buy)) : null,
    fillable: fees && touchBps !== null ? profitableDepth(from.sides!.asks, to.sides!.bids, fees) : null,
  };
}

type Figures = Replays &
  Pick<ArbitrageCandidate, 'quantity' | 'feesBps' | 'netBps' | 'coinOut' | 'coinIn' | 'moneyOut' | 'moneyIn'>;

function obstaclesOf({ way: { buy, sell }, ask, bid, bought, sold, touchBps }: Prices, row: Figures): Obstacle[] {
  if (buy.venue.isOut || sell.venue.isOut) return ['out'];
  const found: Obstacle[] = [];
  const least = Math.max(...[buy, sell].map(({ spot }) => Number(spot.instrument.minNotional ?? 0)));
  const isQuoted = ask !== null && bid !== null;
  if (isQuoted && (row.quantity === 0 || row.quantity * ask < least)) found.push('minimum');
  else if (isQuoted && (bought === null || sold === null)) found.push('depth');
  if (!isQuoted || row.feesBps === null) found.push('incomplete');
  const net = row.netBps ?? touchBps;
  if (net !== null && net <= 0) found.push('costs');
  if ([row.coinOut, row.coinIn, row.moneyOut, row.moneyIn].includes(false)) found.push('wallet');
  return [...found, ...replayObstacles(row)];
}

type Query = QueryOf<typeof arbitrageScan.list>;

/** Reads the rows of GET /api/market/arbitrage. */
export function createArbitrageRows(deps: ScanDeps): ReadRanking<Query, ArbitrageCandidate> {
  const held = createHeld();
  const replaysOf = createArbitrageReplays(deps.ended);
  const read = createRanking<Query, { size: number }, ArbitrageCandidate>(deps, {
    row: ArbitrageCandidate,
    bestFirst: '-replay30',
    placesOf: ({ buy, sell }) => [buy, sell],
    planOf: ({ size }) => ({ size }),
    rowsOf: (seen, { size }) => {
      return mapYielding(arbitragePairs(seen), (pair) =>
        arbitrageCandidate(pair, { size, at: seen.at, now: seen.at, held, replays: replaysOf(pair, size, seen.at) }),
      );
    },
    filtersOf,
  });
  return async (query, ...asker) => {
    const ranked = await read(query, ...asker);
    // Quotes grow older while their rows are kept.
    const since = deps.clock() - ranked.at;
    return { ...ranked, rows: ranked.rows.map((row) => ({ ...row, ageMs: row.ageMs + since })) };
  };
}

function filtersOf(query: Query): RowFilters<Query, ArbitrageCandidate> {
  const isWanted = areAmong(query.sources);
  return {
    sources: (row) => isWanted(row.buy, row.sell),
    buy: (row, venue) => row.buy === venue,
    sell: (row, venue) => row.sell === venue,
    minNetBps: ({ netBps }, least) => atLeast(netBps, least),
    minProfit: ({ profit }, least) => atLeast(profit, least),
    minHeldSeconds: ({ heldSeconds }, least) => atLeast(heldSeconds, least),
    transferable: (row, wanted) => !wanted || isTransferable(row),
  };
}

const isTransferable = ({ coinOut, coinIn, moneyOut, moneyIn }: ArbitrageCandidate): boolean =>
  [coinOut, coinIn, moneyOut, moneyIn].every((can) => can === true);
