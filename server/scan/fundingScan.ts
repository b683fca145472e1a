import { HOUR_MS } from '#contract/duration';
import type { CarryDirection, FundingCandidate } from '#contract/fundingScan';
import type { Obstacle } from '#contract/scan';
import { closeLevel, openEdge, slippageAt } from '../maths/depth';
import { breakEvenSettlements, fundingApr, settlementsWithin } from '../maths/funding';
import { commonQuantity, leastNotional } from './commonQuantity';
import type { FundingPast } from './fundingPast';
import type { MarketSight, Quoted } from './sight';
import { depthOfLegs, riskObstacles } from './twoLegs';

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

/** Every coin of every venue that has spot and a perpetual there. */
export function fundingPairs({ venues }: MarketSight): Pair[] {
  return venues.flatMap(({ market, isOut, coins }) =>
    [...coins.values()].flatMap(({ spot, perpetual }) =>
      spot && perpetual ? [{ source: market.source, isOut, spot, perpetual }] : [],
    ),
  );
}

/** What holding the coin against its perpetual would make from now on, at a size. Pure. */
export function fundingCandidate(pair: Pair, past: FundingPast, plan: FundingPlan, now: number): FundingCandidate {
  const { source, spot, perpetual } = pair;
  const { instrument, ticker, terms } = perpetual;
  const rate = ticker.fundingRate;
  const direction: CarryDirection = (rate ?? 0) < 0 ? 'reverse' : 'carry';
  const hours = instrument.fundingHours!;
  const quantity = commonQuantity([spot, perpetual], plan.size, perpetual.mid ?? ticker.price);
  const trip = roundTrip(pair, direction, quantity);
  const borrowApr = direction === 'reverse' ? (spot.terms?.borrowApr ?? null) : null;
  const ours = rate === null ? null : Math.abs(rate) - ((borrowApr ?? 0) * hours) / HOURS_PER_YEAR;
  const breakEven = trip && ours !== null ? breakEvenSettlements(trip.entryCost, trip.exitCost, ours) : null;
  const toNext = Math.max(0, (ticker.nextFundingAt ?? now) - now);
  const row = {
    ...past,
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
    breakEven,
    breakEvenHours: breakEven === null ? null : toNext / HOUR_MS + (breakEven - 1) * hours,
    netApr:
      rate === null || trip === null
        ? null
        : netAprOf(Math.abs(rate), borrowApr, trip.made, { ...plan, toNext, every: hours }),
    borrowApr,
    openInterest: ticker.openInterest,
    turnover24h: ticker.turnover24h,
    depth: depthOf(pair, direction),
    adl: terms?.adl ?? null,
    collateralRatio: spot.terms?.collateralRatio ?? null,
    fundingCap: terms?.fundingCap ?? null,
  };
  return { ...row, obstacles: obstaclesOf(pair, row, now) };
}

interface Trip {
  /** Fees and slippage of both legs, fractions of the notional. */
  entryCost: number;
  exitCost: number;
  /** F5 open edge less F5 close level, both now, less the four fees: what going in and out at once would make. */
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
  return {
    entryCost: fees + slippageAt(entering, coinMid) + slippageAt(entered, contractMid),
    exitCost: fees + slippageAt(leaving, coinMid) + slippageAt(left, contractMid),
    made: openEdge(short, long) - closeLevel(short, long) - 2 * fees,
  };
}

interface Term {
  /** Planned hours. */
  hours: number;
  /** ms. */
  toNext: number;
  /** Hours. */
  every: number;
}

/** F7 on one venue: what the settlements within the hours bring, less borrowing and the round trip, a year. */
function netAprOf(rate: number, borrowApr: number | null, made: number, { hours, toNext, every }: Term): number {
  const brought = settlementsWithin(toNext, every, hours) * rate;
  const borrowed = ((borrowApr ?? 0) * hours) / HOURS_PER_YEAR;
  return ((brought - borrowed + made) * HOURS_PER_YEAR) / hours;
}

const depthOf = ({ spot, perpetual }: Pair, direction: CarryDirection): number | null =>
  direction === 'carry' ? depthOfLegs(perpetual, spot) : depthOfLegs(spot, perpetual);

type Figures = Pick<FundingCandidate, 'direction' | 'predictedRate' | 'quantity' | 'entryCost' | 'breakEven'>;

function obstaclesOf({ isOut, spot, perpetual }: Pair, row: Figures, now: number): Obstacle[] {
  if (isOut) return ['out'];
  const found: Obstacle[] = [];
  const { mid } = perpetual;
  const isSmall = row.quantity === 0 || (mid !== null && row.quantity * mid < leastNotional([spot, perpetual]));
  if (isSmall) found.push('minimum');
  else if (row.entryCost === null) found.push(spot.terms && perpetual.terms ? 'depth' : 'incomplete');
  if (row.predictedRate === null) found.push('incomplete');
  if (row.direction === 'reverse') found.push('borrow');
  if (row.entryCost !== null && row.breakEven === null) found.push('noPayback');
  return [...found, ...riskObstacles([perpetual], now)];
}
