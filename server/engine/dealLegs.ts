import type Big from 'big.js';
import { MINUTE_MS, SECOND_MS } from '#contract/duration';
import { type EntryParams, legsEntry } from '#contract/legsEntry';
import { LEGS, type Leg, type PairBlock } from '#contract/lifecycle';
import type { Obstacle } from '#contract/scan';
import { holdsPair } from '#contract/strategy';
import { isReducing } from '../base/db/strategies/reduction';
import { roundTrip } from '../base/maths/basis';
import { plain } from '../base/maths/decimal';
import { GAP_LOTS, isBeyondLots } from '../base/maths/legGap';
import { closableOf } from '../base/maths/spareCoin';
import type { TradingTerms } from '../market/venue';
import { type Blocked, blocked, type EntryBook, marketBlock, type Need, strongestGuard } from './entries';
import type { LegNow, LegsRules } from './legs';
import { planLegs } from './planLegs';
import type { Alert, EntryContext, NextAction, PlanContext } from './runner';
import type { BookOrder, DealBook, TargetBook } from './tradingBook';
import { APART, TAKEN, takenWords } from './words';

type LegsContext = Omit<PlanContext, 'observed' | 'signal'>;

/** Target quantities of legs, base currency, where they do not follow from the notional. */
type TargetQuantities = Partial<Record<Leg, Big>>;

/** Both legs of a deal as its plan sees them. */
export const legsOfDeal = (
  deal: DealBook,
  context: LegsContext,
  targetQuantities: TargetQuantities = {},
): LegNow<Leg>[] =>
  LEGS.map((leg) => ({
    ...(targetQuantities[leg] === undefined ? {} : { targetQuantity: targetQuantities[leg] }),
    leg,
    side: leg,
    weight: deal.legs[leg].weight,
    targetNotional: context.targetNotional[leg],
    book: deal.legs[leg],
    view: context[leg],
    terms: context.terms[leg],
    gone: context.gone[leg],
    room: context.room[leg],
    account: context.account[leg],
    offset: context.offset[leg],
    venueDown: context.venueDown[leg],
    isUnfollowed: context.unfollowed?.[leg] ?? false,
  }));

/** What a deal of two legs needs next by the rules of its kind. */
export function planDeal(
  deal: DealBook,
  live: readonly BookOrder[],
  context: LegsContext,
  rules: LegsRules,
  targetQuantities?: TargetQuantities,
): NextAction | null {
  const { now, entriesDisabled, isBehind = false, hasMargin } = context;
  return planLegs(
    { deal, legs: legsOfDeal(deal, context, targetQuantities), rules, now, entriesDisabled, isBehind, hasMargin },
    live,
  );
}

/** The entry rules that the params of two legs name. */
export function bringInBy(params: EntryParams): Pick<LegsRules, 'bringIn' | 'twap' | 'convertMs' | 'payUp'> {
  const { rests, convertSeconds, slices, sliceSeconds, payUpTicks } = legsEntry(params);
  return {
    bringIn: rests ? 'makerFirst' : 'takerFirst',
    twap: { slices, everyMs: sliceSeconds * SECOND_MS },
    ...(payUpTicks === null ? {} : { payUp: payUpTicks }),
    ...(rests && convertSeconds !== null ? { convertMs: convertSeconds * SECOND_MS } : {}),
  };
}

/**
 * What legs of one notional each take of their accounts.
 * @param cost of going in and out, a fraction of it.
 */
export function needsOf(
  terms: Record<Leg, TradingTerms | undefined>,
  { legNotional, leverage }: { legNotional: number; leverage: number },
  cost: number,
): Record<Leg, Need> {
  const of = (leg: Leg): Need => {
    if (terms[leg]?.kind !== 'spot') return { margin: legNotional * (1 / leverage + cost), cash: 0 };
    // Spot that is sold is held already.
    return { margin: 0, cash: leg === 'long' ? legNotional * (1 + cost) : 0 };
  };
  return { long: of('long'), short: of('short') };
}

/** Alerts of an imbalance between the legs of an open deal that are matched by quantity. */
export function imbalanceAlerts(
  deal: Pick<DealBook, 'state' | 'legs' | 'reduction' | 'reducedAt'>,
  { terms }: Pick<PlanContext, 'terms'>,
): Alert[] {
  const { long, short } = deal.legs;
  // Of legs that are being taken down one comes first.
  if (deal.state !== 'open' || isReducing(deal) || !terms.long || !terms.short) return [];
  const lots = [Number(terms.long.lotSize), Number(terms.short.lotSize)];
  if (!isBeyondLots(long.quantity, short.quantity, lots)) return [];
  const gap = plain(long.quantity.plus(short.quantity).abs());
  const text = `${long.symbol} / ${short.symbol} 相差 ${gap}，超过最小数量 ${Math.max(...lots)} 的 ${GAP_LOTS} 倍`;
  return [{ word: APART, level: 'warning', title: '两腿数量偏差', text }];
}

/** Alert of a leg of which somebody has traded a part away by hand, beside what the account holds for others. */
export function takenAlerts(
  { state, kind, legs }: Pick<DealBook, 'state' | 'kind' | 'legs'>,
  { account, offset, terms }: Pick<PlanContext, 'account' | 'offset' | 'terms'>,
): Alert[] {
  if (state !== 'open' || !holdsPair(kind)) return [];
  const texts = LEGS.map((leg) => {
    const [{ symbol, quantity: held }, own] = [legs[leg], terms[leg]];
    if (own === undefined) return '';
    const position = account[leg];
    const left = closableOf({ held, position, offset: offset[leg], isSpot: own.kind === 'spot' });
    return takenWords(symbol, held, left, own.lotSize);
  });
  const text = texts.filter(Boolean).join('；');
  return text === '' ? [] : [{ word: TAKEN, level: 'error', title: '腿被外部成交抵掉', text }];
}

const HALTED_MS = MINUTE_MS;

/**
 * Alert of a leg that is held and of which nothing is heard while its venue is there: halted, or taken off.
 * @param outAt when the venue of each was last out, UTC ms: that is one thing, and not one of each contract
 */
export function haltAlerts(
  { state, legs }: Pick<DealBook, 'state' | 'legs'>,
  { outAt, now, ...context }: Pick<PlanContext, 'now' | Leg> & { outAt: Record<Leg, number> },
): Alert[] {
  if (state !== 'open' && state !== 'closing') return [];
  const halted = LEGS.filter((leg) => {
    const view = context[leg];
    const isHeard = view === undefined || view.fresh || view.jumped;
    return !isHeard && now - Math.max(view.at, outAt[leg]) >= HALTED_MS && !legs[leg].quantity.eq(0);
  });
  const names = [...new Set(halted.map((leg) => legs[leg].symbol))].join('、');
  const text = `${names} 没有行情：盈亏按停止前的价格，平仓与止损要等它恢复；下架或到期的等交易所结算`;
  return names === '' ? [] : [{ word: 'halted', level: 'error', title: '合约停牌或下架', text }];
}

/** The block that an obstacle of a scanner row stands for. */
const blockOf = (obstacle: Obstacle): PairBlock => (obstacle === 'minimum' ? 'belowMinimum' : obstacle);

/**
 * The checks of every kind that enters on a scanner row: no open deal, no guard, no obstacle of row or market.
 * @param maxDeals deals of the strategy at once
 * @returns the row, or the block
 */
export function entryGate<R extends { obstacles: readonly Obstacle[] }>(
  book: EntryBook,
  { id }: Pick<TargetBook, 'id'>,
  context: Omit<EntryContext, 'observed'>,
  row: R | null,
  maxDeals = Number.POSITIVE_INFINITY,
): { row: R } | Blocked {
  if (book.deals.some(({ targetId }) => targetId === id)) return blocked('open');
  const guard = strongestGuard(book, context);
  if (guard !== null) return blocked(guard);
  if (book.deals.length >= maxDeals) return blocked('slots');
  if (row === null) return blocked('incomplete');
  const [obstacle] = row.obstacles;
  if (obstacle !== undefined) return blocked(blockOf(obstacle));
  const market = marketBlock(context);
  return market === null ? { row } : blocked(market);
}

/** Fractions of a leg's notional; `null` where the market does not say. */
interface Trip {
  fees: number | null;
  openEdge: number | null;
  closeLevel: number | null;
}

/** Cost of entering and exiting at once (F5): the four fees, and the distance of exit and entry level. */
export const tripCost = ({ fees, openEdge, closeLevel }: Trip): number | null =>
  fees === null || openEdge === null || closeLevel === null ? null : -roundTrip(openEdge, closeLevel, fees);
