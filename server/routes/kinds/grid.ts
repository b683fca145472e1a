import type { FastifyInstance } from 'fastify';
import type { GridParams } from '#contract/grid';
import { gridDeal as api } from '#contract/gridDeal';
import { gridScan } from '#contract/gridScan';
import { intentRoute } from '../../http/intentRoute';
import { route } from '../../http/route';
import { gridRangeOf } from '../../scan/gridRange';
import { createGridRows } from '../../scan/gridRows';
import { scanPage } from '../../scan/scanPage';
import { addMargin, checkMargin, shiftGrid, shiftPlan } from '../../strategy/gridIntents';
import { gridLadder } from '../../strategy/gridLadder';
import { gridRecordOf } from '../../strategy/gridRecord';
import { replayOf } from '../../strategy/gridReplay';
import { gridRows } from '../../strategy/gridRows';
import { repairDeal } from '../../strategy/strategyIntents';
import { checkedPlan } from '../../strategy/strategyParams';
import type { KindDeps } from './kindDeps';

/** GET /api/market/grid and below; /api/strategy/grid: what the grids are and did, and what a person does to one that stands. */
export function gridRoutes(app: FastifyInstance, deps: KindDeps): void {
  const { clock } = deps;
  const rowsOf = createGridRows(deps);

  route(app, gridScan.list, async ({ query }) => {
    const { rows, at } = await rowsOf(query);
    return { ...scanPage(rows, query), at };
  });
  route(app, gridScan.range, ({ query }) => gridRangeOf(deps, query));
  route(app, api.list, async ({ user }) => ({ list: await gridRows(deps, user.id, clock()) }));
  route(app, api.ladder, ({ user, query }) => gridLadder(deps, user.id, query.id, clock()));
  intentRoute(app, deps, api.repair, {
    write: (tx, { user, body }) => repairDeal(tx, { user, now: clock() }, body.id),
  });
  route(app, api.record, ({ user, query }) => gridRecordOf(deps, user.id, query.id, clock()));
  route(app, api.replay, async ({ body }) => {
    const { params } = await checkedPlan(deps.markets, 'grid', '', body.params);
    return replayOf(deps, params as GridParams, body.days);
  });
  intentRoute(app, deps, api.shift, {
    prepare: ({ user, body }) => shiftPlan(deps, user.id, body.id, body.cells),
    write: (tx, { user, body }, plan) => shiftGrid(tx, { user, now: clock() }, body, plan),
  });
  intentRoute(app, deps, api.addMargin, {
    keyRequired: true,
    prepare: ({ user, body }) => checkMargin(deps, user.id, body),
    write: (tx, { user, body }) => addMargin(tx, { user, now: clock() }, body),
  });
}
