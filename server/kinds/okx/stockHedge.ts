import type Big from 'big.js';
import type { OkxParams } from '#contract/kinds/okx/params';
import type { CloseReason, Leg } from '#contract/lifecycle';
import { floorTo, plain, smaller, ZERO } from '../../base/maths/decimal';
import { legsOfDeal } from '../../engine/dealLegs';
import { blocked, type EntryBook, marketBlock, strongestGuard } from '../../engine/entries';
import { askedReason, goneOf, isFlat, type Legs, mayRetry, sendOf } from '../../engine/legs';
import { planExit } from '../../engine/planExit';
import { planEntry, planStages } from '../../engine/planLegs';
import type { Alert, Blocked, Entry, EntryContext, NextAction, PlanContext } from '../../engine/runner';
import type { BookOrder, DealBook, TargetBook } from '../../engine/tradingBook';

type Deal = DealBook<'okx'>;

/** A smaller part of the whole stock is neither hedged nor worth an order. */
const DRIFT = 0.05;
/** The stock lies at both. */
const VENUES = 2;
/** Between two orders that follow the stock. */
const PAUSE_MS = 10_000;
/** Coin that is bought after a fall is hedged too: what the short cost before counts against its room. */
const GROWTH = 2;

/** The target that hedges the stock of a coin names one perpetual twice: it has a short leg alone. */
export const isHedgeTarget = ({ legs: [one, other] }: Pick<TargetBook, 'legs'>): boolean =>
  one !== undefined && one.symbol === other?.symbol && one.source === other.source;

export const isHedge = ({ entryNote }: { entryNote?: object | null }): boolean =>
  entryNote != null && 'isHedge' in entryNote && entryNote.isHedge === true;

/** What the short of a coin may come to, USDT. */
const wholeOf = ({ params, legs }: Pick<Deal, 'params' | 'legs'>): number => params.legNotional * legs.short.weight;

export const targetNotional = (deal: Deal, leg: Leg): number =>
  deal.params.legNotional * deal.legs[leg].weight * (isHedge(deal) && deal.state === 'open' ? GROWTH : 1);

/** The short that hedges what the strategy owns of a coin; none without a stock of its own. */
export function hedgeEntry(
  book: EntryBook,
  { stockNotional, legNotional }: OkxParams,
  target: Pick<TargetBook, 'id'>,
  context: EntryContext<'okx'>,
): Entry<'okx'> | Blocked {
  if (book.deals.some(({ targetId }) => targetId === target.id)) return blocked('open');
  const guard = strongestGuard(book, context) ?? marketBlock(context);
  if (guard !== null) return blocked(guard);
  const { lotSize, minNotional, takerFee } = context.terms.short!;
  // A stock of none is being sold: the short that hedges it goes with it, and what an order left gets none of its own.
  if (!stockNotional) return blocked('waitsForStock');
  const quantity = floorTo(context.stock, lotSize);
  const value = quantity.times(context.short!.price).toNumber();
  const whole = Math.max(value, 2 * stockNotional);
  const least = Math.max(whole * DRIFT, Number(minNotional), VENUES * Number(lotSize) * context.short!.price);
  if (value < least) return blocked('waitsForStock');
  return {
    weights: { long: 0, short: whole / legNotional },
    signal: null,
    needs: { long: { margin: 0, cash: 0 }, short: { margin: whole * (1 + 2 * takerFee), cash: 0 } },
    note: { isStock: true, isHedge: true, quantity: { long: '0', short: plain(quantity) } },
  };
}

/** Keeps the short as large as the stock, and ends it when that is gone. */
export function planHedge(deal: Deal, live: readonly BookOrder[], context: PlanContext<'okx'>): NextAction | null {
  const { now, entriesDisabled, hasMargin, stock } = context;
  const legs = legsOfDeal(deal, context, { short: stock.gt(0) ? stock : ZERO }).filter(({ leg }) => leg === 'short');
  const { slippageCap } = deal.params;
  const rules = {
    ...({ bringIn: 'atOnce', matchBy: 'quantity', once: true, rebalance: null, capBps: slippageCap } as const),
    exitReason: () => null,
  };
  return planStages({ deal, legs, rules, now, entriesDisabled, hasMargin }, live, {
    entry: planEntry,
    hold: (of, orders) => followStock(of, orders, stock, wholeOf(deal)),
    exit: planExit,
  });
}

function followStock(of: Legs<Leg>, live: readonly BookOrder[], stock: Big, whole: number): NextAction | null {
  const reason = endOf(of, stock, whole);
  const resting = live[0];
  if (reason !== null) return resting ? { do: 'cancel', order: resting } : { do: 'move', to: 'closing', reason };
  const [leg] = of.legs;
  const { view, terms, book, room, venueDown } = leg!;
  if (resting || !view?.fresh || terms === undefined || venueDown) return null;
  if (!mayRetry(of) || of.now - of.deal.lastSentAt < PAUSE_MS) return null;
  const drift = stock.minus(book.quantity.abs());
  const quantity = floorTo(drift.abs(), terms.lotSize);
  if (quantity.eq(0) || quantity.times(view.price).lt(whole * DRIFT)) return null;
  const { capBps } = of.rules;
  if (drift.lt(0)) return sendOf(leg!, quantity, 'rebalance', capBps);
  const added = smaller(quantity, floorTo(ZERO.plus(room).div(view.price), terms.lotSize));
  if (of.entriesDisabled || added.times(view.price).lt(terms.minNotional)) return null;
  return { ...sendOf(leg!, added, 'complete', capBps), adds: true };
}

function endOf(of: Legs<Leg>, stock: Big, whole: number): CloseReason | null {
  const [leg] = of.legs;
  const asked = askedReason(of) ?? goneOf(of);
  if (asked !== null) return asked;
  if (isFlat(leg!)) return 'liquidation';
  const { view, terms } = leg!;
  if (stock.lte(0)) return 'stockGone';
  if (!view) return null;
  // An order cannot sell less than a lot of what each venue has.
  const unsold = VENUES * Number(terms?.lotSize ?? 0) * view.price;
  const least = Math.max((whole * DRIFT) / 2, Number(terms?.minNotional ?? 0), unsold);
  return stock.times(view.price).lt(least) ? 'stockGone' : null;
}

/** Alert that the short and the stock have stayed apart. */
export function hedgeAlerts(deal: Deal, { stock, short, now }: PlanContext<'okx'>): Alert[] {
  const book = deal.legs.short;
  const apart = stock.minus(book.quantity.abs());
  if (deal.state !== 'open' || !short || now - deal.lastSentAt < 3 * PAUSE_MS) return [];
  if (
    apart
      .abs()
      .times(short.price)
      .lt(wholeOf(deal) * DRIFT * 2)
  )
    return [];
  const text = `${book.symbol}：库存 ${plain(stock)}，空头 ${plain(book.quantity.abs())}，还没有补到一致`;
  return [{ word: 'stockApart', level: 'warning', title: '库存没有全部对冲', text }];
}
