import type { FastifyInstance } from 'fastify';
import { hedge as api } from '#contract/kinds/hedge/desk';
import { HEDGE_ENDS } from '#contract/lifecycle';
import type { User } from '#contract/user';
import { bookOwners, moveBook } from '../../base/db/books/book';
import { askClose, findHedge, writeNote } from '../../base/db/hedges/hedge';
import { ownDeal } from '../../base/db/strategies/deal';
import { holdTargets } from '../../base/db/strategies/target';
import { noteChange } from '../../base/http/auditTrail';
import { refused } from '../../base/http/refusal';
import { route } from '../../base/http/route';
import { aimOf, type Named, reachedNow } from '../../desk/flatten/flattenIntents';
import { intentRoute, wake } from '../../desk/intentRoute';
import { type Asker, flattenBook, pauseBook, resumeBook, switchAllBooks } from '../../desk/strategy/bookIntents';
import { closeQuote } from '../../desk/strategy/closeQuote';
import { unfreezeDeal } from '../../desk/strategy/strategyIntents';
import type { KindDeps } from '../kindDeps';
import { attentionList } from './attentionList';
import { awaitEnd } from './closing';
import { hedgeConfigRoutes } from './configRoutes';
import { deskState } from './desk';
import { hedgeDetail } from './detail';
import { hedgeListing } from './listing';
import { missingHedge, readableHedge } from './readableHedge';

/** A user's hedges: records, detail, closing, and the switches over all of them. */
export function hedgeRoutes(app: FastifyInstance, deps: KindDeps): void {
  hedgeConfigRoutes(app, deps);
  const { db, clock, venue, opens } = deps;
  const asker = ({ user }: { user: Asker['user'] }): Asker => ({ user, now: clock() });

  const quotesFor = async (user: User, named: Named) =>
    (await reachedNow(deps, await aimOf(db, user, named), clock())).quotes;

  route(app, api.list, async ({ user, query }) => hedgeListing(deps, user, query, clock()));
  route(app, api.detail, async ({ user, query }) =>
    hedgeDetail(deps, await readableHedge(db, user, query.id), clock()),
  );

  route(app, api.quote, async ({ user, query }) => {
    const record = await readableHedge(db, user, query.id);
    if (HEDGE_ENDS.includes(record.state)) throw refused('hedgeEnded');
    const deal = await ownDeal(db, record.userId, record.id);
    if (deal === null) throw missingHedge();
    return closeQuote(venue, deal);
  });

  opens.serveEnd(app, 'closeHedge', api.close, {
    keeps: ({ query }) => query.keepArmed === true,
    // The owner's engine was woken, and waited for, while it was settled.
    wakes: async () => [],
    write: async (tx, { user, query }) => {
      const record = await findHedge(tx, query.id);
      if (record?.userId !== user.id) throw missingHedge();
      if (HEDGE_ENDS.includes(record.state)) return undefined;
      const asked = { at: clock(), by: user.name };
      await moveBook(tx, user.id);
      await askClose(tx, record.id, asked);
      if (query.keepArmed !== true) await holdTargets(tx, [record.pairId], { hold: 'closed', ...asked });
      return undefined;
    },
    settle: async ({ user, query, request }) => {
      // Not waited for: a book that is busy must not take the caller's patience.
      void wake(deps, user.id, request.log);
      return awaitEnd(db, query.id);
    },
  });

  intentRoute(app, deps, api.unfreeze, {
    keyRequired: true,
    write: async (tx, call) => {
      const { id, reason } = call.body;
      if ((await findHedge(tx, id))?.userId !== call.user.id) throw missingHedge();
      return unfreezeDeal(tx, asker(call), { id, reason });
    },
  });

  intentRoute(app, deps, api.flatten, {
    keyRequired: true,
    waits: true,
    prepare: ({ user }) => quotesFor(user, {}),
    write: async (tx, call, quotes) => ({ running: (await flattenBook(tx, asker(call), { quotes })).deals }),
  });

  intentRoute(app, deps, api.pause, {
    write: (tx, call) => pauseBook(tx, asker(call), call.body.reason ?? ''),
  });

  opens.serve(app, 'resume', api.resume, {
    about: () => () => true,
    prepare: async ({ user }) => {
      const { hit, day } = await deskState(deps, user.id, clock());
      return hit ? day.start : null;
    },
    write: (tx, call, liftDay) => resumeBook(tx, asker(call), call.body.reason, liftDay),
  });

  route(app, api.attention, async () => attentionList(deps, clock()));

  opens.serve(app, 'resumeAll', api.switchAll, {
    about: () => () => true,
    opens: ({ body }) => body.action === 'resume',
    keyRequired: true,
    prepare: async ({ user, body: { action, userId } }) =>
      action === 'flatten' ? quotesFor(user, userId === undefined ? { everybody: true } : { userId }) : undefined,
    write: (tx, call, quotes) => switchAllBooks(tx, asker(call), call.body, quotes),
    wakes: async ({ body }) => (body.userId === undefined ? bookOwners(db) : [body.userId.toLowerCase()]),
  });

  route(app, api.note, async ({ user, body, request }) => {
    const record = await findHedge(db, body.id);
    if (record?.userId !== user.id) throw missingHedge();
    const written = { note: body.note, noteBy: user.name, noteAt: clock() };
    await writeNote(db, record.id, written);
    noteChange(request, { note: record.note }, { note: body.note });
    return { id: record.id, ...written };
  });
}
