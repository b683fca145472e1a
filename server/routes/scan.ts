import type { FastifyInstance } from 'fastify';
import { fundingScan } from '#contract/fundingScan';
import { spreadScan } from '#contract/spreadScan';
import type { Deps } from '../deps';
import { route } from '../http/route';
import { createFundingRows } from '../scan/fundingRows';
import { createMarketSight } from '../scan/sight';
import { createSpreadRows } from '../scan/spreadRows';

/** GET /api/market/fundingRate ...: what strategies could do now, for masters. */
export function scanRoutes(app: FastifyInstance, { markets, clock }: Pick<Deps, 'markets' | 'clock'>): void {
  const sight = createMarketSight(markets, clock);
  const fundingRows = createFundingRows(sight);
  const spreadRows = createSpreadRows(sight);

  route(app, fundingScan.list, async ({ query }) => {
    const { rows, at } = await fundingRows(query);
    return { ...pageOf(rows, query), at };
  });
  route(app, spreadScan.list, async ({ query }) => {
    const { rows, at } = await spreadRows(query);
    return { ...pageOf(rows, query), at };
  });
}

function pageOf<R>(rows: readonly R[], { current, pageSize }: { current: number; pageSize: number }) {
  return { list: rows.slice((current - 1) * pageSize, current * pageSize), total: rows.length };
}
