import Big from 'big.js';
import type { FlattenReport, FlattenRow, FlattenScope, ReportDeal } from '#contract/flatten';
import { type CloseReason, HEDGE_ENDS, type HedgeState, type Leg } from '#contract/lifecycle';
import type { StrategyKind, StrategyMode } from '#contract/strategy';
import {
  type AskedDeal,
  exitsOf,
  flattenedDeals,
  type LegExit,
  listFlattens,
  type NamedFlatten,
  namedDeals,
  type ReachedDeal,
} from '../../base/db/books/flatten';
import { notFound } from '../../base/http/refusal';
import { netPnl } from '../../base/maths/hedge';
import type { DeskDeps } from '../deps';
import { symbolsOf } from './flattenPreview';
import { type Quotes, quotesOf } from './flattenQuote';

type Needs = Pick<DeskDeps, 'db' | 'venue' | 'markets'>;
type Asked = Awaited<ReturnType<typeof flattenedDeals>>;

const hasEnded = ({ state }: { state: string }): boolean => HEDGE_ENDS.includes(state as HedgeState);

const sum = (values: readonly (number | null)[]): number | null =>
  values.reduce<number | null>((all, value) => (all === null || value === null ? null : all + value), 0);

/** What an exit has paid against a mid, USDT; negative where it went for better. */
const slippageOf = ({ side, quantity, notional }: LegExit, mid: number): number =>
  side === 'sell' ? quantity * mid - notional : notional - quantity * mid;

const midOf = (asked: AskedDeal | undefined, leg: string): number | null => asked?.legs[leg]?.mid ?? null;

/** What it came to until now. */
function summaryOf(request: NamedFlatten, asked: Asked, exits: readonly LegExit[]): FlattenRow {
  const { id, at, by, reason, scope, strategy, user } = request;
  const deals = asked.filter((row) => row.asked.flattenId === id);
  const own = exits.filter(({ flattenId }) => flattenId === id);
  const askedOf = new Map(deals.map((row) => [row.asked.dealId, row.asked]));
  const left = deals.filter((deal) => !hasEnded(deal)).length;
  const ends = deals.map(({ closedAt }) => closedAt ?? at);
  return {
    ...{ id, at, by, reason, scope: scope as FlattenScope },
    name: strategy ?? (scope === 'user' ? user : null),
    deals: deals.length,
    closed: deals.length - left,
    left,
    doneAt: left > 0 ? null : Math.max(at, ...ends),
    notional: own.reduce((all, { notional }) => all + notional, 0),
    slippage: sum(
      own.map((exit) => {
        const mid = midOf(askedOf.get(exit.dealId), exit.leg);
        return mid === null ? null : slippageOf(exit, mid);
      }),
    ),
    fees: own.reduce((all, { fee }) => all + fee, 0),
  };
}

/** Requests, the newest first. @param userId of whom alone; null for everybody's */
export async function flattenRows(
  { db }: Pick<DeskDeps, 'db'>,
  userId: string | null,
  page: { offset: number; limit: number },
): Promise<{ list: FlattenRow[]; total: number }> {
  const { rows, total } = await listFlattens(db, userId, page);
  const ids = rows.map(({ id }) => id);
  const [asked, exits] = await Promise.all([flattenedDeals(db, ids, userId), exitsOf(db, ids, userId)]);
  return { list: rows.map((row) => summaryOf(row, asked, exits)), total };
}

/** One request with each of its deals. @param userId whose deals alone; null for all. @throws 404 where there are none of these */
export async function flattenReport(
  deps: Needs,
  request: NamedFlatten,
  userId: string | null,
  now: number,
): Promise<FlattenReport> {
  const { db } = deps;
  const [asked, exits] = await Promise.all([
    flattenedDeals(db, [request.id], userId),
    exitsOf(db, [request.id], userId),
  ]);
  if (asked.length === 0) throw notFound('没有这份平仓报告');
  const deals = await namedDeals(
    db,
    asked.map((row) => row.asked.dealId),
  );
  const quotes = await quotesOf(
    deps,
    deals.filter((deal) => !hasEnded(deal)),
    now,
  );
  const askedOf = new Map(asked.map((row) => [row.asked.dealId, row.asked]));
  const list = deals.map((deal) =>
    reportDeal(
      deal,
      askedOf.get(deal.id)!,
      exits.filter(({ dealId }) => dealId === deal.id),
      {
        at: request.at,
        quotes,
      },
    ),
  );
  const summary = summaryOf(request, asked, exits);
  const ended = list.filter(({ net }) => net !== null);
  return {
    ...summary,
    checkedAt: now,
    seconds: summary.doneAt === null ? null : (summary.doneAt - summary.at) / 1000,
    net: ended.length === 0 ? null : sum(ended.map(({ net }) => net)),
    expected: {
      cost: sum(list.map(({ expected }) => expected.cost)),
      net: sum(list.map(({ expected }) => expected.net)),
    },
    // What is left needs a person's eye first.
    list: list.sort((a, b) => Number(hasEnded(a)) - Number(hasEnded(b)) || (b.seconds ?? 0) - (a.seconds ?? 0)),
  };
}

interface Since {
  /** When it was asked for, UTC ms. */
  at: number;
  quotes: Quotes;
}

function reportDeal(deal: ReachedDeal, asked: AskedDeal, exits: readonly LegExit[], { at, quotes }: Since): ReportDeal {
  const isOver = hasEnded(deal);
  const legs = deal.legs.flatMap((leg) => {
    const own = exits.filter((exit) => exit.leg === leg.leg);
    const held = asked.legs[leg.leg]?.quantity ?? '0';
    if (own.length === 0 && Number(held) === 0 && Number(leg.quantity) === 0) return [];
    return [reportLeg(leg, held, own, { mid: midOf(asked, leg.leg), isOver })];
  });
  const booked = (figure: 'funding' | 'fees') => deal.legs.reduce((all, leg) => all + Number(leg[figure]), 0);
  return {
    ...{ id: deal.id, kind: deal.kind as StrategyKind, strategyId: deal.strategyId },
    ...{ strategy: deal.strategy, mode: deal.mode as StrategyMode, user: deal.user, symbols: symbolsOf(deal) },
    state: deal.state as HedgeState,
    closeReason: deal.closeReason as CloseReason | null,
    closedAt: deal.closedAt,
    seconds: deal.closedAt === null ? null : Math.max(0, deal.closedAt - at) / 1000,
    legs,
    slippage: sum(legs.map(({ slippage }) => slippage)),
    fees: exits.reduce((all, { fee }) => all + fee, 0),
    net: isOver
      ? netPnl(
          deal.legs.map(({ realised }) => Number(realised)),
          { funding: booked('funding'), fees: booked('fees') },
        )
      : null,
    expected: { cost: asked.cost, net: asked.net },
    why: isOver ? null : whyLeft(deal, quotes),
  };
}

function reportLeg(
  { leg, source, symbol, quantity: left }: ReachedDeal['legs'][number],
  held: string,
  exits: readonly LegExit[],
  { mid, isOver }: { mid: number | null; isOver: boolean },
): ReportDeal['legs'][number] {
  const side = exits[0]?.side ?? (Number(held) > 0 ? 'sell' : 'buy');
  const own = exits.filter((exit) => exit.side === side);
  const [quantity, notional] = [
    own.reduce((all, one) => all + one.quantity, 0),
    own.reduce((all, one) => all + one.notional, 0),
  ];
  return {
    ...{ leg: leg as Leg, source, symbol, side, asked: held, left },
    quantity,
    // What is less than a lot is handed to the account when the rest is gone.
    dust: isOver ? Math.max(0, new Big(held).abs().minus(quantity).toNumber()) : 0,
    mid,
    price: quantity === 0 ? null : notional / quantity,
    slippage: mid === null ? null : exits.reduce((all, exit) => all + slippageOf(exit, mid), 0),
    fee: exits.reduce((all, exit) => all + exit.fee, 0),
  };
}

const WHY = {
  frozen: '冻结',
  out: '交易所没有回应，恢复后继续平',
  gone: '合约已下架或到期，由交易所结算',
  noPrice: '没有盘口，有报价后继续平',
  thin: '盘口数量不足，分多次平',
} as const;

function whyLeft(deal: ReachedDeal, quotes: Quotes): string {
  if (deal.frozen !== null) return deal.frozen;
  const why = quotes.of.get(deal.id)?.why ?? null;
  if (why !== null) return WHY[why];
  return deal.state === 'closing' ? '正在平仓' : '已登记，等待引擎处理';
}
