import { type AccountRow, type AllAccounts, LOSS_GUARD } from '#contract/account';
import { DAY_MS } from '#contract/duration';
import type { StrategyMode } from '#contract/strategy';
import { type AccountPoint, type Switches, switchesOf } from '../../base/db/accounts/account';
import { heldDealLegs, runningCounts } from '../../base/db/strategies/deal';
import {
  grouped,
  type MidnightPoint,
  type OpenedAccount,
  openedAccounts,
  standings,
} from '../../base/db/strategies/statistic';
import { strategiesOf } from '../../base/db/strategies/strategy';
import { dayEquityOf, dayResult, runningDay } from '../../base/maths/dayBoundary';
import { drawdownSeries } from '../../base/maths/drawdown';
import { beginningOf } from '../../base/maths/returns';
import { nullable } from '../../base/maths/statistics';
import { dailyFigures, type GrownRecord, grown } from '../statistic/dailyFigures';
import { addRecord, dailyRecord } from '../statistic/dailyRecord';
import { type AccountDeps, dayPnl, presentOf, settingsOf } from './accountFacts';
import { type Books, booksOf, heldLeg } from './holdings';
import { bitcoinPrice, marksOf } from './marks';
import type { Track, WholeDaysOfAll } from './wholeDays';

/** An account as it is now. `present` is null while it cannot be valued. */
interface Live {
  account: OpenedAccount;
  switches: Switches;
  books: Books;
  running: number;
  present: AccountPoint | null;
  todayPnl: number | null;
}

type Needs = AccountDeps & { wholeDays: Record<StrategyMode, WholeDaysOfAll> };

/**
 * Everybody's accounts with play money, or those with real money, or one user's, and the same as one account; figures as
 * on the accounts' own screens. The two are never added up.
 * @param asked undefined: real money where anybody has some
 */
export async function allAccounts(deps: Needs, asked: StrategyMode | undefined, userId?: string): Promise<AllAccounts> {
  const now = deps.clock();
  const real = await openedAccounts(deps.db, { mode: 'live' });
  const mode = asked ?? (real.length > 0 ? 'live' : 'paper');
  const everybody = mode === 'live' ? real : await openedAccounts(deps.db, { mode });
  const chosen = everybody.filter((account) => userId === undefined || account.userId === userId);
  const lives = await livesOf(deps, chosen, mode, now);
  const accounts = lives.map(({ account }) => account);
  const track = await deps.wholeDays[mode].of(accounts, now, userId === undefined);
  const present = lives.length === 0 ? null : untilNow(lives, track, now);
  return {
    ...{ at: now, mode, hasReal: real.length > 0 },
    users: everybody.map(({ userId: id, name }) => ({ id, name })),
    list: lives.map((live) => ({ ...standingOf(live), ...sumsOf([live]), ...grownOf(live, track) })),
    total: { ...sumsOf(lives), ...grownTogether(track, present) },
    curve: curveOf(present ?? grown(track.record), track.openedAt, now),
  };
}

/** All of them by a few statements, however many there are; who has money and no book is left out for that moment. */
async function livesOf(
  deps: Needs,
  accounts: readonly OpenedAccount[],
  mode: StrategyMode,
  now: number,
): Promise<Live[]> {
  const { db, markets, tallies } = deps;
  const users = accounts.map(({ userId }) => userId);
  const [switches, held, tallied, running, strategies] = await Promise.all([
    switchesOf(db, users),
    heldDealLegs(db, users),
    tallies.ofAll(users),
    runningCounts(db, users, { mode }),
    mode === 'live' ? strategiesOf(db, users) : [],
  ]);
  const trading = new Set(
    strategies.flatMap((one) => (one.mode === mode && one.state === 'running' ? [one.userId] : [])),
  );
  const legs = grouped(held, ({ userId }) => userId);
  const traded = [...tallied.values()].flat().filter(({ quantity }) => !quantity.eq(0));
  const marks = await marksOf(markets, [...traded, ...held], now);
  const sources = [...new Set([...switches.values()].flatMap((one) => settingsOf(one)?.source ?? []))];
  const prices = await Promise.all(sources.map((source) => bitcoinPrice(markets, source, now)));
  const lives = accounts.flatMap((account): Live[] => {
    const { userId } = account;
    const switched = switches.get(userId);
    if (switched === undefined) return [];
    const own = mode === 'paper' ? switched : ofReal(switched, trading.has(userId));
    const isIn = ({ accountId }: { accountId: string }) => account.parts.some(({ id }) => id === accountId);
    const books = booksOf(
      (tallied.get(userId) ?? []).filter(isIn),
      (legs.get(userId) ?? []).filter(isIn).map(heldLeg),
      marks,
    );
    const source = settingsOf(own)?.source;
    const btc = source === undefined ? null : prices[sources.indexOf(source)]!;
    const present = presentOf({ now, books }, btc);
    const todayPnl = present && dayPnl(own, present.equity, now);
    return [{ account, switches: own, books, running: running.get(userId) ?? 0, present, todayPnl }];
  });
  return withToday(deps, lives, now);
}

/** What the day has brought to those whose day the engine has not begun: since their newest point before it. */
async function withToday({ db }: Needs, lives: readonly Live[], now: number): Promise<Live[]> {
  const open = lives.filter(({ present, todayPnl }) => present !== null && todayPnl === null);
  const wanted = open.map(({ account, switches }) => ({ account, at: runningDay(switches, now).start }));
  const bases = await standings(db, wanted);
  return lives.map((live) => {
    const { account, present, todayPnl } = live;
    if (present === null || todayPnl !== null) return live;
    const base = bases.get(account.userId) ?? openingOf(account);
    return {
      ...live,
      todayPnl: dayResult(present.equity, dayEquityOf(base.equity, present.transfers - base.transfers)),
    };
  });
}

/** The switches as they are for what is real: the loss of play money pauses nothing of it. */
const ofReal = (own: Switches, enabled: boolean): Switches => ({
  ...{ ...own, enabled, dayEquity: own.dayEquityLive },
  ...(own.pausedBy === LOSS_GUARD && { pausedAt: null }),
});

const openingOf = ({ capital }: OpenedAccount) => ({ equity: capital, transfers: capital });

const standingOf = ({ account, switches, books }: Live) => ({
  userId: account.userId,
  user: account.name,
  openedAt: account.openedAt,
  enabled: switches.enabled,
  paused: switches.pausedAt !== null,
  unpriced: books.unpriced,
});

const sumOf = (values: readonly (number | null)[]): number | null =>
  values.reduce<number | null>((sum, value) => (sum === null || value === null ? null : sum + value), 0);

/** F11 and what the day has brought, of some accounts together. */
const sumsOf = (lives: readonly Live[]) => ({
  equity: sumOf(lives.map(({ present }) => present?.equity ?? null)),
  net: sumOf(lives.map(({ books }) => books.equity && Number(books.equity.minus(books.transfers)))),
  todayPnl: sumOf(lives.map(({ todayPnl }) => todayPnl)),
  running: lives.reduce((sum, { running }) => sum + running, 0),
});

type Grown = Pick<AccountRow, 'drawdown' | 'maxDrawdown' | 'sharpe' | 'betaBtc'>;

/** F17 to F20 of one account by its whole days, and of its running day as far as it has come. */
function grownOf({ account, present }: Live, { to, byUser }: Track): Grown {
  const { sharpe, betaBtc, ...whole } = byUser.get(account.userId)!;
  if (present === null) return { drawdown: null, maxDrawdown: null, sharpe, betaBtc };
  const last = account.openedAt < to ? whole.last : undefined;
  const before = last ?? openingOf(account);
  const { base, transfers } = beginningOf(before.equity, present.transfers - before.transfers, last === undefined);
  const index = base > 0 ? whole.index * ((present.equity - transfers) / base) : whole.index;
  const drawdown = index / Math.max(whole.peak, index) - 1;
  return { drawdown, maxDrawdown: Math.min(whole.maxDrawdown, drawdown), sharpe, betaBtc };
}

/** The accounts as one with the running day, which lasts until now; `null` while one of them cannot be valued. */
function untilNow(lives: readonly Live[], { record, from, to, byUser }: Track, now: number): GrownRecord | null {
  const midnight = to + DAY_MS;
  const points: MidnightPoint[] = [];
  for (const { account, present } of lives) {
    if (present === null) return null;
    const { userId } = account;
    const { last } = byUser.get(userId)!;
    if (last) points.push(last);
    const { equity, transfers, price, funding, fees, btc } = present;
    const unread = { slippage: 0, traded: 0, net: 0, gross: 0, shortPnl: 0, isExact: true };
    points.push({ userId, midnight, at: now, equity, transfers, funding, fees, btc, longPnl: price, ...unread });
  }
  const all = dailyRecord([], [], { from, to: midnight });
  const today = dailyRecord(
    lives.map(({ account }) => account),
    points,
    { from: to, to: midnight },
  );
  for (const part of [record, today]) addRecord(all, part);
  return grown(all);
}

/** The same figures of all accounts as one. */
function grownTogether({ record, openedAt }: Track, present: GrownRecord | null): Grown {
  const daily = dailyFigures(grown(record), openedAt);
  const depths = present && drawdownSeries(present.index, 1);
  return {
    drawdown: depths?.at(-1) ?? null,
    maxDrawdown: depths && Math.min(0, ...depths),
    sharpe: daily?.sharpe ?? null,
    betaBtc: daily?.betaBtc ?? null,
  };
}

/** The openings, the whole days and now. */
function curveOf({ record, index }: GrownRecord, openedAt: number, now: number): AllAccounts['curve'] {
  const { day, base, equity, btc } = record;
  if (day.length === 0) return { time: [], equity: [], drawdown: [], index: [], btc: [] };
  let bitcoin = 100;
  return {
    time: [openedAt, ...Array.from(day, (start) => Math.min(start + DAY_MS, now))],
    equity: [base[0]!, ...equity],
    drawdown: [0, ...drawdownSeries(index, 1)],
    index: [100, ...Array.from(index, (value) => value * 100)],
    // A day that nobody has a price of leaves it where it is.
    btc: [100, ...nullable(btc).map((change) => (bitcoin *= 1 + (change ?? 0)))],
  };
}
