import type { User } from '#contract/user';
import { type BookRow, lockBook, moveAllBooks, moveBook } from '../db/book';
import type { Queries } from '../db/client';
import { askFlatten, countRunning, isId } from '../db/hedge';
import { findDesk, switchDesk } from '../db/hedgeConfig';
import { killSwitchOf, setKillSwitch } from '../db/killSwitch';
import { invalid, notFound, refused } from '../http/refusal';
import { runningDay } from '../maths/dayBoundary';

/** Who asks and when (UTC ms). */
export interface Asker {
  user: Pick<User, 'id' | 'name'>;
  now: number;
}

const FLATTENED = '全部平仓';

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

/** Switches entries on or off; answers how many hedges run on. A switch that is set already keeps its time. */
export async function switchBook(tx: Queries, { user, now }: Asker, enabled: boolean) {
  const { desk } = await ownDesk(tx, user.id);
  if (enabled && desk.tripped !== null) throw refused('deskTripped');
  if (desk.enabled !== enabled) await switchDesk(tx, user.id, enabled, { at: now, by: user.name });
  await moveBook(tx, user.id);
  return { enabled, running: await countRunning(tx, user.id) };
}

/** Keeps entries out; a pause that is set keeps its time, author and reason. */
export async function pauseBook(tx: Queries, { user, now }: Asker, reason: string) {
  const { pausedAt } = await ownBook(tx, user.id);
  await moveBook(tx, user.id, pausedAt === null ? { pausedAt: now, pausedBy: user.name, pauseReason: reason } : {});
  return { paused: true };
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
export async function flattenBook(tx: Queries, asker: Asker) {
  return flatten(tx, asker, await ownBook(tx, asker.user.id), FLATTENED);
}

/** The same for a locked book of any user. A pause that is set keeps its time, author and reason. */
async function flatten(tx: Queries, { user, now }: Asker, { userId, pausedAt }: BookRow, reason: string) {
  await moveBook(tx, userId, {
    flattenAskedAt: now,
    flattenAskedBy: user.name,
    ...(pausedAt === null ? { pausedAt: now, pausedBy: user.name, pauseReason: reason } : {}),
  });
  await askFlatten(tx, now, userId);
  return { running: await countRunning(tx, userId) };
}

interface Switch {
  action: 'pause' | 'resume' | 'flatten';
  reason: string;
  /** Whose book alone is flattened. */
  userId?: string;
}

/** Flattens and pauses one user's book for a master; the switch for everybody stays as it is. */
async function flattenUser(tx: Queries, asker: Asker, { action, reason }: Switch, userId: string) {
  if (action !== 'flatten') throw invalid('userId', '只有全部平仓可以指定用户');
  const book = isId(userId) ? await lockBook(tx, userId) : null;
  if (book === null) throw notFound('没有这个用户的对冲账本');
  return { paused: true, ...(await flatten(tx, asker, book, reason)) };
}

/**
 * The switch for everybody's books. A pause that is set keeps its time, author and reason; flattening pauses as well.
 * @throws `notPaused` when there is nothing to resume; 404 for a user without a book.
 */
export async function switchAllBooks(tx: Queries, asker: Asker, turn: Switch) {
  const { action, reason, userId } = turn;
  if (userId !== undefined) return flattenUser(tx, asker, turn, userId);
  const { user, now } = asker;
  const standing = (await killSwitchOf(tx))?.pausedAt ?? null;
  if (action === 'resume' && standing === null) throw refused('notPaused');
  if (action === 'resume' || standing === null) {
    await setKillSwitch(tx, { pausedAt: action === 'resume' ? null : now, pausedBy: user.name, reason });
  }
  await moveAllBooks(tx, action === 'flatten' ? { flattenAskedAt: now, flattenAskedBy: user.name } : {});
  if (action === 'flatten') await askFlatten(tx, now);
  return { paused: action !== 'resume', running: await countRunning(tx) };
}
