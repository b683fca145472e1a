import Big from 'big.js';
import { LEGS, type Leg } from '#contract/lifecycle';
import { holdsPair, type StrategyKind } from '#contract/strategy';
import { keyOfAccount } from '../../base/db/accounts/apiKey';
import type { Queries } from '../../base/db/client';
import { changeDeal, type DealColumns } from '../../base/db/strategies/deal';
import { floorTo, plain, roundTo, usdt } from '../../base/maths/decimal';
import type { Venue } from '../../market/venue';

/** Why another part cannot be closed while one is on its way. */
export const underWay = (percent: number): string =>
  `正在平掉持有的 ${percent}%，做完再平下一部分；要立即全部平掉请选 100%`;

const SPOT_RESTS = '现货腿没有断连撤单：不能挂单平仓，请选市价';
const NO_COUNTDOWN = '账户在交易所没有断连撤单（DCP）：不能挂单平仓，请选市价';

/** Why what a deal holds may not rest on its way out, in words; null where it may. */
export async function restRefusal(
  { db, venue }: { db: Queries; venue: Pick<Venue, 'terms'> },
  { mode, legs }: Pick<DealColumns, 'mode' | 'legs'>,
): Promise<string | null> {
  if (mode === 'paper') return null;
  const terms = await Promise.all(legs.map(({ source, symbol }) => venue.terms(source, symbol)));
  if (terms.some((one) => one?.kind === 'spot')) return SPOT_RESTS;
  const keys = await Promise.all(legs.map(({ accountId }) => keyOfAccount(db, accountId)));
  return keys.some((key) => key?.report?.cancelsForGone === false) ? NO_COUNTDOWN : null;
}

/** Steps of a leg and its price now; null while they are not known. */
type LegTerms = { lotSize: string; minNotional: string; price: number } | null;

/** Steps and prices of both legs. */
export type PartTerms = Record<Leg, LegTerms>;

export async function legTermsOf(
  venue: Pick<Venue, 'terms' | 'quote'>,
  { legs }: Pick<DealColumns, 'legs'>,
): Promise<PartTerms> {
  const of = async (name: Leg): Promise<LegTerms> => {
    const { source = '', symbol = '' } = legs.find(({ leg }) => leg === name) ?? {};
    const [terms, quote] = await Promise.all([venue.terms(source, symbol), venue.quote(source, symbol)]);
    if (terms === undefined || quote === undefined) return null;
    return { lotSize: terms.lotSize, minNotional: terms.minNotional, price: (quote.bid + quote.ask) / 2 };
  };
  const [long, short] = await Promise.all(LEGS.map(of));
  return { long: long!, short: short! };
}

export const signedOf = ({ legs }: Pick<DealColumns, 'legs'>, name: Leg): Big =>
  new Big(legs.find(({ leg }) => leg === name)?.quantity ?? 0);

/** What both legs hold, base currency with its sign. */
export const heldOf = (deal: Pick<DealColumns, 'legs'>): Record<Leg, string> => ({
  long: plain(signedOf(deal, 'long')),
  short: plain(signedOf(deal, 'short')),
});

/**
 * What of each leg is closed, in whole lots: of the one with the coarser lot no more than was asked for, of the other
 * the same share, so that the hedge stays as it is.
 * @returns words for people where it would be nothing, or where it or what is left is too little for an order.
 */
export function cutOf(deal: Pick<DealColumns, 'legs'>, terms: PartTerms, percent: number): Record<Leg, Big> | string {
  const rows = LEGS.map((leg) => ({
    leg,
    symbol: deal.legs.find((one) => one.leg === leg)?.symbol ?? '',
    held: signedOf(deal, leg).abs(),
    terms: terms[leg],
  }));
  const flat = rows.find(({ held }) => held.eq(0));
  if (flat) return '现在没有两腿都持有，只能全部平仓';
  const unknown = rows.find((row) => row.terms === null);
  if (unknown) return `${unknown.symbol} 现在没有报价，算不出要平多少`;
  const lotsOf = ({ held, terms }: (typeof rows)[number]) => held.div(terms!.lotSize);
  const [coarse, fine] = rows.toSorted((a, b) => lotsOf(a).cmp(lotsOf(b))) as [(typeof rows)[0], (typeof rows)[0]];
  const first = floorTo(coarse.held.times(percent).div(100), coarse.terms!.lotSize);
  if (first.eq(0))
    return `${percent}% 不够 ${coarse.symbol} 的一个最小数量 ${coarse.terms!.lotSize}，请平更多或全部平仓`;
  const cuts = {
    [coarse.leg]: first,
    [fine.leg]: roundTo(fine.held.times(first).div(coarse.held), fine.terms!.lotSize),
  };
  for (const { leg, symbol, held, terms } of rows) {
    const cut = cuts[leg]!;
    const { minNotional, price } = terms!;
    const worth = (quantity: Big) => quantity.times(price);
    if (worth(cut).lt(minNotional))
      return `平 ${percent}% 时 ${symbol} 只有 ${usdt(worth(cut))}，低于最小下单额 ${minNotional} USDT，请平更多或全部平仓`;
    if (worth(held.minus(cut)).lt(minNotional))
      return `平 ${percent}% 后 ${symbol} 只剩 ${usdt(worth(held.minus(cut)))}，低于最小下单额 ${minNotional} USDT，请平更少或全部平仓`;
  }
  return cuts as Record<Leg, Big>;
}

/** What a person closes rests on its way out, where both legs are held: what else there is goes at the market. */
export async function restOnTheWayOut(tx: Queries, row: DealColumns, now: number): Promise<void> {
  const { state, kind, frozen, closeAskedAt, flattenAskedAt, reduction } = row;
  const isAsked = closeAskedAt !== null || flattenAskedAt !== null;
  if (state !== 'open' || !holdsPair(kind as StrategyKind) || frozen !== null || isAsked) return;
  const at = Math.max(now, (reduction?.at ?? 0) + 1);
  const from = { long: plain(signedOf(row, 'long').abs()), short: plain(signedOf(row, 'short').abs()) };
  const keep = { long: '0', short: '0' };
  await changeDeal(tx, row.id, { reduction: { at, percent: 100, maker: true, from, keep } });
}
