import type { FlattenScope } from '#contract/flatten';
import { askFlattenOf, insertFlatten, type Reach, type ReachedDeal, reachedDeals } from '../../base/db/books/flatten';
import type { Queries } from '../../base/db/client';
import { changeDeal, type DealColumns } from '../../base/db/strategies/deal';
import { callOffSingles } from '../../base/db/strategies/strategy';
import { holdTargets } from '../../base/db/strategies/target';
import type { Quotes } from './flattenQuote';

/** Who wants what closed, and why. */
export interface CloseAll {
  /** UTC ms. */
  at: number;
  byId: string;
  by: string;
  reason: string;
  scope: FlattenScope;
  /** Whose; null for everybody's. */
  userId: string | null;
  /** Only what this one holds. */
  strategyId: string | null;
}

/** Whether a deal is the short that hedges the coin a strategy owns between its deals: nothing of that coin is a deal's. */
export const hedgesStock = ({ opening }: Pick<DealColumns, 'opening'>): boolean =>
  (opening as { isHedge?: boolean } | null)?.isHedge === true;

/** What is known before everything is closed: why, what the markets said a moment before, and whether what hedges stock stays. */
export interface Closing {
  reason?: string;
  quotes?: Quotes | undefined;
  keepsHedges?: boolean | undefined;
}

/** What became of it: the report, null where nothing ran, and how many deals are to be closed. */
export interface Asked {
  id: string | null;
  deals: number;
}

export function reachOf({ userId, strategyId }: Pick<CloseAll, 'userId' | 'strategyId'>): Reach {
  if (strategyId !== null) return { strategyId };
  return userId === null ? 'all' : { userId };
}

/**
 * Asks for all that runs within reach to be closed, whatever its kind, and puts on record what was said of it. The books
 * are locked before, so that none can be begun beside it.
 */
export async function closeAll(
  tx: Queries,
  asked: CloseAll,
  { quotes, keepsHedges = false }: Omit<Closing, 'reason'> = {},
): Promise<Asked> {
  if (asked.strategyId === null) await callOffSingles(tx, asked.userId, asked);
  const reached = await reachedDeals(tx, reachOf(asked));
  const deals = keepsHedges ? reached.filter((deal) => !hedgesStock(deal)) : reached;
  if (deals.length === 0) return { id: null, deals: 0 };
  await sellAfterAll(tx, deals);
  await askFlattenOf(
    tx,
    deals.map(({ id }) => id),
    asked.at,
  );
  // A strategy that is closed stops, and opens when a person starts it; what goes on running opens nothing of these again.
  if (asked.strategyId === null) {
    const targets = deals.map(({ targetId }) => targetId);
    await holdTargets(tx, targets, { hold: 'closed', at: asked.at, by: asked.by });
  }
  const id = await insertFlatten(
    tx,
    asked,
    deals.map((deal) => askedDeal(deal, quotes)),
  );
  return { id, deals: deals.length };
}

function askedDeal(deal: ReachedDeal, quotes: Quotes | undefined) {
  const { notional = null, cost = null, net = null } = quotes?.of.get(deal.id) ?? {};
  const legs = deal.legs
    .filter(({ quantity }) => Number(quantity) !== 0)
    .map(({ leg, source, symbol, quantity }) => [leg, { mid: quotes?.midOf({ source, symbol }) ?? null, quantity }]);
  return { dealId: deal.id, userId: deal.userId, legs: Object.fromEntries(legs), notional, cost, net };
}

/** What was to stay with the account is sold all the same: who asks last is right. */
export async function sellAfterAll(tx: Queries, deals: readonly Pick<DealColumns, 'id' | 'opening'>[]): Promise<void> {
  for (const { id, opening } of deals) {
    const note = opening as { keeps?: boolean } | null;
    if (note?.keeps) await changeDeal(tx, id, { opening: { ...note, keeps: false } });
  }
}
