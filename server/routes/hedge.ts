import type { FastifyInstance } from 'fastify';
import { hedge as api } from '#contract/hedge';
import { HEDGE_ENDS } from '#contract/lifecycle';
import { bookOwners, moveBook } from '../db/book';
import { askClose, findHedge, writeNote } from '../db/hedge';
import type { Deps } from '../deps';
import { attentionList } from '../hedge/attentionList';
import { type Asker, flattenBook, pauseBook, resumeBook, switchAllBooks } from '../hedge/bookIntents';
import { closeQuote } from '../hedge/closeQuote';
import { awaitEnd } from '../hedge/closing';
import { deskState } from '../hedge/hedgeDesk';
import { hedgeDetail } from '../hedge/hedgeDetail';
import { hedgeListing } from '../hedge/hedgeListing';
import { missingHedge, readableHedge } from '../hedge/readableHedge';
import { noteChange } from '../http/auditTrail';
import { intentRoute, wake } from '../http/intentRoute';
import { refused } from '../http/refusal';
import { route } from '../http/route';
import { thawDeal } from '../strategy/strategyIntents';

/** A user's hedges: records, detail, closing, and the switches over all of them. */
export function hedgeRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, clock, venue } = deps;
  const asker = ({ user }: { user: Asker['user'] }): Asker => ({ user, now: clock() });

  route(app, api.list, async ({ user, query }) => hedgeListing(deps, user, query, clock()));
  route(app, api.detail, async ({ user, query }) =>
    hedgeDetail(deps, await readableHedge(db, user, query.id), clock()),
  );

  route(app, api.quote, async ({ user, query }) => {
    const record = await readableHedge(db, user, query.id);
    if (HEDGE_ENDS.includes(record.state)) throw refused('hedgeEnded');
    return closeQuote(venue, record);
  });

  intentRoute(app, deps, api.close, {
    keyRequired: true,
    // The owner's engine was woken, and waited for, while it was settled.
    wakes: async () => [],
    write: async (tx, { user, query }) => {
      const record = await findHedge(tx, query.id);
      if (record?.userId !== user.id) throw missingHedge();
      if (HEDGE_ENDS.includes(record.state)) return undefined;
      await moveBook(tx, user.id);
      await askClose(tx, record.id, { at: clock(), by: user.name });
      return undefined;
    },
    settle: async ({ user, query, request }) => {
      // Not waited for: a book that is busy must not take the caller's patience.
      void wake(deps, user.id, request.log);
      return awaitEnd(db, query.id);
    },
  });

  intentRoute(app, deps, api.thaw, {
    keyRequired: true,
    write: async (tx, call) => {
      const { id, reason } = call.body;
      if ((await findHedge(tx, id))?.userId !== call.user.id) throw missingHedge();
      return thawDeal(tx, asker(call), { id, reason });
    },
  });

  intentRoute(app, deps, api.flatten, {
    keyRequired: true,
    waits: true,
    write: (tx, call) => flattenBook(tx, asker(call)),
  });

  intentRoute(app, deps, api.pause, {
    write: (tx, call) => pauseBook(tx, asker(call), call.body.reason ?? ''),
  });

  intentRoute(app, deps, api.resume, {
    prepare: async ({ user }) => {
      const { hit, day } = await deskState(deps, user.id, clock());
      return hit ? day.start : null;
    },
    write: (tx, call, liftDay) => resumeBook(tx, asker(call), call.body.reason, liftDay),
  });

  route(app, api.attention, async () => attentionList(deps, clock()));

  intentRoute(app, deps, api.switchAll, {
    keyRequired: true,
    write: (tx, call) => switchAllBooks(tx, asker(call), call.body),
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
