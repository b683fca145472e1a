import type { FastifyInstance } from 'fastify';
import { STRATEGY_KINDS, type StrategyKind } from '#contract/strategy';
import { type Runner, registerRunners } from '../engine/runner';

import { createMarketSight } from '../market/scan/sight';
import { cexRate as cexRateStory } from './cexRate/demo';
import { cexRateRoutes } from './cexRate/routes';
import { cexRate } from './cexRate/runner';
import { fundingRate as fundingRateStory } from './fundingRate/demo';
import { fundingRateRoutes } from './fundingRate/routes';
import { fundingRate } from './fundingRate/runner';
import { grid as gridStory } from './grid/demo';
import { gridRoutes } from './grid/routes';
import { grid } from './grid/runner';
import { hedgeRoutes } from './hedge/routes';
import { hedge } from './hedge/runner';
import type { KindDeps } from './kindDeps';
import { OKX_STORY, okx as okxStory } from './okx/demo';
import { okxRoutes } from './okx/routes';
import { okx } from './okx/runner';
import { spread as spreadStory } from './spread/demo';
import { spreadRoutes } from './spread/routes';
import { spread } from './spread/runner';
import type { StoryStrategy } from './storyStrategy';

interface Kind<K extends StrategyKind> {
  runner: Runner<K>;
  /** Its scanner of the market, and its desk. */
  routes: (app: FastifyInstance, deps: KindDeps) => void;
  /** What the demo's master runs of it. */
  story: readonly StoryStrategy<K>[];
}

/** All kinds of strategy. */
const KINDS: { readonly [K in StrategyKind]: Kind<K> } = {
  hedge: { runner: hedge, routes: hedgeRoutes, story: [] },
  fundingRate: { runner: fundingRate, routes: fundingRateRoutes, story: fundingRateStory },
  spread: { runner: spread, routes: spreadRoutes, story: spreadStory },
  cexRate: { runner: cexRate, routes: cexRateRoutes, story: cexRateStory },
  okx: { runner: okx, routes: okxRoutes, story: okxStory },
  grid: { runner: grid, routes: gridRoutes, story: gridStory },
};

// Whoever imports this file trades all kinds.
registerRunners((kind) => KINDS[kind].runner);

export function kindRoutes(app: FastifyInstance, deps: Omit<KindDeps, 'sight' | 'ended'>): void {
  const sight = createMarketSight(deps.markets, deps.clock);
  const closing = new AbortController();
  app.addHook('onClose', async () => closing.abort());
  for (const kind of STRATEGY_KINDS) KINDS[kind].routes(app, { ...deps, sight, ended: closing.signal });
}

/** What the demo's master runs of a kind, beside its hedges. */
export const storyOf = <K extends StrategyKind>(kind: K): readonly StoryStrategy<K>[] => KINDS[kind].story;

/** Whose prices the demo looks at when they stand apart, and where. */
export const GAPS = OKX_STORY;
