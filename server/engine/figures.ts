import type Big from 'big.js';
import { LEGS, type Leg } from '#contract/lifecycle';
import { isLaddered } from '#contract/strategy';
import type { DayLedger, EquityPointRow, LedgerState } from '../base/db/accounts/dayLedger';
import { isReducing } from '../base/db/strategies/reduction';
import { smaller, ZERO } from '../base/maths/decimal';
import { legPnl, netPnl } from '../base/maths/hedge';
import { partsOf, type SourceSymbol } from '../base/symbolKey';
import { cashOf, inTransitOf } from './holdings';
import { type MarketSnapshot, type Marks, type SymbolView, type Views, viewOf } from './marketSnapshot';
import type { AccountBook, DealBook, LegBook, UserBook } from './tradingBook';

const POINT_MS = 5 * 60_000;

/** Net PnL (F11) of a deal at the marks, USDT; null where a held leg has no price. */
export function netAt(
  deal: Pick<DealBook, 'legs'>,
  long: SymbolView | undefined,
  short: SymbolView | undefined,
): number | null {
  const { legs } = deal;
  const price = [priceOf(legs.long, long?.mark), priceOf(legs.short, short?.mark)];
  const [funding, fees] = [overLegs(deal, 'funding'), overLegs(deal, 'fees')];
  return netPnl(price, { funding: funding.toNumber(), fees: fees.toNumber() });
}

const priceOf = ({ quantity, cost, realised }: LegBook, mark: number | undefined): number | null =>
  legPnl({ quantity: quantity.toNumber(), cost: cost.toNumber(), realised: realised.toNumber() }, mark ?? null);

/** Updates the running figures of a deal: unhedged exposure, one-leg timer, MAE and MFE. */
export function updateFigures(deal: DealBook, views: Views, now: number): void {
  const long = viewOfLeg(views, deal.legs.long);
  const short = viewOfLeg(views, deal.legs.short);
  countUnhedged(deal, now);
  timeOneLeg(deal, now);
  if (deal.openedAt === null) return;
  const net = netAt(deal, long, short);
  if (net === null) return;
  const [mae, mfe] = [Math.min(deal.mae ?? 0, net), Math.max(deal.mfe ?? 0, net)];
  if (mae === deal.mae && mfe === deal.mfe) return;
  deal.mae = mae;
  deal.mfe = mfe;
  deal.dirty = true;
}

interface Valued {
  equity: number;
  net: number;
  gross: number;
}

const viewOfLeg = (views: Views, { source, symbol }: LegBook) => viewOf(views, source, symbol);

export const isRealAccount = ({ mode }: Pick<AccountBook, 'mode'>): boolean => mode !== 'paper';

export const hasReal = ({ accounts }: Pick<UserBook, 'accounts'>): boolean =>
  [...accounts.values()].some(isRealAccount);

/** Cash plus positions of an account at the marks, USDT; `null` where a held symbol has no price at all. */
export function valuedAccount(account: AccountBook, views: Views): Valued | null {
  const state = { cash: cashOf(account), positions: account.positions };
  return valuedAt(state, ({ source, symbol }) => viewOf(views, source, symbol)?.mark);
}

/**
 * The same of all accounts of a user that trade for real, or of those that do not, with what is on its way between these:
 * real money and play money are never added up.
 */
export function valued(book: UserBook, views: Views, isReal = false): Valued | null {
  const accounts = new Map([...book.accounts].filter(([, account]) => isRealAccount(account) === isReal));
  let sum: Valued = { equity: inTransitOf({ accounts }).toNumber(), net: 0, gross: 0 };
  for (const account of accounts.values()) {
    const one = valuedAccount(account, views);
    if (one === null) return null;
    sum = { equity: sum.equity + one.equity, net: sum.net + one.net, gross: sum.gross + one.gross };
  }
  return sum;
}

/**
 * Coin that a strategy owns between its deals of what a place trades, at all venues, as far as the accounts have it; base
 * currency, signed. They may have it where none of it was bought: coin is moved between them.
 */
export function ownCoin(book: UserBook, strategyId: string, place: SourceSymbol, snapshot: MarketSnapshot): Big {
  const instrumentOf = ({ source, symbol }: SourceSymbol) =>
    snapshot.marketOf(source)?.listed?.(symbol, snapshot.at)?.instrument;
  const base = instrumentOf(place)?.base;
  const isCoin = (of: SourceSymbol): boolean => {
    const instrument = instrumentOf(of);
    return instrument?.kind === 'spot' && instrument.base === base;
  };
  const lots = [...(book.stocks.get(strategyId)?.values() ?? [])].filter(isCoin);
  const underway = [...book.transfers.values()].filter(({ state, asset }) => state === 'transit' && asset === base);
  const own = lots.reduce((sum, { quantity }) => sum.plus(quantity), ZERO);
  const mode = book.strategies.get(strategyId)?.mode ?? 'paper';
  const those = [...book.accounts.values()].filter((account) => account.mode === mode);
  const there = those.flatMap(({ positions }) =>
    [...positions].flatMap(([key, quantity]) => (isCoin(partsOf(key)) ? [quantity] : [])),
  );
  return smaller(
    own,
    [...there, ...underway.map(({ amount }) => amount)].reduce((sum, one) => sum.plus(one), ZERO),
  );
}

/** Symbols that the user's real accounts hold, or the others, and that have no price at all. */
export function unpricedIn({ accounts }: Pick<UserBook, 'accounts'>, views: Views, isReal: boolean): string[] {
  const those = [...accounts.values()].filter((account) => isRealAccount(account) === isReal);
  const held = those.flatMap(({ positions }) => [...positions]);
  const places = held.filter(([, quantity]) => !quantity.eq(0)).map(([key]) => partsOf(key));
  const unpriced = places.filter(({ source, symbol }) => viewOf(views, source, symbol)?.mark === undefined);
  return [...new Set(unpriced.map(({ symbol }) => symbol))].sort();
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
export function duePoint(
  { deals }: UserBook,
  account: AccountBook,
  views: Views,
  btc: number | null,
  now: number,
): EquityPointRow | null {
  const at = Math.floor(now / POINT_MS) * POINT_MS;
  const { sums } = account;
  // Before its first deposit an account has no asset.
  if (at <= account.lastPointAt || account.cash.size === 0) return null;
  const present = valuedAccount(account, views);
  if (present === null) return null;
  let shortPnl = sums.endedShort.toNumber();
  for (const { legs } of deals.values()) {
    if (legs.short.accountId === account.id) shortPnl += pnlOf(legs.short, viewOfLeg(views, legs.short));
  }
  const [transfers, moved] = [sums.transfers.toNumber(), sums.moved.toNumber()];
  const [funding, fees] = [sums.funding.toNumber(), sums.fees.toNumber()];
  // As in `pastPoint`: includes positions of no deal and bailouts.
  const price = present.equity - transfers - moved - funding + fees;
  return {
    userId: account.userId,
    accountId: account.id,
    at,
    ...present,
    ...{ transfers, moved, funding, fees },
    slippage: sums.slippage.toNumber(),
    traded: sums.traded.toNumber(),
    longPnl: price - shortPnl,
    shortPnl,
    btc,
  };
}

/**
 * An equity point of a past instant, by the ledger; `null` before the first deposit. Price PnL is exact, bailouts
 * included; its split into long and short goes by the deals of now.
 */
export function pastPoint(
  { deals }: UserBook,
  { id, userId, sums }: AccountBook,
  since: DayLedger,
  worth: Valued,
  marks: Marks,
  at: number,
): Omit<EquityPointRow, 'btc'> | null {
  if (!since.isOpened) return null;
  const transfers = sums.transfers.minus(since.transfers).toNumber();
  const funding = sums.funding.minus(since.funding).toNumber();
  const fees = sums.fees.minus(since.fees).toNumber();
  const moved = sums.moved.minus(since.moved).toNumber();
  const price = worth.equity - transfers - moved - funding + fees;
  let shortPnl = sums.endedShort.toNumber();
  for (const { legs } of deals.values()) {
    const { accountId, source, symbol } = legs.short;
    if (accountId === id) shortPnl += pnlAt(legs.short, marks.get(source)?.get(symbol));
  }
  return {
    userId,
    accountId: id,
    at,
    ...worth,
    transfers,
    moved,
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

/** An imbalance above this share of the larger leg counts as unhedged while a deal opens or closes. */
const IMBALANCE_SHARE = 0.1;

/** Unhedged cost per unit of weight, USDT; 0 while the legs are about even. */
export function unhedgedOf(all: readonly { cost: Big; weight: number }[]): number {
  // A leg without weight holds nothing.
  const legs = all.filter(({ weight }) => weight > 0);
  const shares = legs.map(({ cost, weight }) => Math.abs(cost.toNumber()) / weight);
  const most = Math.max(...shares);
  const imbalance = most - Math.min(...shares);
  return imbalance > IMBALANCE_SHARE * most ? imbalance : 0;
}

/**
 * What one leg of a deal whose legs are taken down together is ahead of the other, USDT; 0 while they are about even. By
 * what each held when it was asked for: what had drifted apart before is none of it.
 */
function unevenOf({ legs, reduction }: DealBook): number {
  const begun = ({ quantity, cost }: LegBook, leg: Leg) =>
    quantity.eq(0) ? 1 : cost.abs().times(reduction!.from[leg]).div(quantity.abs()).toNumber();
  const whole = begun(legs.long, 'long');
  return unhedgedOf(LEGS.map((leg) => ({ cost: legs[leg].cost, weight: begun(legs[leg], leg) / whole })));
}

/** Unhedged cost of a deal; 0 for an open one with both legs, which only drift, and for kinds with levels. */
function unhedgedValue(deal: DealBook): number {
  const { legs, state, kind } = deal;
  if (isLaddered(kind)) return 0;
  if (isReducing(deal)) return unevenOf(deal);
  // Checked first: nearly every deal has both legs.
  if (state === 'open' && !legs.long.cost.eq(0) && !legs.short.cost.eq(0)) return 0;
  return unhedgedOf(LEGS.map((leg) => ({ cost: legs[leg].cost, weight: legs[leg].weight })));
}

/** Adds the unhedged cost times the seconds since it was counted last; called before each fill and at each tick. */
export function countUnhedged(deal: DealBook, at: number): void {
  const unhedged = unhedgedValue(deal);
  const since = Math.max(deal.unhedgedAt, deal.oneLegSince ?? at);
  if (unhedged > 0 && at > since) {
    deal.unhedged += (unhedged * (at - since)) / 1000;
    deal.dirty = true;
  }
  deal.unhedgedAt = Math.max(deal.unhedgedAt, at);
}

/** Starts or stops the one-leg timer; called after each fill and at each tick. */
export function timeOneLeg(deal: DealBook, at: number): void {
  const alone = unhedgedValue(deal) > 0;
  if (alone === (deal.oneLegSince !== null)) return;
  deal.oneLegSince = alone ? at : null;
  deal.dirty = true;
}

/** Net cash of a deal so far, USDT: its net PnL once it is flat. */
export const cashOfDeal = ({ legs }: Pick<DealBook, 'legs'>): Big =>
  LEGS.map((leg) => legs[leg]).reduce(
    (sum, { realised, funding, fees, cost }) => sum.plus(realised).plus(funding).minus(fees).minus(cost),
    ZERO,
  );

/** A figure of both legs together. */
const overLegs = ({ legs }: Pick<DealBook, 'legs'>, figure: 'funding' | 'fees'): Big =>
  LEGS.reduce((sum, leg) => sum.plus(legs[leg][figure]), ZERO);
