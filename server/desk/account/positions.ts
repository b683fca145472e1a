import Big from 'big.js';
import type { AccountPosition, PositionBadge } from '#contract/account';
import { isLaddered, type StrategyKind } from '#contract/strategy';
import { leastOrder } from '../../base/maths/crumb';
import { ZERO } from '../../base/maths/decimal';
import { capitalOfLeg, driftOf, isUnbalanced } from '../../base/maths/hedge';
import { outsideOf } from '../../base/maths/spareCoin';
import { symbolKey } from '../../base/symbolKey';
import type { TradingTerms, VenuePosition } from '../../market/venue';
import type { HeldLeg } from './holdings';
import { liquidationOf, type MarginNow } from './liquidation';
import type { Mark, Marks } from './marks';

/** What a position of an account is seen against. */
export interface PositionView {
  accountId: string;
  /** The account's legs, and those of all the user's accounts. */
  legs: readonly HeldLeg[];
  allLegs: readonly HeldLeg[];
  marks: Marks;
  /** By `symbolKey`. */
  terms: ReadonlyMap<string, TradingTerms>;
  /** Symbols (`symbolKey`) with fills at the venue that are not booked yet: the two sides may differ for a moment. */
  pending: ReadonlySet<string>;
  /** Of the whole account, USDT; null where it is not known. */
  margin: MarginNow | null;
  /** By hedge id and symbol, USDT. */
  funding: ReadonlyMap<string, string>;
  /** What its owner knows of that no deal explains: signed quantities by `symbolKey`. */
  ignored: Readonly<Record<string, string>>;
  /** Coin that strategies own over all accounts of the mode, by symbol: they move it between venues. */
  stock: ReadonlyMap<string, Big>;
}

export const fundingKey = (hedgeId: string, symbol: string): string => `${hedgeId} ${symbol}`;

const money = (value: Big): string => value.round(8).toFixed();
const total = (values: Big[]): Big => values.reduce((sum, value) => sum.plus(value), new Big(0));

/** Positions of an account at its venue, and what deals account for without the venue holding it. */
export function positionsOf(held: readonly VenuePosition[], view: PositionView): AccountPosition[] {
  const known = new Set(held.map(symbolKey));
  const absent = new Map(view.legs.filter((leg) => !known.has(symbolKey(leg))).map((leg) => [symbolKey(leg), leg]));
  const rows = [
    ...held,
    ...[...absent.values()]
      .filter((leg) => !view.pending.has(symbolKey(leg)))
      .map(({ source, symbol }) => ({ source, symbol, quantity: '0' })),
  ];
  return rows.map((position) => positionOf(position, view));
}

/** The largest first. */
export const bySize = (a: AccountPosition, b: AccountPosition) =>
  Number(b.notional ?? 0) - Number(a.notional ?? 0) || a.symbol.localeCompare(b.symbol);

function positionOf(position: VenuePosition, view: PositionView): AccountPosition {
  const { source, symbol } = position;
  const key = symbolKey(position);
  const quantity = new Big(position.quantity);
  const mark = view.marks.get(key) ?? null;
  const legs = view.legs.filter((leg) => symbolKey(leg) === key);
  const explained = total(legs.map((leg) => leg.quantity));
  const unexplained = quantity.minus(explained);
  const outside = unexplained.eq(0) || view.pending.has(key) ? undefined : position.told;
  const sized = quantity.eq(0) ? explained : quantity;
  return {
    accountId: view.accountId,
    source,
    symbol,
    side: sized.lt(0) ? 'short' : 'long',
    quantity: quantity.toFixed(),
    notional: mark && money(quantity.abs().times(mark.price)),
    entryPrice: outside?.entryPrice ?? entryOf(legs),
    markPrice: mark && new Big(mark.price).toFixed(),
    priceAt: mark?.at ?? null,
    ...liquidationOf(Number(quantity), mark?.price ?? null, view.terms.get(key), view.margin),
    ...resultOf(position, legs, mark, view.terms.get(key)?.kind === 'spot'),
    // Of one that is partly others' the quantity is of all of it: so is its result.
    ...(outside && { unrealised: outside.unrealised, roe: null }),
    funding:
      legs.length === 0
        ? null
        : money(total(legs.map(({ deal }) => new Big(view.funding.get(fundingKey(deal.id, symbol)) ?? 0)))),
    unexplained: unexplained.toFixed(),
    badges: badgesOf(position, unexplained, legs, view),
    hedges: legs.map(({ deal, leg, quantity: part }) => {
      const { id, kind, strategy, long, short } = deal;
      // Calls write it, in words of the contract.
      return { id, kind: kind as StrategyKind, strategy, long, short, leg, quantity: part.toFixed() };
    }),
  };
}

/** Average price of the hedges; `null` where there is none or they are on both sides of the coin. */
function entryOf(legs: readonly HeldLeg[]): string | null {
  if (legs.length === 0 || legs.some(({ leg }) => leg !== legs[0]!.leg)) return null;
  const cost = total(legs.map((leg) => leg.cost));
  return cost
    .div(total(legs.map(({ quantity }) => quantity)))
    .round(12)
    .toFixed();
}

function resultOf(position: VenuePosition, legs: readonly HeldLeg[], mark: Mark | null, isSpot: boolean) {
  const said = legs.length === 0 ? (position.leverage ?? null) : Math.max(...legs.map(({ deal }) => deal.leverage));
  // Spot is paid in full.
  const leverage = isSpot ? 1 : said;
  if (legs.length === 0 || mark === null) return { leverage, unrealised: null, roe: null };
  const unrealised = total(legs.map(({ quantity, cost }) => quantity.times(mark.price).minus(cost)));
  const margin = legs.reduce((sum, { deal, cost }) => sum + capitalOfLeg(Number(cost.abs()), isSpot, deal.leverage), 0);
  return { leverage, unrealised: money(unrealised), roe: margin > 0 ? Number(unrealised) / margin : null };
}

function badgesOf(
  position: VenuePosition,
  unexplained: Big,
  legs: readonly HeldLeg[],
  view: PositionView,
): PositionBadge[] {
  const key = symbolKey(position);
  // A ladder has one side or the other, as its levels were reached.
  const pairs = legs.filter(({ deal }) => !isLaddered(deal.kind as StrategyKind));
  const own = pairs.map((leg) => view.allLegs.filter(({ deal }) => deal.id === leg.deal.id));
  return [
    ...(own.some(([first, ...others]) => others.length === 0 && !first?.deal.isSingle) ? (['oneLeg'] as const) : []),
    ...(unexplained.eq(0) || view.pending.has(key) ? [] : [gapOf(position, unexplained, view)]),
    ...(own.some((pair) => isDrifted(pair, view.marks)) ? (['unbalanced'] as const) : []),
  ];
}

/** What a position and the deals' part of it differ by is called. */
function gapOf(position: VenuePosition, unexplained: Big, view: PositionView): PositionBadge {
  const quantity = new Big(position.quantity);
  if (outsideOf(quantity, quantity.minus(unexplained)).eq(0)) return 'missing';
  if (unexplained.gt(0) && unexplained.lte(view.stock.get(position.symbol) ?? ZERO)) return 'stock';
  if (isCrumb(position, unexplained, view)) return 'crumb';
  const ignored = view.ignored[symbolKey(position)];
  return ignored !== undefined && unexplained.eq(ignored) ? 'ignored' : 'orphan';
}

/** Whether it is coin that no order takes: what steps and fees in coin left of deals. A contract is closed however little it is. */
function isCrumb(position: VenuePosition, unexplained: Big, { terms, marks }: PositionView): boolean {
  const key = symbolKey(position);
  const [own, mark] = [terms.get(key), marks.get(key)];
  return own?.kind === 'spot' && !!mark && unexplained.gt(0) && unexplained.lt(leastOrder(own, mark.price));
}

/** Whether a hedge is further from the ratio it aims at than it may be. */
function isDrifted([first, second]: readonly HeldLeg[], marks: Marks): boolean {
  if (!first || !second) return false;
  const worth = (leg: HeldLeg) => Number(leg.quantity) * (marks.get(symbolKey(leg))?.price ?? Number.NaN);
  return isUnbalanced(driftOf(worth(first), worth(second), first.deal.ratio), first.deal.rebalance);
}
