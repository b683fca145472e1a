import type { GridParams } from '#contract/grid';
import type { Places, TargetLeg } from '../../db/pairLegs';
import type { Instrument, InstrumentTerms } from '../../exchange/exchange';
import { cellQuantity, gridProfits, levelPrices } from '../../maths/grid';
import { noteAt } from '../../maths/gridStart';
import { blocked, type EntryBook, marketBlock, switchedOff } from '../entries';
import { planStages } from '../legs';
import type { Outlook } from '../outlook';
import type { TargetBook } from '../tradingBook';
import { legsOfDeal } from './dealLegs';
import { gridNeeds } from './gridNote';
import { gridOutline } from './gridOutline';
import { planLadder, planStart } from './gridPlan';
import type { Blocked, EntrySight, Listed, Named, Opening, Runner } from './runner';

/** One perpetual, that may be held either way: what is bought first and what is sold first are a leg each. */
function targets(params: GridParams, listed: Listed): Named {
  const { source, symbol } = params;
  const { instruments, termsOf } = listed(source);
  const found = instruments.find((one) => one.symbol === symbol && one.kind === 'perpetual');
  if (found === undefined) return { legs: [], missing: [symbol], field: 'symbol' };
  const legs: TargetLeg[] = [
    { leg: 'long', source, symbol },
    { leg: 'short', source, symbol },
  ];
  return { legs: [legs], missing: [], field: 'symbol', errors: errorsAt(params, found, termsOf(symbol)) };
}

/** What the steps and fees of the symbol do not allow, at the field that can mend it. */
function errorsAt(
  params: GridParams,
  { tickSize, lotSize, minNotional, maxLeverage }: Instrument,
  terms: InstrumentTerms | null,
) {
  if (tickSize === null || lotSize === null || terms === null) return [];
  const { lower, upper, cells, legNotional, leverage } = params;
  const errors: NonNullable<Named['errors']> = [];
  const { least } = gridProfits(levelPrices(params, Number(tickSize)), terms.makerFee)!;
  if (least <= 0) {
    const message = `最窄一格扣除两笔手续费后每币净利 ${Number(least.toPrecision(3))} USDT（F27），请减少格数或放宽区间`;
    errors.push({ field: 'cells', message });
  }
  if (cellQuantity(params, legNotional, Number(lotSize)) * lower < Number(minNotional ?? 0)) {
    const needed = Math.ceil((Number(minNotional) / lower + Number(lotSize)) * upper * cells);
    errors.push({ field: 'legNotional', message: `每格低于最小下单额 ${minNotional} USDT，网格名义至少约 ${needed}` });
  }
  if (maxLeverage !== null && leverage > maxLeverage) {
    errors.push({ field: 'leverage', message: `该合约杠杆最高 ${maxLeverage} 倍` });
  }
  return errors;
}

/** F27 by the terms of now. */
async function look(outlook: Outlook, { long }: Places, params: GridParams, purpose: 'entry' | 'deal') {
  if (purpose === 'deal') return null;
  const market = outlook.marketOf(long.source);
  const tick = Number(market?.listed?.(long.symbol, outlook.at)?.instrument.tickSize ?? 0);
  const terms = market?.terms(long.symbol, outlook.at);
  if (!terms || !(tick > 0)) return null;
  const { least } = gridProfits(levelPrices(params, tick), terms.makerFee)!;
  return { least: least / params.upper, takerFee: terms.takerFee };
}

function entryOf(
  book: EntryBook,
  params: GridParams,
  target: Pick<TargetBook, 'id' | 'armedAt' | 'usedArmAt'>,
  sight: EntrySight<'grid'>,
): Opening<'grid'> | Blocked {
  if (book.deals.some(({ targetId }) => targetId === target.id)) return blocked('open');
  // A range that was left is begun anew by a person alone.
  if (target.usedArmAt !== null && target.usedArmAt >= target.armedAt) return blocked('used');
  const off = switchedOff(book, sight);
  if (off !== null) return blocked(off);
  const market = marketBlock(sight);
  if (market !== null) return blocked(market);
  if (sight.seen === null) return blocked('incomplete');
  if (sight.seen.least <= 0) return blocked('costs');
  const { price } = sight.long!;
  const { lower, upper, triggerAbove, triggerBelow } = params;
  const isWaiting = (triggerAbove !== null && price < triggerAbove) || (triggerBelow !== null && price > triggerBelow);
  if (isWaiting) return blocked('trigger');
  if (price <= lower || price >= upper) return blocked('outOfRange');
  const note = noteAt(params, sight.terms.long!, price);
  if (Number(note.quantity) * lower < Number(sight.terms.long!.minNotional)) return blocked('belowMinimum');
  const weights = { long: note.anchor / params.cells, short: 1 - note.anchor / params.cells };
  return {
    weights,
    signal: sight.seen.least,
    needs: gridNeeds(params, note, sight.seen.takerFee),
    note,
  };
}

/** One perpetual bought and sold level by level between two prices. */
export const grid: Runner<'grid'> = {
  sources: ({ source }) => [source],
  targets,
  costs: (seen) => ({ cost: seen && 2 * seen.takerFee, breakEven: null }),
  look,
  signal: (seen) => seen?.least ?? null,
  rearmed: () => false,
  entry: entryOf,
  outline: gridOutline,
  plan: (deal, live, sight) => {
    const { now, off, bears } = sight;
    const rules = {
      bringIn: 'takerFirst',
      matchBy: 'quantity',
      capBps: deal.params.slippageCap,
      rebalance: null,
      exitReason: () => null,
    } as const;
    return planStages({ deal, legs: legsOfDeal(deal, sight), rules, now, off, bears }, live, {
      opening: (of) => planStart(of, live, deal, sight),
      open: (of) => planLadder(of, live, deal, sight),
    });
  },
};
