import type { FastifyInstance, FastifyRequest } from 'fastify';
import { strategies as api } from '#contract/strategies';
import type { StrategyKind } from '#contract/strategy';
import { ownDeal } from '../../base/db/strategies/deal';
import { targetsOfStrategies } from '../../base/db/strategies/target';
import { noteChange } from '../../base/http/auditTrail';
import { invalid, notFound, refused } from '../../base/http/refusal';
import { route } from '../../base/http/route';
import { intentRoute, type OpeningActs } from '../../desk/openingActs';
import type { Asker } from '../../desk/strategy/bookIntents';
import { closableLegs, closeQuote } from '../../desk/strategy/closeQuote';
import { dealOutlook } from '../../desk/strategy/dealOutlook';
import { liveReadiness, mayBegin } from '../../desk/strategy/liveReadiness';
import { reduceDeal } from '../../desk/strategy/partClose';
import { legTermsOf, restRefusal } from '../../desk/strategy/partQuote';
import { firstSymbol, mustType, mustTypeTarget, proveForDeal, realPlan } from '../../desk/strategy/real';
import {
  armTargets,
  closeDeal,
  createStrategy,
  guardStrategy,
  isRunning,
  mustOwn,
  openSingle,
  pauseStrategy,
  rebalanceLegs,
  removeStrategy,
  selfManage,
  setExitTarget,
  startStrategy,
  stopStrategy,
  unfreezeDeal,
  updateStrategy,
} from '../../desk/strategy/strategyIntents';
import { usedBy } from '../../desk/strategy/strategyOverview';
import { checkedPlan, setLimits } from '../../desk/strategy/strategyParams';
import { singlePlan, strategyPreview } from '../../desk/strategy/strategyPreview';
import { standingDeals, strategyRows } from '../../desk/strategy/strategyRows';
import { strategySums } from '../../desk/strategy/strategySums';
import { twinFor, twinResults } from '../../desk/strategy/twin';
import type { Deps } from '../deps';

const DEALS = 200;

const ofOne =
  ({ body }: { body: { id: string } }) =>
  ({ id }: { id: string }) =>
    id === body.id;

/** Tells the audit log which strategy a call has made. */
function made<D extends { id: string }>({ body, request }: { body: object; request: FastifyRequest }, data: D): D {
  noteChange(request, {}, { ...body, id: data.id });
  return data;
}

/** Strategies of the kinds that have a scanner. */
export function strategyRoutes(app: FastifyInstance, deps: Deps, opens: OpeningActs): void {
  const { db, clock, markets, venue } = deps;
  const asker = ({ user }: { user: Asker['user'] }): Asker => ({ user, now: clock() });

  /** @throws 400 at `maker` where a deal may not rest on its way out */
  const mayRest = async ({ user, body }: { user: { id: string }; body: { id: string; maker?: boolean } }) => {
    const deal = body.maker ? await ownDeal(db, user.id, body.id) : null;
    const refusal = deal && (await restRefusal(deps, deal));
    if (refusal !== null) throw invalid('maker', refusal);
  };

  const planOf = (kind: StrategyKind, name: string, given: unknown) => checkedPlan(markets, kind, name, given);

  route(app, api.list, async ({ user, query }) => {
    return { list: await strategyRows(deps, user.id, query.kind, clock()) };
  });

  route(app, api.deals, async ({ user, query }) => {
    const { id } = await mustOwn(db, user.id, query.id);
    return { list: await standingDeals(deps, id, clock(), DEALS) };
  });

  route(app, api.preview, async ({ user, body }) => {
    const { kind, mode = 'paper', id } = body;
    if (id !== undefined) await mustOwn(db, user.id, id);
    const planned = () => planOf(kind, '', body.params);
    const { params, targets } = await (mode === 'live' ? realPlan(kind, planned) : planned());
    return strategyPreview(deps, user.id, kind, params, targets, mode, id);
  });

  route(app, api.liveReadiness, async ({ user, query }) => liveReadiness(deps, await mustOwn(db, user.id, query.id)));

  route(app, api.twin, async ({ user, query }) => twinResults(deps, await mustOwn(db, user.id, query.id)));

  intentRoute(app, deps, api.create, {
    allows: (call) =>
      mayBegin(deps, call, call.body.kind, () => planOf(call.body.kind, call.body.name, call.body.params)),
    prepare: async ({ body, user }) => {
      const twin = await twinFor(db, user.id, body);
      return { ...(await planOf(body.kind, body.name, body.params)), mode: body.mode, ...twin };
    },
    write: async (tx, call, plan) => made(call, await createStrategy(tx, asker(call), call.body.kind, plan)),
  });

  intentRoute(app, deps, api.single, {
    keyRequired: true,
    allows: (call) =>
      mayBegin(deps, call, call.body.kind, () => planOf(call.body.kind, call.body.name, call.body.params)),
    prepare: async ({ body, user }) =>
      singlePlan(deps, user.id, body.kind, await planOf(body.kind, body.name, body.params), body),
    write: async (tx, call, { plan, single }) =>
      made(call, await openSingle(tx, asker(call), call.body.kind, plan, single)),
  });

  opens.serve(app, 'update', api.update, {
    about: ofOne,
    allows: async ({ body, user }) => {
      const { id, kind, mode } = await mustOwn(db, user.id, body.id);
      if (mode !== 'live') return;
      const own = kind as StrategyKind;
      const plan = await realPlan(own, () => planOf(own, body.name, body.params));
      const [first] = await targetsOfStrategies(db, [id]);
      if (firstSymbol(plan) !== firstSymbol({ name: body.name, targets: first ? [first.legs] : [] }))
        mustType(body.typed, plan);
    },
    prepare: async ({ body, user, request }) => {
      const { kind, name, params } = await mustOwn(db, user.id, body.id);
      const plan = await planOf(kind as StrategyKind, body.name, body.params);
      noteChange(request, { kind, name, params }, { kind, name: plan.name, params: plan.params });
      return { ...plan, used: body.resume ? await usedBy(deps, body.id, clock()) : undefined };
    },
    write: (tx, call, plan) => updateStrategy(tx, asker(call), call.body.id, call.body.version, plan),
  });

  intentRoute(app, deps, api.clone, {
    prepare: async ({ body, user }) => {
      const { kind, params } = await mustOwn(db, user.id, body.id);
      return { kind: kind as StrategyKind, plan: await planOf(kind as StrategyKind, body.name, params) };
    },
    write: (tx, call, { kind, plan }) => createStrategy(tx, asker(call), kind, plan),
  });

  opens.serve(app, 'start', api.start, {
    about: ofOne,
    allows: async ({ body, user }) => {
      const { id, name, mode } = await mustOwn(db, user.id, body.id);
      if (mode !== 'live') return;
      mustType(body.typed, { name, targets: (await targetsOfStrategies(db, [id])).map(({ legs }) => legs) });
    },
    prepare: async ({ body, user }) => {
      const { id } = await mustOwn(db, user.id, body.id);
      return (await strategySums(deps, [id], clock())).get(id)?.net ?? null;
    },
    write: (tx, call, net) => {
      const { id, reason = '', anew = false } = call.body;
      return startStrategy(tx, asker(call), id, { reason: reason.trim(), net, anew });
    },
  });
  intentRoute(app, deps, api.pause, { write: (tx, call) => pauseStrategy(tx, asker(call), call.body.id) });
  opens.serveEnd(app, null, api.closeOnly, { write: (tx, call) => stopStrategy(tx, asker(call), call.body.id, true) });
  opens.serveEnd(app, null, api.stop, {
    write: (tx, call) => stopStrategy(tx, asker(call), call.body.id, call.body.flatten),
  });
  intentRoute(app, deps, api.guard, { write: (tx, call) => guardStrategy(tx, asker(call), call.body.id) });
  intentRoute(app, deps, api.selfManage, { write: (tx, call) => selfManage(tx, asker(call), call.body.id) });
  intentRoute(app, deps, api.remove, { write: (tx, call) => removeStrategy(tx, asker(call), call.body.id) });
  route(app, api.closeQuote, async ({ user, query }) => {
    const deal = await ownDeal(db, user.id, query.id);
    if (deal === null) throw notFound('没有这张交易单');
    if (!isRunning(deal)) throw refused('dealEnded');
    return closeQuote(deps, deal, { ...query, closable: await closableLegs(deps, deal) });
  });
  route(app, api.dealOutlook, async ({ user, query }) => {
    const deal = await ownDeal(db, user.id, query.id);
    if (deal === null) throw notFound('没有这张交易单');
    return dealOutlook(deps, deal);
  });
  opens.serveEnd(app, 'closeDeal', api.closeDeal, {
    keeps: ({ body }) => body.keepArmed === true,
    keyRequired: true,
    allows: mayRest,
    write: (tx, call) => closeDeal(tx, asker(call), call.body.id, call.body),
  });
  opens.serveEnd(app, null, api.reduceDeal, {
    keyRequired: true,
    allows: mayRest,
    prepare: async ({ user, body }) => {
      const deal = await ownDeal(db, user.id, body.id);
      if (deal === null) throw notFound('没有这张交易单');
      return legTermsOf(venue, deal);
    },
    write: async (tx, call, terms) => {
      const { answer, before, after } = await reduceDeal(tx, asker(call), call.body, terms);
      noteChange(call.request, before, after);
      return answer;
    },
  });
  opens.serve(app, 'arm', api.armTargets, {
    about:
      ({ body }) =>
      (_, { id }) =>
        body.ids.includes(id),
    names: ({ body }) => body.ids,
    keyRequired: true,
    allows: ({ body, user }) => mustTypeTarget(deps, user.id, body),
    write: (tx, call) => armTargets(tx, asker(call), call.body.ids),
  });
  opens.serveEnd(app, null, api.rebalanceLegs, {
    keyRequired: true,
    allows: async (call) => {
      // What takes down is never held up.
      if (call.body.way === 'complete') await proveForDeal(deps, call, call.body.id);
    },
    write: (tx, call) => rebalanceLegs(tx, asker(call), call.body),
  });
  intentRoute(app, deps, api.unfreezeDeal, {
    keyRequired: true,
    allows: (call) => proveForDeal(deps, call, call.body.id),
    write: (tx, call) => unfreezeDeal(tx, asker(call), call.body),
  });
  intentRoute(app, deps, api.setLimits, { write: (tx, call) => setLimits(tx, asker(call), call.body) });
  intentRoute(app, deps, api.setExitTarget, {
    write: (tx, call) => setExitTarget(tx, asker(call), call.body.id, call.body.exitLevel),
  });
}
