import type { FastifyInstance } from 'fastify';
import { account } from '#contract/account';
import { DAY_MS, MINUTE_MS } from '#contract/duration';
import { accountDays, midnight } from '../account/accountDays';
import { type AccountDeps, accountFacts, liveBooks, recordedOf } from '../account/accountFacts';
import { accountState } from '../account/accountState';
import { equityCurve, MARKS, rangeStart } from '../account/equityCurve';
import { LedgerTallies } from '../account/ledgerTallies';
import { recordByDay, recordSince, stepFor } from '../account/record';
import { happenedSince } from '../db/account';
import { invalid } from '../http/refusal';
import { route } from '../http/route';

const EMPTY_CURVE = { time: [], equity: [], drawdown: [], index: [], btc: [], marks: [], marksLeftOut: 0 };

/** GET /api/account, /equity and /daily: the caller's own account, and nobody else's. */
export function accountRoutes(app: FastifyInstance, given: Omit<AccountDeps, 'tallies'>): void {
  const { db, clock } = given;
  const deps: AccountDeps = { ...given, tallies: new LedgerTallies(db) };

  route(app, account.state, async ({ query, user }) => {
    const now = clock();
    const dayStart = query.dayStart ?? midnight(now, 0);
    // Clocks differ, and a day may have 25 hours; beyond that it is no day of today.
    if (dayStart < now - 2 * DAY_MS || dayStart > now + DAY_MS) throw invalid('dayStart', '当日零点不在今天');
    const facts = await accountFacts(deps, user.id);
    if (facts === null) return { at: now, account: null };
    const recorded = await recordedOf(deps, user.id, facts);
    const [today, daily] =
      recorded === null
        ? [[], []]
        : await Promise.all([
            recordSince(db, recorded, { from: Math.min(dayStart, now), step: 5 * MINUTE_MS }),
            recordByDay(db, recorded),
          ]);
    return { at: now, account: accountState(facts, { openedAt: recorded?.opening.at ?? null, today, daily }) };
  });

  route(app, account.equity, async ({ query, user }) => {
    const live = await liveBooks(deps, user.id);
    const recorded = live && (await recordedOf(deps, user.id, live));
    if (!recorded) return EMPTY_CURVE;
    const { now, opening } = recorded;
    const from = rangeStart(query.range, now, opening.at);
    const [points, daily, happened] = await Promise.all([
      recordSince(db, recorded, { from, step: stepFor(now - from) }),
      recordByDay(db, recorded),
      happenedSince(db, user.id, from, MARKS),
    ]);
    return equityCurve(points, daily, happened);
  });

  route(app, account.daily, async ({ query, user }) => {
    const live = await liveBooks(deps, user.id);
    const recorded = live && (await recordedOf(deps, user.id, live));
    if (!recorded) return { days: [] };
    const offset = query.utcOffset * MINUTE_MS;
    const { now, opening } = recorded;
    const from = Math.max(opening.at, midnight(now, offset) - (query.days - 1) * DAY_MS);
    const points = await recordSince(db, recorded, { from, step: DAY_MS, phase: -offset });
    return { days: accountDays(points, { offset, now, days: query.days }) };
  });
}
