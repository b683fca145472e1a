import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { DataOf } from '#contract/endpoint';
import { hedge as api, type hedge } from '#contract/kinds/hedge/desk';
import { HEDGE_ENDS, type HedgeState } from '#contract/lifecycle';
import type { User } from '#contract/user';
import { bookOwners, moveBook } from '../../base/db/books/book';
import type { Database } from '../../base/db/client';
import { askClose, findHedge, type HedgeRecord, writeNote } from '../../base/db/hedges/hedge';
import { ownDeal } from '../../base/db/strategies/deal';
import { holdTargets } from '../../base/db/strategies/target';
import { noteChange } from '../../base/http/auditTrail';
import { notFound, refused } from '../../base/http/refusal';
import { route } from '../../base/http/route';
import { aimOf, type Named, reachedNow } from '../../desk/flatten/flattenIntents';
import { intentRoute, wake } from '../../desk/openingActs';
import { type Asker, flattenBook, pauseBook, resumeBook, switchAllBooks } from '../../desk/strategy/bookIntents';
import { closableLegs, closeQuote } from '../../desk/strategy/closeQuote';
import { reduceDeal } from '../../desk/strategy/partClose';
import { legTermsOf, restOnTheWayOut } from '../../desk/strategy/partQuote';
import { proveForDeal } from '../../desk/strategy/real';
import { unfreezeDeal } from '../../desk/strategy/strategyIntents';
import { setLimits } from '../../desk/strategy/strategyParams';
import type { KindDeps } from '../kindDeps';
import { hedgeConfigRoutes } from './configRoutes';
import { deskState } from './desk';
import { hedgeDetail } from './detail';
import { attentionList, hedgeListing } from './listing';
import { missingHedge, readableHedge } from './liveRows';
import { singleRoutes } from './single';
import { takeOverRoutes } from './takeOver';

/** A user's hedges: records, detail, closing, and the switches over all of them. */
export function hedgeRoutes(app: FastifyInstance, deps: KindDeps): void {
  hedgeConfigRoutes(app, deps);
  takeOverRoutes(app, deps);
  singleRoutes(app, deps);
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
    return closeQuote(deps, deal, { ...query, closable: await closableLegs(deps, deal) });
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
      const row = query.maker === true ? await ownDeal(tx, user.id, record.id) : null;
      if (row !== null) await restOnTheWayOut(tx, row, asked.at);
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

  opens.serveEnd(app, null, api.reduce, {
    keyRequired: true,
    prepare: async ({ user, body }) => {
      const deal = await ownDeal(db, user.id, body.id);
      if (deal?.kind !== 'hedge') throw missingHedge();
      return legTermsOf(venue, deal);
    },
    write: async (tx, call, terms) => {
      const { answer, before, after } = await reduceDeal(tx, asker(call), call.body, terms);
      noteChange(call.request, before, after);
      return answer;
    },
  });

  intentRoute(app, deps, api.unfreeze, {
    keyRequired: true,
    allows: (call) => proveForDeal(deps, call, call.body.id),
    write: async (tx, call) => {
      const { id, reason } = call.body;
      if ((await findHedge(tx, id))?.userId !== call.user.id) throw missingHedge();
      return unfreezeDeal(tx, asker(call), { id, reason });
    },
  });

  intentRoute(app, deps, api.setLimits, {
    write: async (tx, call) => {
      if ((await findHedge(tx, call.body.id))?.userId !== call.user.id) throw missingHedge();
      return setLimits(tx, asker(call), call.body);
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
    // One user is named for 全部平仓 alone; with anything else it is refused as it is written.
    wakes: async ({ body: { action, userId } }) =>
      action === 'flatten' && userId !== undefined ? [userId.toLowerCase()] : bookOwners(db),
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

/** The console gives up after ten seconds. */
const PATIENCE_MS = 8_000;
const LOOK_MS = 100;

const REACHED: Record<HedgeState, string> = {
  waiting: '平仓请求已登记，该单尚未开仓，将直接取消',
  opening: '平仓请求已登记，该单正在建仓，成交部分将被平掉',
  open: '平仓请求已登记，引擎尚未开始处理',
  closing: '正在平仓，尚未确认两边都平，稍后查看记录',
  closed: '两边都已平仓',
  failed: '该单没有建成，没有持仓',
};

/** Verified flat, which only an end is: quantities alone may be behind the venue. */
const isFlat = ({ state, longQuantity, shortQuantity }: HedgeRecord): boolean =>
  HEDGE_ENDS.includes(state) && Number(longQuantity) === 0 && Number(shortQuantity) === 0;

/** Waits up to 8 s of real time for a hedge to end and answers what it reached. @throws 404. */
async function awaitEnd(db: Database, id: string): Promise<DataOf<typeof hedge.close>> {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    const record = await findHedge(db, id);
    if (record === null) throw notFound('没有这张对冲单');
    if (HEDGE_ENDS.includes(record.state) || performance.now() >= until) {
      const { state, frozen } = record;
      const message = frozen === null || HEDGE_ENDS.includes(state) ? REACHED[state] : `${REACHED[state]}：${frozen}`;
      return { id: record.id, state, flat: isFlat(record), message };
    }
    await pause(LOOK_MS);
  }
}
