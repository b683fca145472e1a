import type { FastifyInstance, FastifyRequest } from 'fastify';
import { hedgeConfig as api } from '#contract/kinds/hedge/config';
import type { Queries } from '../../base/db/client';
import { findConfig, findDesk, standingPairs } from '../../base/db/hedges/hedgeConfig';
import { noteChange } from '../../base/http/auditTrail';
import { refused } from '../../base/http/refusal';
import { route } from '../../base/http/route';
import { openAccount } from '../../desk/account/openAccount';
import { intentRoute } from '../../desk/intentRoute';
import { type Asker, switchBook } from '../../desk/strategy/bookIntents';
import { usedBy } from '../../desk/strategy/strategyOverview';
import { strategySums } from '../../desk/strategy/strategySums';
import type { Resume } from '../../desk/strategy/tripped';
import { marketOf } from '../../desk/symbol/marketOf';
import type { KindDeps } from '../kindDeps';
import { addPair, armPair, refuseContradictions, removePair, saveFirst, saveOver } from './configIntents';
import { hedgeDesk } from './desk';
import { entryNow, entryQuote } from './entryQuote';
import { checkPair, refuseLeverage } from './pairCheck';

const ofDesk =
  () =>
  ({ kind }: { kind: string }) =>
    kind === 'hedge';

interface Turning {
  user: Asker['user'];
  request: FastifyRequest;
}

/** A user's own hedge settings, switches and pairs. */
export function hedgeConfigRoutes(app: FastifyInstance, deps: KindDeps): void {
  const { db, clock, markets, venue, opens } = deps;
  const asker = ({ user }: { user: Asker['user'] }): Asker => ({ user, now: clock() });

  route(app, api.desk, async ({ user }) => hedgeDesk(deps, user.id, clock()));

  intentRoute(app, deps, api.create, {
    prepare: async ({ body, user }) => {
      refuseContradictions(body);
      await marketOf(markets, body.source);
      if ((await findConfig(db, user.id)) !== null) throw refused('hedgeConfigExists');
      // Before the settings: an account without settings does no harm, settings without an account would.
      await openAccount(deps, user.id);
    },
    write: (tx, call) => saveFirst(tx, asker(call), call.body),
  });

  opens.serve(app, 'save', api.update, {
    about: ofDesk,
    prepare: async ({ body: { version: _version, resume, open: _open, openSeen: _seen, ...body }, user, request }) => {
      refuseContradictions(body);
      await marketOf(markets, body.source);
      noteChange(request, (await findConfig(db, user.id))?.settings ?? {}, body);
      for (const { source, long, short } of await standingPairs(db, user.id)) {
        for (const symbol of [long, short]) {
          const terms = await venue.terms(source, symbol);
          if (terms !== undefined) refuseLeverage(terms, body.leverage, 'leverage');
        }
      }
      const { id } = await findDesk(db, user.id);
      return resume && id !== null ? usedBy(deps, id, clock()) : undefined;
    },
    write: (tx, call, used) => {
      const { version, resume: _resume, open: _open, openSeen: _seen, ...settings } = call.body;
      return saveOver(tx, asker(call), version, settings, used);
    },
  });

  const turn = async (tx: Queries, call: Turning, enabled: boolean, resumed?: Resume) => {
    const { enabled: before } = await findDesk(tx, call.user.id);
    noteChange(call.request, { enabled: before }, { enabled });
    return switchBook(tx, asker(call), enabled, resumed);
  };
  opens.serve(app, 'enable', api.enable, {
    about: ofDesk,
    prepare: async ({ user }) => {
      const { id, tripped } = await findDesk(db, user.id);
      if (id === null || tripped === null) return null;
      return (await strategySums(deps, [id], clock())).get(id)?.net ?? null;
    },
    write: (tx, call, net) => turn(tx, call, true, { reason: (call.body.reason ?? '').trim(), net }),
  });
  intentRoute(app, deps, api.disable, { write: (tx, call) => turn(tx, call, false) });

  intentRoute(app, deps, api.addPair, {
    prepare: async ({ body, user }) => {
      const config = await findConfig(db, user.id);
      if (config === null) throw refused('hedgeConfigMissing');
      const now = clock();
      await checkPair(deps, config.settings, body, now);
      return { version: config.version, ...(await entryNow(deps, user.id, config.settings, body, now)) };
    },
    write: (tx, call, prepared) => {
      const { arm = true, confirmReversed = false, accepts = [] } = call.body;
      return addPair(tx, asker(call), call.body, { ...prepared, arm, confirmReversed, accepts });
    },
  });

  route(app, api.entryQuote, async ({ query, user }) => {
    const config = await findConfig(db, user.id);
    if (config === null) throw refused('hedgeConfigMissing');
    const { leverage = config.settings.leverage, ratio = config.settings.ratio, ...pair } = query;
    return entryQuote(deps, user.id, { ...config.settings, leverage, ratio }, pair, clock());
  });

  intentRoute(app, deps, api.removePair, {
    write: (tx, call) => removePair(tx, asker(call), call.body.pairId),
  });
  opens.serve(app, 'armPair', api.armPair, {
    about:
      (call) =>
      (_, { id }) =>
        id === call.body.pairId,
    names: (call) => [call.body.pairId],
    write: (tx, call) => armPair(tx, asker(call), call.body.pairId),
  });
}
