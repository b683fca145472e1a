import type { FastifyInstance } from 'fastify';
import { DAY_MS } from '#contract/duration';
import type { BodyOf } from '#contract/endpoint';
import type { HedgeSettings } from '#contract/kinds/hedge/config';
import { hedge as api, type WaitingHedge } from '#contract/kinds/hedge/desk';
import type { StrategyMode } from '#contract/strategy';
import { type WaitingRow, waitingHedges } from '../../base/db/hedges/hedgeConfig';
import { legsOf } from '../../base/db/hedges/pairLegs';
import { noteChange } from '../../base/http/auditTrail';
import { invalid } from '../../base/http/refusal';
import { route } from '../../base/http/route';
import { intentRoute } from '../../desk/openingActs';
import { mayBegin } from '../../desk/strategy/liveReadiness';
import { realPlan } from '../../desk/strategy/real';
import { cancelSingle, openSingle, type Plan } from '../../desk/strategy/strategyIntents';
import { singlePlan, strategyPreview } from '../../desk/strategy/strategyPreview';
import { type MarketNow, marketsNow } from '../../desk/symbol/marketNow';
import { tradedMarketOf } from '../../desk/symbol/marketOf';
import { zNow } from '../../engine/pairModel';
import type { KindDeps } from '../kindDeps';
import { refuseContradictions } from './configRoutes';
import { isBlock, modelOf } from './desk';
import { pairPrice } from './liveRows';
import { checkPair } from './pairCheck';

/** A hedge that waits, with its z of now. */
async function waitingRow(
  deps: KindDeps,
  { row, pair }: WaitingRow,
  now: MarketNow | undefined,
): Promise<WaitingHedge> {
  const params = row.params as HedgeSettings;
  const { source, long, short, block } = pair;
  const prices = pairPrice(now, pair);
  return {
    ...{ id: row.id, mode: row.mode as StrategyMode, source, long, short },
    ...{ legNotional: params.legNotional, entryZ: params.entryZ },
    ...{ z: zNow(await modelOf(deps, pair, params, now), prices.long, prices.short), until: row.single!.until },
    ...{ block: isBlock(block) ? block : null, refused: row.single!.refused },
  };
}

/** One hedge beside the pairs of the desk: what it would be opened with, and its opening. */
export function singleRoutes(app: FastifyInstance, deps: KindDeps): void {
  const { db, clock, markets } = deps;

  /** @throws as adding the pair would */
  const planOf = async ({ params, long, short }: Pick<BodyOf<typeof api.single>, 'params' | 'long' | 'short'>) => {
    refuseContradictions(params);
    await tradedMarketOf(markets, params.source);
    await checkPair(deps, params, { long, short }, clock());
    const targets = [legsOf({ source: params.source, long, short })];
    return { name: `${long} / ${short}`.slice(0, 32), params, targets } satisfies Plan<'hedge'>;
  };

  route(app, api.waiting, async ({ user }) => {
    const now = clock();
    const waiting = await waitingHedges(db, user.id, now - DAY_MS);
    const sources = await marketsNow(
      markets,
      waiting.map(({ pair }) => pair.source),
      now,
    );
    return { list: await Promise.all(waiting.map((one) => waitingRow(deps, one, sources.get(one.pair.source)))) };
  });

  intentRoute(app, deps, api.cancelSingle, {
    write: async (tx, { user, body: { id } }) => {
      await cancelSingle(tx, { user, now: clock() }, id);
      return { id };
    },
  });

  route(app, api.singlePreview, async ({ user, body }) => {
    const { mode = 'paper' } = body;
    const planned = () => planOf(body);
    const { targets } = await (mode === 'live' ? realPlan('hedge', planned) : planned());
    return strategyPreview(deps, user.id, 'hedge', body.params, targets, mode);
  });

  intentRoute(app, deps, api.single, {
    keyRequired: true,
    allows: (call) => mayBegin(deps, call, 'hedge', () => planOf(call.body)),
    prepare: async ({ body, user }) => {
      if (body.waitHours !== undefined && body.params.entry !== 'z')
        throw invalid('waitHours', '入场为立即时没有什么可等');
      return singlePlan(deps, user.id, 'hedge', await planOf(body), body);
    },
    write: async (tx, { user, body, request }, { plan, single }) => {
      const made = await openSingle(tx, { user, now: clock() }, 'hedge', plan, single);
      noteChange(request, {}, { ...body, id: made.id });
      return made;
    },
  });
}
