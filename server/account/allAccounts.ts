import type { AccountRow, AllAccounts } from '#contract/account';
import { DAY_MS } from '#contract/duration';
import type { AccountPoint } from '../db/account';
import { type MidnightPoint, midnightPoints, type OpenedAccount, openedAccounts } from '../db/statistic';
import { dayPnl } from '../hedge/dayResult';
import { drawdownSeries } from '../maths/drawdown';
import { nullable } from '../maths/statistics';
import { dailyFigures, type GrownRecord, grown } from '../statistic/dailyFigures';
import { dailyRecord } from '../statistic/dailyRecord';
import { spanOf } from '../statistic/period';
import { type AccountDeps, type LiveBooks, liveBooks, recordedOf } from './accountFacts';
import { todayOf } from './accountState';
import { recordToday } from './record';

/** An account as it is now. `present` is null while it cannot be valued. */
interface Live {
  account: OpenedAccount;
  books: LiveBooks;
  present: AccountPoint | null;
  todayPnl: number | null;
}

/** Everybody's accounts, or one of them, and the same as one account; figures as on the accounts' own screens. */
export async function allAccounts(deps: AccountDeps, userId?: string): Promise<AllAccounts> {
  const everybody = await openedAccounts(deps.db);
  const chosen = everybody.filter((account) => userId === undefined || account.userId === userId);
  const lives = (await Promise.all(chosen.map((account) => liveOf(deps, account)))).filter((live) => live !== null);
  const now = deps.clock();
  const track = await trackOf(deps, lives, now);
  return {
    at: now,
    users: everybody.map(({ userId: id, name }) => ({ id, name })),
    list: lives.map((live) => ({ ...standingOf(live), ...figuresOf([live], track, now) })),
    total: figuresOf(lives, track, now),
    curve: curveOf(lives, track, now),
  };
}

/** `null` for who has money and no book, which no account is without for more than a moment. */
async function liveOf(deps: AccountDeps, account: OpenedAccount): Promise<Live | null> {
  const books = await liveBooks(deps, { userId: account.userId });
  const recorded = books && (await recordedOf(deps, books));
  if (!books || !recorded) return null;
  const { present } = recorded;
  const counted = present && dayPnl(books.switches, present.equity, books.now);
  const today = present && todayOf(await recordToday(deps.db, recorded, books.switches), counted);
  return { account, books, present, todayPnl: today?.pnl ?? null };
}

type Standing = Omit<AccountRow, keyof ReturnType<typeof figuresOf>>;

const standingOf = ({ account, books: { switches, books } }: Live): Standing => ({
  userId: account.userId,
  user: account.name,
  openedAt: account.openedAt,
  enabled: switches.enabled,
  paused: switches.pausedAt !== null,
  unpriced: books.unpriced,
});

/** The record of all accounts at the midnights (UTC) since the first was opened. */
interface Track {
  points: readonly MidnightPoint[];
  to: number;
}

async function trackOf({ db }: AccountDeps, lives: readonly Live[], now: number): Promise<Track> {
  const accounts = lives.map(({ account }) => account);
  const span = spanOf({}, firstOpening(lives, now), now);
  return { points: await midnightPoints(db, accounts, span), to: span.to };
}

const firstOpening = (lives: readonly Live[], now: number): number =>
  lives.reduce((first, { account }) => Math.min(first, account.openedAt), now);

/** Some accounts as one, by whole days. */
function wholeDays(lives: readonly Live[], { points, to }: Track, now: number): GrownRecord {
  const { from } = spanOf({}, firstOpening(lives, now), now);
  return grown(
    dailyRecord(
      lives.map(({ account }) => account),
      points,
      { from, to },
    ),
  );
}

/** The same with the running day, which lasts until now; `null` while one of the accounts cannot be valued. */
function untilNow(lives: readonly Live[], { points, to }: Track, now: number): GrownRecord | null {
  const midnight = to + DAY_MS;
  const presents = lives.map(({ account: { userId }, present }): MidnightPoint | null => {
    if (present === null) return null;
    const { equity, transfers, price, funding, fees, btc } = present;
    const unread = { slippage: 0, traded: 0, net: 0, gross: 0, shortPnl: 0 };
    return { userId, midnight, at: now, equity, transfers, funding, fees, btc, longPnl: price, ...unread };
  });
  if (presents.includes(null)) return null;
  return wholeDays(lives, { points: [...points, ...presents.filter((point) => point !== null)], to: midnight }, now);
}

const sumOf = (values: readonly (number | null)[]): number | null =>
  values.reduce<number | null>((sum, value) => (sum === null || value === null ? null : sum + value), 0);

/** F11, F17 to F20 of some accounts as one. */
function figuresOf(lives: readonly Live[], track: Track, now: number) {
  const equity = sumOf(lives.map(({ present }) => present?.equity ?? null));
  const net = sumOf(lives.map(({ books: { books } }) => books.equity && Number(books.equity.minus(books.transfers))));
  const daily = lives.length === 0 ? null : dailyFigures(wholeDays(lives, track, now), firstOpening(lives, now));
  const present = lives.length === 0 ? null : untilNow(lives, track, now);
  const depths = present && drawdownSeries(present.index, 1);
  return {
    equity,
    net,
    todayPnl: sumOf(lives.map(({ todayPnl }) => todayPnl)),
    drawdown: depths?.at(-1) ?? null,
    maxDrawdown: depths && Math.min(0, ...depths),
    sharpe: daily?.sharpe ?? null,
    betaBtc: daily?.betaBtc ?? null,
    running: lives.reduce((sum, { books }) => sum + books.running, 0),
  };
}

/** The openings, the whole days and now. */
function curveOf(lives: readonly Live[], track: Track, now: number): AllAccounts['curve'] {
  const { record, index } = untilNow(lives, track, now) ?? wholeDays(lives, track, now);
  const { day, base, equity, btc } = record;
  if (lives.length === 0 || day.length === 0) return { time: [], equity: [], drawdown: [], index: [], btc: [] };
  let bitcoin = 100;
  return {
    time: [firstOpening(lives, now), ...Array.from(day, (start) => Math.min(start + DAY_MS, now))],
    equity: [base[0]!, ...equity],
    drawdown: [0, ...drawdownSeries(index, 1)],
    index: [100, ...Array.from(index, (value) => value * 100)],
    // A day that nobody has a price of leaves it where it is.
    btc: [100, ...nullable(btc).map((change) => (bitcoin *= 1 + (change ?? 0)))],
  };
}
