import type { FastifyInstance } from 'fastify';
import { SIMULATED } from '#contract/candle';
import { pair } from '#contract/pair';
import { route } from '../../base/http/route';
import { nextTurn } from '../../base/work/loopTurns';
import { pairAnswer } from '../../desk/pair/pairAnswer';
import { type ChosenPair, cointegratedPairs } from '../../desk/pair/pairChoice';
import { pairInput } from '../../desk/pair/pairInput';
import { marketOf } from '../../desk/symbol/marketOf';
import { VersionedCache } from '../../market/versionedCache';
import type { Deps } from '../deps';

/** GET /api/hedge/pair and /suggestion: how two coins or baskets move together. */
export function pairRoutes(app: FastifyInstance, { markets }: Pick<Deps, 'markets'>): void {
  const offered = new VersionedCache<ChosenPair[]>(1);

  route(app, pair.suggestion, async () => {
    const market = await markets.get(SIMULATED);
    const pairs = market && (await offered.of(market.source, market.version(), () => cointegratedPairs(market)));
    return { pair: pairs?.[0] ?? null };
  });

  route(app, pair.facts, async ({ query }) => {
    const market = await marketOf(markets, query.source);
    const input = await pairInput(market, query);
    const tickers = await market.tickers();
    await nextTurn();
    return { source: market.source, ...pairAnswer(input, query.bars, tickers) };
  });
}
