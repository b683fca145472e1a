import type { ExitRule } from '#contract/dealOutlook';
import { DAY_MS, HOUR_MS } from '#contract/duration';
import { isExitTooNear, type SpreadParams } from '#contract/kinds/spread/params';
import type { SpreadType } from '#contract/kinds/spread/scan';
import type { Places, TargetLeg } from '../../base/db/hedges/pairLegs';
import { bringInBy, entryGate, imbalanceAlerts, needsOf, planDeal, tripCost } from '../../engine/dealLegs';
import { blocked, type EntryBook } from '../../engine/entries';
import { firstMet, limitRules, onFall, onRise, pricesGate } from '../../engine/exitRules';

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
  NextAction,
  PlanContext,
  Runner,
} from '../../engine/runner';
import type { BookOrder, DealBook, TargetBook } from '../../engine/tradingBook';

import type { InstrumentKind, Listing, Market } from '../../market/exchange';
import { pricesBefore } from '../../market/scan/replay';
import { Quoted } from '../../market/scan/sight';
import { legsBy, nextExpiryOf, type ObservedSpread, rollOf, takingOver, targetQuantityOf } from './rolling';
import { settledSpread, spreadCandidate } from './scan';

declare module '../../engine/kindTypes' {
  interface Observed {
    /** The row of the scanner in the direction of the strategy, at its size; null where the pair is not known. */
    spread: ObservedSpread | null;
  }

  interface EntryNote {
    spread: {
      /** F5 at the size. */
      openEdge: number;
      /** Of the leg that expires first, UTC ms. */
      expiresAt: number | null;
      /** Of a rolled deal: its target quantity, base currency. */
      quantity?: string;
    };
  }
}

type Deal = DealBook<'spread'>;
type DealContext = PlanContext<'spread'>;

/** The near and the far leg as long and short. */
function targets({ source, near, far, direction }: SpreadParams, listed: Listed) {
  const { instruments } = listed(source);
  const isListed = (symbol: string) => instruments.some((one) => one.symbol === symbol);
  const [long, short] = direction === 'sellFar' ? [near, far] : [far, near];
  const legs: TargetLeg[] = [
    { leg: 'long', source, symbol: long },
    { leg: 'short', source, symbol: short },
  ];
  const base = (symbol: string) => instruments.find((one) => one.symbol === symbol)?.base;
  const missing = [near, far].filter((symbol) => !isListed(symbol));
  const isPair = missing.length === 0 && base(near) === base(far);
  return { legs: isPair ? [legs] : [], missing: isPair || missing.length > 0 ? missing : [far], field: 'far' };
}

const TYPES: Record<string, SpreadType> = {
  'spot perpetual': 'spotPerpetual',
  'spot future': 'spotFuture',
  'perpetual future': 'perpetualFuture',
  'future future': 'nearFar',
};

/** One of the coin's other instruments. */
async function siblingOf(market: Market, base: string, kind: InstrumentKind): Promise<Listing | null> {
  const found = (await market.instruments([kind])).find((one) => one.base === base);
  return found ? (market.listed?.(found.symbol) ?? null) : null;
}

/** The scanner's own row of the pair in the direction of the strategy, at its size. */
async function observe(
  snapshot: MarketSnapshot,
  { long, short }: Places,
  params: SpreadParams,
  purpose: 'entry' | 'deal',
): Promise<ObservedSpread | null> {
  const { at } = snapshot;
  const market = snapshot.marketOf(long.source);
  const [bought, sold] = [market?.listed?.(long.symbol, at), market?.listed?.(short.symbol, at)];
  if (!market || !bought || !sold) return null;
  const [near, far] = params.direction === 'sellFar' ? [bought, sold] : [sold, bought];
  const type = TYPES[`${near.instrument.kind} ${far.instrument.kind}`];
  if (type === undefined) return null;
  const quoted = ({ instrument, ticker }: Listing) => new Quoted(market, instrument, ticker, at);
  // A later future stands above the index, which only spot tells.
  const spot = type === 'nearFar' ? await siblingOf(market, far.instrument.base, 'spot') : null;
  const { legNotional: size, planDays: days, direction } = params;
  const pair = await settledSpread(
    {
      ...{ source: market.source, isOut: market.isOut(at), type, near: quoted(near), far: quoted(far) },
      ...{ spot: spot ? quoted(spot) : undefined, perpetual: undefined },
    },
    at,
  );
  const plan = { size, days, direction };
  const later = purpose === 'deal' ? await nextExpiryOf(market, near, far) : null;
  const before = { near: pricesBefore(pair.near, size, at), far: pricesBefore(pair.far, size, at) };
  const row = spreadCandidate({ ...pair, before }, 'pending', plan, at);
  if (later === null) return { ...row, next: null };
  return {
    ...row,
    // Computed only for deals that are about to roll; what is held goes on whatever was before.
    get next() {
      return spreadCandidate({ ...pair, far: quoted(later) }, 'pending', plan, at);
    },
  };
}

function entryOf(
  book: EntryBook,
  params: SpreadParams,
  target: Pick<TargetBook, 'id' | 'rounds'>,
  context: EntryContext<'spread'>,
): Entry<'spread'> | Blocked {
  const gate = entryGate(book, target, context, context.observed);
  if ('block' in gate) return gate;
  const { row } = gate;
  const { netFundingApr: netApr, openEdge, fees, expiresAt } = row;
  // Too few days give no rate: there is no entry right before an expiry.
  if (netApr === null || openEdge === null || fees === null) return blocked('incomplete');
  const { closeBeforeHours } = params;
  if (netApr < params.entryApr + target.rounds * params.roundStep) return blocked('waitsForApr');
  // It would be closed at once, or at a loss, and then opened again.
  if (isExitTooNear(params.exitLevel, row)) return blocked('exitTooNear');
  const ends = expiresAt === null || closeBeforeHours === null ? null : expiresAt - closeBeforeHours * HOUR_MS;
  if (ends !== null && context.now >= ends - DAY_MS) return blocked('holdTooShort');
  return {
    weights: { long: 1, short: 1 },
    signal: netApr,
    needs: needsOf(context.terms, params, fees / 2),
    note: { openEdge, expiresAt },
  };
}

const rulesOf = (deal: Deal, context: DealContext): LegsRules => ({
  ...entryRules(deal, context.terms),
  exitReason: () => firstMet(exitRules(deal, context)),
});

type Begun = Pick<Deal, 'params' | 'rolledFrom'>;

/** The rules of entry and holding. */
const entryRules = (deal: Begun, terms: DealContext['terms']): LegsRules => ({
  ...bringInOf(deal, terms),
  matchBy: 'quantity',
  capBps: deal.params.slippageCap,
  rebalance: null,
  exitReason: () => null,
});

/** How the legs of a deal come in. */
function bringInOf(
  { params, rolledFrom }: Begun,
  terms: DealContext['terms'],
): ReturnType<typeof bringInBy> & Pick<LegsRules, 'first'> {
  // A rolled deal takes the near leg over and trades only the far one.
  if (rolledFrom !== null) return { bringIn: 'takerFirst', first: legsBy(params).far };
  const bringIn = bringInBy(params);
  // Of what rests the leg that is harder to fill and may rest is found out as it begins; what hedges spot that is taken
  // is sized to the coin that was received (F28).
  const isSized = bringIn.bringIn === 'takerFirst' && terms.long?.kind === 'spot';
  return { ...bringIn, ...(isSized ? { first: 'long' } : {}) };
}

/** The legs come first; a deal with nothing to do may roll to the next expiry. */
function plan(deal: Deal, live: readonly BookOrder[], context: DealContext): NextAction | null {
  const action = planDeal(deal, live, context, rulesOf(deal, context), targetQuantityOf(deal));
  if (action === null) return live.length === 0 ? rollOf(deal, context) : null;
  return deal.rolledFrom === null ? action : takingOver(deal, action, context);
}

const EXPIRY_ALERT_MS = 3 * DAY_MS;

/** Alerts of an open deal. */
function alerts(deal: Deal, context: DealContext): Alert[] {
  const { entryNote, params, state } = deal;
  const found = imbalanceAlerts(deal, context);
  const left = (entryNote.expiresAt ?? Number.POSITIVE_INFINITY) - context.now;
  if (state !== 'open' || left > EXPIRY_ALERT_MS) return found;
  const ends = params.closeBeforeHours === null ? '届时按指数均价交割' : `到期前 ${params.closeBeforeHours} 小时平仓`;
  const text = `${deal.legs[legsBy(params).far].symbol} ${Math.max(0, left / HOUR_MS).toFixed(0)} 小时后到期，${ends}；要继续持有请移仓`;
  return [...found, { word: 'expiry', level: 'info', title: '临近到期', text }];
}

function exitRules(deal: Deal, context: ExitContext<'spread'>): ExitRule[] {
  const { params, entryNote } = deal;
  const { now, long, short, observed } = context;
  const { expiresAt } = entryNote;
  const { closeBeforeHours, exitLevel } = params;
  const rules = limitRules(deal, params, context);
  if (expiresAt !== null && closeBeforeHours !== null) {
    const at = expiresAt - closeBeforeHours * HOUR_MS;
    rules.push(onRise('expiry', 'instant', { now, at, isMet: now >= at }));
  } else if (expiresAt !== null) {
    // The venue delivers it: nothing is sent.
    rules.push(onRise('delivery', 'instant', { now, at: expiresAt, isMet: false }));
  }
  if (exitLevel !== null) {
    const level = observed?.closeLevel ?? null;
    const isMet = level !== null && level <= exitLevel;
    rules.push(onFall('converged', 'level', { now: level, at: exitLevel, isMet, gate: pricesGate(long, short) }));
  }
  return rules;
}

/** Two instruments of one coin held against each other at one venue until their prices have met. */
export const spread: Runner<'spread'> = {
  sources: ({ source }) => [source],
  targets,
  costs: (row) => ({ cost: row && tripCost(row), breakEven: null }),
  observe,
  signal: (row) => row?.netFundingApr ?? null,
  gauge: ({ entryApr, roundStep }, { rounds }, { signal }) => ({
    is: 'apr',
    now: signal,
    wanted: entryApr + rounds * roundStep,
  }),
  ticket: (snapshot, places, params, terms) =>
    legsTicket(snapshot, places, params, terms, entryRules({ params, rolledFrom: null }, terms)),
  rearmed: ({ usedArmAt }) => usedArmAt !== null,
  entry: entryOf,
  followed: (params, legs) => ({ ...params, far: legs[legsBy(params).far].symbol }),
  plan,
  exitRules,
  alerts,
};
