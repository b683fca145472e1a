import { HOUR_MS } from '#contract/duration';
import type { HedgeRow } from '#contract/kinds/hedge/desk';
import { HEDGE_ENDS } from '#contract/lifecycle';
import type { HedgeRecord } from '../../base/db/hedges/hedge';
import {
  annualisedReturn,
  closedPart,
  driftOf,
  isUnbalanced,
  legPnl,
  netPnl,
  neutralityOf,
  progressBetween,
  progressTo,
  returnOnCapital,
  returnOnNotional,
} from '../../base/maths/hedge';
import { type PairModel, zNow } from '../../engine/pairModel';

/** A leg's prices now: `price` last traded, `mark` what positions are valued at, USDT; `at` UTC ms. */
export interface LegPrice {
  price: number;
  mark: number;
  at: number;
}

/** `undefined` where the market knows no price. */
export interface PairPrice {
  long: LegPrice | undefined;
  short: LegPrice | undefined;
}

const legsOf = (row: HedgeRecord) => ({
  long: {
    ...{ quantity: Number(row.longQuantity), opened: Number(row.longOpened) },
    ...{ cost: Number(row.longCost), realised: Number(row.longRealised) },
  },
  short: {
    ...{ quantity: Number(row.shortQuantity), opened: Number(row.shortOpened) },
    ...{ cost: Number(row.shortCost), realised: Number(row.shortRealised) },
  },
});

const quotient = (over: number, under: number): number | null => {
  const value = over / under;
  return Number.isFinite(value) && value > 0 ? value : null;
};

/** Average entry prices, long over short. */
const ratioOpenOf = (row: HedgeRecord): number | null =>
  quotient(Number(row.longNotional) / Number(row.longOpened), Number(row.shortNotional) / Number(row.shortOpened));

/** F11 in full, USDT; `null` where a leg that is held has no mark. */
function pnlOf(row: HedgeRecord, prices: PairPrice) {
  const legs = legsOf(row);
  const longPnl = legPnl(legs.long, prices.long?.mark ?? null);
  const shortPnl = legPnl(legs.short, prices.short?.mark ?? null);
  const net = netPnl([longPnl, shortPnl], { funding: Number(row.funding), fees: Number(row.fees) });
  return { longPnl, shortPnl, net };
}

const NO_EXPOSURE = { gross: null, exposure: null, neutrality: null, badge: null };

/** What the records do not say of a hedge: what closing it now would leave, and what is asked of it. */
export type Standing = Pick<HedgeRow, 'netClosed' | 'closeAsked' | 'reducing' | 'resting' | 'taken' | 'unguarded'>;
const NOT_STANDING: Standing = { netClosed: null, closeAsked: false, reducing: null, resting: null, unguarded: false };

/** What is true of a hedge only while it runs. */
function exposureOf(
  row: HedgeRecord,
  { long, short }: PairPrice,
): Pick<HedgeRow, 'gross' | 'exposure' | 'neutrality' | 'badge'> {
  const legs = legsOf(row);
  const held = [legs.long.quantity, legs.short.quantity].filter((quantity) => quantity !== 0).length;
  const known = (legs.long.quantity === 0 || long) && (legs.short.quantity === 0 || short);
  const longValue = legs.long.quantity * (long?.mark ?? 0);
  const shortValue = legs.short.quantity * (short?.mark ?? 0);
  const drift = known ? driftOf(longValue, shortValue, row.ratio) : null;
  const unbalanced = isUnbalanced(drift, row.settings.rebalance);
  const valued = known && held > 0;
  return {
    gross: valued ? Math.abs(longValue) + Math.abs(shortValue) : null,
    exposure: valued ? longValue + shortValue : null,
    neutrality: known ? neutralityOf(longValue, shortValue) : null,
    badge: held === 1 ? 'oneLeg' : unbalanced ? 'unbalanced' : null,
  };
}

/** The pair's relation now, or as it was when the hedge was closed. */
function relationOf(row: HedgeRecord, ended: boolean, { long, short }: PairPrice, model: PairModel | null) {
  const { zBar, zWindow } = row.settings;
  if (ended) {
    const ratioNow = quotient(Number(row.longExit), Number(row.shortExit));
    return { ratioNow, z: row.zClose, zBar, zBars: zWindow, hedgeRatio: null };
  }
  return {
    ratioNow: long && short ? quotient(long.price, short.price) : null,
    z: zNow(model, long, short),
    zBar: model?.bar ?? zBar,
    zBars: model?.bars ?? zWindow,
    hedgeRatio: model?.hedgeRatio ?? null,
  };
}

type Limits = Pick<HedgeRow, 'stop' | 'target' | 'longest' | 'exit'>;
const NO_LIMITS: Limits = { stop: null, target: null, longest: null, exit: null };

/** How near the rules are that close it, by the same figures as the engine goes by. */
function limitsOf(
  { settings: { stopLoss, takeProfit, maxHoldingHours, entry, exitZ }, zOpen }: HedgeRecord,
  { net, notional, heldMs, z }: { net: number | null; notional: number; heldMs: number | null; z: number | null },
): Limits {
  const valued = net !== null && notional > 0;
  return {
    stop: valued && stopLoss !== null ? progressTo(net, -stopLoss * notional) : null,
    target: valued && takeProfit !== null ? progressTo(net, takeProfit * notional) : null,
    longest: heldMs !== null && maxHoldingHours !== null ? progressTo(heldMs / HOUR_MS, maxHoldingHours) : null,
    exit: heldMs !== null && z !== null && entry === 'z' ? progressBetween(zOpen ?? z, z, -exitZ) : null,
  };
}

const negative = (quantity: string): string => (Number(quantity) === 0 ? '0' : `-${quantity}`);

/**
 * One line of the records (F10 to F12): live at `prices` and `model` while it runs, from then on as it was closed.
 * @param now UTC ms.
 */
export function hedgeRow(row: HedgeRecord, prices: PairPrice, model: PairModel | null, now: number): HedgeRow {
  const ended = HEDGE_ENDS.includes(row.state);
  const { longPnl, shortPnl, net } = pnlOf(row, prices);
  const notional = Number(row.longNotional) + Number(row.shortNotional);
  const heldMs = row.openedAt === null ? null : (ended ? (row.closedAt ?? row.stateAt) : now) - row.openedAt;
  const marginReturn = net === null ? null : returnOnCapital(net, notional, row.settings.leverage);
  const relation = relationOf(row, ended, prices, model);
  const times = [prices.long?.at, prices.short?.at].filter((at) => at !== undefined);
  return {
    id: row.id,
    mode: row.mode,
    pairId: row.pairId,
    userId: row.userId,
    user: row.user,
    source: row.source,
    long: row.long,
    short: row.short,
    state: row.state,
    stateAt: row.stateAt,
    createdAt: row.createdAt,
    openedAt: row.openedAt,
    closedAt: row.closedAt,
    closeReason: row.closeReason,
    frozen: row.frozen,
    longQuantity: ended ? row.longOpened : row.longQuantity,
    shortQuantity: ended ? negative(row.shortOpened) : row.shortQuantity,
    ratioOpen: ratioOpenOf(row),
    zOpen: row.zOpen,
    ...relation,
    notional,
    closedPart: row.state === 'open' ? closedPart(Object.values(legsOf(row))) : null,
    realised: Number(row.longRealised) + Number(row.shortRealised),
    ...(ended ? NO_EXPOSURE : exposureOf(row, prices)),
    ...NOT_STANDING,
    longPnl,
    shortPnl,
    funding: Number(row.funding),
    fees: Number(row.fees),
    slippage: Number(row.slippage),
    net,
    netReturn: net === null ? null : returnOnNotional(net, notional),
    marginReturn,
    annualised: heldMs === null ? null : annualisedReturn(marginReturn, heldMs),
    ...(ended ? NO_LIMITS : limitsOf(row, { net, notional, heldMs, z: relation.z })),
    mae: row.mae,
    mfe: row.mfe,
    heldHours: heldMs === null ? null : heldMs / HOUR_MS,
    naked: row.naked,
    priceAt: ended || times.length < 2 ? null : Math.min(...times),
    note: row.note,
    noteBy: row.noteBy,
    noteAt: row.noteAt,
  };
}
