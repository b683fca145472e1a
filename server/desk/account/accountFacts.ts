import Big from 'big.js';
import type { HedgeSettings } from '#contract/kinds/hedge/config';
import {
  type AccountPoint,
  fundingOfHedges,
  type LedgerOfLate,
  ledgerOfLate,
  modeOf,
  type Scope,
  type Switches,
  switchesOf,
} from '../../base/db/accounts/account';
import { type AccountRow, accountsOf } from '../../base/db/accounts/venueAccount';
import { type BookRow, killSwitchOf } from '../../base/db/books/book';
import type { Database } from '../../base/db/client';
import { type HedgeRecord, runningHedges } from '../../base/db/hedges/hedge';
import { heldDealLegs, runningCounts } from '../../base/db/strategies/deal';
import { stockedCoin } from '../../base/db/strategies/strategyFigures';
import { dayResult, isLossLimitReached, runningDay } from '../../base/maths/dayBoundary';
import type { Margin } from '../../base/maths/evenMargin';
import { type SourceSymbol, symbolKey } from '../../base/symbolKey';
import { RISK_GUARD } from '../../engine/words';
import { type Clock, INSTRUMENT_KINDS, type Markets } from '../../market/exchange';
import type { Venue, VenueMargin } from '../../market/venue';
import { rankingOf } from '../selection/ranking';
import { type Books, booksOf, equityOf, type HeldLeg, heldLeg } from './holdings';
import type { LedgerTallies } from './ledgerTallies';
import { bitcoinPrice, type Marks, marksOf } from './marks';
import { fundingKey } from './positions';
import { openingOf, type Recorded } from './record';
import { askVenue, type VenueAnswer } from './venueAnswer';

type OpenedDay = Pick<BookRow, 'day' | 'dayBoundary' | 'dayEquity'>;

/** What the day has brought so far, USDT; `null` while the engine has not begun the day. */
export function dayPnl(book: OpenedDay | null, equity: number | null, now: number): number | null {
  if (!book || book.day !== runningDay(book, now).start || book.dayEquity === null || equity === null) return null;
  return dayResult(equity, Number(book.dayEquity));
}

/** Whether the account's daily loss limit keeps entries out: the engine paused for it, or the figures say so before it looked. */
export function isLimitHolding(book: BookRow | null, pnl: number | null, now: number): boolean {
  if (book === null) return false;
  if (book.pausedAt !== null && book.pausedBy === RISK_GUARD) return true;
  return (
    book.lossLiftedDay !== runningDay(book, now).start && pnl !== null && isLossLimitReached(pnl, book.dailyLossLimit)
  );
}

/** What an account has for its derivatives, as its venue counts it: coins at what they back. */
export function marginHeld({ marginBalance, initialMargin, maintenanceMargin }: VenueMargin): Margin {
  const balance = Number(marginBalance);
  return { balance, maintenance: Number(maintenanceMargin), free: Math.max(0, balance - Number(initialMargin)) };
}

/** What is free for new positions, in all wallets; never below nothing. */
export function availableOf({ marginBalance, initialMargin, beside }: VenueMargin): Big {
  const free = new Big(marginBalance).minus(initialMargin);
  return (free.lt(0) ? new Big(0) : free).plus(beside ?? 0);
}

export interface AccountDeps {
  db: Database;
  clock: Clock;
  markets: Markets;
  venue: Venue;
  tallies: LedgerTallies;
}

/** The books of a user's paper accounts, or of one account, at the present marks. */
export interface LiveBooks {
  now: number;
  scope: Scope;
  accounts: AccountRow[];
  switches: Switches;
  settings: HedgeSettings | null;
  hedges: HedgeRecord[];
  /** Deals of all kinds that have not ended. */
  running: number;
  legs: HeldLeg[];
  /** Those of all the user's accounts: the other side of a deal may lie in another one. */
  allLegs: HeldLeg[];
  marks: Marks;
  books: Books;
  /** What each account is worth, USDT; null where it cannot be valued. */
  accountBooks: ReadonlyMap<string, Big | null>;
}

/** Of the hedge desk, as calls write them; null before they were saved. */
export const settingsOf = ({ settings }: Pick<Switches, 'settings'>) => settings as HedgeSettings | null;

/** Reads the books of a user's accounts of one kind of money, or of one account; null for a user who has none, and for no account of the user's. */
export async function liveBooks({ db, clock, markets, tallies }: AccountDeps, scope: Scope): Promise<LiveBooks | null> {
  const now = clock();
  const { userId, accountId } = scope;
  const all = modeOf(scope);
  // What was booked up to here is in what is read after it.
  const own = await accountsOf(db, [userId]);
  const accounts = own.filter(({ id, mode }) => (all === undefined ? accountId === id : mode === all));
  const isIn = (id: string) => accounts.some((account) => account.id === id);
  const switches = accounts.length === 0 ? undefined : (await switchesOf(db, [userId])).get(userId);
  if (switches === undefined) return null;
  const [begun, held, counts, tallied] = await Promise.all([
    runningHedges(db, userId),
    heldDealLegs(db, [userId]),
    runningCounts(db, [userId], accountId === undefined ? { mode: all ?? 'paper' } : { accountId }),
    tallies.of(userId),
  ]);
  const sums = tallied.filter((row) => isIn(row.accountId));
  const allLegs = held.map(heldLeg);
  const legs = allLegs.filter((row) => isIn(row.accountId));
  const hedges = begun.filter(({ id, mode }) =>
    all === undefined ? legs.some(({ deal }) => deal.id === id) : mode === all,
  );
  const running = counts.get(userId) ?? 0;
  const settings = settingsOf(switches);
  const traded: SourceSymbol[] = [...sums.filter(({ quantity }) => !quantity.eq(0)), ...allLegs];
  const marks = await marksOf(markets, traded, now);
  const worthOf = (id: string) =>
    equityOf(
      sums.filter((row) => row.accountId === id),
      marks,
    );
  const accountBooks = new Map(accounts.map(({ id }) => [id, worthOf(id)]));
  const books = booksOf(sums, legs, marks, all === undefined ? 'one' : 'all');
  return { now, scope, accounts, switches, settings, hedges, running, legs, allLegs, marks, books, accountBooks };
}

/** The account now as a point of its record; null while it cannot be valued. */
export function presentOf({ now, books }: Pick<LiveBooks, 'now' | 'books'>, btc: number | null): AccountPoint | null {
  const { equity, transfers, funding, fees } = books;
  if (equity === null) return null;
  return {
    at: now,
    equity: Number(equity),
    transfers: Number(transfers),
    price: Number(equity.minus(transfers).minus(funding).plus(fees)),
    funding: Number(funding),
    fees: Number(fees),
    btc,
  };
}

/** What reading the record takes; null before money came in. */
export async function recordedOf(deps: AccountDeps, live: LiveBooks): Promise<Recorded | null> {
  const { scope } = live;
  const [opening, btc] = await Promise.all([
    openingOf(deps.db, scope),
    live.settings && bitcoinPrice(deps.markets, live.settings.source, live.now),
  ]);
  return opening && { scope, opening, now: live.now, present: presentOf(live, btc) };
}

export interface AccountFacts extends LiveBooks {
  late: LedgerOfLate;
  forAll: Awaited<ReturnType<typeof killSwitchOf>>;
  /** By `fundingKey`. */
  hedgeFunding: ReadonlyMap<string, string>;
  /** Of the accounts whose venues could be asked. */
  answers: VenueAnswer[];
  /** The accounts whose venues could not. */
  unanswered: AccountRow[];
  /** Coin that strategies own, by their mode. */
  stock: Awaited<ReturnType<typeof stockedCoin>>;
  /** By `symbolKey`. */
  betas: ReadonlyMap<string, number | null>;
}

/** Everything beside its record that the state of the accounts is made from; null as `liveBooks`. */
export async function accountFacts(deps: AccountDeps, scope: Scope): Promise<AccountFacts | null> {
  const live = await liveBooks(deps, scope);
  if (live === null) return null;
  const { accounts, settings, legs } = live;
  const [late, forAll, funding, stock, asked] = await Promise.all([
    ledgerOfLate(deps.db, scope, live.now),
    killSwitchOf(deps.db),
    fundingOfHedges(deps.db, [...new Set(legs.map(({ deal }) => deal.id))]),
    stockedCoin(deps.db, scope.userId),
    Promise.all(accounts.map((account) => askVenue(deps.venue, deps.markets, { account, settings }))),
  ]);
  const answers = asked.filter((answer) => answer !== null);
  const held: SourceSymbol[] = [...answers.flatMap(({ positions }) => positions), ...legs];
  const unseen = held.filter((row) => live.marks.get(symbolKey(row)) === undefined);
  const more = unseen.length === 0 ? null : await marksOf(deps.markets, unseen, live.now);
  return {
    ...live,
    late,
    marks: more === null ? live.marks : { get: (key) => live.marks.get(key) ?? more.get(key) },
    forAll,
    hedgeFunding: new Map(funding.map(({ hedgeId, symbol, amount }) => [fundingKey(hedgeId ?? '', symbol), amount])),
    answers,
    stock,
    unanswered: accounts.filter((_, i) => asked[i] === null),
    betas: await betasOf(deps.markets, held),
  };
}

/** 30-day betas to BTC, as the coin selection has them: spot of a coin and what is delivered move as its perpetual does. */
async function betasOf(markets: Markets, held: readonly SourceSymbol[]): Promise<Map<string, number | null>> {
  const betas = new Map<string, number | null>();
  for (const source of new Set(held.map((row) => row.source))) {
    const market = await markets.get(source);
    if (!market) continue;
    const [{ rows }, listed] = await Promise.all([rankingOf(markets, market), market.instruments(INSTRUMENT_KINDS)]);
    const bases = new Map(listed.map(({ symbol, base }) => [symbol, base]));
    const known = new Map(rows.map(({ symbol, beta30 }) => [symbol, beta30]));
    const ofBase = new Map(rows.map(({ symbol, beta30 }) => [bases.get(symbol), beta30]));
    for (const { symbol } of held.filter((row) => row.source === source)) {
      const beta = known.has(symbol) ? known.get(symbol) : ofBase.get(bases.get(symbol));
      betas.set(symbolKey({ source, symbol }), beta ?? null);
    }
  }
  return betas;
}
