import type { FastifyInstance } from 'fastify';
import { gridDeal as api } from '#contract/kinds/grid/deal';
import type { GridParams } from '#contract/kinds/grid/params';
import { gridScan } from '#contract/kinds/grid/scan';
import { openedVenues } from '../../base/db/accounts/venueAccount';
import { route } from '../../base/http/route';
import { intentRoute } from '../../desk/openingActs';
import { repairDeal } from '../../desk/strategy/strategyIntents';
import { checkedPlan } from '../../desk/strategy/strategyParams';
import { scanPage } from '../../market/scan/scanPage';
import type { KindDeps } from '../kindDeps';
import { addMargin, checkMargin, shiftGrid, shiftPlan } from './intents';
import { gridLadder, gridRecordOf, gridRows } from './record';
import { replayOf } from './replay';
import { createGridRows, gridRangeOf } from './scan';

/** GET /api/market/grid and below; /api/strategy/grid: what the grids are and did, and what a person does to one that stands. */
export function gridRoutes(app: FastifyInstance, deps: KindDeps): void {
  const { clock, db } = deps;
  const rowsOf = createGridRows(deps);

  route(app, gridScan.list, async ({ query, user }) => {
    const { rows, ...told } = await rowsOf(query, await openedVenues(db, user.id));
    return { ...scanPage(rows, query), ...told };
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
