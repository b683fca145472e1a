import type { FastifyInstance } from 'fastify';
import { symbol } from '#contract/symbol';
import type { Deps } from '../deps';
import { route } from '../http/route';
import { candleColumns } from '../symbol/candleColumns';
import { fundingColumns } from '../symbol/fundingColumns';
import { marketOf } from '../symbol/marketOf';
import { symbolDetail } from '../symbol/symbolDetail';

/** GET /api/symbol/detail, /candle and /funding: everything about one coin. */
export function symbolRoutes(app: FastifyInstance, deps: Pick<Deps, 'db' | 'markets'>): void {
  const { markets } = deps;
  route(app, symbol.detail, async ({ query }) =>
    symbolDetail(deps, await marketOf(markets, query.source), query.symbol),
  );
  route(app, symbol.candle, async ({ query }) => candleColumns(await marketOf(markets, query.source), query));
  route(app, symbol.funding, async ({ query }) => fundingColumns(await marketOf(markets, query.source), query));
}
