import { BAR_MS, BARS, type Bar } from '#contract/candle';
import type { HedgeDetail, HedgeRow } from '#contract/kinds/hedge/desk';
import { HEDGE_ENDS, type HedgeEventKind, type Leg, type OrderPurpose, type OrderState } from '#contract/lifecycle';
import { eventsOf, fillsOf, fundingsOf, type HedgeRecord, movedOf, ordersOf } from '../../base/db/hedges/hedge';
import type { TimeRange } from '../../base/maths/candles';
import { commonTimes, type UsableCloses, usableCloses, valuesAt } from '../../base/maths/closes';
import { LEAST_BARS, logSpread, zScores } from '../../base/maths/pair';
import type { DeskDeps } from '../../desk/deps';
import { withSteps } from '../../desk/order/orderRow';
import { mayUnfreeze } from '../../desk/strategy/dealRows';
import type { Market } from '../../market/exchange';
import { liveRows } from './liveRows';
import { withStanding } from './standing';

/** Bars drawn before the entry, and bars drawn at most: a long hedge on short bars is thinned out. */
const BARS_BEFORE = 60;
const POINTS = 500;

/** Closes of both legs by opening instant, bars of `barMs`. */
interface PairCloses {
  long: UsableCloses;
  short: UsableCloses;
  barMs: number;
}

/** The pair at an instant that no bar ends at: entry, exit or now. `at` UTC ms. */
interface RelationPoint {
  at: number;
  ratio: number | null;
  z: number | null;
}

/** A fill as far as it changes its leg. Base currency, USDT; `at` UTC ms. */
interface LegFill {
  leg: Leg;
  side: 'buy' | 'sell';
  quantity: number;
  price: number;
  at: number;
}

/** Bars that both legs have, by the instant they close. */
function commonCloses({ long, short, barMs }: PairCloses) {
  const axis = commonTimes([long.time, short.time]);
  return {
    long: valuesAt(long.time, long.close, axis),
    short: valuesAt(short.time, short.close, axis),
    at: Array.from(axis, (time) => time + barMs),
  };
}

/** As many of them as a chart can show, the last one always. */
function thinned(indices: readonly number[]): number[] {
  const stride = Math.ceil(indices.length / POINTS);
  return indices.filter((_, i) => (indices.length - 1 - i) % stride === 0);
}

const indicesOf = (at: readonly number[], wanted: (at: number) => boolean): number[] =>
  thinned(at.flatMap((instant, i) => (wanted(instant) ? [i] : [])));

/** z (F14) of the last of `window` bars by those bars alone, as it was seen then. */
function zAt(long: Float64Array, short: Float64Array, end: number, window: number): number | null {
  const start = Math.max(0, end + 1 - window);
  if (end + 1 - start < LEAST_BARS) return null;
  const line = logSpread(long.slice(start, end + 1), short.slice(start, end + 1));
  return (line && zScores(line.spread)?.z.at(-1)) ?? null;
}

/**
 * Ratio and z by bar close from 60 bars before `from` to `to` (UTC ms), and at the points given beside; closes must
 * reach `window` bars farther back.
 */
function relationSeries(
  closes: PairCloses,
  window: number,
  { from, to, points }: { from: number; to: number; points: readonly RelationPoint[] },
): HedgeDetail['series'] {
  const { long, short, at } = commonCloses(closes);
  const drawn = indicesOf(at, (instant) => instant >= from - BARS_BEFORE * closes.barMs && instant <= to);
  const rows = new Map<number, RelationPoint>();
  for (const i of drawn) {
    rows.set(at[i]!, { at: at[i]!, ratio: long[i]! / short[i]!, z: zAt(long, short, i, window) });
  }
  for (const point of points) if (point.ratio !== null) rows.set(point.at, point);
  const sorted = [...rows.values()].sort((a, b) => a.at - b.at);
  return {
    time: sorted.map((row) => row.at),
    ratio: sorted.map((row) => row.ratio),
    z: sorted.map((row) => row.z),
  };
}

/** Price PnL of a leg at a price after its fills so far (F11), USDT: what it is worth less what was paid for it. */
function pnlAt(fills: readonly LegFill[], price: number): number {
  return fills.reduce((pnl, fill) => pnl + (fill.side === 'buy' ? 1 : -1) * fill.quantity * (price - fill.price), 0);
}

/**
 * Leg PnL from the first fill by bar close to `end`, whose figures are the hedge's own; empty without fills.
 * @param fills ascending by time.
 */
function resultSeries(
  closes: PairCloses,
  fills: readonly LegFill[],
  end: { at: number; long: number | null; short: number | null },
): HedgeDetail['result'] {
  const first = fills[0];
  if (first === undefined) return { time: [], long: [], short: [] };
  const { long, short, at } = commonCloses(closes);
  const drawn = indicesOf(at, (instant) => instant > first.at && instant < end.at);
  const pnl = (leg: Leg, prices: Float64Array) =>
    drawn.map((i) => {
      const done = fills.filter((fill) => fill.leg === leg && fill.at <= at[i]!);
      return pnlAt(done, prices[i]!);
    });
  // What was bought or sold a moment ago is worth what was paid for it.
  const start = first.at < end.at ? [first.at] : [];
  const zero = start.map(() => 0);
  return {
    time: [...start, ...drawn.map((i) => at[i]!), end.at],
    long: [...zero, ...pnl('long', long), end.long],
    short: [...zero, ...pnl('short', short), end.short],
  };
}

type Needs = Pick<DeskDeps, 'db' | 'markets' | 'pairModels' | 'venue'>;
type FillRows = Awaited<ReturnType<typeof fillsOf>>;
type Way = 'buy' | 'sell';
/** Before it is known what its figures lie on. */
type Unstepped<K extends 'fills' | 'fundings' | 'orders'> = Omit<HedgeDetail[K][number], 'tickSize' | 'lotSize'>;

const NO_CHARTS: Pick<HedgeDetail, 'series' | 'result'> = {
  series: { time: [], ratio: [], z: [] },
  result: { time: [], long: [], short: [] },
};

/** One hedge with all that happened to it. */
export async function hedgeDetail(deps: Needs, record: HedgeRecord, now: number): Promise<HedgeDetail> {
  const { db, markets } = deps;
  const [row] = await withStanding(deps, await liveRows(deps, [record], now));
  if (row === undefined) throw new Error('a hedge has no row');
  const [fills, moved] = await Promise.all([fillsOf(db, record.id), movedOf(db, record.id)]);
  const stepped = <R extends { symbol: string }>(rows: readonly R[]) =>
    withSteps(
      markets,
      rows.map((one) => ({ ...one, source: record.source })),
    );
  return {
    hedge: row,
    mayThaw: mayUnfreeze(record),
    settings: record.settings,
    fills: await stepped(fills.map(presentFill)),
    fundings: await stepped((await fundingsOf(db, record.id)).map(presentFunding)),
    events: (await eventsOf(db, record.id)).map(({ id, at, kind, detail }) => ({
      id: String(id),
      at,
      kind: kind as HedgeEventKind,
      detail,
    })),
    orders: await stepped((await ordersOf(db, record.id)).map(presentOrder)),
    ...(await chartsOf(deps, record, row, [...moved.map((one) => legMoved(record, one)), ...fills.map(legFill)], now)),
  };
}

const presentFill = ({ fill, leg, purpose }: FillRows[number]): Unstepped<'fills'> => ({
  id: fill.id,
  orderId: fill.orderId,
  leg: leg as Leg,
  purpose: purpose as OrderPurpose,
  symbol: fill.symbol,
  side: fill.side as Way,
  quantity: fill.quantity,
  price: fill.price,
  fee: fill.fee,
  maker: fill.maker,
  at: fill.at,
});

const presentFunding = (row: Awaited<ReturnType<typeof fundingsOf>>[number]): Unstepped<'fundings'> => ({
  symbol: row.symbol,
  at: row.at,
  rate: row.rate ?? '0',
  mark: row.price ?? '0',
  quantity: row.quantity ?? '0',
  amount: row.amount,
});

const presentOrder = (row: Awaited<ReturnType<typeof ordersOf>>[number]): Unstepped<'orders'> => ({
  id: row.id,
  leg: row.leg as Leg,
  purpose: row.purpose as OrderPurpose,
  symbol: row.symbol,
  side: row.side as Way,
  type: row.type as 'market' | 'maker',
  limitPrice: row.limitPrice,
  quantity: row.quantity,
  filledQuantity: row.filledQuantity,
  state: row.state as OrderState,
  reason: row.reason,
  createdAt: row.createdAt,
});

const legFill = ({ fill, leg }: FillRows[number]): LegFill => ({
  leg: leg as Leg,
  side: fill.side as Way,
  quantity: Number(fill.quantity),
  price: Number(fill.price),
  at: fill.at,
});

/** What was taken over from the account is as good as bought or sold at its price; it comes before what is traded. */
const legMoved = ({ long }: HedgeRecord, row: Awaited<ReturnType<typeof movedOf>>[number]): LegFill => {
  const quantity = Number(row.quantity);
  return {
    leg: row.symbol === long ? 'long' : 'short',
    side: quantity < 0 ? 'sell' : 'buy',
    quantity: Math.abs(quantity),
    price: Number(row.price),
    at: row.at,
  };
};

/** Relation on the bar that the hedge is managed by; the result on the finest, for it may be only hours old. */
async function chartsOf(
  { markets }: Needs,
  record: HedgeRecord,
  row: HedgeRow,
  fills: readonly LegFill[],
  now: number,
): Promise<Pick<HedgeDetail, 'series' | 'result'>> {
  const { source, long, short, settings } = record;
  const market = await markets.get(source);
  const instruments = (await market?.instruments()) ?? [];
  const known = [long, short].map((symbol) => instruments.find((one) => one.symbol === symbol)?.bars ?? []);
  const common = BARS.filter((bar) => known.every((bars) => bars.includes(bar)));
  const [coarsest, finest] = [common[0], common.at(-1)];
  if (market === undefined || coarsest === undefined || finest === undefined) return NO_CHARTS;
  const bar = common.includes(settings.zBar) ? settings.zBar : coarsest;
  const from = record.openedAt ?? record.createdAt;
  const to = HEDGE_ENDS.includes(record.state) ? (record.closedAt ?? record.stateAt) : now;
  const reach = (BARS_BEFORE + settings.zWindow + 1) * BAR_MS[bar];
  const [relation, held] = await Promise.all([
    closesOf(market, record, bar, { start: from - reach, end: to }),
    closesOf(market, record, finest, { start: from - BAR_MS[finest], end: to }),
  ]);
  const points = [
    ...(record.openedAt === null ? [] : [{ at: record.openedAt, ratio: row.ratioOpen, z: row.zOpen }]),
    { at: to, ratio: row.ratioNow, z: row.z },
  ];
  return {
    series: relation ? relationSeries(relation, settings.zWindow, { from, to, points }) : NO_CHARTS.series,
    result: held ? resultSeries(held, fills, { at: to, long: row.longPnl, short: row.shortPnl }) : NO_CHARTS.result,
  };
}

async function closesOf(
  market: Market,
  { long, short }: HedgeRecord,
  bar: Bar,
  range: TimeRange,
): Promise<PairCloses | null> {
  const [own, other] = await Promise.all([long, short].map((symbol) => market.candles(symbol, bar, range)));
  return own && other ? { long: usableCloses(own), short: usableCloses(other), barMs: BAR_MS[bar] } : null;
}
