import type { QueryOf } from '#contract/endpoint';
import {
  SPREAD_LEVERAGE,
  SpreadCandidate,
  type SpreadDirection,
  type SpreadType,
  type spreadScan,
} from '#contract/kinds/spread/scan';
import type { Obstacle } from '#contract/scan';
import { annualisedAt, basis, calendarSpread, daysTo } from '../../base/maths/basis';
import { fundingApr } from '../../base/maths/funding';
import { zAndPercentile } from '../../base/maths/pair';
import { mapYielding } from '../../base/work/loopTurns';
import { commonQuantity, isHedgedTooLittle, leastNotional } from '../../market/scan/commonQuantity';
import { type FundingPast, fundingPastOf, NOTHING_SETTLED } from '../../market/scan/fundingPast';
import { onCapital } from '../../market/scan/onCapital';
import { createRanking, type ReadRanking, type RowFilters, type ScanDeps } from '../../market/scan/ranking';
import {
  createPricesBefore,
  depthOfLegs,
  lesserOf,
  NO_REPLAYS,
  type PricesBefore,
  quotedAt,
  type Replays,
  replayObstacles,
  replaysOf,
  riskObstacles,
  touchOf,
} from '../../market/scan/replay';
import { atLeast, atMost } from '../../market/scan/rowFilters';
import type { CoinAtVenue, MarketSight, Quoted } from '../../market/scan/sight';
import { type BasisPast, createBasisPast } from './past';
import { perpetualOf, type SpreadTrade, spreadTrade } from './trade';

/** What rows are worked out for: notional of each leg in USDT, and how long is held what never expires. */
export interface SpreadPlan {
  size: number;
  /** Planned days. */
  days: number;
  /** The better one unless told. */
  direction?: SpreadDirection;
}

/** Two instruments of one coin at one venue. */
export interface SpreadPair {
  source: string;
  isOut: boolean;
  type: SpreadType;
  near: Quoted;
  far: Quoted;
  /** What a future is delivered at; between two futures alone it is needed beside them. */
  spot: Quoted | undefined;
  /** By which the coin is known. */
  perpetual: Quoted | undefined;
}

/** Every pair of instruments of every coin of every venue. */
export function spreadPairs({ venues }: MarketSight): SpreadPair[] {
  return venues.flatMap(({ market: { source }, isOut, coins }) =>
    [...coins.values()].flatMap((coin) => {
      const { spot, perpetual } = coin;
      return pairsOf(coin).map((pair) => ({ source, isOut, spot, perpetual, ...pair }));
    }),
  );
}

function pairsOf({ spot, perpetual, futures }: CoinAtVenue): Pick<SpreadPair, 'type' | 'near' | 'far'>[] {
  const against = (near: Quoted | undefined, far: Quoted | undefined, type: SpreadType) =>
    near && far ? [{ type, near, far }] : [];
  return [
    ...against(spot, perpetual, 'spotPerpetual'),
    ...futures.flatMap((future) => against(spot, future, 'spotFuture')),
    ...futures.flatMap((future) => against(perpetual, future, 'perpetualFuture')),
    ...futures.slice(1).flatMap((far, i) => against(futures[i], far, 'nearFar')),
  ];
}

/** What a perpetual leg settled, and how its rate goes on, is known too. */
export interface SettledSpread extends SpreadPair, Pick<FundingPast, 'trend' | 'settled'> {
  /** Where both stood before at the size of the plan; absent until it is read, and where nobody asks. */
  before?: { near: PricesBefore | undefined; far: PricesBefore | undefined };
}

/** @param now UTC ms */
export async function settledSpread(
  pair: SpreadPair,
  now: number,
  before?: SettledSpread['before'],
): Promise<SettledSpread> {
  const perpetual = perpetualOf(pair);
  const { trend, settled } = perpetual === undefined ? NOTHING_SETTLED : await fundingPastOf(perpetual, now);
  return { ...pair, trend, settled, ...(before && { before }) };
}

/** What holding one leg against the other would make until the first of them is delivered, at a size. Pure. */
export function spreadCandidate(pair: SettledSpread, past: BasisPast, plan: SpreadPlan, now: number): SpreadCandidate {
  const { source, type, near, far } = pair;
  const { base, symbol } = far.instrument;
  const quantity = commonQuantity([near, far], plan.size, far.mid ?? far.ticker.price);
  const trade = tradeOf(pair, quantity, plan, now);
  const [short, long] = trade.direction === 'sellFar' ? [far, near] : [near, far];
  const { atRate, ...made } = onCapital([near, far], SPREAD_LEVERAGE, {
    net: trade.netFundingApr,
    atRate: trade.netFundingAprAtRate,
    ...replayOf(pair, trade),
  });
  const expiresAt = near.instrument.expiresAt ?? far.instrument.expiresAt;
  const row = {
    ...trade,
    ...made,
    netFundingAprAtRate: atRate,
    ...pricesOf(pair, trade.direction, now),
    id: `${source} ${near.instrument.symbol} ${symbol}`,
    source,
    base,
    type,
    near: near.instrument.symbol,
    far: symbol,
    perpetual: pair.perpetual?.instrument.symbol ?? null,
    expiresAt,
    days: expiresAt === null ? null : daysTo(expiresAt, now),
    quantity,
    fundingApr: fundingOf(pair, trade.direction),
    depth: depthOfLegs(short, long),
    turnover24h: lesserOf(near.ticker.turnover24h, far.ticker.turnover24h),
    quotedAt: Math.min(...[near, far].map((leg) => quotedAt(leg, pair.isOut, now))),
  };
  return { ...row, ...zAndPercentileOf(row.basisRate, past), obstacles: obstaclesOf(pair, row, plan.size, now) };
}

/** Held as long as each span, and left at the books of now: neither leg was delivered. */
function replayOf(pair: SettledSpread, { direction, closeLevel: leaveAt, borrowApr }: SpreadTrade): Replays {
  const { near, far, before, settled } = pair;
  if (leaveAt === null || !near.terms || !far.terms) return NO_REPLAYS;
  const legOf = (quoted: Quoted, prices: PricesBefore | undefined) => ({
    before: prices,
    settled: quoted.instrument.kind === 'perpetual' ? settled : undefined,
  });
  const [one, other] = [legOf(far, before?.far), legOf(near, before?.near)];
  const [short, long] = direction === 'sellFar' ? [one, other] : [other, one];
  return replaysOf({ long, short, leaveAt, borrowApr, fees: 2 * (near.terms.takerFee + far.terms.takerFee) });
}

/** F1 of the perpetual leg as this direction gets it: a short one receives a positive rate. `null` without one. */
function fundingOf({ near, far }: SpreadPair, direction: SpreadDirection): number | null {
  const [short, long] = direction === 'sellFar' ? [far, near] : [near, far];
  const aprOf = ({ ticker, instrument }: Quoted) => fundingApr(ticker.fundingRate, instrument.fundingHours);
  if (short.instrument.kind === 'perpetual') return aprOf(short);
  const paid = aprOf(long);
  return paid === null ? null : -paid;
}

/** Of both directions the one that makes more; where neither has a price, the one that the basis speaks for. */
function tradeOf(pair: SettledSpread, quantity: number, { days, direction }: SpreadPlan, now: number): SpreadTrade {
  const terms = { nearPrices: pair.near.at(quantity), farPrices: pair.far.at(quantity), days, now };
  if (direction !== undefined) return spreadTrade(pair, direction, terms);
  const [sellFar, buyFar] = [spreadTrade(pair, 'sellFar', terms), spreadTrade(pair, 'buyFar', terms)];
  if (sellFar.netFunding === null || buyFar.netFunding === null) {
    return (pair.far.mid ?? 0) >= (pair.near.mid ?? 0) ? sellFar : buyFar;
  }
  return buyFar.netFunding > sellFar.netFunding ? buyFar : sellFar;
}

function pricesOf({ near, far }: SpreadPair, direction: SpreadDirection, now: number) {
  const [nearTouch, farTouch] = [touchOf(near), touchOf(far)];
  const [nearMid, farMid] = [near.mid, far.mid];
  const rate = nearMid === null || farMid === null ? null : basis(farMid, nearMid);
  const calendar = nearTouch && farTouch && calendarSpread(farTouch, nearTouch);
  const sells = direction === 'sellFar';
  return {
    nearBid: nearTouch?.bid ?? null,
    nearAsk: nearTouch?.ask ?? null,
    farBid: farTouch?.bid ?? null,
    farAsk: farTouch?.ask ?? null,
    basis: nearMid === null || farMid === null ? null : farMid - nearMid,
    basisRate: rate,
    annualised: rate === null ? null : annualisedAt(rate, now, near.instrument.expiresAt, far.instrument.expiresAt),
    spread: calendar && (sells ? calendar.sellFar : calendar.buyFar),
    spreadShare: calendar && (sells ? calendar.sellFarShare : calendar.buyFarShare),
  };
}

function zAndPercentileOf(rate: number | null, past: BasisPast): Pick<SpreadCandidate, 'z' | 'percentile' | 'past'> {
  if (typeof past === 'string') return { z: null, percentile: null, past };
  return { ...(rate === null ? { z: null, percentile: null } : zAndPercentile(past, rate)), past: 'known' };
}

type Figures = Replays & Pick<SpreadCandidate, 'direction' | 'quantity' | 'openEdge' | 'netFunding'>;

function obstaclesOf({ isOut, near, far }: SpreadPair, row: Figures, size: number, now: number): Obstacle[] {
  if (isOut) return ['out'];
  const legs = [near, far];
  const found: Obstacle[] = [];
  const isTooSmall = far.mid !== null && (row.quantity === 0 || row.quantity * far.mid < leastNotional(legs));
  const isBought = row.direction === 'sellFar';
  if (isTooSmall || (isBought && isHedgedTooLittle(near, far, size))) found.push('minimum');
  else if (row.openEdge === null) found.push('depth');
  else if (row.netFunding === null) found.push('incomplete');
  if (row.direction === 'buyFar' && near.instrument.kind === 'spot') found.push('borrow');
  if (row.netFunding !== null && row.netFunding <= 0) found.push('costs');
  return [...found, ...riskObstacles(legs, now), ...replayObstacles(row)];
}

type Query = QueryOf<typeof spreadScan.list>;

/** Reads the rows of GET /api/market/spread. */
export function createSpreadRows(deps: ScanDeps): ReadRanking<Query, SpreadCandidate> {
  const pastOf = createBasisPast(deps.ended);
  const beforeOf = createPricesBefore(deps.ended);
  return createRanking(deps, {
    row: SpreadCandidate,
    bestFirst: '-capitalApr',
    planOf: ({ size, days }) => ({ size, days }),
    rowsOf: (seen, plan) =>
      mapYielding(spreadPairs(seen), async (pair) => {
        const before = { near: beforeOf(pair.near, plan.size, seen.at), far: beforeOf(pair.far, plan.size, seen.at) };
        const settled = await settledSpread(pair, seen.at, before);
        return spreadCandidate(settled, pastOf(pair.near, pair.far, seen.at), plan, seen.at);
      }),
    filtersOf: () => FILTERS,
  });
}

const FILTERS: RowFilters<Query, SpreadCandidate> = {
  source: (row, source) => row.source === source,
  type: (row, type) => row.type === type,
  minNetApr: ({ capitalApr }, least) => atLeast(capitalApr, least),
  minDepth: ({ depth }, least) => atLeast(depth, least),
  minTurnover: ({ turnover24h }, least) => atLeast(turnover24h, least),
  maxDays: ({ days }, most) => atMost(days, most),
};
