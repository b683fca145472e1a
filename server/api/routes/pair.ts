import type { FastifyInstance } from 'fastify';
import { SIMULATED } from '#contract/candle';
import { DEFAULT_SETTINGS, type HedgeSettings } from '#contract/kinds/hedge/config';
import { type BacktestRules, type PairSuggestion, pair } from '#contract/pair';
import { findConfig } from '../../base/db/hedges/hedgeConfig';
import { route } from '../../base/http/route';
import { nextTurn } from '../../base/work/loopTurns';
import { pairAnswer } from '../../desk/pair/pairAnswer';
import { pairsForDesk } from '../../desk/pair/pairChoice';
import { pairInput } from '../../desk/pair/pairInput';
import { marketOf } from '../../desk/symbol/marketOf';
import { VersionedCache } from '../../market/versionedCache';
import type { Deps } from '../deps';

/** Windows of desks for which the pairs of the hour are kept. */
const WINDOWS_KEPT = 50;
const APART_Z = -1;

/** GET /api/hedge/pair and /suggestion: how two coins or baskets move together. */
export function pairRoutes(
  app: FastifyInstance,
  { db, markets, pairModels }: Pick<Deps, 'db' | 'markets' | 'pairModels'>,
): void {
  const offered = new VersionedCache<PairSuggestion[]>(WINDOWS_KEPT);

  route(app, pair.suggestion, async ({ user }) => {
    const market = await markets.get(SIMULATED);
    const desk = (await findConfig(db, user.id))?.settings ?? DEFAULT_SETTINGS;
    const rules = rulesOf(desk);
    if (market === undefined) return { pair: null, rules };
    const name = `${market.source} ${desk.zBar} ${desk.zWindow}`;
    const pairs = await offered.of(name, market.version(), () => pairsForDesk(market, pairModels, desk));
    // One that has gone apart shows more than one that lies at its mean.
    return { pair: pairs.find(({ z }) => z <= APART_Z) ?? pairs[0] ?? null, rules };
  });

  route(app, pair.facts, async ({ query }) => {
    const market = await marketOf(markets, query.source);
    const input = await pairInput(market, query);
    const tickers = await market.tickers();
    await nextTurn();
    return { source: market.source, ...pairAnswer(input, query.bars, tickers) };
  });
}

/** A desk that enters at once has its z at hand all the same: a past is looked at by them. */
const rulesOf = (desk: HedgeSettings): BacktestRules => ({
  ...{ bar: desk.zBar, zWindow: desk.zWindow, entryZ: desk.entryZ },
  exitZ: desk.exitZ < desk.entryZ ? desk.exitZ : 0,
  ...{ stopLoss: desk.stopLoss ?? 0, takeProfit: desk.takeProfit ?? 0, maxHoldingHours: desk.maxHoldingHours ?? 0 },
});
