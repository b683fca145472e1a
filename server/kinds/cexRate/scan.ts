import type { QueryOf } from '#contract/endpoint';
import { DEFAULT_CEX_RATE } from '#contract/kinds/cexRate/params';
import { CexRateCandidate, type cexRateScan, type RateNote, type RateSign } from '#contract/kinds/cexRate/scan';
import type { Obstacle } from '#contract/scan';
import { crossPaybackHours } from '../../base/maths/crossPayback';
import { capitalOfLegs } from '../../base/maths/hedge';
import { mapYielding } from '../../base/work/loopTurns';
import { commonQuantity, leastNotional } from '../../market/scan/commonQuantity';
import { fundingPastOf } from '../../market/scan/fundingPast';
import { onCapital } from '../../market/scan/onCapital';
import { createRanking, type ReadRanking, type RowFilters, type ScanDeps } from '../../market/scan/ranking';
import {
  createPricesBefore,
  lesserOf,
  NO_REPLAYS,
  type Replays,
  replayObstacles,
  replaysOf,
  riskObstacles,
} from '../../market/scan/replay';
import { areAmong, atLeast } from '../../market/scan/rowFilters';
import { namedCoins, ratePairs, type SettledLeg, type VenueLeg } from './coinLegs';
import { better, capacityOf, feesOf, type RatePlan, type Way, wayOf } from './way';

const HOURS_PER_YEAR = 8760;

/** A coin at two venues, with what each settled. */
interface SettledPair {
  base: string;
  legs: readonly [SettledLeg, SettledLeg];
}

/**
 * What a coin's perpetuals at two venues would make from now on at a size, in the better direction. Pure.
 * @param now UTC ms.
 */
export function cexRateCandidate(pair: SettledPair, plan: RatePlan, now: number): CexRateCandidate {
  const [one, other] = pair.legs;
  const price = priceOf(pair);
  const quantity = commonQuantity([one.quoted, other.quoted], plan.size, price);
  const way = wayBy(pair, quantity, plan, now);
  const { long, short, funded, trip, grossApr, netApr, netAprAtRate } = way;
  const payback = funded && trip && crossPaybackHours(funded.short, funded.long, trip.cost);
  const { leverage } = DEFAULT_CEX_RATE;
  const { atRate, ...made } = onCapital([long.quoted, short.quoted], leverage, {
    net: netApr,
    atRate: netAprAtRate,
    ...replayOf(way),
  });
  const row = {
    id: `${pair.base} ${one.source} ${other.source}`,
    base: pair.base,
    long: long.source,
    short: short.source,
    longSymbol: long.quoted.instrument.symbol,
    shortSymbol: short.quoted.instrument.symbol,
    longRate: long.quoted.ticker.fundingRate,
    shortRate: short.quoted.ticker.fundingRate,
    longHours: long.quoted.instrument.fundingHours,
    shortHours: short.quoted.instrument.fundingHours,
    longNextAt: long.quoted.ticker.nextFundingAt,
    shortNextAt: short.quoted.ticker.nextFundingAt,
    rateGap: grossApr === null ? null : (grossApr * 8) / HOURS_PER_YEAR,
    grossApr,
    quantity,
    fees: feesOf(way, plan),
    openEdge: trip?.openEdge ?? null,
    closeLevel: trip?.closeLevel ?? null,
    netApr,
    netAprAtRate: atRate,
    paybackDays: payback === null ? null : payback / 24,
    capacity: capacityOf(way, price, plan),
    ...made,
    openInterest: lesserOf(long.quoted.ticker.openInterest, short.quoted.ticker.openInterest),
  };
  return {
    ...row,
    notes: notesOf(way),
    obstacles: obstaclesOf(way, row, { price, now, exitApr: plan.exitApr ?? null }),
  };
}

/** In the direction asked for, or the better one. */
function wayBy({ legs: [one, other] }: SettledPair, quantity: number, plan: RatePlan, now: number): Way {
  const there = wayOf(one, other, quantity, plan, now);
  const back = wayOf(other, one, quantity, plan, now);
  const { long } = plan;
  if (long === undefined) return better(there, back);
  return long === one.source ? there : back;
}

function replayOf({ trip, ...legs }: Way): Replays {
  if (trip === null) return NO_REPLAYS;
  const leg = ({ before, past }: SettledLeg) => ({ before, settled: past.settled });
  return replaysOf({ long: leg(legs.long), short: leg(legs.short), ...trip, borrowApr: null });
}

/** The higher middle of the two: neither leg is larger than asked for. */
const priceOf = ({ legs }: SettledPair): number =>
  Math.max(...legs.map(({ quoted }) => quoted.mid ?? quoted.ticker.price));

const notesOf = ({ long, short }: Way): RateNote[] =>
  long.quoted.instrument.fundingHours === short.quoted.instrument.fundingHours ? [] : ['interval'];

type Figures = Replays & Pick<CexRateCandidate, 'quantity' | 'paybackDays' | 'grossApr' | 'netApr'>;

interface Sized {
  price: number;
  now: number;
  exitApr: number | null;
}

function obstaclesOf({ long, short, trip }: Way, row: Figures, { price, now, exitApr }: Sized): Obstacle[] {
  const legs = [long, short];
  if (legs.some(({ isOut }) => isOut)) return ['out'];
  const quoted = legs.map((leg) => leg.quoted);
  const isKnown = quoted.every(({ sides, terms }) => sides && terms) && row.grossApr !== null;
  const found: Obstacle[] = [];
  if (row.quantity * price < leastNotional(quoted) || row.quantity === 0) found.push('minimum');
  else if (trip === null && isKnown) found.push('depth');
  if (!isKnown) found.push('incomplete');
  if (trip !== null && row.grossApr !== null && row.paybackDays === null) found.push('noPayback');
  else if (row.netApr !== null && row.netApr <= 0) found.push('costs');
  // What it expects of the rates to come, the engine opens nothing that its own rule would close at once.
  if (exitApr !== null && row.grossApr !== null && row.grossApr <= exitApr) found.push('waitsForGap');
  found.push(...riskObstacles(quoted, now));
  if (legs.some(({ canMove }) => !canMove)) found.push('wallet');
  return [...found, ...replayObstacles(row)];
}

type Query = QueryOf<typeof cexRateScan.list>;

/** Reads the rows of GET /api/market/cexRate. */
export function createCexRateRows(deps: ScanDeps): ReadRanking<Query, CexRateCandidate> {
  const beforeOf = createPricesBefore(deps.ended);
  return createRanking(deps, {
    row: CexRateCandidate,
    bestFirst: '-capitalApr',
    placesOf: ({ long, short }) => [long, short],
    planOf: ({ size, hours, minNetApr = 0, entry, exit, tier }) => ({
      ...{ size, hours, leastApr: minNetApr * capitalOfLegs([false, false], DEFAULT_CEX_RATE.leverage) },
      ...{ terms: { entry, exit, tier }, exitApr: DEFAULT_CEX_RATE.exitApr },
    }),
    rowsOf: (seen, plan) =>
      mapYielding(ratePairs(namedCoins(seen)), async (pair) => {
        const [one, other] = pair.legs;
        const settled = async (leg: VenueLeg) => ({
          ...leg,
          past: await fundingPastOf(leg.quoted, seen.at),
          before: beforeOf(leg.quoted, plan.size, seen.at),
        });
        const legs = [await settled(one), await settled(other)] as const;
        return cexRateCandidate({ base: pair.base, legs }, plan, seen.at);
      }),
    filtersOf,
  });
}

const HAS_SIGN: Record<RateSign, (long: number, short: number) => boolean> = {
  positive: (long, short) => long > 0 && short > 0,
  negative: (long, short) => long < 0 && short < 0,
  opposite: (long, short) => long < 0 && short > 0,
};

function filtersOf(query: Query): RowFilters<Query, CexRateCandidate> {
  const isWanted = areAmong(query.sources);
  return {
    sources: ({ long, short }) => isWanted(long, short),
    sign: ({ longRate, shortRate }, sign) => HAS_SIGN[sign](longRate ?? 0, shortRate ?? 0),
    minNetApr: ({ capitalApr }, least) => atLeast(capitalApr, least),
    minOpenInterest: ({ openInterest }, least) => atLeast(openInterest, least),
  };
}
