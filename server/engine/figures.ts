import { legPnl } from '../maths/hedge';
import type { Book, HedgeBook, LegBook } from './book';
import { netPnl } from './kinds/hedge';
import { countNaked, timeOneLeg } from './naked';
import type { EquityPointRow } from './store';
import { type SymbolView, type Views, viewOf } from './view';

const POINT_MS = 5 * 60_000;
export const DAY_MS = 86_400_000;
/** Moves the running figures of a hedge up to now: naked exposure, one-leg timer, MAE and MFE. */
export function watch(hedge: HedgeBook, views: Views, now: number): void {
  const long = viewOf(views, hedge.source, hedge.legs.long.symbol);
  const short = viewOf(views, hedge.source, hedge.legs.short.symbol);
  countNaked(hedge, now);
  timeOneLeg(hedge, now);
  if (hedge.openedAt === null) return;
  const net = netPnl(hedge, long, short);
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
  let net = 0;
  let gross = 0;
  for (const [key, quantity] of book.positions) {
    if (quantity.eq(0)) continue;
    const [source, symbol] = splitKey(key);
    const view = viewOf(views, source, symbol);
    if (view === undefined) return null;
    const value = quantity.toNumber() * view.mark;
    net += value;
    gross += Math.abs(value);
  }
  return { equity: book.cash.toNumber() + net, net, gross };
}

function splitKey(key: string): [string, string] {
  const at = key.indexOf(' ');
  return [key.slice(0, at), key.slice(at + 1)];
}

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

const pnlOf = ({ quantity, cost, realised }: LegBook, view: SymbolView | undefined): number =>
  legPnl({ quantity: quantity.toNumber(), cost: cost.toNumber(), realised: realised.toNumber() }, view?.mark ?? null) ??
  0;
