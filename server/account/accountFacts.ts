import type { HedgeSettings } from '#contract/hedgeConfig';
import { type AccountPoint, bookSwitches, fundingOfHedges, type LedgerOfLate, ledgerOfLate } from '../db/account';
import type { Database } from '../db/client';
import { type HedgeRecord, runningHedges } from '../db/hedge';
import { killSwitchOf } from '../db/killSwitch';
import type { Clock, Markets } from '../exchange/exchange';
import { type SourceSymbol, symbolKey } from '../exchange/symbolKey';
import type { Venue } from '../exchange/venue';
import { rankingOf } from '../selection/ranking';
import { type Books, booksOf, type HeldLeg, heldLegs } from './holdings';
import type { LedgerTallies } from './ledgerTallies';
import { bitcoinPrice, type Marks, marksOf } from './marks';
import { fundingKey } from './positions';
import { openingOf, type Recorded } from './record';
import { askVenue, type VenueAnswer } from './venueAnswer';

export interface AccountDeps {
  db: Database;
  clock: Clock;
  markets: Markets;
  venue: Venue;
  tallies: LedgerTallies;
}

type Switches = NonNullable<Awaited<ReturnType<typeof bookSwitches>>>;

/** The books of an account at the present marks. */
export interface LiveBooks {
  now: number;
  switches: Switches;
  settings: HedgeSettings | null;
  hedges: HedgeRecord[];
  legs: HeldLeg[];
  marks: Marks;
  books: Books;
}

/** Reads the books of an account; null for a user who has none. */
export async function liveBooks(
  { db, clock, markets, tallies }: AccountDeps,
  userId: string,
): Promise<LiveBooks | null> {
  const now = clock();
  const switches = await bookSwitches(db, userId);
  if (switches === null) return null;
  const [hedges, sums] = await Promise.all([runningHedges(db, userId), tallies.of(userId)]);
  const legs = heldLegs(hedges);
  const settings = switches.settings as HedgeSettings | null;
  const traded: SourceSymbol[] = [...sums.filter(({ quantity }) => !quantity.eq(0)), ...legs];
  const marks = await marksOf(markets, traded, now);
  return { now, switches, settings, hedges, legs, marks, books: booksOf(sums, legs, marks) };
}

/** The account now as a point of its record; null while it cannot be valued. */
function presentOf({ now, books }: LiveBooks, btc: number | null): AccountPoint | null {
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

/** What reading the record of an account takes; null before money came in. */
export async function recordedOf(deps: AccountDeps, userId: string, live: LiveBooks): Promise<Recorded | null> {
  const [opening, btc] = await Promise.all([
    openingOf(deps.db, userId),
    live.settings && bitcoinPrice(deps.markets, live.settings.source, live.now),
  ]);
  return opening && { userId, opening, now: live.now, present: presentOf(live, btc) };
}

export interface AccountFacts extends LiveBooks {
  late: LedgerOfLate;
  forAll: Awaited<ReturnType<typeof killSwitchOf>>;
  /** By `fundingKey`. */
  hedgeFunding: ReadonlyMap<string, string>;
  venue: VenueAnswer | null;
  /** By `symbolKey`. */
  betas: ReadonlyMap<string, number | null>;
}

/** Everything beside its record that the state of an account is made from; null for a user without a book. */
export async function accountFacts(deps: AccountDeps, userId: string): Promise<AccountFacts | null> {
  const live = await liveBooks(deps, userId);
  if (live === null) return null;
  const { switches, settings, hedges } = live;
  const [late, forAll, funding, venue] = await Promise.all([
    ledgerOfLate(deps.db, userId, live.now),
    killSwitchOf(deps.db),
    fundingOfHedges(
      deps.db,
      hedges.map(({ id }) => id),
    ),
    askVenue(deps.venue, deps.markets, { userId, sequence: switches.sequence, settings }),
  ]);
  const held: SourceSymbol[] = [...(venue?.positions ?? []), ...live.legs];
  const unseen = held.filter((row) => live.marks.get(symbolKey(row)) === undefined);
  const more = unseen.length === 0 ? null : await marksOf(deps.markets, unseen, live.now);
  return {
    ...live,
    late,
    marks: more === null ? live.marks : { get: (key) => live.marks.get(key) ?? more.get(key) },
    forAll,
    hedgeFunding: new Map(funding.map(({ hedgeId, symbol, amount }) => [fundingKey(hedgeId ?? '', symbol), amount])),
    venue,
    betas: await betasOf(deps.markets, held),
  };
}

/** 30-day betas to BTC, as the coin selection has them. */
async function betasOf(markets: Markets, held: readonly SourceSymbol[]): Promise<Map<string, number | null>> {
  const betas = new Map<string, number | null>();
  for (const source of new Set(held.map((row) => row.source))) {
    const market = await markets.get(source);
    if (!market) continue;
    for (const { symbol, beta30 } of (await rankingOf(markets, market)).rows) {
      betas.set(symbolKey({ source, symbol }), beta30);
    }
  }
  return betas;
}
