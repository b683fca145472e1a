import type { FastifyInstance } from 'fastify';
import { spreadDesk } from '#contract/spreadDesk';
import { spreadScan } from '#contract/spreadScan';
import { intentRoute } from '../../http/intentRoute';
import { refused } from '../../http/refusal';
import { route } from '../../http/route';
import { scanPage } from '../../scan/scanPage';
import { createSpreadRows } from '../../scan/spreadRows';
import { spreadDates } from '../../strategy/spreadDates';
import { spreadFigures } from '../../strategy/spreadDesk';
import { rollQuote } from '../../strategy/spreadRoll';
import { rollDeal } from '../../strategy/strategyIntents';
import type { KindDeps } from './kindDeps';

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
