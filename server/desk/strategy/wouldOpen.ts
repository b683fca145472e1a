import type { PairBlock } from '#contract/lifecycle';
import type { DueRow, Openings, WaitingRow } from '#contract/opening';
import type { PairWarning } from '#contract/pair';
import type { StrategyKind, StrategyMode } from '#contract/strategy';
import { lockBook } from '../../base/db/books/book';
import { bookRevisions } from '../../base/db/books/bookProgress';
import type { Queries } from '../../base/db/client';
import { strategiesOf } from '../../base/db/strategies/strategy';
import { acceptWarnings, armHeld, holdTargets, standingTargetsOf } from '../../base/db/strategies/target';
import { conflict, notFound } from '../../base/http/refusal';
import { type Brought, type DryRun, dryRun, readBooks } from '../../engine/dryRun';
import type { DeskDeps } from '../deps';
import { namesOf } from './dealRows';

type Needs = Pick<DeskDeps, 'db' | 'clock' | 'markets' | 'venue' | 'pairModels'>;
type Books = Awaited<ReturnType<typeof readBooks>>;
type Target = Omit<DryRun['waiting'][number], 'block' | 'blocks'>;

/** Something after which the engine may open more. */
export interface Act {
  /** Whose books it is about. */
  users: readonly string[];
  /** Of which targets it is to be said and chosen whether they open: the others go on as they are. */
  about: (strategy: { id: string; kind: StrategyKind }, target: { id: string }) => boolean;
  write: (tx: Queries) => Promise<unknown>;
  /** What comes to an account by it. */
  brings?: Brought | undefined;
  /** It ends something, or brings money: what is due without it as well is none of its business, and what is held stays so. */
  isCause?: boolean;
  /** What it makes room for goes on by its rules, but for what is flagged. */
  keeps?: boolean;
  /** Those that it arms: what speaks against them and is shown is accepted with it. */
  names?: readonly string[] | undefined;
  /** Nothing is done: what a person has accepted when it was armed is not flagged any more. */
  isAsItIs?: boolean;
}

/** Blocks that no market lifts: what has one waits for a decision, not for its turn. */
const NOT_WAITING: readonly (PairBlock | null)[] = ['open', 'used', 'unarmed', 'closedByHand', 'disabled'];
/** More of what waits is counted alone. */
const WAITING_SHOWN = 200;

const MOVED = '账本刚刚变动，请核对将要开仓的标的后再确认';
const UNDONE = new Error('undone');

/** Books as an act would leave them, and how far they had moved before it. The act is taken back. @throws what it throws */
async function booksAfter({ db, clock }: Needs, { users, write }: Act) {
  let books: Books = [];
  const revisions = new Map<string, number>();
  try {
    await db.transaction(async (tx) => {
      for (const { userId, revision } of await bookRevisions(tx, users)) revisions.set(userId, revision);
      await write(tx);
      books = await readBooks(tx, users, clock());
      throw UNDONE;
    });
  } catch (error) {
    if (error !== UNDONE) throw error;
  }
  return { books, revisions };
}

const targetsIn = (books: Books, { about }: Act) =>
  books.flatMap(({ strategies }) =>
    [...strategies.values()].flatMap((strategy) => strategy.targets.filter((target) => about(strategy, target))),
  );

/** How far books have moved, all together: it only grows. */
const movedTo = (revisions: ReadonlyMap<string, number>): number =>
  [...revisions.values()].reduce((sum, revision) => sum + revision, 0);

/** What waits to be confirmed is looked at like what is armed. @returns which those are */
function lifted(books: Books, act: Act, isLifted: (id: string) => boolean): Set<string> {
  const found = targetsIn(books, act).filter(({ id, hold }) => hold === 'confirm' && isLifted(id));
  for (const target of found) target.hold = null;
  return new Set(found.map(({ id }) => id));
}

/** @returns what its targets would come to, and what speaks against any. */
async function ranDry(needs: Needs, act: Act, books: Books, takes: (id: string, isFlagged: boolean) => boolean) {
  const own = new Set(targetsIn(books, act).map(({ id }) => id));
  const due: DryRun['due'] = [];
  const waiting: DryRun['waiting'] = [];
  const warnings = new Map<string, PairWarning[]>();
  for (const book of books) {
    const isFlagged = ({ asks, warnings }: Pick<Target, 'asks' | 'warnings'>) =>
      act.isAsItIs ? asks : warnings.length > 0;
    const mayOpen = (row: Pick<Target, 'targetId' | 'asks' | 'warnings'>) =>
      !own.has(row.targetId) || takes(row.targetId, isFlagged(row));
    const run = await dryRun(needs, book, mayOpen, act.brings);
    for (const row of [...run.due, ...run.waiting]) warnings.set(row.targetId, row.warnings);
    due.push(...run.due.filter(({ targetId }) => own.has(targetId)));
    waiting.push(...run.waiting.filter(({ targetId, block }) => own.has(targetId) && !NOT_WAITING.includes(block)));
  }
  return { due, waiting, warnings };
}

/** What would be opened after an act, and what would still wait. Flagged and unconfirmed targets take up nothing. */
export async function openingsAfter(needs: Needs, asker: { id: string }, act: Act): Promise<Openings> {
  const { books, revisions } = await booksAfter(needs, act);
  const closed = targetsIn(books, act).filter(({ hold }) => hold === 'closed').length;
  const unconfirmed = act.isCause ? new Set<string>() : lifted(books, act, () => true);
  const isKept = !act.isCause || act.keeps === true;
  const takes = (id: string, isFlagged: boolean) => isKept && !isFlagged && !unconfirmed.has(id);
  const ran = await ranDry(needs, act, books, takes);
  const before = act.isCause ? await dueAlready(needs, act) : new Set<string>();
  const due = ran.due.filter(({ targetId }) => !before.has(targetId));
  const { waiting } = ran;
  const users = act.users.filter((id) => books.some(({ userId }) => userId === id));
  const strategies = await strategiesOf(needs.db, users);
  const names = new Map(books.map(({ userId, user }) => [userId, user]));
  const of = new Map(strategies.map(({ id, name, mode }) => [id, { strategy: name, mode: mode as StrategyMode }]));
  const told = ({ places, userId, strategyId, kind, targetId, warnings, asks, gauge }: Target) => ({
    ...{ targetId, strategyId, strategy: '', mode: 'paper' as const, ...of.get(strategyId), kind },
    ...{ user: userId === asker.id ? null : (names.get(userId) ?? ''), ...namesOf(places), warnings, gauge },
    asks: asks && !act.names?.includes(targetId),
    unconfirmed: unconfirmed.has(targetId),
  });
  return {
    at: needs.clock(),
    revision: movedTo(revisions),
    due: due.map(
      ({ isTaken, isStock, outside, notional, capital, fees, slippage, worst, ...row }): DueRow => ({
        ...told(row),
        ...(outside && { outside }),
        ...{ opens: isTaken, isStock, notional, capital, fees, slippage, worst },
      }),
    ),
    waiting: waiting
      .slice(0, WAITING_SHOWN)
      .map(({ block, blocks, ...row }): WaitingRow => ({ ...told(row), block, blocks })),
    waitingTotal: waiting.length,
    closed,
  };
}

/** Ids of targets that are to open. */
export interface Named {
  open: readonly string[];
  /** A person was shown what would open, and chose of it. */
  isChosen: boolean;
  /** How far the books had moved when it was shown. */
  seen: number | undefined;
}

/** What was named, as the books stood then. */
export interface Choice {
  /** Undefined where nothing was. */
  named: Named | undefined;
  revisions: ReadonlyMap<string, number>;
  /** Due, and not named. */
  leftOut: string[];
  /** What speaks against those that are to open, as it was shown. */
  accepted: ReadonlyMap<string, PairWarning[]>;
}

/**
 * Finds out what an act would open beside what was named; where nothing was named, what is flagged.
 * @throws 404 for a target that is none of theirs; 409 where a book has moved since it was shown.
 */
export async function choiceOf(needs: Needs, act: Act, named: Named | undefined): Promise<Choice> {
  const open = named && new Set(named.open);
  if (named?.isChosen) await refuseStrangers(needs, act, named.open);
  const { books, revisions } = await booksAfter(needs, act);
  if (named?.seen !== undefined && named.seen !== movedTo(revisions)) throw conflict(MOVED);
  lifted(books, act, (id) => open?.has(id) === true);
  const { due, warnings } = await ranDry(needs, act, books, (id, isFlagged) => open?.has(id) ?? !isFlagged);
  const before = act.isCause ? await dueAlready(needs, act) : new Set<string>();
  const leftOut = due.flatMap(({ isTaken, targetId }) => (isTaken || before.has(targetId) ? [] : [targetId]));
  const isWanted = (id: string) => open?.has(id) || (act.names?.includes(id) && !leftOut.includes(id));
  const accepted = new Map([...warnings].filter(([id, shown]) => shown.length > 0 && isWanted(id)));
  return { named, revisions, leftOut, accepted };
}

/** An act that ends something of users', brings money, or lifts what kept it. */
export const ending = (
  users: readonly string[],
  write: Act['write'],
  { keeps = false, brings }: Pick<Act, 'keeps' | 'brings'> = {},
): Act => ({
  ...{ users, about: () => true, write },
  ...{ isCause: true, keeps, brings },
});

/** What such an act frees: named is none of it, so that all of it waits; where the rest goes on, what is flagged. */
export const freedBy = (needs: Needs, act: Act): Promise<Choice> =>
  choiceOf(needs, act, act.keeps ? undefined : { open: [], isChosen: false, seen: undefined });

/** What the engine would open now if nothing was done. */
async function dueAlready(needs: Needs, act: Act): Promise<Set<string>> {
  const books = await readBooks(needs.db, act.users, needs.clock());
  const { due } = await ranDry(needs, { ...act, brings: undefined }, books, () => true);
  return new Set(due.map(({ targetId }) => targetId));
}

async function refuseStrangers({ db }: Needs, { users }: Act, ids: readonly string[]): Promise<void> {
  const standing = new Set((await standingTargetsOf(db, users)).map(({ id }) => id));
  if (ids.some((id) => !standing.has(id))) throw notFound('没有这个标的');
}

/**
 * Does an act so that it opens at once what was named and nothing else: what was left out waits to be confirmed.
 * @throws 409 where a book has moved since the choice was made.
 */
export async function actAsChosen<T>(
  tx: Queries,
  { name, now }: { name: string; now: number },
  { named, revisions, leftOut, accepted }: Choice,
  work: () => Promise<T>,
): Promise<T> {
  for (const userId of named?.isChosen ? [...revisions.keys()].sort() : []) {
    const book = await lockBook(tx, userId);
    if (book?.revision !== revisions.get(userId)) throw conflict(MOVED);
  }
  const done = await work();
  await holdTargets(tx, leftOut, { hold: 'confirm', at: now, by: name });
  if (named === undefined) return done;
  const open = new Set(named.open);
  const standing = await standingTargetsOf(tx, [...revisions.keys()]);
  const confirmed = standing.filter(({ id, hold }) => hold === 'confirm' && open.has(id));
  await armHeld(
    tx,
    confirmed.map(({ id }) => id),
    now,
  );
  for (const [id, shown] of accepted) await acceptWarnings(tx, id, shown);
  return done;
}
