import { DAY_MS, HOUR_MS } from '#contract/duration';
import type { QueryOf } from '#contract/endpoint';
import { HEAT_DAYS } from '#contract/kinds/fundingRate/desk';
import { DEFAULT_FUNDING } from '#contract/kinds/fundingRate/params';
import { type CarryDirection, FundingCandidate, type fundingScan } from '#contract/kinds/fundingRate/scan';
import type { Obstacle } from '#contract/scan';
import { crossPaybackHours } from '../../base/maths/crossPayback';
import { closeLevel, openEdge, slippageAt } from '../../base/maths/depth';
import { type FundedLeg, fundingWithin } from '../../base/maths/expectedFunding';
import { fundingApr } from '../../base/maths/funding';
import { binned, dailyAprs } from '../../base/maths/fundingAhead';
import { mapYielding } from '../../base/work/loopTurns';
import { commonQuantity, isHedgedTooLittle, leastNotional } from '../../market/scan/commonQuantity';
import { type FundingPast, fundingPastOf } from '../../market/scan/fundingPast';
import { onCapital } from '../../market/scan/onCapital';
import { onceAnHour } from '../../market/scan/onceAnHour';
import { createRanking, type ReadRanking, type RowFilters, type ScanDeps } from '../../market/scan/ranking';
import {
  createPricesBefore,
  depthOfLegs,
  NO_REPLAYS,
  type PricesBefore,
  type Replays,
  replayObstacles,
  replaysOf,
  riskObstacles,
} from '../../market/scan/replay';
import { atLeast, atMost } from '../../market/scan/rowFilters';
import type { MarketSight, Quoted } from '../../market/scan/sight';

/** What rows are worked out for: notional of each leg in USDT, and how long it is to be held. */
export interface FundingPlan {
  size: number;
  /** Planned hours. */
  hours: number;
}

const HOURS_PER_YEAR = 8760;

/** A coin that one venue lists both ways. */
interface Pair {
  source: string;
  isOut: boolean;
  spot: Quoted;
  perpetual: Quoted;
}

/** Where both stood before at the size of the plan; undefined until it is read. */
interface PairBefore {
  spot: PricesBefore | undefined;
  perpetual: PricesBefore | undefined;
}

/** Every coin of every venue that has spot and a perpetual there. */
export function fundingPairs({ venues }: MarketSight): Pair[] {
  return venues.flatMap(({ market, isOut, coins }) =>
    [...coins.values()].flatMap(({ spot, perpetual }) =>
      spot && perpetual ? [{ source: market.source, isOut, spot, perpetual }] : [],
    ),
  );
}

/** What holding the coin against its perpetual would make from now on, at a size. Pure. */
export function fundingCandidate(
  pair: Pair,
  past: FundingPast,
  plan: FundingPlan,
  now: number,
  before?: PairBefore,
): FundingCandidate {
  const { source, spot, perpetual } = pair;
  const { instrument, ticker, terms } = perpetual;
  const rate = ticker.fundingRate;
  const hours = instrument.fundingHours!;
  const toNext = Math.max(0, (ticker.nextFundingAt ?? now) - now);
  const leg: FundedLeg | null = rate === null ? null : { rate, hours, toNext, trend: past.trend };
  const direction = directionOf(leg, plan);
  const quantity = commonQuantity([spot, perpetual], plan.size, perpetual.mid ?? ticker.price);
  const trip = roundTrip(pair, direction, quantity);
  const borrowApr = direction === 'reverse' ? (spot.terms?.borrowApr ?? null) : null;
  const sign = direction === 'carry' ? 1 : -1;
  const funding = leg && fundingWithin(leg, plan.hours);
  const breakEvenHours = leg && trip && paybackOf(leg, sign, borrowApr, trip.entryCost + trip.exitCost);
  const netApr = (sum: number | undefined) =>
    sum === undefined || trip === null ? null : netAprOf(sign * sum, borrowApr, trip.made, plan.hours);
  const { atRate, ...made } = onCapital([spot, perpetual], DEFAULT_FUNDING.leverage, {
    net: netApr(funding?.expected),
    atRate: netApr(funding?.atRate),
    ...replayOf(before, past, direction, trip, borrowApr),
  });
  const row = {
    ...past.shown,
    id: `${source} ${instrument.base}`,
    source,
    base: instrument.base,
    spot: spot.instrument.symbol,
    perpetual: instrument.symbol,
    direction,
    settledRate: ticker.settledFundingRate,
    predictedRate: rate,
    hours,
    nextAt: ticker.nextFundingAt,
    apr: fundingApr(rate, hours),
    basis: spot.mid !== null && perpetual.mid !== null ? perpetual.mid / spot.mid - 1 : null,
    quantity,
    entryCost: trip?.entryCost ?? null,
    exitCost: trip?.exitCost ?? null,
    breakEven: breakEvenHours === null ? null : Math.round((breakEvenHours - toNext / HOUR_MS) / hours) + 1,
    breakEvenHours,
    expectedApr: funding && (sign * funding.expected * HOURS_PER_YEAR) / plan.hours,
    netApr: netApr(funding?.expected),
    netAprAtRate: atRate,
    ...made,
    borrowApr,
    openInterest: ticker.openInterest,
    turnover24h: ticker.turnover24h,
    depth: depthOf(pair, direction),
    adl: terms?.adl ?? null,
    collateralRatio: spot.terms?.collateralRatio ?? null,
    fundingCap: terms?.fundingCap ?? null,
  };
  return { ...row, obstacles: obstaclesOf(pair, row, plan.size, now) };
}

interface Trip {
  /** Fees and slippage of both legs, fractions of the notional. */
  entryCost: number;
  exitCost: number;
  /** The four fees, and the F5 close level now. */
  fees: number;
  leaveAt: number;
  /** F5 open edge less the two, all now: what going in and out at once would make. */
  made: number;
}

function roundTrip({ spot, perpetual }: Pair, direction: CarryDirection, quantity: number): Trip | null {
  const [coin, contract] = [spot.at(quantity), perpetual.at(quantity)];
  const { mid: coinMid, terms: coinTerms } = spot;
  const { mid: contractMid, terms: contractTerms } = perpetual;
  if (!coin || !contract || coinMid === null || contractMid === null || !coinTerms || !contractTerms) return null;
  const fees = coinTerms.takerFee + contractTerms.takerFee;
  const carries = direction === 'carry';
  const [entering, leaving] = carries ? [coin.ask, coin.bid] : [coin.bid, coin.ask];
  const [entered, left] = carries ? [contract.bid, contract.ask] : [contract.ask, contract.bid];
  const [short, long] = carries ? [contract, coin] : [coin, contract];
  const leaveAt = closeLevel(short, long);
  return {
    entryCost: fees + slippageAt(entering, coinMid) + slippageAt(entered, contractMid),
    exitCost: fees + slippageAt(leaving, coinMid) + slippageAt(left, contractMid),
    ...{ fees: 2 * fees, leaveAt },
    made: openEdge(short, long) - leaveAt - 2 * fees,
  };
}

function replayOf(
  before: PairBefore | undefined,
  { settled }: FundingPast,
  direction: CarryDirection,
  trip: Trip | null,
  borrowApr: number | null,
): Replays {
  if (trip === null) return NO_REPLAYS;
  const coin = { before: before?.spot, settled: undefined };
  const contract = { before: before?.perpetual, settled };
  const { leaveAt, fees } = trip;
  return direction === 'carry'
    ? replaysOf({ long: coin, short: contract, leaveAt, fees, borrowApr })
    : replaysOf({ long: contract, short: coin, leaveAt, fees, borrowApr });
}

/** By what the planned hours are expected to bring a short perpetual; by the rate itself where no settlement is within them. */
function directionOf(leg: FundedLeg | null, { hours }: FundingPlan): CarryDirection {
  if (leg === null) return 'carry';
  const { settlements, expected } = fundingWithin(leg, hours);
  return (settlements === 0 ? leg.rate : expected) < 0 ? 'reverse' : 'carry';
}

/** F8: hours until the settlement that pays the last of the costs, after what borrowing takes of each. */
function paybackOf(leg: FundedLeg, sign: 1 | -1, borrowApr: number | null, costs: number): number | null {
  const { rate, hours, toNext, trend } = leg;
  const borrowed = ((borrowApr ?? 0) * hours) / HOURS_PER_YEAR;
  const received = { ...leg, rate: sign * rate, trend: { ...trend, mean: sign * trend.mean } };
  const found = crossPaybackHours(
    received,
    { hours, toNext, rate: borrowed, trend: { mean: borrowed, phi: 0 } },
    costs,
  );
  // Nothing is paid back before something comes in.
  return found === null ? null : Math.max(found, toNext / HOUR_MS);
}

/** F7 on one venue: what the settlements within the hours bring, less borrowing and the round trip, a year. */
function netAprOf(brought: number, borrowApr: number | null, made: number, hours: number): number {
  const borrowed = ((borrowApr ?? 0) * hours) / HOURS_PER_YEAR;
  return ((brought - borrowed + made) * HOURS_PER_YEAR) / hours;
}

const depthOf = ({ spot, perpetual }: Pair, direction: CarryDirection): number | null =>
  direction === 'carry' ? depthOfLegs(perpetual, spot) : depthOfLegs(spot, perpetual);

type Figures = Replays &
  Pick<FundingCandidate, 'direction' | 'predictedRate' | 'quantity' | 'entryCost' | 'breakEven' | 'netApr'>;

function obstaclesOf({ isOut, spot, perpetual }: Pair, row: Figures, size: number, now: number): Obstacle[] {
  if (isOut) return ['out'];
  const found: Obstacle[] = [];
  const { mid } = perpetual;
  const isSmall = row.quantity === 0 || (mid !== null && row.quantity * mid < leastNotional([spot, perpetual]));
  if (isSmall || isHedgedTooLittle(spot, perpetual, size)) found.push('minimum');
  else if (row.entryCost === null) found.push(spot.terms && perpetual.terms ? 'depth' : 'incomplete');
  if (row.predictedRate === null) found.push('incomplete');
  if (row.direction === 'reverse') found.push('borrow');
  if (row.entryCost !== null && row.breakEven === null) found.push('noPayback');
  else if (row.netApr !== null && row.netApr <= 0) found.push('costs');
  return [...found, ...riskObstacles([perpetual], now), ...replayObstacles(row)];
}

type Query = QueryOf<typeof fundingScan.list>;

const LOW_ADL = 2;

/** Reads the rows of GET /api/market/fundingRate. */
export function createFundingRows(deps: ScanDeps): ReadRanking<Query, FundingCandidate> {
  const beforeOf = createPricesBefore(deps.ended);
  return createRanking(deps, {
    row: FundingCandidate,
    bestFirst: '-capitalApr',
    planOf: ({ size, hours }) => ({ size, hours }),
    rowsOf: async (seen, plan) => {
      const pairs = fundingPairs(seen);
      const pasts = await mapYielding(pairs, ({ perpetual }) => fundingPastOf(perpetual, seen.at));
      return mapYielding(pairs, (pair, i) => {
        const before = {
          spot: beforeOf(pair.spot, plan.size, seen.at),
          perpetual: beforeOf(pair.perpetual, plan.size, seen.at),
        };
        return fundingCandidate(pair, pasts[i]!, plan, seen.at, before);
      });
    },
    filtersOf,
  });
}

/** What a coin must turn over to be among so many. */
function turnoverOfPlace(rows: readonly FundingCandidate[], top: number): number {
  const turnovers = rows.map(({ turnover24h }) => turnover24h ?? 0).sort((a, b) => b - a);
  return turnovers[top - 1] ?? 0;
}

function filtersOf(query: Query, all: readonly FundingCandidate[]): RowFilters<Query, FundingCandidate> {
  const there = all.filter(({ source }) => source === (query.source ?? source));
  const leastTurnover = query.top === undefined ? 0 : turnoverOfPlace(there, query.top);
  return {
    source: (row, source) => row.source === source,
    direction: (row, direction) => row.direction === direction,
    minApr: ({ capitalApr }, least) => atLeast(capitalApr, least),
    maxBreakEvenHours: ({ breakEvenHours }, most) => atMost(breakEvenHours, most),
    minTurnover: ({ turnover24h }, least) => atLeast(turnover24h, least),
    minDepth: ({ depth }, least) => atLeast(depth, least),
    top: ({ turnover24h }) => (turnover24h ?? 0) >= leastTurnover,
    lowAdl: ({ adl }, wanted) => !wanted || atMost(adl, LOW_ADL),
  };
}

/** Coins of the heat map. */
const COINS = 20;
/** Rates of the year between which settlements are counted. */
const EDGES = [-0.5, -0.2, -0.1, -0.05, 0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 1];

/** Reads what the coins of a venue that turn over most have settled, day by day. */
export function createFundingHeat() {
  const pastOf = onceAnHour(HEAT_DAYS, (history) => history);
  return async (sight: MarketSight, source: string) => {
    const today = Math.floor(sight.at / DAY_MS) * DAY_MS;
    const days = Array.from({ length: HEAT_DAYS }, (_, i) => today - (HEAT_DAYS - 1 - i) * DAY_MS);
    const pairs = fundingPairs(sight)
      .filter((pair) => pair.source === source)
      .sort((a, b) => (b.perpetual.ticker.turnover24h ?? 0) - (a.perpetual.ticker.turnover24h ?? 0))
      .slice(0, COINS);
    const pasts = await mapYielding(pairs, ({ perpetual }) => pastOf(perpetual, sight.at));
    const settled = pasts.flatMap((past) =>
      past === null ? [] : [...past.rate].flatMap((rate, i) => fundingApr(rate, past.hours[i]!) ?? []),
    );
    const counts = binned(settled, EDGES);
    return {
      days,
      rows: pairs.map(({ perpetual: { instrument } }, i) => ({
        base: instrument.base,
        perpetual: instrument.symbol,
        apr: pasts[i] ? dailyAprs(pasts[i], days) : days.map(() => null),
      })),
      bins: counts.map((count, i) => ({ from: EDGES[i - 1] ?? null, to: EDGES[i] ?? null, count })),
    };
  };
}
