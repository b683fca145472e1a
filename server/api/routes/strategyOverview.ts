import type { FastifyInstance } from 'fastify';
import { strategyOverview as api } from '#contract/strategyOverview';
import { changeStrategy, strategyById } from '../../base/db/strategies/strategy';
import { noteChange } from '../../base/http/auditTrail';
import { notFound } from '../../base/http/refusal';
import { route } from '../../base/http/route';
import type { OpeningActs } from '../../desk/openingActs';
import { OverviewAnswers } from '../../desk/strategy/overviewAnswers';
import { strategyFeed } from '../../desk/strategy/strategyFeed';
import { limitStrategy, mustOwn } from '../../desk/strategy/strategyIntents';
import { overviewDays, strategyOverview, usedBy } from '../../desk/strategy/strategyOverview';
import { runningDealRows, runningDeals } from '../../desk/strategy/strategyRows';
import type { Deps } from '../deps';

/** Everybody's strategies, for masters. */
export function strategyOverviewRoutes(app: FastifyInstance, deps: Deps, opens: OpeningActs): void {
  const { db, clock } = deps;
  const answers = new OverviewAnswers();

  route(app, api.list, async ({ user, query }) =>
    answers.next(user.id, await strategyOverview(deps, user.id, clock()), query.since),
  );

  route(app, api.days, () => overviewDays(deps, clock()));

  route(app, api.deals, async ({ query }) => {
    const row = await strategyById(db, query.id);
    if (row === null) throw notFound('没有这个策略');
    return { list: await runningDealRows(deps, row.id, clock()) };
  });

  route(app, api.running, async ({ query }) => {
    const list = await runningDeals(deps, clock(), query.userId);
    return { list, total: list.length };
  });

  route(app, api.feed, async ({ query }) => ({ list: await strategyFeed(db, query) }));

  // Nothing that the engine goes by: it is not woken.
  route(app, api.note, async ({ user, body, request }) => {
    const row = await mustOwn(db, user.id, body.id);
    const written = { note: body.note, noteBy: user.name, noteAt: clock() };
    await changeStrategy(db, row.id, written);
    noteChange(request, { note: row.note }, { note: body.note });
    return { id: row.id, ...written };
  });

  opens.serve(app, 'limit', api.limit, {
    about:
      ({ body }) =>
      (strategy) =>
        strategy.id === body.id,
    opens: ({ body }) => body.resume === true,
    prepare: async ({ body }) => (body.resume ? usedBy(deps, body.id, clock()) : undefined),
    write: (tx, { user, body }, used) => limitStrategy(tx, { user, now: clock() }, body.id, body.limits, used),
  });
}
