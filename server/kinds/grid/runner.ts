import { DAY_MS } from '#contract/duration';
import { type GridParams, isSpotGrid } from '#contract/kinds/grid/params';
import type { Leg } from '#contract/lifecycle';
import type { Places, TargetLeg } from '../../base/db/hedges/pairLegs';
import { ZERO } from '../../base/maths/decimal';
import { cellQuantity, evenStep, gridProfits, levelPrices, pairsCompleted, profitShares } from '../../base/maths/grid';
import { type GridNote, gridLiquidation, lossAtStops, noteAt } from '../../base/maths/gridLadder';
import { leftOfPurchase } from '../../base/maths/spotPurchase';
import { legsOfDeal } from '../../engine/dealLegs';
import { blocked, type EntryBook, marketBlock, type Need, strongestGuard } from '../../engine/entries';
import { takenTicket } from '../../engine/legsTicket';
import type { MarketSnapshot } from '../../engine/marketSnapshot';
import { planExit } from '../../engine/planExit';
import { planStages } from '../../engine/planLegs';
import type { Blocked, Entry, EntryContext, Listed, Named, Outline, Runner } from '../../engine/runner';
import type { TargetBook } from '../../engine/tradingBook';
import { bracketFor } from '../../market/brackets';
import type { Instrument, InstrumentTerms } from '../../market/exchange';
import type { TradingTerms } from '../../market/venue';
import { exitRules, planKeep, planLadder, planStart } from './plan';
import { targetNotionalOf } from './size';

const NOTHING: Need = { margin: 0, cash: 0 };

/** Coin that the cells hold from the beginning, base currency. */
const startCoin = ({ quantity, startCells }: GridNote): number => Number(quantity) * startCells;

/** Margin and cash of each side when it is full, with the cost of entering and exiting. */
function gridNeeds(params: GridParams, note: GridNote, takerFee: number, price: number): Record<Leg, Need> {
  const { cells, legNotional, leverage } = params;
  if (isSpotGrid(params)) return { long: { margin: 0, cash: spotCash(params, note, takerFee, price) }, short: NOTHING };
  const of = (share: number): Need => ({ margin: share * legNotional * (1 / leverage + 2 * takerFee), cash: 0 });
  return { long: of(note.anchor / cells), short: of(1 - note.anchor / cells) };
}

/** USDT that a spot grid pays at most: each cell that waits below, and the coin it begins with where that is bought. */
function spotCash(params: GridParams, note: GridNote, takerFee: number, price: number): number {
  const waiting = levelPrices(params, Number(note.tickSize)).slice(0, note.startFrom);
  const below = waiting.reduce((sum, level) => sum + level * Number(note.quantity), 0);
  const bought = params.invest === 'base' ? 0 : (startCoin(note) * price) / (1 - takerFee);
  return below + bought;
}

const PAST_DAYS = 14;
const BAR = '1h';
const HOURS = 24;

/** What a grid would be if it began now. */
async function gridOutline(
  snapshot: MarketSnapshot,
  { long }: Places,
  params: GridParams,
  terms: TradingTerms | undefined,
): Promise<Outline | null> {
  const price = snapshot.of({ long, short: long }).long?.price;
  if (terms === undefined || price === undefined) return null;
  const { legNotional, leverage, stopLoss, stopLow, stopHigh } = params;
  const capital = legNotional / leverage;
  const inCoin = isSpotGrid(params);
  const levels = levelPrices(params, Number(terms.tickSize));
  const note = noteAt(params, terms, price);
  const quantity = Number(note.quantity);
  const stake = { shape: params, note, startPrice: price, capital };
  // Spot cannot be liquidated.
  const { low, high } = inCoin
    ? { low: null, high: null }
    : gridLiquidation(stake, bracketFor(terms, legNotional).maintenanceRate);
  const { least, most } = gridProfits(levels, terms.makerFee, inCoin)!;
  const steps = levels.slice(1).map((upper, i) => upper / levels[i]! - 1);
  const dailyPairs = await pairsADay(snapshot, long, levels, note.anchor);
  const fee = terms.makerFee;
  const startFrom = inCoin && params.invest === 'base' ? 'account' : 'market';
  const startLeg: Leg = note.anchor > 0 ? 'long' : 'short';
  const worst = stopLoss === null ? lossAtStops(stake, { low: stopLow, high: stopHigh }) : stopLoss * capital;
  return {
    needs: gridNeeds(params, note, terms.takerFee, price),
    ...{ fees: 2 * legNotional * terms.takerFee, worst },
    atOnce: { leg: startLeg, quantity: startFrom === 'market' ? startCoin(note) : 0 },
    ladder: {
      stepLeast: Math.min(...steps),
      stepMost: Math.max(...steps),
      ...profitShares(levels, fee, inCoin),
      breakEven: evenStep(fee, inCoin),
      capital,
      quantity,
      startCells: note.startCells,
      startCoin: startCoin(note),
      startFrom,
      start: takenTicket(snapshot, { long, short: long }, startLeg, terms, {
        quantity: ZERO.plus(startFrom === 'market' ? startCoin(note) : 0),
        capBps: params.slippageCap,
      }),
      market: inCoin ? 'spot' : 'perpetual',
      dailyPairs,
      dailyNet: dailyPairs === null ? null : dailyPairs * quantity * ((least + most) / 2),
      ...{ liquidationLow: low, liquidationHigh: high },
    },
  };
}

/** Pairs per day by the hourly bars of the last days; `null` where the source has none. */
async function pairsADay(
  snapshot: MarketSnapshot,
  { source, symbol }: Places['long'],
  levels: number[],
  anchor: number,
) {
  const range = { start: snapshot.at - PAST_DAYS * DAY_MS };
  const candles = await snapshot.marketOf(source)?.candles(symbol, BAR, range);
  if (!candles || candles.time.length === 0) return null;
  return (pairsCompleted(candles.low, candles.high, levels, anchor) * HOURS) / candles.time.length;
}

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
  const { lower, leverage, legNotional } = params;
  const errors: NonNullable<Named['errors']> = [];
  const isSpot = isSpotGrid(params);
  const { least } = gridProfits(levelPrices(params, Number(tickSize)), terms.makerFee, isSpot)!;
  if (least <= 0) {
    const message = `最窄一格扣除两笔手续费后每币净利 ${Number(least.toPrecision(3))} USDT（F27），请减少格数或放宽区间`;
    errors.push({ field: 'cells', message });
  }
  const smallest = smallestOrder(params, Number(lotSize), terms.makerFee);
  if (smallest <= 0 || smallest * lower < Number(minNotional ?? 0)) {
    const needed = Math.ceil(leastNotional(params, { lotSize, minNotional }));
    errors.push({
      field: 'legNotional',
      message: `每格按步长 ${lotSize} 取整后低于最小下单额 ${minNotional ?? 0} USDT，总名义至少约 ${needed}`,
    });
  }
  const most =
    maxLeverage === null ? null : bracketFor({ ...terms, maxLeverage, maintenanceRate: 0 }, legNotional).maxLeverage;
  if (most !== null && leverage > most) {
    const message = most > 0 ? `该合约杠杆最高 ${most} 倍` : '超过交易所的持仓上限';
    errors.push({ field: most > 0 ? 'leverage' : 'legNotional', message });
  }
  return errors;
}

/** At which the smallest order of a cell is one that the venue takes, whatever its size is rounded to. */
function leastNotional(params: GridParams, { lotSize, minNotional }: Pick<Instrument, 'lotSize' | 'minNotional'>) {
  const { lower, upper, cells } = params;
  // A fee in coin costs up to a lot more.
  const lots = isSpotGrid(params) ? 2 : 1;
  return (Number(minNotional ?? 0) / lower + lots * Number(lotSize)) * upper * cells;
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
  leastNotional,
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
