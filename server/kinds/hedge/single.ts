import type { FastifyInstance } from 'fastify';
import type { BodyOf } from '#contract/endpoint';
import { hedge as api } from '#contract/kinds/hedge/desk';
import { legsOf } from '../../base/db/hedges/pairLegs';
import { noteChange } from '../../base/http/auditTrail';
import { route } from '../../base/http/route';
import { intentRoute } from '../../desk/openingActs';
import { mayBegin } from '../../desk/strategy/liveReadiness';
import { realPlan } from '../../desk/strategy/real';
import { openSingle, type Plan } from '../../desk/strategy/strategyIntents';
import { singlePlan, strategyPreview } from '../../desk/strategy/strategyPreview';
import { tradedMarketOf } from '../../desk/symbol/marketOf';
import type { KindDeps } from '../kindDeps';
import { refuseContradictions } from './configRoutes';
import { checkPair } from './pairCheck';

/** One hedge beside the pairs of the desk: what it would be opened with, and its opening. */
export function singleRoutes(app: FastifyInstance, deps: KindDeps): void {
  const { clock, markets } = deps;

  /** @throws as adding the pair would */
  const planOf = async ({ params, long, short }: Pick<BodyOf<typeof api.single>, 'params' | 'long' | 'short'>) => {
    refuseContradictions(params);
    await tradedMarketOf(markets, params.source);
    await checkPair(deps, params, { long, short }, clock());
    const targets = [legsOf({ source: params.source, long, short })];
    return { name: `${long} / ${short}`.slice(0, 32), params, targets } satisfies Plan<'hedge'>;
  };

  route(app, api.singlePreview, async ({ user, body }) => {
    const { mode = 'paper' } = body;
    const planned = () => planOf(body);
    const { targets } = await (mode === 'live' ? realPlan('hedge', planned) : planned());
    return strategyPreview(deps, user.id, 'hedge', body.params, targets, mode);
  });

  intentRoute(app, deps, api.single, {
    keyRequired: true,
    allows: (call) => mayBegin(deps, call, 'hedge', () => planOf(call.body)),
    prepare: async ({ body, user }) => singlePlan(deps, user.id, 'hedge', await planOf(body), body),
    write: async (tx, { user, body, request }, { plan, single }) => {
      const made = await openSingle(tx, { user, now: clock() }, 'hedge', plan, single);
      noteChange(request, {}, { ...body, id: made.id });
      return made;
    },
  });
}
