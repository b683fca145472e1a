import type Big from 'big.js';
import type { DayLedger, LedgerState } from '../db/dayLedger';
import type { EquityPointRow } from '../db/equityPoint';
import { partsOf, type SourceSymbol } from '../exchange/symbolKey';
import { legPnl, netPnl } from '../maths/hedge';
import { countNaked, timeOneLeg } from './naked';
import type { Book, HedgeBook, LegBook } from './tradingBook';
import { type Marks, type SymbolView, type Views, viewOf } from './view';

const POINT_MS = 5 * 60_000;

/** Net PnL (F11) of a hedge at the marks, USDT; null where a held leg has no price. */
export function netAt(
  { legs, funding, fees }: HedgeBook,
  long: SymbolView | undefined,
  short: SymbolView | undefined,
): number | null {
  const price = [priceOf(legs.long, long?.mark), priceOf(legs.short, short?.mark)];
  return netPnl(price, { funding: funding.toNumber(), fees: fees.toNumber() });
}

const priceOf = ({ quantity, cost, realised }: LegBook, mark: number | undefined): number | null =>
  legPnl({ quantity: quantity.toNumber(), cost: cost.toNumber(), realised: realised.toNumber() }, mark ?? null);

/** Moves the running figures of a hedge up to now: naked exposure, one-leg timer, MAE and MFE. */
export function watch(hedge: HedgeBook, views: Views, now: number): void {
  const long = viewOf(views, hedge.source, hedge.legs.long.symbol);
  const short = viewOf(views, hedge.source, hedge.legs.short.symbol);
  countNaked(hedge, now);
  timeOneLeg(hedge, now);
  if (hedge.openedAt === null) return;
  const net = netAt(hedge, long, short);
  if (net === null) return;
  const [mae, mfe] = [Math.min(hedge.mae ?? 0, net), Math.max(hedge.mfe ?? 0, net)];
  if (mae === hedge.mae && mfe === hedge.mfe) return;
  hedge.mae = mae;
  hedge.mfe = mfe;
  hedge.dirty = true;
}

interface Valued {
  equity: number;
  net: number;
  gross: number;
}

/** Cash plus positions at the marks, USDT; `null` where a held symbol has no price at all. */
export function valued(book: Book, views: Views): Valued | null {
  return valuedAt(book, ({ source, symbol }) => viewOf(views, source, symbol)?.mark);
}

/** The same by the marks of a past instant. */
export function valuedBy(state: LedgerState, marks: Marks): Valued | null {
  return valuedAt(state, ({ source, symbol }) => marks.get(source)?.get(symbol));
}

function valuedAt({ cash, positions }: LedgerState, markOf: (of: SourceSymbol) => number | undefined) {
  let net = 0;
  let gross = 0;
  for (const [key, quantity] of positions) {
    if (quantity.eq(0)) continue;
    const mark = markOf(partsOf(key));
    if (mark === undefined) return null;
    const value = quantity.toNumber() * mark;
    net += value;
    gross += Math.abs(value);
  }
  return { equity: cash.toNumber() + net, net, gross };
}

/** Sources of what is held. */
export const sourcesIn = (positions: ReadonlyMap<string, Big>): Set<string> =>
  new Set([...positions].flatMap(([key, quantity]) => (quantity.eq(0) ? [] : [partsOf(key).source])));

/** The point of the equity curve that is due, or null. */
export function duePoint(book: Book, views: Views, btc: number | null, now: number): EquityPointRow | null {
  const at = Math.floor(now / POINT_MS) * POINT_MS;
  if (at <= book.lastPointAt || book.sums.transfers.eq(0)) return null;
  const present = valued(book, views);
  if (present === null) return null;
  const { sums } = book;
  let longPnl = sums.endedLong.toNumber();
  let shortPnl = sums.endedShort.toNumber();
  for (const { source, legs } of book.hedges.values()) {
    longPnl += pnlOf(legs.long, viewOf(views, source, legs.long.symbol));
    shortPnl += pnlOf(legs.short, viewOf(views, source, legs.short.symbol));
  }
  return {
    userId: book.userId,
    at,
    ...present,
    transfers: sums.transfers.toNumber(),
    funding: sums.funding.toNumber(),
    fees: sums.fees.toNumber(),
    slippage: sums.slippage.toNumber(),
    traded: sums.traded.toNumber(),
    longPnl,
    shortPnl,
    btc,
  };
}

/**
 * The account at a past instant as a point of its record, by the ledger; `null` before money came in. Price PnL is
 * exact; how it falls on the sides goes by what the hedges hold by now.
 */
export function pastPoint(
  { userId, sums, hedges }: Book,
  since: DayLedger,
  worth: Valued,
  marks: Marks,
  at: number,
): Omit<EquityPointRow, 'btc'> | null {
  const transfers = sums.transfers.minus(since.transfers).toNumber();
  if (transfers === 0) return null;
  const funding = sums.funding.minus(since.funding).toNumber();
  const fees = sums.fees.minus(since.fees).toNumber();
  const price = worth.equity - transfers - funding + fees;
  let shortPnl = sums.endedShort.toNumber();
  for (const { source, legs } of hedges.values())
    shortPnl += pnlAt(legs.short, marks.get(source)?.get(legs.short.symbol));
  return {
    userId,
    at,
    ...worth,
    transfers,
    funding,
    fees,
    slippage: sums.slippage.toNumber(),
    traded: sums.traded.minus(since.traded).toNumber(),
    longPnl: price - shortPnl,
    shortPnl,
  };
}

const pnlAt = (leg: LegBook, mark: number | undefined): number => priceOf(leg, mark) ?? 0;

const pnlOf = (leg: LegBook, view: SymbolView | undefined): number => pnlAt(leg, view?.mark);
