import { and, eq, gte, inArray, isNotNull, sql } from 'drizzle-orm';
import type { Queries } from '../client';
import { deal, dealLeg, ledger } from '../schema';

/** Funding that the deals of strategies were paid since an instant (UTC ms), USDT. */
export async function fundingSince(db: Queries, strategyIds: readonly string[], since: number): Promise<number> {
  if (strategyIds.length === 0) return 0;
  const [row] = await db
    .select({ sum: sql<number>`coalesce(sum(${ledger.amount}), 0)::double precision`.mapWith(Number) })
    .from(ledger)
    .innerJoin(deal, eq(deal.id, ledger.dealId))
    .where(and(inArray(deal.strategyId, [...strategyIds]), eq(ledger.kind, 'funding'), gte(ledger.at, since)));
  return row?.sum ?? 0;
}

const noted = (name: 'rate' | 'hours') => sql<number>`(${deal.opening} ->> ${name})::double precision`.mapWith(Number);

/** Carries that were opened: the rate they were opened at, hours between settlements, what was sold, and what came of it. */
export async function openedCarries(db: Queries, strategyIds: readonly string[]) {
  if (strategyIds.length === 0) return [];
  const rows = await db
    .select({
      rate: noted('rate'),
      hours: noted('hours'),
      openedAt: deal.openedAt,
      closedAt: deal.closedAt,
      notional: sql<number>`${dealLeg.notional}::double precision`.mapWith(Number),
      funding: sql<number>`${dealLeg.funding}::double precision`.mapWith(Number),
    })
    .from(deal)
    .innerJoin(dealLeg, and(eq(dealLeg.dealId, deal.id), eq(dealLeg.leg, 'short')))
    .where(and(inArray(deal.strategyId, [...strategyIds]), isNotNull(deal.openedAt), isNotNull(deal.opening)));
  return rows.flatMap(({ openedAt, ...row }) => (openedAt === null ? [] : [{ ...row, openedAt }]));
}
