import type { FastifyInstance } from 'fastify';
import { pair } from '#contract/pair';
import type { Deps } from '../deps';
import { route } from '../http/route';
import { pairAnswer } from '../pair/pairAnswer';
import { pairInput } from '../pair/pairInput';
import { marketOf } from '../symbol/marketOf';

/** GET /api/hedge/pair: how two coins or baskets move together. */
export function pairRoutes(app: FastifyInstance, { markets }: Pick<Deps, 'markets'>): void {
  route(app, pair.facts, async ({ query }) => {
    const market = await marketOf(markets, query.source);
    const input = await pairInput(market, query);
    return { source: market.source, ...pairAnswer(input, query.bars, await market.tickers()) };
  });
}
