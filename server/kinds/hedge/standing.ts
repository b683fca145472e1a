import type { HedgeRow } from '#contract/kinds/hedge/desk';
import { type DealColumns, dealsById, isUnguarded } from '../../base/db/strategies/deal';
import { isReducing } from '../../base/db/strategies/reduction';
import { restingLegsOf } from '../../base/db/strategies/strategyFigures';
import type { DeskDeps } from '../../desk/deps';
import { closeQuote } from '../../desk/strategy/closeQuote';
import { isCloseAsked, mayRest, restingOf } from '../../desk/strategy/dealRows';
import type { Standing } from './row';

/** Running hedges of a user with what closing them now would leave, and what is asked of them. */
export async function withStanding(
  deps: Pick<DeskDeps, 'db' | 'venue' | 'markets'>,
  rows: readonly HedgeRow[],
): Promise<HedgeRow[]> {
  const { db } = deps;
  const [first] = rows;
  if (first === undefined) return [];
  const ids = rows.map(({ id }) => id);
  const deals = await dealsById(db, first.userId, ids);
  const resting = await restingLegsOf(
    db,
    deals.filter(mayRest).map(({ id }) => id),
  );
  const known = new Map(
    await Promise.all(
      deals.map(async (deal) => [deal.id, await standingOf(deps, deal, resting.get(deal.id))] as const),
    ),
  );
  return rows.map((row) => ({ ...row, ...known.get(row.id) }));
}

async function standingOf(
  deps: Pick<DeskDeps, 'venue' | 'markets'>,
  deal: DealColumns,
  resting: readonly string[] | undefined,
): Promise<Standing> {
  // A venue that does not answer keeps one figure out, not the list.
  const quote = await closeQuote(deps, deal).catch(() => null);
  return {
    netClosed: quote === null || quote.legs.length === 0 ? null : quote.net,
    closeAsked: isCloseAsked(deal),
    reducing: isReducing(deal) ? deal.reduction!.percent : null,
    // A hedge's entry has no time after which it is taken.
    resting: restingOf(deal, resting, new Map()),
    unguarded: isUnguarded(deal),
  };
}
