import type { FastifyInstance } from 'fastify';
import { account } from '#contract/account';
import { isLiveSource } from '#contract/candle';
import { DAY_MS, MINUTE_MS } from '#contract/duration';
import type { StrategyMode } from '#contract/strategy';
import { venueAccount } from '#contract/venueAccount';
import { happenedSince, type Scope } from '../../base/db/accounts/account';
import { accountsOf } from '../../base/db/accounts/venueAccount';
import { bookOf } from '../../base/db/books/book';
import { failingOf } from '../../base/db/books/bookProgress';
import { noteChange } from '../../base/http/auditTrail';
import { refused } from '../../base/http/refusal';
import { route } from '../../base/http/route';
import { runningDay } from '../../base/maths/dayBoundary';
import { type AccountDeps, accountFacts, liveBooks, recordedOf } from '../../desk/account/accountFacts';
import { accountState } from '../../desk/account/accountState';
import { allAccounts } from '../../desk/account/allAccounts';
import { fundAccount, insertOpened, openAccount } from '../../desk/account/openAccount';
import { ignoreOutside } from '../../desk/account/outside';
import { ownAccounts } from '../../desk/account/ownAccounts';
import { DailyCloses, openingOf, recordSince, recordToday, stepFor } from '../../desk/account/record';
import { accountStops, outagesOf } from '../../desk/account/stops';
import { accountDays, boundaryOf, equityCurve, MARKS, rangeStart } from '../../desk/account/track';
import { askCoin, askTransfer, coinTerms, transferListing, transferTerms } from '../../desk/account/transferring';
import { WholeDaysOfAll } from '../../desk/account/wholeDays';
import { intentRoute, type OpeningActs } from '../../desk/openingActs';
import { limitAccount, setDayBoundary } from '../../desk/strategy/bookIntents';
import { tradedMarketOf } from '../../desk/symbol/marketOf';
import { deskState } from '../../kinds/hedge/desk';
import { insertReal, openingByKey } from '../../people/apiKey/openReal';
import type { Deps } from '../deps';

/**
 * /api/account/list, /open and /transfer: the caller's own accounts at all venues. What waited for an account or for its
 * money is not opened because somebody brings them: it waits to be confirmed.
 */
export function venueAccountRoutes(app: FastifyInstance, deps: Deps & AccountDeps, opens: OpeningActs): void {
  /** While the past is traded, nothing of the present is: an account would wait for it without a word. */
  const refuseDuringStory = () => {
    if (deps.preparing?.() === true) throw refused('storyTold');
  };

  route(app, venueAccount.list, ({ user }) => ownAccounts(deps, user.id));

  opens.serveEnd(app, null, venueAccount.open, {
    keyRequired: true,
    waits: true,
    prepare: async ({ user, body }) => {
      refuseDuringStory();
      // Who signed in while an account could not be opened has none yet.
      await openAccount(deps, user.id);
      if (isLiveSource(body.venue)) await tradedMarketOf(deps.markets, body.venue, 'venue');
      return fundAccount(deps, user.id, body);
    },
    brings: ({ body: { amount } }, accountId) => ({ accountId, amount, isAtVenue: true }),
    write: (tx, { user, body }, id) => insertOpened(tx, user.id, id, body),
  });

  opens.serveEnd(app, null, venueAccount.openLive, {
    keyRequired: true,
    waits: true,
    prepare: async ({ user, body }) => {
      await openAccount(deps, user.id);
      return openingByKey(deps, user.id, body);
    },
    brings: (_, { id, cash }) => ({ accountId: id, amount: Number(cash), isAtVenue: true }),
    write: (tx, { user, body }, opening) => insertReal(tx, user.id, body, opening),
  });

  route(app, venueAccount.transfers, ({ user, query }) => transferListing(deps.db, user.id, query));

  opens.serveEnd(app, null, venueAccount.transfer, {
    keyRequired: true,
    waits: true,
    brings: ({ body: { to, amount } }) => ({ accountId: to, amount, isAtVenue: false }),
    prepare: ({ user, body }) => {
      refuseDuringStory();
      return transferTerms(deps, user.id, body);
    },
    write: (tx, { user, body }, terms) => askTransfer(tx, { userId: user.id, now: deps.clock() }, body, terms),
  });

  intentRoute(app, deps, venueAccount.transferCoin, {
    keyRequired: true,
    waits: true,
    prepare: ({ user, body }) => {
      refuseDuringStory();
      return coinTerms(deps, user.id, body);
    },
    write: (tx, { user, body }, terms) => askCoin(tx, { userId: user.id, now: deps.clock() }, body, terms),
  });
}

const EMPTY_CURVE = { time: [], equity: [], drawdown: [], index: [], btc: [], marks: [], marksLeftOut: 0 };

/** /api/account, /equity, /daily, /failing, /dayBoundary, /stops, /ignored and /lossLimit: the caller's own account; /all: everybody's, for masters. */
export function accountRoutes(app: FastifyInstance, given: AccountDeps & Pick<Deps, 'desk'>, opens: OpeningActs): void {
  const { db, clock } = given;
  const deps: AccountDeps = given;
  const closes = new DailyCloses(db);
  /** Who has real money looks at that first, once the first of it is booked. */
  async function modeFirst(userId: string): Promise<StrategyMode> {
    const hasReal = (await accountsOf(db, [userId])).some((one) => one.mode === ('live' satisfies StrategyMode));
    return hasReal && (await openingOf(db, { userId, mode: 'live' })) !== null ? 'live' : 'paper';
  }
  async function scopeOf({ id }: { id: string }, { accountId, mode }: Omit<Scope, 'userId'>): Promise<Scope> {
    return accountId === undefined ? { userId: id, mode: mode ?? (await modeFirst(id)) } : { userId: id, accountId };
  }

  route(app, account.state, async ({ user, query }) => {
    const now = clock();
    const facts = await accountFacts(deps, await scopeOf(user, query));
    // An account whose first money is not booked yet is not an empty one.
    const recorded = facts && (await recordedOf(deps, facts));
    if (!recorded) return { at: now, account: null };
    const [today, daily] = await Promise.all([recordToday(db, recorded, facts.switches), closes.of(recorded)]);
    return { at: now, account: accountState(facts, { openedAt: recorded.opening.at, today, daily }) };
  });

  const wholeDays = { paper: new WholeDaysOfAll(db), live: new WholeDaysOfAll(db) };
  route(app, account.all, ({ query: { userId, mode } }) => allAccounts({ ...deps, wholeDays }, mode, userId));

  route(app, account.equity, async ({ query, user }) => {
    const live = await liveBooks(deps, await scopeOf(user, query));
    const recorded = live && (await recordedOf(deps, live));
    if (!recorded) return EMPTY_CURVE;
    const { now, opening } = recorded;
    const from = rangeStart(query.range, now, opening.at);
    const [points, daily, happened] = await Promise.all([
      recordSince(db, recorded, { from, step: stepFor(now - from) }),
      closes.of(recorded),
      happenedSince(db, live.scope, from, MARKS),
    ]);
    return equityCurve(points, daily, happened);
  });

  route(app, account.daily, async ({ query, user }) => {
    const live = await liveBooks(deps, await scopeOf(user, query));
    const recorded = live && (await recordedOf(deps, live));
    if (!recorded) return { days: [] };
    const { now, opening } = recorded;
    const day = runningDay(live.switches, now);
    const from = Math.max(opening.at, day.start - (query.days - 1) * DAY_MS);
    const points = await recordSince(db, recorded, { from, step: DAY_MS, phase: boundaryOf(day) * MINUTE_MS });
    return { days: accountDays(points, day, query.days) };
  });

  route(app, account.ignore, ({ user, body }) => ignoreOutside(deps, user.id, body));

  route(app, account.failing, async ({ user }) => ({ failing: await failingOf(db, user.id) }));

  intentRoute(app, given, account.dayBoundary, {
    prepare: async ({ user, body, request }) => {
      noteChange(request, { dayBoundary: (await bookOf(db, user.id))?.dayBoundary }, body);
    },
    write: (tx, { user, body }) => setDayBoundary(tx, { user, now: clock() }, body.dayBoundary),
  });

  route(app, account.stops, async ({ user }) => ({
    ...(await accountStops(db, user.id)),
    outages: outagesOf(deps.markets, clock()),
  }));

  opens.serve(app, 'limitAccount', account.lossLimit, {
    about: () => () => true,
    opens: ({ body }) => body.resume === true,
    prepare: async ({ user, body: { dailyLossLimit, resume }, request }) => {
      noteChange(request, { dailyLossLimit: (await bookOf(db, user.id))?.dailyLossLimit ?? null }, { dailyLossLimit });
      return resume ? { result: (await deskState(deps, user.id, clock())).pnl } : undefined;
    },
    write: (tx, { user, body }, lift) => limitAccount(tx, { user, now: clock() }, body.dailyLossLimit, lift),
  });
}
