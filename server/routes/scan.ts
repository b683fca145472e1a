import type { FastifyInstance } from 'fastify';
import { arbitrageScan } from '#contract/arbitrageScan';
import { fundingScan } from '#contract/fundingScan';
import type { Deps } from '../deps';
import { route } from '../http/route';
import { createArbitrageRows } from '../scan/arbitrageRows';
import { createFundingRows } from '../scan/fundingRows';
import { createMarketSight } from '../scan/sight';

/** GET /api/market/fundingRate ...: what strategies could do now, for masters. */
export function scanRoutes(app: FastifyInstance, { markets, clock }: Pick<Deps, 'markets' | 'clock'>): void {
  const sight = createMarketSight(markets, clock);
  const fundingRows = createFundingRows(sight);
  const arbitrageRows = createArbitrageRows(sight, clock);

  route(app, fundingScan.list, async ({ query }) => {
    const { rows, at } = await fundingRows(query);
    return { ...pageOf(rows, query), at };
  });

  route(app, arbitrageScan.list, async ({ query }) => {
    const { rows, at } = await arbitrageRows(query);
    return { ...pageOf(rows, query), at };
  });
}

function pageOf<R>(rows: readonly R[], { current, pageSize }: { current: number; pageSize: number }) {
  return { list: rows.slice((current - 1) * pageSize, current * pageSize), total: rows.length };
}
