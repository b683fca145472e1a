import type { FastifyInstance } from 'fastify';
import { spreadDesk } from '#contract/kinds/spread/desk';
import { spreadScan } from '#contract/kinds/spread/scan';
import { refused } from '../../base/http/refusal';
import { route } from '../../base/http/route';
import { intentRoute } from '../../desk/intentRoute';
import { rollDeal } from '../../desk/strategy/strategyIntents';
import { scanPage } from '../../market/scan/scanPage';
import type { KindDeps } from '../kindDeps';
import { spreadDates } from './dates';
import { spreadFigures } from './desk';
import { rollQuote } from './roll';
import { createSpreadRows } from './scanRows';

/** GET /api/market/spread, /api/strategy/spread and below. */
export function spreadRoutes(app: FastifyInstance, deps: KindDeps): void {
  const { clock } = deps;
  const rowsOf = createSpreadRows(deps);

  route(app, spreadScan.list, async ({ query }) => {
    const { rows, at } = await rowsOf(query);
    return { ...scanPage(rows, query), at };
  });
  route(app, spreadDesk.figures, ({ user, query }) => spreadFigures(deps, user.id, query.id, clock()));
  route(app, spreadDesk.dates, ({ user, query }) => spreadDates(deps, user.id, query, clock()));
  route(app, spreadDesk.rollQuote, ({ user, query }) => rollQuote(deps, user.id, query.id, clock()));
  intentRoute(app, deps, spreadDesk.roll, {
    keyRequired: true,
    prepare: async ({ body, user }) => {
      const { cost } = await rollQuote(deps, user.id, body.id, clock());
      if (cost === null) throw refused('dealRollBlocked', '盘口装不下这个数量，或交易所现在不应答');
    },
    write: (tx, { user, body }) => rollDeal(tx, { user, now: clock() }, body.id),
  });
}
