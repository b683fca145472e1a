import { BAR_MS, BARS, type Bar } from '#contract/candle';
import type { HedgeDetail, HedgeRow } from '#contract/kinds/hedge/desk';
import { HEDGE_ENDS, type HedgeEventKind, type Leg, type OrderPurpose, type OrderState } from '#contract/lifecycle';
import { eventsOf, fillsOf, fundingsOf, type HedgeRecord, ordersOf } from '../../base/db/hedges/hedge';
import type { TimeRange } from '../../base/maths/candles';
import { usableCloses } from '../../base/maths/closes';
import type { DeskDeps } from '../../desk/deps';
import { mayUnfreeze } from '../../desk/strategy/dealEnd';
import type { Market } from '../../market/exchange';
import { liveRows } from './liveRows';
import { BARS_BEFORE, type LegFill, type PairCloses, relationSeries, resultSeries } from './series';

type Needs = Pick<DeskDeps, 'db' | 'markets' | 'pairModels'>;
type FillRows = Awaited<ReturnType<typeof fillsOf>>;
type Way = 'buy' | 'sell';

const NO_CHARTS: Pick<HedgeDetail, 'series' | 'result'> = {
  series: { time: [], ratio: [], z: [] },
  result: { time: [], long: [], short: [] },
};

/** One hedge with all that happened to it. */
export async function hedgeDetail(deps: Needs, record: HedgeRecord, now: number): Promise<HedgeDetail> {
  const { db } = deps;
  const [row] = await liveRows(deps, [record], now);
  if (row === undefined) throw new Error('a hedge has no row');
  const fills = await fillsOf(db, record.id);
  return {
    hedge: row,
    mayThaw: mayUnfreeze(record),
    settings: record.settings,
    fills: fills.map(presentFill),
    fundings: (await fundingsOf(db, record.id)).map(presentFunding),
    events: (await eventsOf(db, record.id)).map(({ id, at, kind, detail }) => ({
      id: String(id),
      at,
      kind: kind as HedgeEventKind,
      detail,
    })),
    orders: (await ordersOf(db, record.id)).map(presentOrder),
    ...(await chartsOf(deps, record, row, fills.map(legFill), now)),
  };
}

const presentFill = ({ fill, leg, purpose }: FillRows[number]): HedgeDetail['fills'][number] => ({
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

const presentFunding = (row: Awaited<ReturnType<typeof fundingsOf>>[number]): HedgeDetail['fundings'][number] => ({
  symbol: row.symbol,
  at: row.at,
  rate: row.rate ?? '0',
  mark: row.price ?? '0',
  quantity: row.quantity ?? '0',
  amount: row.amount,
});

const presentOrder = (row: Awaited<ReturnType<typeof ordersOf>>[number]): HedgeDetail['orders'][number] => ({
  id: row.id,
  leg: row.leg as Leg,
  purpose: row.purpose as OrderPurpose,
  symbol: row.symbol,
  side: row.side as Way,
  type: row.type as 'market' | 'maker',
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
