import type { FastifyInstance } from 'fastify';
import { symbol } from '#contract/symbol';
import { route } from '../../base/http/route';
import { candleColumns, fundingColumns } from '../../desk/symbol/candleColumns';
import { marketOf } from '../../desk/symbol/marketOf';
import { ownTrades } from '../../desk/symbol/ownTrades';
import { sampleColumns } from '../../desk/symbol/samples';
import { symbolDepth } from '../../desk/symbol/symbolDepth';
import { symbolDetail } from '../../desk/symbol/symbolDetail';
import type { Deps } from '../deps';

/** GET /api/symbol/detail, /candle, /funding, /sample, /depth and /own: everything about one coin, and what the reader did with it. */
export function symbolRoutes(app: FastifyInstance, deps: Pick<Deps, 'db' | 'markets' | 'clock'>): void {
  const { markets } = deps;
  route(app, symbol.detail, async ({ query }) =>
    symbolDetail(deps, await marketOf(markets, query.source), query.symbol),
  );
  route(app, symbol.candle, async ({ query }) => candleColumns(await marketOf(markets, query.source), query));
  route(app, symbol.funding, async ({ query }) => fundingColumns(await marketOf(markets, query.source), query));
  route(app, symbol.sample, ({ query }) => sampleColumns(deps, query));
  route(app, symbol.own, ({ query, user }) => ownTrades(deps, user.id, query, deps.clock()));
  route(app, symbol.depth, async ({ query }) => ({
    depth: await symbolDepth(await marketOf(markets, query.source), query, deps.clock()),
  }));
}
