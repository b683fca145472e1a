import { venueName } from '#contract/candle';
import type { ExitRule } from '#contract/dealOutlook';
import type { CexRateParams } from '#contract/kinds/cexRate/params';
import type { CexRateCandidate } from '#contract/kinds/cexRate/scan';
import { LEGS } from '#contract/lifecycle';
import type { Places, TargetLeg } from '../../base/db/hedges/pairLegs';
import type { SourceSymbol } from '../../base/symbolKey';
import { bringInBy, entryGate, imbalanceAlerts, needsOf, planDeal, tripCost } from '../../engine/dealLegs';
import { blocked, type EntryBook } from '../../engine/entries';
import { firstMet, heldHours, limitRules, onFall, pricesGate } from '../../engine/exitRules';
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
import { fundingPastOf } from '../../market/scan/fundingPast';
import { pricesBefore } from '../../market/scan/replay';
import { Quoted } from '../../market/scan/sight';
import { canMoveAt, type SettledLeg } from './coinLegs';
import { cexRateCandidate } from './scan';

const percent = (value: number): string => `${(value * 100).toFixed(2)} %`;

/** Alerts of an open deal. */
function rateAlerts(deal: DealBook<'cexRate'>, context: PlanContext<'cexRate'>): Alert[] {
  const { legs, state, entryNote } = deal;
  if (state !== 'open') return [];
  const nameOf = ({ symbol, source }: SourceSymbol) => `${symbol}（${venueName(source)}）`;
  const names = `${nameOf(legs.long)}多 / ${nameOf(legs.short)}空`;
  const found = imbalanceAlerts(deal, context);
  for (const leg of LEGS.filter((one) => context.venueDown[one])) {
    const { source, symbol } = legs[leg];
    const text = `${names}：${venueName(source)} 没有回应，${symbol} 一腿暂时不能下单，另一腿也不单独动`;
    found.push({ word: `out ${source}`, level: 'error', title: '交易所断线', text });
  }
  const { observed } = context;
  if (observed === null) return found;
  if (observed.grossApr !== null && observed.grossApr * entryNote.grossApr < 0) {
    const text = `${names}：费率差 ${percent(observed.grossApr)}，与开仓时的 ${percent(entryNote.grossApr)} 反号`;
    found.push({ word: 'gapSign', level: 'warning', title: '费率差过零', text });
  }
  if (observed.notes.includes('interval')) {
    const text = `${names}：多方每 ${observed.longHours} 小时、空方每 ${observed.shortHours} 小时结算，其间只有一边收付`;
    found.push({ word: 'interval', level: 'info', title: '两所结算时刻不同', text });
  }
  return found;
}

declare module '../../engine/kindTypes' {
  interface Observed {
    /** The row of the scanner at the size of the strategy; null where a venue does not list the coin. */
    cexRate: CexRateCandidate | null;
  }

  interface EntryNote {
    cexRate: {
      /** F7. */
      grossApr: number;
      /** Days until funding has paid the round-trip costs. */
      paybackDays: number;
    };
  }
}

type Deal = DealBook<'cexRate'>;
type DealContext = PlanContext<'cexRate'>;

/** The perpetual of each coin at both venues. */
function targets({ long, short, coins }: CexRateParams, listed: Listed) {
  const missing: string[] = [];
  const legs: TargetLeg[][] = [];
  for (const coin of coins) {
    const at = (source: string) =>
      listed(source).instruments.find(({ base, kind }) => base === coin && kind === 'perpetual')?.symbol;
    const [bought, sold] = [at(long), at(short)];
    if (bought === undefined || sold === undefined) missing.push(coin);
    else
      legs.push([
        { leg: 'long', source: long, symbol: bought },
        { leg: 'short', source: short, symbol: sold },
      ]);
  }
  return { legs, missing, field: 'coins' };
}

/** One leg as the scanner sees it; null where its venue does not list it now. */
async function legAt(
  snapshot: MarketSnapshot,
  { source, symbol }: SourceSymbol,
  size: number,
): Promise<SettledLeg | null> {
  const { at } = snapshot;
  const market = snapshot.marketOf(source);
  const listing = market?.listed?.(symbol, at);
  if (!market || !listing || listing.instrument.fundingHours === null) return null;
  const { instrument, ticker } = listing;
  const canMove = canMoveAt(instrument, (asset) => market.wallet(asset, at));
  const quoted = new Quoted(market, instrument, ticker, at);
  const [past, before] = [await fundingPastOf(quoted, at), pricesBefore(quoted, size, at)];
  return { source, isOut: market.isOut(at), quoted, canMove, past, before };
}

/** The scanner's own row of the coin in the direction of the strategy, at its size and planned hours. */
async function observe(snapshot: MarketSnapshot, { long, short }: Places, { legNotional, planHours }: CexRateParams) {
  const [bought, sold] = [await legAt(snapshot, long, legNotional), await legAt(snapshot, short, legNotional)];
  if (bought === null || sold === null) return null;
  const { base } = bought.quoted.instrument;
  const plan = { size: legNotional, hours: planHours, leastApr: 0, long: long.source };
  return cexRateCandidate({ base, legs: [bought, sold] }, plan, snapshot.at);
}

function entryOf(
  book: EntryBook,
  params: CexRateParams,
  target: Pick<TargetBook, 'id'>,
  context: EntryContext<'cexRate'>,
): Entry<'cexRate'> | Blocked {
  const gate = entryGate(book, target, context, context.observed, params.maxDeals);
  if ('block' in gate) return gate;
  const { row } = gate;
  const { netApr, grossApr, paybackDays } = row;
  const cost = tripCost(row);
  if (netApr === null || grossApr === null || paybackDays === null || cost === null) return blocked('incomplete');
  const { legNotional, maxHoldingHours, exitApr, entryApr, slippageCap } = params;
  // Orders within the slippage cap would never fill.
  if (slippageOf(row) > (2 * slippageCap) / 10_000) return blocked('depth');
  if (netApr < entryApr) return blocked('waitsForApr');
  // No entry that the exit rule would close at once.
  if (exitApr !== null && grossApr <= exitApr) return blocked('waitsForGap');
  if (maxHoldingHours !== null && paybackDays * 24 > maxHoldingHours) return blocked('holdTooShort');
  return {
    weights: { long: 1, short: 1 },
    signal: netApr,
    needs: needsOf(context.terms, { legNotional, leverage: params.leverage }, cost / 2),
    note: { grossApr, paybackDays },
  };
}

/** Slippage of both legs on entry: half the distance between entry and exit level. */
const slippageOf = ({ openEdge, closeLevel }: CexRateCandidate): number => ((closeLevel ?? 0) - (openEdge ?? 0)) / 2;

const rulesOf = (deal: Deal, context: DealContext): LegsRules => ({
  ...entryRules(deal.params, context.terms),
  exitReason: () => firstMet(exitRules(deal, context)),
});

/** The rules of entry and holding. */
const entryRules = (params: CexRateParams, terms: DealContext['terms']): LegsRules => ({
  ...bringInBy(params),
  // The leg with the coarser lots goes first, so that the other can match its quantity exactly.
  ...coarserOf(terms),
  matchBy: 'quantity',
  capBps: params.slippageCap,
  rebalance: null,
  exitReason: () => null,
});

function coarserOf({ long, short }: DealContext['terms']): Pick<LegsRules, 'first'> {
  if (long === undefined || short === undefined || long.lotSize === short.lotSize) return {};
  return { first: Number(long.lotSize) > Number(short.lotSize) ? 'long' : 'short' };
}

function exitRules(deal: Deal, context: ExitContext<'cexRate'>): ExitRule[] {
  const { params } = deal;
  const { now, long, short, observed } = context;
  const { exitApr: at, minHoldingHours } = params;
  const rules = limitRules(deal, params, context);
  if (at === null) return rules;
  const gap = observed?.grossApr ?? null;
  const held = heldHours(deal, now);
  const gate =
    held < minHoldingHours ? ({ is: 'minHolding', now: held, at: minHoldingHours } as const) : pricesGate(long, short);
  return [...rules, onFall('rateGap', 'apr', { now: gap, at, isMet: gap !== null && gap <= at, gate })];
}

/** A coin's perpetuals held against each other at two venues, for the difference of their rates. */
export const cexRate: Runner<'cexRate'> = {
  sources: ({ long, short }) => [long, short],
  targets,
  costs: (row) => ({ cost: row && tripCost(row), breakEven: null }),
  observe,
  signal: (row) => row?.netApr ?? null,
  gauge: ({ entryApr }, _target, { signal }) => ({ is: 'apr', now: signal, wanted: entryApr }),
  ticket: (snapshot, places, params, terms) => legsTicket(snapshot, places, params, terms, entryRules(params, terms)),
  rearmed: ({ usedArmAt }) => usedArmAt !== null,
  entry: entryOf,
  plan: (deal, live, context) => planDeal(deal, live, context, rulesOf(deal, context)),
  exitRules,
  alerts: rateAlerts,
};
