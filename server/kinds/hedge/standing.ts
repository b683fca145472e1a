import type { HedgeRow } from '#contract/kinds/hedge/desk';
import { HEDGE_ENDS } from '#contract/lifecycle';
import { type DealColumns, dealsById, isUnguarded } from '../../base/db/strategies/deal';
import { isReducing } from '../../base/db/strategies/reduction';
import { restingLegsOf } from '../../base/db/strategies/strategyFigures';
import type { DeskDeps } from '../../desk/deps';
import { askedOnce, closeQuote, takenAway } from '../../desk/strategy/closeQuote';
import { isCloseAsked, mayRest, restingOf } from '../../desk/strategy/dealRows';
import type { Standing } from './row';

/** Hedges of a user, the running ones with what closing them now would leave, and what is asked of them. */
export async function withStanding(
  deps: Pick<DeskDeps, 'db' | 'venue' | 'markets'>,
  rows: readonly HedgeRow[],
): Promise<HedgeRow[]> {
  const { db } = deps;
  const running = rows.filter(({ state }) => !HEDGE_ENDS.includes(state));
  const [first] = running;
  if (first === undefined) return [...rows];
  const ids = running.map(({ id }) => id);
  const deals = await dealsById(db, first.userId, ids);
  const resting = await restingLegsOf(
    db,
    deals.filter(mayRest).map(({ id }) => id),
  );
  // Hedges of one coin ask the same of its book.
  const once = { ...deps, venue: askedOnce(deps.venue) };
  const [taken, standing] = await Promise.all([
    takenAway(deps, deals),
    Promise.all(deals.map(async (deal) => [deal.id, await standingOf(once, deal, resting.get(deal.id))] as const)),
  ]);
  const known = new Map(standing);
  return rows.map((row) => ({ ...row, ...known.get(row.id), taken: taken.get(row.id) }));
}

async function standingOf(
  deps: Parameters<typeof closeQuote>[0],
  deal: DealColumns,
  resting: readonly string[] | undefined,
): Promise<Standing> {
  // A venue that is silent has no quote, which keeps one figure out and not the list; any other fault is one.
  const { legs, net } = await closeQuote(deps, deal);
  return {
    netClosed: legs.length === 0 ? null : net,
    closeAsked: isCloseAsked(deal),
    reducing: isReducing(deal) ? deal.reduction!.percent : null,
    // A hedge's entry has no time after which it is taken.
    resting: restingOf(deal, resting, new Map()),
    unguarded: isUnguarded(deal),
  };
}
