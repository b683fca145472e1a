import type Big from 'big.js';
import { type EntryParams, legsEntry } from '#contract/legsEntry';
import { LEGS, type Leg } from '#contract/lifecycle';
import type { LegsTicket } from '#contract/strategies';
import type { Places } from '../base/db/hedges/pairLegs';
import { plain, roundTo, ZERO } from '../base/maths/decimal';
import { AT_ONCE, dueShare, spanOf } from '../base/maths/twap';
import { average, takeFromBook } from '../market/paper/orderBook';
import { touchOf } from '../market/scan/replay';
import { Quoted } from '../market/scan/sight';
import type { Quote, TradingTerms } from '../market/venue';
import type { LegNow, LegsRules } from './legs';
import type { MarketSnapshot, SymbolView } from './marketSnapshot';
import { planLegs } from './planLegs';
import { capPrice, restPrice, roomAt } from './preTradeRisk';
import type { NextAction } from './runner';
import { entrySide } from './tradingBook';

/** A leg with its book. */
interface QuotedLeg extends Omit<DryLeg, 'weight'> {
  quoted: Quoted;
  quote: Quote;
}

function quotedLeg(
  snapshot: MarketSnapshot,
  places: Places,
  leg: Leg,
  terms: TradingTerms | undefined,
  targetNotional: number,
) {
  const { source, symbol } = places[leg];
  const listing = snapshot.marketOf(source)?.listed?.(symbol, snapshot.at);
  const view = snapshot.of(places)[leg];
  if (!listing || !view || !terms) return null;
  const quoted = new Quoted(snapshot.marketOf(source)!, listing.instrument, listing.ticker, snapshot.at);
  const touch = touchOf(quoted);
  if (touch === null || quoted.mid === null) return null;
  // Rounded first, as float noise would push a price up to the next tick.
  const onGrid = (price: number) => roundTo(ZERO.plus(price), terms.tickSize).toNumber();
  const quote = { source, symbol, bid: onGrid(touch.bid), ask: onGrid(touch.ask), at: snapshot.at };
  return { symbol, view, terms, mid: quoted.mid, targetNotional, quoted, quote } satisfies QuotedLeg;
}

/** What the first order of a leg would pay at the book of now, and how far it may go, also once it is taken from the book. */
function priceOf(leg: Leg, { quoted, quote, terms }: QuotedLeg, send: EntrySend, rules: LegsRules) {
  const side = entrySide(leg);
  if (send.maker) {
    const rest = restPrice(quote, side, terms).toNumber();
    const limitPrice = rules.convertMs === undefined ? rest : capPrice(quote, side, rules, terms).toNumber();
    return { price: rest, limitPrice, fillable: null };
  }
  return takenAt(leg, { quoted, quote, terms }, send);
}

type Taking = Pick<EntrySend, 'quantity' | 'capBps' | 'payUp'>;

/** What is taken from the book of now within its reach. */
function takenAt(leg: Leg, { quoted, quote, terms }: Pick<QuotedLeg, 'quoted' | 'quote' | 'terms'>, take: Taking) {
  const side = entrySide(leg);
  const limit = capPrice(quote, side, take, terms);
  const taken = quoted.book ? takeFromBook(quoted.book, side, take.quantity, limit) : [];
  const filled = taken.length === 0 ? null : average(taken);
  return {
    price: filled?.price.toNumber() ?? null,
    limitPrice: limit.toNumber(),
    fillable: plain(filled?.quantity ?? ZERO),
  };
}

/**
 * What one leg would be sent if all of a quantity (base currency) were taken from the book now.
 * @returns null where there is nothing to take, or its price or terms are not known
 */
export function takenTicket(
  snapshot: MarketSnapshot,
  places: Places,
  leg: Leg,
  terms: TradingTerms,
  take: Taking,
): LegsTicket['legs'][number] | null {
  const own = take.quantity.gt(0) ? quotedLeg(snapshot, places, leg, terms, 0) : null;
  if (own === null) return null;
  const priced = takenAt(leg, own, take);
  const quantity = plain(take.quantity);
  return {
    ...{ leg, ...places[leg], way: 'takes', lotSize: terms.lotSize, quantity, partQuantity: quantity },
    held: plain(received(take.quantity, terms, leg, false)),
    ...priced,
    ...costsOf(leg, own, take.quantity, priced.price, false),
  };
}

/** What all of a leg is worth and costs at the price of its first order, USDT. */
function costsOf(leg: Leg, { mid, terms }: QuotedLeg, quantity: Big, price: number | null, maker: boolean) {
  if (price === null) return { notional: null, fee: null, slippage: null };
  const notional = quantity.times(price).toNumber();
  const worse = leg === 'long' ? price - mid : mid - price;
  return {
    notional,
    fee: notional * (maker ? terms.makerFee : terms.takerFee),
    slippage: quantity.times(worse).toNumber(),
  };
}

/**
 * What each of two legs would be sent if they were opened now: as the planner itself would send it, each leg on its own
 * steps. @param weights of each leg per notional of the params
 * @returns null where a price or the terms of a leg are not known.
 */
export function legsTicket(
  snapshot: MarketSnapshot,
  places: Places,
  params: EntryParams & { legNotional: number },
  terms: Record<Leg, TradingTerms | undefined>,
  rules: LegsRules,
  weights: Record<Leg, number> = { long: 1, short: 1 },
): LegsTicket | null {
  const [long, short] = LEGS.map((leg) => {
    const own = quotedLeg(snapshot, places, leg, terms[leg], params.legNotional * weights[leg]);
    return own && { ...own, weight: weights[leg] };
  });
  if (!long || !short) return null;
  const legs = { long, short };
  const { sends, held } = dryEntry(legs, rules, roomAt);
  const { rests, convertSeconds, slices, sliceSeconds, payUpTicks } = legsEntry(params);
  const isFirst = (leg: Leg) => sends[leg][0]?.maker === true;
  return {
    gap: gapOf(legs, held, rules),
    ...(rules.matchBy === 'cost' && { isOfTwoCoins: true }),
    legs: LEGS.map((leg) => {
      const [first] = sends[leg];
      const quantity = sends[leg].reduce((sum, send) => sum.plus(send.quantity), ZERO);
      const priced = first ? priceOf(leg, legs[leg], first, rules) : { price: null, limitPrice: null, fillable: null };
      return {
        leg,
        ...places[leg],
        way: rests ? (isFirst(leg) ? 'rests' : 'hedges') : 'takes',
        quantity: plain(quantity),
        held: plain(held[leg]),
        partQuantity: plain(first?.quantity ?? ZERO),
        lotSize: legs[leg].terms.lotSize,
        ...priced,
        ...costsOf(leg, legs[leg], quantity, priced.price, isFirst(leg)),
      };
    }),
    ...{ slices, sliceSeconds, payUpTicks, convertSeconds: rests ? convertSeconds : null },
  };
}

/** What the legs are apart once each has rounded to its own lots, USDT: by quantity of one coin, by worth of two. */
function gapOf(legs: Record<Leg, DryLeg>, held: Record<Leg, Big>, { matchBy }: LegsRules): number {
  if (matchBy === 'quantity') return held.long.minus(held.short).abs().times(legs.long.mid).toNumber();
  const worthOf = (leg: Leg) => held[leg].times(legs[leg].mid).div(legs[leg].weight);
  return worthOf('long').minus(worthOf('short')).abs().toNumber();
}

type EntrySend = Extract<NextAction, { do: 'send' }>;

/** A leg before anything was sent for it. */
interface DryLeg {
  symbol: string;
  view: SymbolView;
  terms: TradingTerms;
  /** Middle of the best prices now, USDT. */
  mid: number;
  /** Notional aimed at, USDT. */
  targetNotional: number;
  /** Of it per notional of the params. */
  weight: number;
}

/** What was sent for a leg, and what it holds of it: less than it bought where the fee is taken in the coin (F28). */
interface DryEntry {
  sends: Record<Leg, EntrySend[]>;
  held: Record<Leg, Big>;
}

/** Far more than any entry takes. */
const MOST_STEPS = 400;

/** What arrives of a quantity that is filled whole. */
function received(quantity: Big, { kind, makerFee, takerFee }: TradingTerms, leg: Leg, maker: boolean): Big {
  return kind === 'spot' && leg === 'long' ? quantity.times(1 - (maker ? makerFee : takerFee)) : quantity;
}

/**
 * What the planner itself sends for an entry of two legs whose every order is filled whole as soon as it goes out, as long
 * as prices stand still. @param room of a leg at what it is worth by then, USDT
 */
function dryEntry(
  dry: Record<Leg, DryLeg>,
  rules: LegsRules,
  room: (targetNotional: number, worth: number) => number,
): DryEntry {
  const twap = rules.twap ?? AT_ONCE;
  const held: Record<Leg, Big> = { long: ZERO, short: ZERO };
  const sends: Record<Leg, EntrySend[]> = { long: [], short: [] };
  let sinceMs = 0;
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const legs = LEGS.map((leg) => legNow(leg, dry[leg], held[leg], room));
    const action = planLegs({ deal: OPENING, legs, rules, now: sinceMs, entriesDisabled: false, hasMargin: true }, []);
    if (action?.do === 'send') {
      sends[action.leg].push(action);
      held[action.leg] = held[action.leg].plus(
        received(action.quantity, dry[action.leg].terms, action.leg, action.maker),
      );
    } else if (action === null && dueShare(twap, sinceMs) < 1 && sinceMs < spanOf(twap)) sinceMs += twap.everyMs;
    else break;
  }
  return { sends, held };
}

const OPENING = {
  state: 'opening',
  stateAt: 0,
  openedAt: null,
  closeAskedAt: null,
  flattenAskedAt: null,
  entryCancelledAt: null,
  frozen: null,
  oneLegSince: null,
  attempts: 0,
  isMoving: false,
  lastSentAt: 0,
  rebalanceWay: null,
  rebalanceAskedAt: null,
  reduction: null,
  reducedAt: null,
  unfreezeAskedAt: null,
  unfreezeTriedAt: null,
  sends: [],
} as const;

function legNow(
  leg: Leg,
  dry: DryLeg,
  held: Big,
  room: (targetNotional: number, worth: number) => number,
): LegNow<Leg> {
  const { symbol, view, terms, mid, targetNotional, weight } = dry;
  const signed = leg === 'long' ? held : held.neg();
  return {
    leg,
    side: leg,
    weight,
    targetNotional,
    book: { symbol, quantity: signed, cost: signed.times(mid), midOpen: mid },
    view,
    terms,
    gone: null,
    room: room(targetNotional, held.times(view.price).toNumber()),
    account: signed,
    offset: ZERO,
    venueDown: false,
  };
}
