import Big from 'big.js';
import { DAY_MS, HOUR_MS, SECOND_MS } from '#contract/duration';
import { type EntryParams, legsEntry } from '#contract/legsEntry';
import {
  type CloseReason,
  HEDGE_ENDS,
  type HedgeState,
  LEGS,
  REST_MS,
  UNBALANCED,
  UNFREEZE_STATES,
} from '#contract/lifecycle';
import { holdsEven, holdsPair, isLaddered, type StrategyKind } from '#contract/strategy';
import type { DealRow } from '#contract/strategyRow';
import type { Places } from '../../base/db/hedges/pairLegs';
import { type DealColumns, isUnguarded, type LegRow } from '../../base/db/strategies/deal';
import { isReducing } from '../../base/db/strategies/reduction';
import { convergedPnl } from '../../base/maths/basis';
import { floorTo } from '../../base/maths/decimal';
import { annualisedReturn, closedPart, legPnl, netPnl } from '../../base/maths/hedge';
import { GAP_LOTS, gapInLots } from '../../base/maths/legGap';
import { missingPartMs } from '../../base/maths/twap';
import { isRechecked } from '../../engine/words';
import { markPrice } from '../../market/marks';
import type { MarketNow } from '../symbol/marketNow';
import { capitalOf } from './strategySums';

interface DealEnd {
  state: string;
  frozen: string | null;
  closeAskedAt: number | null;
  flattenAskedAt: number | null;
}

/** Whether a deal that has not ended is to be closed because somebody asked for it. */
export const isCloseAsked = ({ state, closeAskedAt, flattenAskedAt }: Omit<DealEnd, 'frozen'>): boolean =>
  !HEDGE_ENDS.includes(state as HedgeState) && (closeAskedAt ?? flattenAskedAt) !== null;

/** Whether a person may let a deal go on: frozen, for nothing that the engine looks into by itself, and not at its end. */
export const mayUnfreeze = (deal: DealEnd): boolean =>
  deal.frozen !== null &&
  !isRechecked(deal.frozen) &&
  UNFREEZE_STATES.includes(deal.state as HedgeState) &&
  !isCloseAsked(deal);

type Sources = ReadonlyMap<string, MarketNow>;

/** Both legs by what the contract calls them. */
export const namesOf = ({ long, short }: Places) => ({
  ...{ long: long.symbol, longSource: long.source },
  ...{ short: short.symbol, shortSource: short.source },
});

function markOf({ source, symbol }: LegRow, sources: Sources): number | null {
  const ticker = sources.get(source)?.tickers.get(symbol);
  return ticker ? markPrice(ticker) : null;
}

/** What it came in at; of one that goes in and out again and again, what it holds now has cost. */
function entryOf({ quantity, cost, notional, opened }: LegRow, onLevels: boolean): number | null {
  const [paid, held] = onLevels ? [cost, quantity] : [notional, opened];
  return Number(held) === 0 ? null : Number(paid) / Number(held);
}

function legRow(leg: LegRow, sources: Sources, onLevels: boolean): DealRow['legs'][number] {
  const [quantity, cost, realised] = [leg.quantity, leg.cost, leg.realised].map(Number) as [number, number, number];
  const mark = markOf(leg, sources);
  return {
    leg: leg.leg as DealRow['legs'][number]['leg'],
    isUsed: leg.weight > 0 || Number(leg.opened) > 0,
    source: leg.source,
    symbol: leg.symbol,
    quantity: leg.quantity,
    opened: leg.opened,
    entry: entryOf(leg, onLevels),
    mark,
    pricePnl: legPnl({ quantity, cost, realised }, mark),
    funding: Number(leg.funding),
    fees: Number(leg.fees),
  };
}

/** What a deal noted of its settlements when it was opened; other kinds note other things. */
interface Settlements {
  breakEven?: number;
  hours?: number;
}

function settledOf({ opening, openedAt, closedAt }: DealColumns, now: number) {
  const { breakEven, hours } = (opening ?? {}) as Settlements;
  if (hours === undefined || openedAt === null) return { settled: null, leastSettled: breakEven ?? null };
  const every = hours * HOUR_MS;
  return {
    settled: Math.floor((closedAt ?? now) / every) - Math.floor(openedAt / every),
    leastSettled: breakEven ?? null,
  };
}

/** What kinds note of a deal or are told of it, each its own. */
interface Noted {
  rate?: number;
  openEdge?: number;
  expiresAt?: number | null;
  exitLevel?: number | null;
  legNotional?: number;
}

/** What else is on record of a deal. */
export interface Beside {
  secondFillMs: number | null;
  alerts: string[];
  /** It was seen that its legs are apart; they may be together again. */
  wasApart?: boolean;
  /** Why its last order that was refused was; of one that came to nothing for it. */
  refusal?: string;
  /** Those for which an order rests. */
  restingLegs?: readonly string[] | undefined;
}

type Legs = DealRow['legs'];

const legNamed = <R extends { leg: string }>(legs: readonly R[], name: string): R | undefined =>
  legs.find(({ leg }) => leg === name);

/** How both legs came in, beside what was aimed at. */
function entryFigures(row: DealColumns, legs: Legs) {
  const { openEdge = null, expiresAt = null, rate = null } = (row.opening ?? {}) as Noted;
  const { exitLevel = null, legNotional = 0 } = row.params as Noted;
  const [long, short] = [legNamed(legs, 'long'), legNamed(legs, 'short')];
  const [bought, sold] = [Number(long?.opened ?? 0), Number(short?.opened ?? 0)];
  const paid = Number(legNamed(row.legs, 'long')?.notional ?? 0);
  return {
    ...{ rateOpen: rate, expiresAt, exitLevel, edgeOpen: openEdge },
    edgeTaken: long?.entry != null && short?.entry != null ? short.entry / long.entry - 1 : null,
    longFilled: legNotional > 0 ? paid / legNotional : null,
    shortFilled: bought > 0 ? sold / bought : null,
  };
}

/** Whether orders of a deal of two legs may rest: on its way in, or out as a person asked for. */
export const mayRest = (row: Pick<DealColumns, 'state' | 'reduction' | 'reducedAt'>): boolean =>
  row.state === 'opening' || (row.reduction?.maker === true && (isReducing(row) || row.state === 'closing'));

/** What rests for a deal, and when it is taken from the book: on its way in that long after the oldest part fell due that is not in yet. */
export function restingOf(
  { state, reduction, params, stateAt, legs }: DealColumns,
  resting: readonly string[] = [],
  sources: Sources,
): DealRow['resting'] {
  const own = legNamed(legs, resting[0] ?? '');
  if (own === undefined) return null;
  if (state !== 'opening') {
    const convertsAt = reduction === null ? null : reduction.at + REST_MS;
    return { legs: resting as Legs[number]['leg'][], isOut: true, convertsAt };
  }
  const { convertSeconds, slices, sliceSeconds } = legsEntry(params as EntryParams);
  const { legNotional = 0 } = params as Noted;
  const lot = sources.get(own.source)?.instruments.get(own.symbol)?.lotSize ?? null;
  const rests = (convertsAt: number | null) => ({ legs: [own.leg as Legs[number]['leg']], isOut: false, convertsAt });
  if (convertSeconds === null || own.midOpen === null || lot === null) return rests(null);
  const target = new Big(legNotional).times(own.weight).div(own.midOpen);
  const twap = { slices, everyMs: sliceSeconds * SECOND_MS };
  const dueMs = missingPartMs(twap, floorTo(target, lot), lot, new Big(own.quantity).abs());
  return rests(dueMs === null ? null : stateAt + dueMs + convertSeconds * SECOND_MS);
}

function daysLeftOf({ opening, state }: DealColumns, now: number): number | null {
  const { expiresAt = null } = (opening ?? {}) as Noted;
  return expiresAt === null || HEDGE_ENDS.includes(state as HedgeState) ? null : Math.max(0, expiresAt - now) / DAY_MS;
}

/** What it will have made at the expiry of its one leg that has one; null for any other deal. */
function expectedOf(row: DealColumns, sources: Sources, now: number): number | null {
  if (row.state !== 'open') return null;
  const terms = row.legs.map(({ source, symbol }) => sources.get(source)?.market.terms(symbol, now) ?? null);
  const delivered = row.legs.map(
    ({ source, symbol }) => (sources.get(source)?.instruments.get(symbol)?.expiresAt ?? null) !== null,
  );
  const price = row.legs.map((leg) => markOf(leg, sources)).find((_, i) => delivered[i] === false) ?? null;
  if (price === null || delivered.filter((one) => one).length !== 1 || terms.includes(null)) return null;
  const held = row.legs.map(({ quantity, cost, realised }) => ({
    ...{ quantity: Number(quantity), cost: Number(cost), realised: Number(realised) },
  }));
  const leaving = terms.map((one, i) => (delivered[i] ? (one?.deliveryFee ?? 0) : (one?.takerFee ?? 0)));
  const total = (figure: 'funding' | 'fees') => row.legs.reduce((sum, leg) => sum + Number(leg[figure]), 0);
  return convergedPnl(held, price, leaving, { funding: total('funding'), fees: total('fees') });
}

/** F12: what it made of what both legs tied up when they came in, or of what was put in where levels buy it; null where nothing did. */
function returnOf(net: number, { legs, params, kind }: DealColumns, sources: Sources): number | null {
  const { leverage = 1, legNotional = 0 } = params as { leverage?: number; legNotional?: number };
  const onLevels = isLaddered(kind as StrategyKind);
  const tied = legs.map(({ leg, notional, source, symbol }) => {
    const bought = leg === 'long' ? legNotional : 0;
    return capitalOf(onLevels ? bought : Number(notional), { source, symbol, leverage }, sources);
  });
  const capital = tied.reduce((sum, one) => sum + one, 0);
  return capital === 0 ? null : net / capital;
}

/** How far the legs of a deal that are matched by quantity are apart now, in lots; 0 where nobody knows: of one that is listed no more, or without lots. */
function lotsApart(legs: Legs, sources: Sources): number {
  const [long, short] = legs;
  const lots = legs.map(({ source, symbol }) => Number(sources.get(source)?.instruments.get(symbol)?.lotSize));
  if (!long || !short || !lots.every((lot) => lot > 0)) return 0;
  return gapInLots(new Big(long.quantity), new Big(short.quantity), lots).toNumber();
}

/** Whether legs are apart, and whether that is worth an order. @param imbalance null where nothing is held against another */
const apartOf = (lots: number, imbalance: number | null, wasApart: boolean) => ({
  ...(wasApart && lots > GAP_LOTS && { uneven: true }),
  ...(imbalance !== null && (imbalance > UNBALANCED || lots > GAP_LOTS) && lots >= 1 && { mendable: true }),
});

/** A deal of two legs as it is now. @param now UTC ms */
export function dealRow(
  row: DealColumns,
  sources: Sources,
  now: number,
  { restingLegs, wasApart = false, ...beside }: Beside,
): DealRow {
  const onLevels = isLaddered(row.kind as StrategyKind);
  const legs = LEGS.flatMap((name) => row.legs.filter(({ leg }) => leg === name)).map((leg) =>
    legRow(leg, sources, onLevels),
  );
  const prices = legs.map(({ pricePnl }) => pricePnl);
  const total = (figure: 'funding' | 'fees') => legs.reduce((sum, leg) => sum + (leg[figure] ?? 0), 0);
  const [funding, fees] = [total('funding'), total('fees')];
  const pricePnl = prices.includes(null) ? null : prices.reduce<number>((sum, one) => sum + (one ?? 0), 0);
  const net = netPnl(prices, { funding, fees });
  // A deal of one leg has nothing to be apart from.
  const held = legs.filter(({ isUsed }) => isUsed).map(({ quantity }) => Math.abs(Number(quantity)));
  const most = held.length < 2 ? 0 : Math.max(...held);
  const imbalance = most === 0 || onLevels ? null : (most - Math.min(...held)) / most;
  const roi = net === null ? null : returnOf(net, row, sources);
  const part = closedPart(legs.map(({ quantity, opened }) => ({ quantity: Number(quantity), opened: Number(opened) })));
  const days = row.openedAt === null ? 0 : ((row.closedAt ?? now) - row.openedAt) / DAY_MS;
  return {
    id: row.id,
    mode: row.mode as DealRow['mode'],
    state: row.state as HedgeState,
    stateAt: row.stateAt,
    createdAt: row.createdAt,
    openedAt: row.openedAt,
    closedAt: row.closedAt,
    closeReason: row.closeReason as CloseReason | null,
    closeAsked: isCloseAsked(row),
    ...(isUnguarded(row) && { unguarded: true }),
    ...(isReducing(row) && { reducing: row.reduction!.percent }),
    ...(row.state === 'open' && holdsPair(row.kind as StrategyKind) && part !== null && { closedPart: part }),
    frozen: row.frozen,
    mayThaw: mayUnfreeze(row) && !isUnguarded(row),
    oneLegSince: row.oneLegSince,
    signalOpen: row.signalOpen,
    ...settledOf(row, now),
    ...entryFigures(row, legs),
    heldDays: row.openedAt === null ? null : days,
    daysLeft: daysLeftOf(row, now),
    expected: expectedOf(row, sources, now),
    resting: restingOf(row, restingLegs, sources),
    rolledFrom: row.rolledFrom,
    ...beside,
    ...apartOf(lotsApart(legs, sources), holdsEven(row.kind as StrategyKind) ? imbalance : null, wasApart),
    legs,
    imbalance,
    pricePnl,
    realised: row.legs.reduce((sum, { realised }) => sum + Number(realised), 0),
    funding,
    fees,
    net,
    // What hangs on its venue is read where that is asked.
    ...{ netClosed: null, rules: [], liquidationDistance: null },
    roi,
    apr: annualisedReturn(roi, days * DAY_MS),
  };
}
