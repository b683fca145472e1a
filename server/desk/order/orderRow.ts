import Big from 'big.js';
import type { FillRow, FillTotals, OrderRow, OrderTotals } from '#contract/order';
import type { OrderRecord, OrderSums, Place } from '../../base/db/orders/order';
import type { FillRecord, FillSums } from '../../base/db/orders/orderFill';
import { plain } from '../../base/maths/decimal';
import { VENUE_WORDS } from '../../engine/words';
import { INSTRUMENT_KINDS, type Markets } from '../../market/exchange';

/** Significant digits of an average price: two more than the finest grid of prices. */
const PRICE_DIGITS = 8;
const BPS = 10_000;

type Steps = Pick<OrderRow, 'tickSize' | 'lotSize'>;
const UNLISTED: Steps = { tickSize: null, lotSize: null };

const opens = (leg: string, side: string): boolean => (side === 'buy') === (leg === 'long');
const ratio = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);

/** Worse than the mid at the decision is positive; in 1/10000. */
function slippageOf(side: string, price: number, mid: number): number | null {
  const paid = ratio((price - mid) * (side === 'buy' ? 1 : -1), mid);
  return paid === null ? null : paid * BPS;
}

/** Calls write the kind, in words of the contract. */
const placeOf = ({ account, mode, strategyId, strategy, kind }: Place) => ({
  account,
  mode: mode as OrderRow['mode'],
  strategyId,
  strategy,
  kind: kind as OrderRow['kind'],
});

type Traded = 'userId' | 'accountId' | 'source' | 'symbol' | 'side' | 'quantity' | 'fee';
type Asked = 'leg' | 'type' | 'purpose' | 'reduceOnly' | 'decisionMid';

/** What an order and each of its fills say alike. */
const tradeOf = (
  { userId, accountId, source, symbol, side, quantity, fee }: Pick<OrderRecord, Traded>,
  { leg, type, purpose, reduceOnly, decisionMid }: Pick<OrderRecord, Asked>,
) => ({
  ...{ userId, accountId, source, symbol, quantity, fee, reduceOnly, decisionMid, opens: opens(leg, side) },
  ...{ leg: leg as OrderRow['leg'], side: side as OrderRow['side'] },
  ...{ type: type as OrderRow['type'], purpose: purpose as OrderRow['purpose'] },
});

/** An order as the list shows it. Words in its columns are the contract's: only the engine writes them. */
export function orderRow(record: OrderRecord): Omit<OrderRow, keyof Steps> {
  const filled = new Big(record.filledQuantity);
  const average = filled.eq(0) ? null : new Big(record.filledNotional).div(filled).prec(PRICE_DIGITS);
  const { sentAt, answeredAt, reason } = record;
  return {
    id: record.id,
    exchangeId: record.exchangeId,
    hedgeId: record.dealId,
    ...placeOf(record),
    ...tradeOf(record, record),
    user: record.user,
    slippageBps: average && slippageOf(record.side, average.toNumber(), record.decisionMid),
    limitPrice: record.limitPrice,
    averagePrice: average && plain(average),
    filledQuantity: record.filledQuantity,
    filled: filled.div(record.quantity).toNumber(),
    filledNotional: record.filledNotional,
    maker: average && record.type === 'maker',
    state: record.state as OrderRow['state'],
    reason: reason && (VENUE_WORDS[reason] ?? reason),
    latencyMs: sentAt === null || answeredAt === null ? null : answeredAt - sentAt,
    cancelAskedAt: record.cancelAskedAt,
    createdAt: record.createdAt,
    sentAt,
    answeredAt,
    endedAt: record.endedAt,
  };
}

export function fillRow({ fill, order, user, ...place }: FillRecord): Omit<FillRow, keyof Steps> {
  return {
    id: fill.id,
    orderId: fill.orderId,
    hedgeId: fill.dealId,
    ...placeOf(place),
    ...tradeOf(fill, order),
    user,
    slippageBps: slippageOf(fill.side, Number(fill.price), order.decisionMid),
    price: fill.price,
    notional: plain(new Big(fill.quantity).times(fill.price)),
    maker: fill.maker,
    realised: fill.realised,
    at: fill.at,
  };
}

/** Rows with the steps that their prices and quantities lie on now. */
export async function withSteps<R extends Pick<OrderRow, 'source' | 'symbol'>>(
  markets: Markets,
  rows: readonly R[],
): Promise<(R & Steps)[]> {
  const sources = [...new Set(rows.map(({ source }) => source))];
  const lists = await Promise.all(
    sources.map(async (source) => [source, await (await markets.get(source))?.instruments(INSTRUMENT_KINDS)] as const),
  );
  const steps = new Map(
    lists.flatMap(([source, list = []]) =>
      list.map(({ symbol, tickSize, lotSize }) => [`${source} ${symbol}`, { tickSize, lotSize }] as const),
    ),
  );
  return rows.map((row) => ({ ...row, ...(steps.get(`${row.source} ${row.symbol}`) ?? UNLISTED) }));
}

const weighted = ({ slipped, filledAtMid }: { slipped: number; filledAtMid: number }): number | null => {
  const share = ratio(slipped, filledAtMid);
  return share === null ? null : share * BPS;
};

export const orderTotals = (sums: OrderSums): OrderTotals => ({
  orders: sums.count,
  resting: sums.resting,
  fillRate: ratio(sums.filledAtMid, sums.askedAtMid),
  notional: sums.notional,
  fees: sums.fees,
  slippageBps: weighted(sums),
  makerShare: ratio(sums.makerNotional, sums.notional),
  rejectRate: ratio(sums.refused, sums.count),
});

export const fillTotals = (sums: FillSums): FillTotals => ({
  fills: sums.count,
  notional: sums.notional,
  fees: sums.fees,
  slippageBps: weighted(sums),
  makerShare: ratio(sums.makerNotional, sums.notional),
  realised: sums.realised,
});
