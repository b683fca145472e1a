import type { FastifyInstance, FastifyRequest } from 'fastify';
import { hedgeConfig as api } from '#contract/hedgeConfig';
import { openAccount } from '../account/openAccount';
import type { Queries } from '../db/client';
import { findConfig, findDesk, standingPairs } from '../db/hedgeConfig';
import type { Deps } from '../deps';
import { type Asker, switchBook } from '../hedge/bookIntents';
import { addPair, armPair, refuseContradictions, removePair, saveFirst, saveOver } from '../hedge/configIntents';
import { entryBlock, entryQuote } from '../hedge/entryQuote';
import { hedgeDesk } from '../hedge/hedgeDesk';
import { checkPair, refuseLeverage } from '../hedge/pairCheck';
import { noteChange } from '../http/auditTrail';
import { intentRoute } from '../http/intentRoute';
import { refused } from '../http/refusal';
import { route } from '../http/route';
import { marketOf } from '../symbol/marketOf';

/** A user's own hedge settings, switches and pairs. */
export function hedgeConfigRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, clock, markets, venue } = deps;
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

  intentRoute(app, deps, api.update, {
    prepare: async ({ body: { version: _version, ...body }, user, request }) => {
      refuseContradictions(body);
      await marketOf(markets, body.source);
      noteChange(request, (await findConfig(db, user.id))?.settings ?? {}, body);
      for (const { source, long, short } of await standingPairs(db, user.id)) {
        for (const symbol of [long, short]) {
          const terms = await venue.terms(source, symbol);
          if (terms !== undefined) refuseLeverage(terms, body.leverage, 'leverage');
        }
      }
    },
    write: (tx, call) => {
      const { version, ...settings } = call.body;
      return saveOver(tx, asker(call), version, settings);
    },
  });

  const turn = (enabled: boolean) => ({
    write: async (tx: Queries, call: { user: Asker['user']; request: FastifyRequest }) => {
      const { enabled: before } = await findDesk(tx, call.user.id);
      noteChange(call.request, { enabled: before }, { enabled });
      return switchBook(tx, asker(call), enabled);
    },
  });
  intentRoute(app, deps, api.enable, turn(true));
  intentRoute(app, deps, api.disable, turn(false));

  intentRoute(app, deps, api.addPair, {
    prepare: async ({ body, user }) => {
      const config = await findConfig(db, user.id);
      if (config === null) throw refused('hedgeConfigMissing');
      const now = clock();
      await checkPair(deps, config.settings, body, now);
      const block = await entryBlock(deps, user.id, config.settings, body, now);
      return { version: config.version, block };
    },
    write: (tx, call, prepared) => {
      const { arm = true, confirmReversed = false } = call.body;
      return addPair(tx, asker(call), call.body, { ...prepared, arm, confirmReversed });
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
  intentRoute(app, deps, api.armPair, { write: (tx, call) => armPair(tx, asker(call), call.body.pairId) });
}
