import { and, desc, eq, inArray, isNotNull, type SQLWrapper, sql } from 'drizzle-orm';
import { HEDGE_ENDS } from '#contract/lifecycle';
import type { Queries } from '../client';
import { deal, dealLeg, target, tradeOrder } from '../schema';

/** Deals that traded a gap, not the inventory. */
const isTrade = sql`${deal.opening} ->> 'isStock' = 'false'`;

/** How many gaps a strategy saw, and what became of them. */
export async function funnelOf(db: Queries, strategyId: string) {
  const legs = db
    .select({
      dealId: dealLeg.dealId,
      least: sql<string>`min(${dealLeg.opened})`.as('least'),
      net: sql<string>`sum(${dealLeg.realised} - ${dealLeg.fees})`.as('net'),
    })
    .from(dealLeg)
    .groupBy(dealLeg.dealId)
    .as('legs');
  const hasEnded = inArray(deal.state, [...HEDGE_ENDS]);
  const [[seen], [traded]] = await Promise.all([
    db
      .select({ seen: sql<number>`coalesce(sum(${target.seen}), 0)`.mapWith(Number) })
      .from(target)
      .where(eq(target.strategyId, strategyId)),
    db
      .select({
        attempted: sql<number>`count(*)`.mapWith(Number),
        filled: sql<number>`count(*) filter (where ${legs.least} > 0)`.mapWith(Number),
        profitable: sql<number>`count(*) filter (where ${legs.least} > 0 and ${legs.net} > 0 and ${hasEnded})`.mapWith(
          Number,
        ),
      })
      .from(deal)
      .innerJoin(legs, eq(legs.dealId, deal.id))
      .where(and(eq(deal.strategyId, strategyId), isTrade)),
  ]);
  return { seen: seen!.seen, ...traded! };
}

/** What the trades that were filled on both sides bought, promised and made, USDT. */
export async function tradeSums(db: Queries, strategyId: string) {
  const legs = db
    .select({
      dealId: dealLeg.dealId,
      least: sql<string>`min(${dealLeg.opened})`.as('both'),
      bought: sql<string>`sum(${dealLeg.notional}) filter (where ${dealLeg.leg} = 'long')`.as('bought'),
      net: sql<string>`sum(${dealLeg.realised} - ${dealLeg.fees})`.as('made'),
    })
    .from(dealLeg)
    .groupBy(dealLeg.dealId)
    .as('legs');
  const [row] = await db
    .select({
      notional: sql<number>`coalesce(sum(${legs.bought}), 0)`.mapWith(Number),
      planned: sql<number>`coalesce(sum(${legs.bought} * ${deal.signalOpen}::numeric), 0)`.mapWith(Number),
      real: sql<number>`coalesce(sum(${legs.net}), 0)`.mapWith(Number),
    })
    .from(deal)
    .innerJoin(legs, eq(legs.dealId, deal.id))
    .where(and(eq(deal.strategyId, strategyId), isTrade, sql`${legs.least} > 0`, inArray(deal.state, [...HEDGE_ENDS])));
  return row!;
}

/** The legs of the deals that hedge the stock, by symbol: what they made, and what of them is held. */
export function hedgeSums(db: Queries, strategyId: string) {
  const sum = (column: SQLWrapper) => sql<number>`coalesce(sum(${column}), 0)`.mapWith(Number);
  return db
    .select({
      ...{ source: dealLeg.source, symbol: dealLeg.symbol },
      ...{ quantity: sum(dealLeg.quantity), cost: sum(dealLeg.cost), realised: sum(dealLeg.realised) },
      ...{ funding: sum(dealLeg.funding), fees: sum(dealLeg.fees) },
    })
    .from(dealLeg)
    .innerJoin(deal, eq(deal.id, dealLeg.dealId))
    .where(and(eq(deal.strategyId, strategyId), sql`${deal.opening} ->> 'isHedge' = 'true'`))
    .groupBy(dealLeg.source, dealLeg.symbol);
}

/** The newest of them with their legs. */
export async function newestTrades(db: Queries, strategyId: string, most: number) {
  const deals = await db
    .select()
    .from(deal)
    .where(and(eq(deal.strategyId, strategyId), isTrade))
    .orderBy(desc(deal.createdAt), deal.id)
    .limit(most);
  const ids = deals.map(({ id }) => id);
  if (ids.length === 0) return [];
  const [legs, sent] = await Promise.all([
    db.select().from(dealLeg).where(inArray(dealLeg.dealId, ids)),
    db
      .select({
        dealId: tradeOrder.dealId,
        leg: tradeOrder.leg,
        sentAt: sql<number>`min(${tradeOrder.sentAt})`.mapWith(Number),
        answeredAt: sql<number>`min(${tradeOrder.answeredAt})`.mapWith(Number),
      })
      .from(tradeOrder)
      .where(and(inArray(tradeOrder.dealId, ids), isNotNull(tradeOrder.answeredAt)))
      .groupBy(tradeOrder.dealId, tradeOrder.leg),
  ]);
  const of = <T extends { dealId: string | null; leg: string }>(rows: readonly T[], id: string, leg: string) =>
    rows.find((row) => row.dealId === id && row.leg === leg);
  return deals.map((row) => ({
    ...row,
    long: of(legs, row.id, 'long')!,
    short: of(legs, row.id, 'short')!,
    bought: of(sent, row.id, 'long'),
    sold: of(sent, row.id, 'short'),
  }));
}
