import type { FastifyInstance } from 'fastify';
import type { Deps } from '../api/deps';
import { createMarketSight } from '../market/scan/sight';
import { cexRateRoutes } from './cexRate/routes';
import { fundingRateRoutes } from './fundingRate/routes';
import { gridRoutes } from './grid/routes';
import { okxRoutes } from './okx/routes';
import { spreadRoutes } from './spread/routes';

const ROUTES = [fundingRateRoutes, cexRateRoutes, spreadRoutes, okxRoutes, gridRoutes];

/** What kinds of strategy have of their own: a scanner of the market, and a desk. */
export function kindRoutes(app: FastifyInstance, deps: Deps): void {
  const sight = createMarketSight(deps.markets, deps.clock);
  for (const routes of ROUTES) routes(app, { ...deps, sight });
}
