import type { ExitRule } from '#contract/dealOutlook';
import { HOUR_MS } from '#contract/duration';
import type { FundingParams } from '#contract/kinds/fundingRate/params';
import type { FundingCandidate } from '#contract/kinds/fundingRate/scan';
import type { PairBlock } from '#contract/lifecycle';
import type { Places, TargetLeg } from '../../base/db/hedges/pairLegs';
import { fundingApr } from '../../base/maths/funding';
import { entryGate, imbalanceAlerts, needsOf, planDeal } from '../../engine/dealLegs';
import { blocked, type EntryBook } from '../../engine/entries';
import { firstMet, limitRules, onFall, onRise, pricesGate } from '../../engine/exitRules';
import { netAt } from '../../engine/figures';
import type { LegsRules } from '../../engine/legs';
import { legsTicket } from '../../engine/legsTicket';
import type { MarketSnapshot } from '../../engine/marketSnapshot';
import type {
  Alert,
  Blocked,
  Entry,
  EntryContext,
  ExitContext,
  Listed,
  PlanContext,
  Runner,
} from '../../engine/runner';
import type { DealBook, TargetBook } from '../../engine/tradingBook';
import type { Instrument } from '../../market/exchange';
import { fundingPastOf } from '../../market/scan/fundingPast';
import { pricesBefore } from '../../market/scan/replay';
import { Quoted } from '../../market/scan/sight';
import { fundingCandidate } from './scan';

const percent = (value: number, digits: number): string => `${(value * 100).toFixed(digits)} %`;

/** Rates of the settlement that was last and of the one to come, as rates of the year; null where one is not known. */
function lastAprs(observed: PlanContext<'fundingRate'>['observed']): [settled: number, predicted: number] | null {
  const settled = fundingApr(observed?.settledRate ?? null, observed?.hours ?? null);
  const predicted = fundingApr(observed?.predictedRate ?? null, observed?.hours ?? null);
  return settled === null || predicted === null ? null : [settled, predicted];
}

/** Alerts of an open deal. */
function fundingAlerts(deal: Deal, context: PlanContext<'fundingRate'>): Alert[] {
  const { entryNote, params, legs, state } = deal;
  const { observed } = context;
  if (state !== 'open') return [];
  const symbol = legs.short.symbol;
  const found = imbalanceAlerts(deal, context);
  if (observed === null) return found;
  const { settledRate, hours } = observed;
  if (settledRate !== null && settledRate * entryNote.rate < 0) {
    const text = `${symbol} 上一期结算费率 ${percent(settledRate, 4)}，与开仓时的 ${percent(entryNote.rate, 4)} 反号`;
    found.push({ word: 'rateSign', level: 'warning', title: '费率反号', text });
  }
  if (hours !== entryNote.hours) {
    const text = `${symbol} 的结算间隔由 ${entryNote.hours} 小时改为 ${hours} 小时`;
    found.push({ word: 'interval', level: 'warning', title: '结算间隔改变', text });
  }
  const aprs = lastAprs(observed);
  const least = params.exitApr ?? 0;
  if (aprs?.every((apr) => apr < least)) {
    const text = `${symbol} 上期与本期预测的年化为 ${aprs.map((apr) => percent(apr, 2)).join('、')}，都低于 ${percent(least, 2)}`;
    found.push({ word: 'lowApr', level: 'warning', title: '连续两期低于平仓年化', text });
  }
  return found;
}

/** Alerts of a coin that would be entered. */
function carryTargetAlerts(
  { legNotional }: FundingParams,
  { legs }: Pick<TargetBook, 'legs'>,
  block: PairBlock | null,
): Alert[] {
  if (block !== 'balance') return [];
  const text = `${legs[0]?.symbol} 达到开仓条件，但账户可用余额不够买入 ${legNotional} USDT 现货`;
  return [{ word: 'balance', level: 'warning', title: '现货余额不足', text }];
}

declare module '../../engine/kindTypes' {
  interface Observed {
    /** The row of the scanner at the size of the strategy; null where the coin is not known. */
    fundingRate: FundingCandidate | null;
  }

  interface EntryNote {
    fundingRate: {
      /** F8: settlements that pay for going in and out. */
      breakEven: number;
      /** Per settlement, and hours between two. */
      rate: number;
      hours: number;
    };
  }
}

type Deal = DealBook<'fundingRate'>;
type DealContext = PlanContext<'fundingRate'>;

/** The spot and the perpetual of each coin. */
function targets({ source, coins }: FundingParams, listed: Listed) {
  const missing: string[] = [];
  const legs: TargetLeg[][] = [];
  for (const coin of coins) {
    const of = (kind: Instrument['kind']) =>
      listed(source).instruments.find((one) => one.base === coin && one.kind === kind)?.symbol;
    const [spot, perpetual] = [of('spot'), of('perpetual')];
    if (spot === undefined || perpetual === undefined) missing.push(coin);
    else
      legs.push([
        { leg: 'long', source, symbol: spot },
        { leg: 'short', source, symbol: perpetual },
      ]);
  }
  return { legs, missing, field: 'coins' };
}

/** The scanner's own row of the coin, at the size and the planned hours of the strategy. */
async function observe(snapshot: MarketSnapshot, { long, short }: Places, { legNotional, planHours }: FundingParams) {
  const market = snapshot.marketOf(long.source);
  const [spot, perpetual] = [market?.listed?.(long.symbol, snapshot.at), market?.listed?.(short.symbol, snapshot.at)];
  if (!market || !spot || !perpetual || perpetual.instrument.fundingHours === null) return null;
  const quoted = (listing: NonNullable<typeof spot>) =>
    new Quoted(market, listing.instrument, listing.ticker, snapshot.at);
  const pair = {
    source: market.source,
    isOut: market.isOut(snapshot.at),
    spot: quoted(spot),
    perpetual: quoted(perpetual),
  };
  const before = {
    spot: pricesBefore(pair.spot, legNotional, snapshot.at),
    perpetual: pricesBefore(pair.perpetual, legNotional, snapshot.at),
  };
  const past = await fundingPastOf(pair.perpetual, snapshot.at);
  return fundingCandidate(pair, past, { size: legNotional, hours: planHours }, snapshot.at, before);
}

function entryOf(
  book: EntryBook,
  params: FundingParams,
  target: Pick<TargetBook, 'id' | 'rounds'>,
  context: EntryContext<'fundingRate'>,
): Entry<'fundingRate'> | Blocked {
  const gate = entryGate(book, target, context, context.observed, params.maxDeals);
  if ('block' in gate) return gate;
  const { row } = gate;
  const { netApr, breakEven, breakEvenHours, entryCost, exitCost, predictedRate, hours } = row;
  if (netApr === null || breakEven === null || entryCost === null || exitCost === null || predictedRate === null) {
    return blocked('incomplete');
  }
  const { legNotional, coinCap, maxHoldingHours } = params;
  // Orders within the slippage cap would never fill.
  const fees = (context.terms.long?.takerFee ?? 0) + (context.terms.short?.takerFee ?? 0);
  if (entryCost - fees > (2 * params.slippageCap) / 10_000) return blocked('depth');
  if (netApr < params.entryApr + target.rounds * params.roundStep) return blocked('waitsForApr');
  if (maxHoldingHours !== null && (breakEvenHours ?? 0) > maxHoldingHours) return blocked('holdTooShort');
  if (coinCap !== null && context.coinHeld + legNotional > coinCap) return blocked('coinCap');
  return {
    weights: { long: 1, short: 1 },
    signal: netApr,
    needs: needsOf(context.terms, params, (entryCost + exitCost) / 2),
    note: { breakEven, rate: predictedRate, hours },
  };
}

const entryRules = ({ slices, sliceSeconds, slippageCap }: FundingParams): LegsRules => ({
  bringIn: 'takerFirst',
  // The perpetual is sized to the coin that was received (F28).
  first: 'long',
  matchBy: 'quantity',
  twap: { slices, everyMs: sliceSeconds * 1000 },
  capBps: slippageCap,
  rebalance: null,
  exitReason: () => null,
});

const rulesOf = (deal: Deal, context: DealContext): LegsRules => ({
  ...entryRules(deal.params),
  exitReason: () => firstMet(exitRules(deal, context)),
});

/** Settlements between two instants, UTC ms; they lie on full hours from 00:00 UTC. */
const settlementsIn = (from: number, to: number, hours: number): number =>
  Math.floor(to / (hours * HOUR_MS)) - Math.floor(from / (hours * HOUR_MS));

function exitRules(deal: Deal, context: ExitContext<'fundingRate'>): ExitRule[] {
  const { params, legs, entryNote, openedAt, createdAt } = deal;
  const { now, long, short, observed } = context;
  const { exitApr = null, flipRate } = params;
  const rules = limitRules(deal, params, context);
  // The entry costs are earned first.
  const settled = settlementsIn(openedAt ?? createdAt, now, entryNote.hours);
  const gate =
    settled < entryNote.breakEven
      ? ({ is: 'breakEven', now: settled, at: entryNote.breakEven } as const)
      : pricesGate(long, short);
  if (exitApr !== null) {
    const aprs = lastAprs(observed);
    const isMet = aprs?.every((apr) => apr < exitApr) === true;
    rules.push(onFall('rateGap', 'apr', { now: aprs && Math.max(...aprs), at: exitApr, isMet, gate }));
  }
  const rate = observed?.predictedRate ?? null;
  const flipped = rate !== null && rate < 0;
  rules.push(onFall('rateFlip', 'rate', { now: rate, at: -flipRate, isMet: flipped && rate <= -flipRate, gate }));
  const exitCost = observed?.exitCost ?? null;
  if (exitCost === null) return rules;
  // A small flip is exited only where that pays.
  // Of what is still held: of a part that was closed it is paid.
  const leaving = (exitCost * legs.long.cost.abs().plus(legs.short.cost.abs()).toNumber()) / 2;
  const net = netAt(deal, long, short);
  const isMet = flipped && net !== null && net > leaving;
  const waits = flipped ? gate : ({ is: 'negativeRate', now: rate, at: 0 } as const);
  return [...rules, onRise('rateFlip', 'net', { now: net, at: leaving, isMet, gate: waits })];
}

/** A coin held against its short perpetual at one venue, for the funding. */
export const fundingRate: Runner<'fundingRate'> = {
  sources: ({ source }) => [source],
  targets,
  costs: (row) => ({
    cost: row?.entryCost == null || row.exitCost === null ? null : row.entryCost + row.exitCost,
    breakEven: row?.breakEven ?? null,
  }),
  observe,
  signal: (row) => row?.netApr ?? null,
  gauge: ({ entryApr, roundStep }, { rounds }, { signal }) => ({
    is: 'apr',
    now: signal,
    wanted: entryApr + rounds * roundStep,
  }),
  ticket: (snapshot, places, params, terms) => legsTicket(snapshot, places, params, terms, entryRules(params)),
  // May be entered round after round, each at a higher APR.
  rearmed: ({ usedArmAt }) => usedArmAt !== null,
  entry: entryOf,
  plan: (deal, live, context) => planDeal(deal, live, context, rulesOf(deal, context)),
  exitRules,
  alerts: fundingAlerts,
  targetAlerts: (params, target, _, block) => carryTargetAlerts(params, target, block),
};
