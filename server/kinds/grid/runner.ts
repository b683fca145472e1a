import { type GridParams, isSpotGrid } from '#contract/kinds/grid/params';
import type { Places, TargetLeg } from '../../base/db/hedges/pairLegs';
import { cellQuantity, gridProfits, levelPrices, profitShares } from '../../base/maths/grid';
import type { GridNote } from '../../base/maths/gridLadder';
import { noteAt } from '../../base/maths/gridStart';
import { leftOfPurchase } from '../../base/maths/spotPurchase';
import { legsOfDeal } from '../../engine/dealLegs';
import { blocked, type EntryBook, marketBlock, strongestGuard } from '../../engine/entries';
import { planExit } from '../../engine/legs';
import type { MarketSnapshot } from '../../engine/marketSnapshot';
import { planStages } from '../../engine/planLegs';
import type { Blocked, Entry, EntryContext, Listed, Named, Runner } from '../../engine/runner';
import type { TargetBook } from '../../engine/tradingBook';
import type { Instrument, InstrumentTerms } from '../../market/exchange';
import { gridNeeds, startCoin } from './note';
import { gridOutline } from './outline';
import { exitRules, planKeep, planLadder, planStart } from './plan';
import { targetNotionalOf } from './size';

declare module '../../engine/kindTypes' {
  interface Observed {
    /** F27 of its cells as fractions of what they buy at, and both fees; null where the terms are not known, and for a deal. */
    grid: { least: number; takerFee: number } | null;
  }

  interface EntryNote {
    grid: GridNote;
  }
}

const KIND_WORDS = { spot: '现货', perpetual: '永续合约' } as const;

/**
 * One instrument as two legs: what is bought first is the long leg, what is sold first the short one. Spot has only the
 * long leg.
 */
function targets(params: GridParams, listed: Listed): Named {
  const { source, symbol } = params;
  const { instruments, termsOf } = listed(source);
  const found = instruments.find((one) => one.symbol === symbol);
  const kind = isSpotGrid(params) ? 'spot' : 'perpetual';
  if (found === undefined) return { legs: [], missing: [symbol], field: 'symbol' };
  if (found.kind !== kind) {
    const message = `${symbol} 不是${KIND_WORDS[kind]}，请换一个交易对，或改市场`;
    return { legs: [], missing: [], field: 'symbol', errors: [{ field: 'symbol', message }] };
  }
  const legs: TargetLeg[] = [
    { leg: 'long', source, symbol },
    { leg: 'short', source, symbol },
  ];
  return { legs: [legs], missing: [], field: 'symbol', errors: errorsAt(params, found, termsOf(symbol)) };
}

/** Errors by lot size, tick and fees of the symbol, each at the field that can fix it. */
function errorsAt(
  params: GridParams,
  { tickSize, lotSize, minNotional, maxLeverage }: Instrument,
  terms: InstrumentTerms | null,
) {
  if (tickSize === null || lotSize === null || terms === null) return [];
  const { lower, upper, cells, leverage } = params;
  const errors: NonNullable<Named['errors']> = [];
  const isSpot = isSpotGrid(params);
  const { least } = gridProfits(levelPrices(params, Number(tickSize)), terms.makerFee, isSpot)!;
  if (least <= 0) {
    const message = `最窄一格扣除两笔手续费后每币净利 ${Number(least.toPrecision(3))} USDT（F27），请减少格数或放宽区间`;
    errors.push({ field: 'cells', message });
  }
  if (smallestOrder(params, Number(lotSize), terms.makerFee) * lower < Number(minNotional ?? 0)) {
    // A fee in coin costs up to a lot more.
    const lots = isSpot ? 2 : 1;
    const needed = Math.ceil((Number(minNotional) / lower + lots * Number(lotSize)) * upper * cells);
    errors.push({ field: 'legNotional', message: `每格低于最小下单额 ${minNotional} USDT，网格名义至少约 ${needed}` });
  }
  if (maxLeverage !== null && leverage > maxLeverage) {
    errors.push({ field: 'leverage', message: `该合约杠杆最高 ${maxLeverage} 倍` });
  }
  return errors;
}

/** The smallest order of a cell, base currency: of spot its purchase after the fee. */
function smallestOrder(params: GridParams, lot: number, fee: number): number {
  const quantity = cellQuantity(params, params.legNotional, lot);
  return isSpotGrid(params) ? leftOfPurchase(quantity, fee, lot) : quantity;
}

/** F27 by the terms of now. */
async function observe(snapshot: MarketSnapshot, { long }: Places, params: GridParams, purpose: 'entry' | 'deal') {
  if (purpose === 'deal') return null;
  const market = snapshot.marketOf(long.source);
  const tick = Number(market?.listed?.(long.symbol, snapshot.at)?.instrument.tickSize ?? 0);
  const terms = market?.terms(long.symbol, snapshot.at);
  if (!terms || !(tick > 0)) return null;
  const { profitLeast: least } = profitShares(levelPrices(params, tick), terms.makerFee, isSpotGrid(params));
  return { least, takerFee: terms.takerFee };
}

function entryOf(
  book: EntryBook,
  params: GridParams,
  target: Pick<TargetBook, 'id' | 'armedAt' | 'usedArmAt'>,
  context: EntryContext<'grid'>,
): Entry<'grid'> | Blocked {
  if (book.deals.some(({ targetId }) => targetId === target.id)) return blocked('open');
  // Only a person starts a grid anew that left its range.
  if (target.usedArmAt !== null && target.usedArmAt >= target.armedAt) return blocked('used');
  const guard = strongestGuard(book, context);
  if (guard !== null) return blocked(guard);
  const market = marketBlock(context);
  if (market !== null) return blocked(market);
  if (context.observed === null) return blocked('incomplete');
  if (context.observed.least <= 0) return blocked('costs');
  const { price } = context.long!;
  const { lower, upper, triggerAbove, triggerBelow } = params;
  const isWaiting = (triggerAbove !== null && price < triggerAbove) || (triggerBelow !== null && price > triggerBelow);
  if (isWaiting) return blocked('trigger');
  if (price <= lower || price >= upper) return blocked('outOfRange');
  const note = noteAt(params, context.terms.long!, price);
  const { lotSize, makerFee, minNotional } = context.terms.long!;
  if (smallestOrder(params, Number(lotSize), makerFee) * lower < Number(minNotional)) return blocked('belowMinimum');
  if (params.invest === 'base' && context.free.long < startCoin(note)) return blocked('noCoin');
  const weights = { long: note.anchor / params.cells, short: 1 - note.anchor / params.cells };
  return {
    weights,
    signal: context.observed.least,
    needs: gridNeeds(params, note, context.observed.takerFee, price),
    note,
  };
}

/** One instrument bought and sold level by level between two prices. */
export const grid: Runner<'grid'> = {
  sources: ({ source }) => [source],
  targets,
  costs: (observed) => ({ cost: observed && 2 * observed.takerFee, breakEven: null }),
  observe,
  signal: (observed) => observed?.least ?? null,
  gauge: ({ triggerAbove, triggerBelow }, _target, { long }) => {
    const wanted = triggerAbove ?? triggerBelow;
    return wanted === null ? null : { is: 'price', now: long?.price ?? null, wanted };
  },
  rearmed: () => false,
  entry: entryOf,
  outline: gridOutline,
  targetNotional: targetNotionalOf,
  plan: (deal, live, context) => {
    const { now, entriesDisabled, hasMargin } = context;
    const rules = {
      bringIn: 'takerFirst',
      matchBy: 'quantity',
      capBps: deal.params.slippageCap,
      rebalance: null,
      exitReason: () => null,
    } as const;
    const legs = { deal, legs: legsOfDeal(deal, context), rules, now, entriesDisabled, hasMargin };
    if (deal.entryNote.keeps) return planStages(legs, live, { entry: planKeep, hold: planKeep, exit: planKeep });
    return planStages(legs, live, {
      entry: (of) => planStart(of, live, deal, context),
      hold: (of) => planLadder(of, live, deal, context),
      exit: planExit,
    });
  },
  exitRules,
};
