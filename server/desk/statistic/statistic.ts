import { DAY_MS } from '#contract/duration';
import type { Statistic, StatisticQuery } from '#contract/statistic';
import { accountsOf } from '../../base/db/accounts/venueAccount';
import type { Queries } from '../../base/db/client';
import {
  bookedLegs,
  deskStrategies,
  type EndedFilter,
  filledHedges,
  midnightPoints,
  type OpenedAccount,
  openedAccounts,
  runningCount,
  tradedPairs,
  transferCount,
} from '../../base/db/strategies/statistic';
import { monthlyReturns } from '../../base/maths/calendar';
import { nextTurn } from '../../base/work/loopTurns';
import { attributionOf, hedgeFigures, hedgeResults } from './attribution';
import { dailyColumns, dailyFigures, dayName, type GrownRecord, grown, unexplained } from './dailyFigures';
import { dailyRecord } from './dailyRecord';
import { filterOf, spanOf } from './period';

/** Everything of GET /api/hedge/statistic. @throws refusals that name the field at fault. */
export async function statisticOf(db: Queries, query: StatisticQuery, now: number): Promise<Statistic> {
  const filter = filterOf(query);
  const { userId, source, accountId } = filter;
  const [everybody, opened] = await Promise.all([
    openedAccounts(db),
    openedAccounts(db, {
      ...(source === undefined ? {} : { source }),
      ...(accountId === undefined ? {} : { accountId }),
    }),
  ]);
  const accounts = opened.filter((account) => userId === undefined || account.userId === userId);
  const [daily, pairs, places, strategies, hedges, running] = await Promise.all([
    dailyOf(db, accounts, filter, now),
    tradedPairs(db),
    accountsOf(
      db,
      everybody.map((account) => account.userId),
    ),
    deskStrategies(db),
    filledHedges(db, filter),
    runningCount(db, filter),
  ]);
  const legs = await bookedLegs(
    db,
    hedges.map(({ id }) => id),
  );
  await nextTurn();
  const results = await hedgeResults(hedges, legs);
  await nextTurn();
  const { quality, ...figures } = daily;
  return {
    at: now,
    users: everybody.map(({ userId: id, name }) => ({ id, name })),
    places: places.map(({ id, userId: owner, name, venue }) => ({ id, userId: owner, name, venue })),
    strategies,
    pairs,
    accounts: accounts.length,
    ...figures,
    hedges: hedgeFigures(results),
    attribution: await attributionOf(results),
    quality: { ...quality, running },
  };
}

type DailyPart = Pick<Statistic, 'from' | 'to' | 'figures' | 'daily' | 'months'> & {
  quality: Omit<Statistic['quality'], 'running'>;
};

async function dailyOf(
  db: Queries,
  accounts: readonly OpenedAccount[],
  filter: EndedFilter,
  now: number,
): Promise<DailyPart> {
  const firstOpening = accounts.reduce((first, { openedAt }) => Math.min(first, openedAt), Number.POSITIVE_INFINITY);
  const span = accounts.length === 0 ? { from: 0, to: 0 } : spanOf(filter, firstOpening, now);
  const from = Math.max(span.from, accounts.length === 0 ? 0 : firstOpening);
  const [points, moved] =
    span.to > span.from
      ? await Promise.all([midnightPoints(db, accounts, span), transferCount(db, accounts, { from, to: span.to })])
      : [[], 0];
  const record = grown(dailyRecord(accounts, points, span));
  const figures = dailyFigures(record, from);
  return {
    from: figures && from,
    to: figures && span.to,
    figures,
    daily: dailyColumns(record),
    months: monthsOf(record),
    quality: qualityOf(record, moved),
  };
}

const monthsOf = ({ record: { day }, index }: GrownRecord) =>
  monthlyReturns({ time: day.map((start) => start + DAY_MS), value: index }, 1);

function qualityOf(grownRecord: GrownRecord, transfers: number): DailyPart['quality'] {
  const { day, missing, transfers: moved } = grownRecord.record;
  return {
    missingDays: Array.from(
      day.filter((_, i) => missing[i]! > 0),
      dayName,
    ),
    missingAccountDays: missing.reduce((total, count) => total + count, 0),
    transferCount: transfers,
    transfers: moved.reduce((total, amount) => total + amount, 0),
    unexplained: unexplained(grownRecord),
  };
}
