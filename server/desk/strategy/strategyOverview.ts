import { DAY_MS } from '#contract/duration';
import type { HedgeEventKind } from '#contract/lifecycle';
import { leavesCoin, type StrategyKind } from '#contract/strategy';
import type { StrategyLimits } from '#contract/strategyLimits';
import type { OverviewRow } from '#contract/strategyOverview';
import type { Unguarded } from '#contract/unguarded';
import { type AccountRow, accountFor, accountsOf } from '../../base/db/accounts/venueAccount';
import { type HeldBack, heldBack } from '../../base/db/books/book';
import { LEASE_MS } from '../../base/db/books/lease';
import type { StrategyRow } from '../../base/db/strategies/strategy';
import {
  eventCountsOf,
  everyStrategy,
  type GuardedStrategy,
  heldDaysOf,
  type LedgerDay,
  ledgerDaysOf,
  notionalDaysOf,
} from '../../base/db/strategies/strategyFigures';
import { type TargetRow, targetsOfStrategies } from '../../base/db/strategies/target';
import { ledgerMoney } from '../../base/maths/decimal';
import { annualisedReturn } from '../../base/maths/hedge';
import { FEWEST_TRADES } from '../../base/maths/performance';
import {
  dailyResults,
  fallenFromPeak,
  resultCorrelation,
  riskShares,
  sharpeOfResults,
} from '../../base/maths/strategyTrack';
import { inSlices } from '../../base/work/loopTurns';
import { sourcesOf } from '../../engine/preview';
import type { DeskDeps } from '../deps';
import { atMidnight, lossBaseOf } from './strategyLoss';
import { byStrategy, capitalOf, type StrategySums, stockDays, stocksNow, strategySums } from './strategySums';
import { dayOf, strategyTracks, type Track } from './strategyTrack';
import type { Used } from './tripped';
import { unguardedBy } from './unguarded';

type Needs = Pick<DeskDeps, 'db' | 'markets'>;

const WEEK = 7;

/** What counts as an error of a strategy. */
export const ERROR_EVENTS: readonly HedgeEventKind[] = [
  'refused',
  'inDoubt',
  'lost',
  'oneLeg',
  'frozen',
  'governed',
  'liquidated',
  'deleveraged',
];

/** What was tied up (F12) over the time that something was held: USDT x days, and that time, days. */
interface CapitalDays {
  capitalDays: number;
  days: number;
}

/** A strategy with all that its figures come from. */
export interface Watched extends GuardedStrategy {
  sums: StrategySums;
  track: Track;
}

/** All strategies of these, or of everybody, with what they made until now. */
export async function watchedStrategies(
  needs: Needs,
  now: number,
  chosen: (row: GuardedStrategy) => boolean = () => true,
): Promise<Watched[]> {
  const rows = (await everyStrategy(needs.db)).filter(chosen);
  const ids = rows.map(({ strategy }) => strategy.id);
  const [sums, tracks] = await Promise.all([strategySums(needs, ids, now), strategyTracks(needs, ids, now)]);
  return rows.map((row) => ({
    ...row,
    sums: sums.get(row.strategy.id)!,
    track: tracks.get(row.strategy.id) ?? [],
  }));
}

/** What a strategy has made since UTC midnight, USDT; `null` where something held has no price. */
export function todayOf({ sums: { net }, track }: Pick<Watched, 'sums' | 'track'>): number | null {
  const midnight = atMidnight(track);
  return net === null || midnight === null ? null : ledgerMoney(net - midnight);
}

/** What of its limits a strategy has used, USDT; losses count from where it was resumed last. */
export function usedOf(row: Watched, now: number): Used {
  const { sums, track, guard } = row;
  const { net, notional } = sums;
  const today = dayOf(now);
  const resumedAt = guard?.resumedAt ?? Number.NEGATIVE_INFINITY;
  const resumedNet = guard?.resumedNet ?? null;
  const ends = track.map((value, i) => (today - (track.length - 1 - i) * DAY_MS > resumedAt ? value : null));
  // What began within these days began at nothing.
  const first = resumedNet ?? (track[0] == null ? 0 : null);
  const base = lossBaseOf(row, now);
  return {
    maxDrawdown: fallenFromPeak([first, ...ends, net]),
    dailyLoss: net === null || base === null ? null : Math.max(0, base - net),
    maxNotional: notional,
  };
}

/** What one strategy has used of its limits by now. */
export async function usedBy(needs: Needs, id: string, now: number): Promise<Used> {
  const [row] = await watchedStrategies(needs, now, ({ strategy }) => strategy.id === id);
  return row === undefined ? { maxDrawdown: null, dailyLoss: null, maxNotional: null } : usedOf(row, now);
}

export const limitsOf = (guard: GuardedStrategy['guard']): StrategyLimits => ({
  maxDrawdown: guard?.maxDrawdown ?? null,
  dailyLoss: guard?.dailyLoss ?? null,
  maxNotional: guard?.maxNotional ?? null,
});

interface Context {
  viewerId: string;
  now: number;
  /** Of every user, a user's first one before the others. */
  accounts: readonly AccountRow[];
  /** By user. */
  held: ReadonlyMap<string, HeldBack>;
  targets: ReadonlyMap<string, readonly TargetRow[]>;
  capital: ReadonlyMap<string, CapitalDays>;
  traded: ReadonlyMap<string, readonly LedgerDay[]>;
  errors: ReadonlyMap<string, number>;
  unguarded: ReadonlyMap<string, Unguarded>;
}

/** What was tied up on average while something was held (F12), USDT; `null` where nothing was. */
export const meanCapital = (held: CapitalDays | undefined): number | null =>
  held && held.days > 0 && held.capitalDays > 0 ? held.capitalDays / held.days : null;

/** Figures that hold what was made against what was tied up. */
function returnsOf(net: number | null, drawdown: number | null, traded: number, held: CapitalDays | undefined) {
  const days = held?.days ?? 0;
  const mean = meanCapital(held);
  const roi = net === null || mean === null ? null : net / mean;
  return {
    roi,
    apr: annualisedReturn(roi, days * DAY_MS),
    // Below the top as on the account's own page; adding 0 turns the -0 at the top into 0.
    drawdownShare: mean === null || drawdown === null ? null : -drawdown / mean + 0,
    turnover: mean === null ? null : traded / mean,
  };
}

/** Where a strategy trades by its params; what it needs at a venue and nobody has opened yet has no name. */
function accountsUsed({ strategy }: Watched, accounts: readonly AccountRow[]): OverviewRow['accounts'] {
  const own = accounts.filter(({ userId }) => userId === strategy.userId);
  const used = sourcesOf(strategy.kind as StrategyKind, strategy.params).map((source) => {
    const account = accountFor(own, source, strategy.mode);
    return { venue: account?.venue ?? source, name: account?.name ?? null };
  });
  return used.filter(({ venue }, i) => used.findIndex((one) => one.venue === venue) === i);
}

/** What keeps a strategy from opening whatever it says: what its kind of money does, or what it holds that nobody can value. */
export const heldBackOf = (
  { mode }: Pick<StrategyRow, 'mode'>,
  held: HeldBack | undefined,
  targets: readonly TargetRow[],
): OverviewRow['heldBack'] =>
  held?.[mode as OverviewRow['mode']] ?? (targets.some(({ block }) => block === 'unvalued') ? 'unvalued' : null);

function overviewRow(row: Watched, context: Context): OverviewRow {
  const { strategy, user, guard, sums, track, leaseHolder, leaseUntil } = row;
  const { id, userId } = strategy;
  const { net, running, ended, capital, notional, exposure, pricePnl, funding, fees } = sums;
  const targets = context.targets.get(id) ?? [];
  const drawdown = fallenFromPeak([track[0] == null ? 0 : null, ...track, net]);
  const traded = (context.traded.get(id) ?? []).reduce((sum, day) => sum + day.traded, 0);
  return {
    ...{ id, userId, user, own: userId === context.viewerId, name: strategy.name },
    kind: strategy.kind as OverviewRow['kind'],
    mode: strategy.mode as OverviewRow['mode'],
    leavesCoin: leavesCoin(strategy.kind as StrategyKind, strategy.params),
    state: strategy.state as OverviewRow['state'],
    ...(strategy.single && { single: true }),
    heldBack: heldBackOf(strategy, context.held.get(userId), targets),
    switchedAt: strategy.switchedAt,
    symbols: [...new Set(targets.flatMap(({ legs }) => legs.map(({ symbol }) => symbol)))],
    accounts: accountsUsed(row, context.accounts),
    ...{ running, ended, capital, notional, exposure },
    ...(context.unguarded.has(id) && { unguarded: context.unguarded.get(id)! }),
    today: todayOf(row),
    ...{ pricePnl, funding, fees, net, drawdown },
    ...returnsOf(net, drawdown, traded, context.capital.get(id)),
    sharpe: sharpeOfResults(dailyResults(track)),
    winRate: sums.traded < FEWEST_TRADES ? null : sums.won / sums.traded,
    heartbeatAt: leaseHolder === null || leaseUntil === null ? null : leaseUntil - LEASE_MS,
    errors24h: context.errors.get(id) ?? 0,
    week: [...track.slice(-WEEK), net],
    limits: limitsOf(guard),
    used: usedOf(row, context.now),
    tripped: guard?.tripped ?? null,
    trippedAt: guard?.tripped == null ? null : guard.trippedAt,
    ...{ note: strategy.note, noteBy: strategy.noteBy, noteAt: strategy.noteAt },
  };
}

/** What these strategies tied up from `since` until `now` (UTC ms), by id. */
export async function capitalDays(needs: Needs, ids: readonly string[], now: number, since = 0) {
  const [rows, held] = await Promise.all([
    notionalDaysOf(needs.db, ids, now, since),
    heldDaysOf(needs.db, ids, now, since),
  ]);
  const { sources, stocks } = await stocksNow(
    needs,
    ids,
    rows.map(({ source }) => source),
    now,
  );
  return new Map(
    [...byStrategy(rows)].map(([id, own]): [string, CapitalDays] => {
      const stock = stocks.get(id) ?? [];
      const from = Math.min(...own.map((row) => row.from));
      const ofDeals = own.reduce((all, row) => all + capitalOf(row.notionalDays, row, sources), 0);
      // Stock is held between the deals too.
      const days = stock.length > 0 ? (now - from) / DAY_MS : (held.get(id) ?? 0);
      return [id, { capitalDays: ofDeals + stockDays(stock), days }];
    }),
  );
}

/** Everybody's strategies as they are now, for one master. */
export async function strategyOverview(needs: Needs, viewerId: string, now: number) {
  const rows = await watchedStrategies(needs, now);
  const ids = rows.map(({ strategy }) => strategy.id);
  const today = dayOf(now);
  const users = [...new Set(rows.map(({ strategy }) => strategy.userId))];
  const [accounts, held, targets, capital, traded, errors, unguarded] = await Promise.all([
    accountsOf(needs.db, users),
    heldBack(needs.db, users),
    targetsOfStrategies(needs.db, ids),
    capitalDays(needs, ids, now),
    ledgerDaysOf(needs.db, ids, { since: today, from: today, until: now + 1 }),
    eventCountsOf(needs.db, ids, ERROR_EVENTS, now - DAY_MS),
    unguardedBy(needs.db, users),
  ]);
  const context = {
    ...{ viewerId, now, accounts, held, capital, errors, unguarded },
    ...{ targets: byStrategy(targets), traded: byStrategy(traded) },
  };
  return { at: now, today, list: rows.map((row) => overviewRow(row, context)) };
}

/** What the days before today brought everybody's strategies, and how these results go together. */
export async function overviewDays(needs: Needs, now: number) {
  const rows = await everyStrategy(needs.db);
  const ids = rows.map(({ strategy }) => strategy.id);
  const tracks = await strategyTracks(needs, ids, now);
  const days = ids.map((id) => dailyResults(tracks.get(id) ?? []));
  const risks = riskShares(days);
  const { breathe } = inSlices();
  const correlation: (number | null)[][] = [];
  for (const one of days) {
    correlation.push(days.map((other) => resultCorrelation(one, other)));
    await breathe();
  }
  return { today: dayOf(now), list: ids.map((id, i) => ({ id, daily: days[i]!, riskShare: risks[i]! })), correlation };
}
