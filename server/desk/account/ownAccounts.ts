import Big from 'big.js';
import type { DataOf } from '#contract/endpoint';
import type { VenueAccount, venueAccount } from '#contract/venueAccount';
import { accountOpenings } from '../../base/db/accounts/account';
import { newestPoints } from '../../base/db/accounts/dayLedger';
import { type AccountRow, accountsOf } from '../../base/db/accounts/venueAccount';
import { marginRatio } from '../../base/maths/evenMargin';
import type { SourceSymbol } from '../../base/symbolKey';
import { type AccountDeps, availableOf, marginHeld } from './accountFacts';
import { equityOf } from './holdings';
import { marksOf } from './marks';
import { inTime } from './venueAnswer';

/** What the venue of an account says of it. */
type Answer = Pick<
  VenueAccount,
  'state' | 'latencyMs' | 'pending' | 'available' | 'withdrawable' | 'marginRatio' | 'positions'
>;

const UNANSWERED: Answer = {
  state: 'failed',
  latencyMs: null,
  pending: null,
  available: null,
  withdrawable: null,
  marginRatio: null,
  positions: null,
};

const money = (value: Big): string => value.round(8).toFixed();

/** A user's accounts at all venues as they are now, the first one before the others. */
export async function ownAccounts(deps: AccountDeps, userId: string): Promise<DataOf<typeof venueAccount.list>> {
  const { db, clock, markets, tallies } = deps;
  const now = clock();
  const [accounts, sums, openings, points] = await Promise.all([
    accountsOf(db, [userId]),
    tallies.of(userId),
    accountOpenings(db, userId),
    newestPoints(db, [userId]),
  ]);
  const held: SourceSymbol[] = sums.filter(({ quantity }) => !quantity.eq(0));
  const marks = await marksOf(markets, held, now);
  const answers = await Promise.all(accounts.map((account) => inTime(answerOf(deps, account))));
  const worths = accounts.map(({ id }) =>
    equityOf(
      sums.filter(({ accountId }) => accountId === id),
      marks,
    ),
  );
  const inTransit = sums.reduce((sum, { moved }) => sum.minus(moved), new Big(0));
  // Between real accounts nothing is on its way here.
  const totals = { paper: inTransit as Big | null, live: new Big(0) as Big | null };
  accounts.forEach(({ mode }, i) => {
    const [sum, worth] = [totals[modeOf(mode)], worths[i]];
    totals[modeOf(mode)] = sum && worth ? sum.plus(worth) : null;
  });
  const list = accounts.map((account, i): VenueAccount => {
    const equity = worths[i]!;
    const total = totals[modeOf(account.mode)];
    return {
      id: account.id,
      name: account.name,
      venue: account.venue,
      mode: modeOf(account.mode),
      openedAt: openings.get(account.id) ?? null,
      recordedAt: points.get(account.id) ?? null,
      equity: equity && money(equity),
      share: equity && total?.gt(0) ? equity.div(total).toNumber() : null,
      ...(answers[i] ?? UNANSWERED),
    };
  });
  return { at: now, list, inTransit: money(inTransit), total: totals.paper && money(totals.paper) };
}

const modeOf = (mode: string): VenueAccount['mode'] => (mode === 'live' ? 'live' : 'paper');

async function answerOf({ venue, markets, clock }: AccountDeps, account: AccountRow): Promise<Answer> {
  const { id, sequence } = account;
  // Of an account that holds nothing the venue would not have to know a price.
  if ((await markets.get(account.venue))?.isOut(clock())) throw new Error('the venue is out');
  const asked = performance.now();
  const [positions, margin] = await Promise.all([venue.positions(id), venue.margin(id)]);
  const latencyMs = performance.now() - asked;
  return {
    state: 'ok',
    withdrawable: margin.spendable,
    available: money(availableOf(margin)),
    marginRatio: marginRatio(marginHeld(margin)),
    positions: positions.length,
    pending: (await venue.events(id, sequence)).length,
    latencyMs: Math.round(latencyMs * 10) / 10,
  };
}
