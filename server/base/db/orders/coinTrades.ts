import { and, desc, eq, gt, gte, inArray, lt, type SQL, sql } from 'drizzle-orm';
import { HEDGE_ENDS } from '#contract/lifecycle';
import type { SourceSymbol } from '../../symbolKey';
import type { Queries } from '../client';
import { account, deal, dealLeg, fill, strategy } from '../schema';

/** What a user did with one symbol within `start <= time < end`, UTC ms. */
export interface CoinTradesQuery extends SourceSymbol {
  userId: string;
  start: number;
  end: number;
}

/** The user's fills of a symbol, those of a side and a mode within one bar as one, ascending in time. */
export async function fillsByBar(db: Queries, { userId, source, symbol, start, end }: CoinTradesQuery, barMs: number) {
  const time: SQL<number> = sql`(${fill.at} / ${barMs}::bigint) * ${barMs}::bigint`.mapWith(Number);
  return db
    .select({
      time: time.as('bar_time'),
      side: fill.side,
      mode: account.mode,
      fills: sql<number>`count(*)::integer`,
      quantity: sql<number>`sum(${fill.quantity})::double precision`,
      price: sql<number>`(sum(${fill.quantity} * ${fill.price}) / sum(${fill.quantity}))::double precision`,
    })
    .from(fill)
    .innerJoin(account, eq(account.id, fill.accountId))
    .where(
      and(
        eq(fill.userId, userId),
        eq(fill.source, source),
        eq(fill.symbol, symbol),
        gte(fill.at, Math.ceil(start)),
        lt(fill.at, Math.ceil(end)),
      ),
    )
    .groupBy(sql`bar_time`, fill.side, account.mode)
    .orderBy(sql`bar_time`, fill.side, account.mode);
}

/** The newest `most` deals of the user that held the symbol at some time within it, and how many there are. */
export async function dealsHolding(
  db: Queries,
  { userId, source, symbol, start, end }: CoinTradesQuery,
  most: number,
): Promise<{ list: { id: string; strategyId: string; strategy: string; mode: string }[]; total: number }> {
  const left = sql`case when ${inArray(deal.state, [...HEDGE_ENDS])} then coalesce(${deal.closedAt}, ${deal.stateAt}) end`;
  const holds = and(
    eq(dealLeg.userId, userId),
    eq(dealLeg.source, source),
    eq(dealLeg.symbol, symbol),
    gt(dealLeg.opened, '0'),
    lt(deal.createdAt, Math.ceil(end)),
    sql`coalesce(${left}, ${Number.MAX_SAFE_INTEGER}::bigint) >= ${Math.floor(start)}::bigint`,
  );
  const rows = await db
    .select({
      id: deal.id,
      strategyId: strategy.id,
      strategy: strategy.name,
      mode: strategy.mode,
      total: sql<number>`count(*) over ()::integer`,
    })
    .from(dealLeg)
    .innerJoin(deal, eq(deal.id, dealLeg.dealId))
    .innerJoin(strategy, eq(strategy.id, deal.strategyId))
    .where(holds)
    .groupBy(deal.id, strategy.id)
    .orderBy(desc(deal.createdAt), deal.id)
    .limit(most);
  return { list: rows.map(({ total: _total, ...row }) => row), total: rows[0]?.total ?? 0 };
}
