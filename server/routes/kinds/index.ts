import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps';
import { createMarketSight } from '../../scan/sight';
import { cexRateRoutes } from './cexRate';
import { fundingRateRoutes } from './fundingRate';
import { gridRoutes } from './grid';
import { okxRoutes } from './okx';
import { spreadRoutes } from './spread';

const ROUTES = [fundingRateRoutes, cexRateRoutes, spreadRoutes, okxRoutes, gridRoutes];

/** What kinds of strategy have of their own: a scanner of the market, and a desk. */
export function kindRoutes(app: FastifyInstance, deps: Deps): void {
  const sight = createMarketSight(deps.markets, deps.clock);
  for (const routes of ROUTES) routes(app, { ...deps, sight });
}
