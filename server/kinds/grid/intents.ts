import { type GridParams, isSpotGrid } from '#contract/kinds/grid/params';
import { moveBook } from '../../base/db/books/book';
import type { Queries } from '../../base/db/client';
import { changeDeal, type DealColumns, isUnguarded, ownDeal } from '../../base/db/strategies/deal';
import { noteStrategy } from '../../base/db/strategies/strategyGuard';
import { notFound, refused } from '../../base/http/refusal';
import { usdt } from '../../base/maths/decimal';
import { type GridNote, movedRange } from '../../base/maths/gridLadder';
import { leftOfPurchase } from '../../base/maths/spotPurchase';
import type { DeskDeps } from '../../desk/deps';
import { type Asker, ownBook } from '../../desk/strategy/bookIntents';
import type { VenueMargin } from '../../market/venue';
import { readGridDeals } from './deals';

type Needs = Pick<DeskDeps, 'db' | 'venue' | 'clock'>;

const KIND = 'grid';

/** One of the user's grids that stands. @throws 404; `dealEnded` */
async function openGrid(db: Queries, userId: string, id: string): Promise<DealColumns> {
  const deal = await ownDeal(db, userId, id);
  if (deal === null || deal.kind !== KIND) throw notFound('没有这个网格');
  if (deal.state !== 'open') throw refused('dealEnded');
  if (isUnguarded(deal)) throw refused('dealUnguarded');
  return deal;
}

const freeOf = ({ marginBalance, initialMargin }: VenueMargin): number =>
  Math.max(0, Number(marginBalance) - Number(initialMargin));

/** What of the deal's account a grid may still take: free margin, or USDT that spot may be bought for. @throws `transferUnanswered` where the venue does not say. */
async function freeMargin(venue: Needs['venue'], deal: DealColumns, field: string): Promise<number> {
  const margin = await venue.margin(deal.legs[0]!.accountId).catch(() => null);
  if (margin === null) throw refused('transferUnanswered', '', field);
  return isSpotGrid(deal.params as GridParams) ? Number(margin.spendable) : freeOf(margin);
}

/** What a range would be after a move. @throws `gridShift` at the field, with the reason. */
export async function shiftPlan(needs: Needs, userId: string, id: string, by: number) {
  const { db, venue, clock } = needs;
  const deal = await openGrid(db, userId, id);
  const { source, symbol } = deal.legs[0]!;
  const terms = await venue.terms(source, symbol);
  const refuse = (why: string) => refused('gridShift', why, 'cells');
  if (terms === undefined) throw refuse('现在没有该合约的交易规则');
  const [grid] = await readGridDeals(
    needs,
    [deal],
    () => undefined,
    () => ({ price: null, terms }),
  );
  const { params, note, cells } = grid!;
  const isSpot = isSpotGrid(params);
  if (by === 0) throw refuse('请填移动的格数');
  if (params.trailing) throw refuse('跟随价格的网格自己移动');
  const moved = movedRange(params, note, { by, cells, makerFee: terms.makerFee, inCoin: isSpot, at: clock() });
  if (moved === null) throw refuse('下限会低于 0');
  const { lower, upper, least, grows } = moved;
  if (least <= 0) throw refuse('最窄一格扣除手续费后不再赚钱（F27）');
  if (params.stopLow !== null && lower <= params.stopLow) throw refuse(`下限会低于跌破离场 ${params.stopLow}`);
  if (params.stopHigh !== null && upper >= params.stopHigh) throw refuse(`上限会高于涨破离场 ${params.stopHigh}`);
  const quantity = Number(note.quantity);
  // Of spot what its purchase leaves is sold again.
  const smallest = isSpot ? leftOfPurchase(quantity, terms.makerFee, Number(terms.lotSize)) : quantity;
  if (smallest * lower < Number(terms.minNotional)) throw refuse('每格会低于最小下单额');
  const needed = grows / params.leverage;
  if (needed > 0 && needed > (await freeMargin(venue, deal, 'cells')))
    throw refuse(`移动后最多多占${isSpot ? '余额' : '保证金'} ${usdt(needed)}，账户不够`);
  return moved;
}

type Shift = Awaited<ReturnType<typeof shiftPlan>>;

/** Moves the range of a grid; the engine takes it up. @throws 404; `dealEnded` */
export async function shiftGrid(
  tx: Queries,
  { user, now }: Asker,
  { id, cells }: { id: string; cells: number },
  plan: Shift,
) {
  await ownBook(tx, user.id);
  const deal = await openGrid(tx, user.id, id);
  const note = deal.opening as GridNote;
  const { shift, lower, upper } = plan;
  if ((note.shifts?.at(-1)?.first ?? 0) + cells !== shift.first)
    throw refused('gridShift', '区间刚被移动过，请重试', 'cells');
  await changeDeal(tx, id, { opening: { ...note, shifts: [...(note.shifts ?? []), shift] } });
  const detail = `区间${cells > 0 ? '上' : '下'}移 ${Math.abs(cells)} 格：${lower} – ${upper}`;
  await noteStrategy(tx, { strategyId: deal.strategyId, at: now, kind: 'config', detail, by: user.name });
  await moveBook(tx, user.id);
  return { lower, upper };
}

/** Digits after the point of a leverage that was worked out. */
const LEVERAGE_DIGITS = 6;

/** Whether the account bears more capital behind a grid. @throws `gridMargin` at the field. */
export async function checkMargin(
  { db, venue }: Needs,
  userId: string,
  { id, amount }: { id: string; amount: number },
) {
  const deal = await openGrid(db, userId, id);
  const params = deal.params as GridParams;
  if (isSpotGrid(params)) throw refused('gridMargin', '现货没有保证金，要加大请修改总名义后重新开始', 'amount');
  const { legNotional, leverage } = params;
  const most = legNotional - legNotional / leverage;
  if (amount > most) throw refused('gridMargin', `投入最多等于总名义，还可追加 ${usdt(most)}`, 'amount');
  const free = await freeMargin(venue, deal, 'amount');
  if (amount > free) throw refused('gridMargin', `账户可用保证金 ${usdt(free)}`, 'amount');
}

/** Puts more capital behind what a grid may hold: its leverage falls. @throws 404; `dealEnded` */
export async function addMargin(tx: Queries, { user, now }: Asker, { id, amount }: { id: string; amount: number }) {
  await ownBook(tx, user.id);
  const deal = await openGrid(tx, user.id, id);
  const params = deal.params as GridParams;
  const capital = params.legNotional / params.leverage + amount;
  const leverage = Number((params.legNotional / capital).toFixed(LEVERAGE_DIGITS));
  await changeDeal(tx, id, { params: { ...params, leverage } });
  const detail = `追加投入 ${amount} USDT，共 ${usdt(capital)}，杠杆 ${leverage} 倍`;
  await noteStrategy(tx, { strategyId: deal.strategyId, at: now, kind: 'config', detail, by: user.name });
  await moveBook(tx, user.id);
  return { capital, leverage };
}
