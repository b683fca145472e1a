import { LOSS_GUARD } from '#contract/account';
import type { User } from '#contract/user';
import { type BookRow, killSwitchOf, lockBook, moveAllBooks, moveBook, setKillSwitch } from '../../base/db/books/book';
import { countReached } from '../../base/db/books/flatten';
import type { Queries } from '../../base/db/client';
import { countRunning, isId } from '../../base/db/hedges/hedge';
import { findDesk, switchDesk } from '../../base/db/hedges/hedgeConfig';
import { invalid, notFound, refused } from '../../base/http/refusal';
import { isLossLimitReached, runningDay } from '../../base/maths/dayBoundary';
import { type Asked, type Closing, closeAll } from '../flatten/closeAll';
import type { Quotes } from '../flatten/flattenQuote';
import { NOT_RESUMED, type Resume, resumeTripped } from './tripped';

/** Who asks and when (UTC ms). */
export interface Asker {
  user: Pick<User, 'id' | 'name'>;
  now: number;
}

const FLATTENED = '全部平仓';
const LIMIT_RAISED = '单日最大亏损已修改';

/** The asker's book, locked. @throws `accountMissing` while there is none. */
export async function ownBook(tx: Queries, userId: string): Promise<BookRow> {
  const book = await lockBook(tx, userId);
  if (book === null) throw refused('accountMissing');
  return book;
}

/** The asker's book, locked, and the settings that are traded by. @throws `hedgeConfigMissing` before they were saved first. */
export async function ownDesk(tx: Queries, userId: string) {
  const book = await lockBook(tx, userId);
  const desk = await findDesk(tx, userId);
  const { config } = desk;
  if (book === null || config === null) throw refused('hedgeConfigMissing');
  return { book, desk, config };
}

/**
 * Switches entries on or off; answers how many hedges run on. A switch that is set already keeps its time.
 * @throws `deskTripped` without a reason after its breaker tripped.
 */
export async function switchBook(tx: Queries, { user, now }: Asker, enabled: boolean, resumed: Resume = NOT_RESUMED) {
  const { desk } = await ownDesk(tx, user.id);
  if (enabled && desk.tripped !== null && resumed.reason === '') throw refused('deskTripped', '', 'reason');
  if (enabled && desk.id !== null) await resumeTripped(tx, { at: now, by: user.name }, desk.id, resumed);
  if (desk.enabled !== enabled) await switchDesk(tx, user.id, enabled, { at: now, by: user.name });
  await moveBook(tx, user.id);
  return { enabled, running: await countRunning(tx, user.id) };
}

/** The pause of a person. One that a person has set keeps its time, author and reason; that of the limit holds paper alone. */
const pausing = ({ pausedAt, pausedBy }: BookRow, { user, now }: Asker, pauseReason: string) =>
  pausedAt !== null && pausedBy !== LOSS_GUARD ? {} : { pausedAt: now, pausedBy: user.name, pauseReason };

/** Keeps entries out, on paper and real ones. */
export async function pauseBook(tx: Queries, asker: Asker, reason: string) {
  const { id } = asker.user;
  await moveBook(tx, id, pausing(await ownBook(tx, id), asker, reason));
  return { paused: true };
}

/** The same for any user, by a master. @throws 404 for one without a book. */
export async function pauseUser(tx: Queries, asker: Asker, userId: string, reason: string) {
  await moveBook(tx, userId, pausing(await mustLock(tx, userId), asker, reason));
}

/**
 * Lets entries in again. Who did it and why stays in the book until the next pause.
 * @param liftDay the day (UTC ms of its start) whose loss limit is lifted with it; null when it was not reached.
 * @throws `notPaused`.
 */
export async function resumeBook(tx: Queries, { user }: Asker, reason: string, liftDay: number | null) {
  const { pausedAt } = await ownBook(tx, user.id);
  if (pausedAt === null && liftDay === null) throw refused('notPaused');
  await moveBook(tx, user.id, {
    pausedAt: null,
    pausedBy: user.name,
    pauseReason: reason,
    ...(liftDay === null ? {} : { lossLiftedDay: liftDay }),
  });
  return { paused: false };
}

/**
 * Limits what the account may lose on a day. A limit that was lifted for the day holds again once it is another one.
 * @param lift the result of the day (USDT, null where it is unknown) where the pause of the limit is to be lifted as well;
 * undefined where it is to stay.
 */
export async function limitAccount(
  tx: Queries,
  { user }: Asker,
  dailyLossLimit: number | null,
  lift: { result: number | null } | undefined,
) {
  const { pausedAt, pausedBy, dailyLossLimit: before } = await ownBook(tx, user.id);
  const isKept = lift === undefined || pausedAt === null || pausedBy !== LOSS_GUARD;
  const isWithin =
    dailyLossLimit === null || (lift?.result != null && !isLossLimitReached(lift.result, dailyLossLimit));
  const resumed = !isKept && isWithin;
  await moveBook(tx, user.id, {
    dailyLossLimit,
    ...(before === dailyLossLimit ? {} : { lossLiftedDay: null }),
    ...(resumed ? { pausedAt: null, pausedBy: user.name, pauseReason: LIMIT_RAISED } : {}),
  });
  return { dailyLossLimit, resumed };
}

/**
 * Moves the time of the clock at which the account's days begin. The day that runs keeps its start, its losses and what
 * was lifted for it, and lasts at least 24 hours; a pause stays as it is.
 * @param dayBoundary minutes after 00:00 UTC.
 * @throws `dayNotBegun` while the engine has not begun the day.
 */
export async function setDayBoundary(tx: Queries, { user, now }: Asker, dayBoundary: number) {
  const { day, dayBoundary: before } = await ownBook(tx, user.id);
  // The engine takes the start of the running day from the old boundary: it must have done so before that moves.
  if (day !== null && day !== runningDay({ day, dayBoundary: before }, now).start) throw refused('dayNotBegun');
  await moveBook(tx, user.id, { dayBoundary });
  return { dayBoundary, day: runningDay({ day, dayBoundary }, now) };
}

/** Asks for everything of the asker's book to be closed, and pauses it. */
export async function flattenBook(tx: Queries, asker: Asker, closing: Closing = {}) {
  return flattenOf(tx, asker, await ownBook(tx, asker.user.id), closing);
}

/** The same of any user. @throws 404 for one without a book. */
export async function flattenUser(tx: Queries, asker: Asker, userId: string, closing: Closing) {
  return flattenOf(tx, asker, await mustLock(tx, userId), closing);
}

/** The book of any user, locked. @throws 404 for a user without one. */
export async function mustLock(tx: Queries, userId: string): Promise<BookRow> {
  const book = isId(userId) ? await lockBook(tx, userId) : null;
  if (book === null) throw notFound('没有这个用户的账本');
  return book;
}

/** The same for a locked book. */
async function flattenOf(
  tx: Queries,
  asker: Asker,
  book: BookRow,
  { reason = '', ...closing }: Closing,
): Promise<Asked> {
  const { user, now } = asker;
  const { userId } = book;
  await moveBook(tx, userId, {
    flattenAskedAt: now,
    flattenAskedBy: user.name,
    ...pausing(book, asker, reason === '' ? FLATTENED : reason),
  });
  const scope = userId === user.id ? 'own' : 'user';
  return closeAll(tx, { at: now, byId: user.id, by: user.name, reason, scope, userId, strategyId: null }, closing);
}

/** Everything of everybody. A pause that is set keeps its time, author and reason. */
export async function flattenEverybody(
  tx: Queries,
  { user, now }: Asker,
  { reason = '', ...closing }: Closing,
): Promise<Asked> {
  if ((await killSwitchOf(tx))?.pausedAt == null)
    await setKillSwitch(tx, { pausedAt: now, pausedBy: user.name, reason });
  await moveAllBooks(tx, { flattenAskedAt: now, flattenAskedBy: user.name });
  const everybody = { scope: 'all', userId: null, strategyId: null } as const;
  return closeAll(tx, { at: now, byId: user.id, by: user.name, reason, ...everybody }, closing);
}

interface Switch {
  action: 'pause' | 'resume' | 'flatten';
  reason: string;
  /** Whose book alone is flattened. */
  userId?: string;
}

/**
 * The switch for everybody's books. A pause that is set keeps its time, author and reason; flattening pauses as well.
 * @throws `notPaused` when there is nothing to resume; 404 for a user without a book.
 */
export async function switchAllBooks(tx: Queries, asker: Asker, { action, reason, userId }: Switch, quotes?: Quotes) {
  if (userId !== undefined) {
    if (action !== 'flatten') throw invalid('userId', '只有全部平仓可以指定用户');
    return { paused: true, running: (await flattenUser(tx, asker, userId, { reason, quotes })).deals };
  }
  if (action === 'flatten') {
    return { paused: true, running: (await flattenEverybody(tx, asker, { reason, quotes })).deals };
  }
  const { user, now } = asker;
  const standing = (await killSwitchOf(tx))?.pausedAt ?? null;
  if (action === 'resume' && standing === null) throw refused('notPaused');
  if (action === 'resume' || standing === null) {
    await setKillSwitch(tx, { pausedAt: action === 'resume' ? null : now, pausedBy: user.name, reason });
  }
  await moveAllBooks(tx);
  return { paused: action !== 'resume', running: await countReached(tx, 'all') };
}
