import type { FastifyInstance } from 'fastify';
import { accessOf } from '#contract/access';
import { flatten as api, intervention } from '#contract/flatten';
import type { StrategyKind, StrategyMode } from '#contract/strategy';
import { bookOwners } from '../../base/db/books/book';
import { countReached, findFlatten } from '../../base/db/books/flatten';
import { unguardedStrategies } from '../../base/db/strategies/deal';
import { forbidden, notFound } from '../../base/http/refusal';
import { route } from '../../base/http/route';
import { aimOf, flattenAim, intervene, reachedNow } from '../../desk/flatten/flattenIntents';
import { flattenPreview } from '../../desk/flatten/flattenPreview';
import { flattenReport, flattenRows } from '../../desk/flatten/flattenReport';
import type { OpeningActs } from '../../desk/openingActs';
import { unguardedOf } from '../../desk/strategy/unguarded';
import type { Deps } from '../deps';

/** After the end of one strategy its owner's others may open; after that of all that somebody has, nothing does. */
const ofStrategy = (_call: unknown, { aim }: { aim: Awaited<ReturnType<typeof aimOf>> }): string[] =>
  aim.strategy ? [aim.strategy.userId] : [];

/** Everything closed at once: what it would come to, the wish, and what became of it; and what masters do to others. */
export function flattenRoutes(app: FastifyInstance, deps: Deps, opens: OpeningActs): void {
  const { db, clock } = deps;

  route(app, api.held, async ({ user }) => {
    const [deals, left] = await Promise.all([
      countReached(db, { userId: user.id }),
      unguardedStrategies(db, [user.id]),
    ]);
    const unguarded = left.map((row) => ({
      ...{ strategyId: row.id, kind: row.kind as StrategyKind, name: row.name },
      ...{ mode: row.mode as StrategyMode, sources: row.sources },
      ...unguardedOf(row),
    }));
    return { deals, unguarded };
  });

  route(app, api.preview, async ({ user, query }) =>
    flattenPreview(deps, await aimOf(db, user, query), clock(), query.keepsHedges),
  );

  opens.serveEnd(app, null, api.ask, {
    keyRequired: true,
    owners: ofStrategy,
    prepare: async ({ user, body }) => {
      const aim = await aimOf(db, user, body);
      return { aim, quotes: (await reachedNow(deps, aim, clock(), body.keepsHedges)).quotes };
    },
    write: (tx, { user, body }, { aim, quotes }) => {
      const { reason = '', keepsHedges } = body;
      return flattenAim(tx, { user, now: clock() }, aim, { reason: reason.trim(), quotes, keepsHedges });
    },
    wakes: ({ user, body }) => ownersOf(user, body),
  });

  route(app, api.list, async ({ user, query }) => {
    const { current, pageSize, everybody = false } = query;
    if (everybody && !accessOf(user.role).isMaster) throw forbidden();
    return flattenRows(deps, everybody ? null : user.id, { offset: (current - 1) * pageSize, limit: pageSize });
  });

  route(app, api.report, async ({ user, query }) => {
    const request = await findFlatten(db, query.id);
    if (request === null) throw notFound('没有这份平仓报告');
    return flattenReport(deps, request, accessOf(user.role).isMaster ? null : user.id, clock());
  });

  opens.serveEnd(app, null, intervention.ask, {
    keyRequired: true,
    owners: ofStrategy,
    prepare: async ({ user, body }) => {
      const aim = await aimOf(db, user, body);
      return { aim, quotes: (await reachedNow(deps, aim, clock())).quotes };
    },
    write: (tx, { user, body }, { aim, quotes }) =>
      intervene(tx, { user, now: clock() }, aim, { action: body.action, reason: body.reason.trim(), quotes }),
    wakes: ({ user, body }) => ownersOf(user, body),
  });

  async function ownersOf(user: Parameters<typeof aimOf>[1], named: Parameters<typeof aimOf>[2]): Promise<string[]> {
    const { userId } = await aimOf(db, user, named);
    return userId === null ? bookOwners(db) : [userId];
  }
}
