import { BAR_MS, BARS, type Bar } from '#contract/candle';
import type { HedgeDetail } from '#contract/hedge';
import { HEDGE_ENDS, type HedgeEventKind, type Leg, type OrderPurpose, type OrderState } from '#contract/lifecycle';
import type { Deps } from '../app';
import { eventsOf, fillsOf, fundingsOf, type HedgeRecord, ordersOf } from '../db/hedge';
import { usableCloses } from '../maths/closes';
import { BARS_BEFORE, hedgeSeries, type LegFill } from './hedgeSeries';
import { liveRows } from './liveRows';

type Needs = Pick<Deps, 'db' | 'markets' | 'pairModels'>;
type FillRows = Awaited<ReturnType<typeof fillsOf>>;
type Way = 'buy' | 'sell';

const NO_SERIES: HedgeDetail['series'] = { time: [], ratio: [], z: [], longPnl: [], shortPnl: [] };

/** One hedge with all that happened to it. */
export async function hedgeDetail(deps: Needs, record: HedgeRecord, now: number): Promise<HedgeDetail> {
  const { db } = deps;
  const [row] = await liveRows(deps, [record], now);
  if (row === undefined) throw new Error('a hedge has no row');
  const fills = await fillsOf(db, record.id);
  return {
    hedge: row,
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
    series: await seriesOf(deps, record, fills, now),
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

async function seriesOf(
  { markets }: Needs,
  record: HedgeRecord,
  fills: FillRows,
  now: number,
): Promise<HedgeDetail['series']> {
  const { source, long, short, settings } = record;
  const market = await markets.get(source);
  const instruments = (await market?.instruments()) ?? [];
  const bar = barOf(
    [long, short].map((symbol) => instruments.find((one) => one.symbol === symbol)?.bars ?? []),
    settings.zBar,
  );
  if (market === undefined || bar === null) return NO_SERIES;
  const barMs = BAR_MS[bar];
  const from = record.openedAt ?? record.createdAt;
  const to = HEDGE_ENDS.includes(record.state) ? (record.closedAt ?? record.stateAt) : now;
  const range = { start: from - (BARS_BEFORE + settings.zWindow + 1) * barMs, end: to };
  const [own, other] = await Promise.all([long, short].map((symbol) => market.candles(symbol, bar, range)));
  if (!own || !other) return NO_SERIES;
  const closes = { long: usableCloses(own), short: usableCloses(other) };
  return hedgeSeries({ ...closes, barMs, window: settings.zWindow, fills: fills.map(legFill), from, to });
}

/** The bar of the live z: the one that was set, or else the coarsest that both coins have. */
function barOf(known: readonly (readonly Bar[])[], wanted: Bar): Bar | null {
  const common = BARS.filter((bar) => known.every((bars) => bars.includes(bar)));
  return common.includes(wanted) ? wanted : (common[0] ?? null);
}
