import { randomUUID } from 'node:crypto';
import Big from 'big.js';
import { sql } from 'drizzle-orm';
import { DAY_MS, HOUR_MS } from '#contract/duration';
import { ledgerOfLate } from '#server/base/db/accounts/account';
import { holdingsOf, ledgerPositions, ledgerSums } from '#server/base/db/accounts/ledger';
import { openedVenues } from '#server/base/db/accounts/venueAccount';
import { wrongSums } from '#server/base/db/records/audit';
import { account, ledger, user } from '#server/base/db/schema';
import { LedgerTallies } from '#server/desk/account/ledgerTallies';
import { testDatabase } from '../support/testDatabase';

type Database = Awaited<ReturnType<typeof testDatabase>>;
type Row = Omit<typeof ledger.$inferInsert, 'userId' | 'reference'>;

const NOW = Date.UTC(2026, 4, 31, 7, 13, 20, 501);
const userId = randomUUID();
const other = randomUUID();

let db: Database;
const booked: Row[] = [];

/** Books rows in one statement, as the engine does, and keeps them to add up. */
async function book(rows: Row[]): Promise<void> {
  await db.insert(ledger).values(rows.map((row, i) => ({ ...row, userId, reference: `row ${booked.length + i}` })));
  booked.push(...rows);
}

beforeAll(async () => {
  db = await testDatabase();
  await db.insert(user).values({ id: userId, name: 'owner', role: 'user', passwordHash: '-', createdAt: 0 });
  await db.insert(account).values([
    { id: userId, userId, venue: 'simulated', mode: 'paper' },
    { id: other, userId, venue: 'simulated-okx', mode: 'paper', name: 'second' },
  ]);
  const place = { source: 'simulated', symbol: 'BTCUSDT' };
  const coin = { source: 'simulated-okx', symbol: 'SOLUSDT_SPOT' };
  await book([
    { accountId: userId, kind: 'transfer', amount: '100000', at: NOW - 40 * DAY_MS },
    { accountId: userId, kind: 'move', amount: '-2500.5', at: NOW - 39 * DAY_MS },
    { accountId: other, kind: 'move', amount: '2500.5', at: NOW - 39 * DAY_MS + HOUR_MS },
  ]);
  // At the edges of a day, of the stretches, and everywhere between; some rows of one kind in one statement.
  const edges = [1, 7, 30].flatMap((days) => [-1, 0, 1].map((ms) => NOW - days * DAY_MS + ms));
  const midnights = [0, 1, 7, 30].flatMap((days) => {
    const midnight = Math.floor((NOW - days * DAY_MS) / DAY_MS) * DAY_MS;
    return [-1, 0, 1].map((ms) => midnight + ms);
  });
  for (const [i, at] of [...edges, ...midnights, NOW - 1, NOW].entries()) {
    const amount = `${(-1) ** i * (1 + i * 0.0137)}`;
    const quantity = `${(-1) ** (i + 1) * (0.25 + i * 0.001)}`;
    await book([
      { accountId: userId, kind: 'fill', ...place, amount, quantity, price: '4', at },
      { accountId: userId, kind: 'fee', ...place, amount: `-0.0${i + 1}`, at },
      { accountId: other, kind: 'funding', ...coin, amount: `0.${i + 1}`, quantity: '3', at },
      { accountId: other, kind: 'fill', ...coin, amount: '-10', quantity: '0.1', price: '100', at },
      { accountId: other, kind: 'fill', ...coin, amount: '-20', quantity: '0.2', price: '100', at },
    ]);
  }
  await book([{ accountId: other, kind: 'fee', asset: 'SOL', ...coin, amount: '-0.5', at: NOW }]);
});

const sum = (rows: readonly Row[], of: (row: Row) => string | null | undefined): number =>
  Number(rows.reduce((total, row) => total.plus(of(row) ?? 0), new Big(0)));
const amount = (row: Row) => row.amount;
const size = (row: Row) => new Big(row.amount).abs().toFixed();

test.each([undefined, userId, other])('what was booked of late begins to the millisecond, in %s', async (accountId) => {
  const own = booked.filter((row) => accountId === undefined || row.accountId === accountId);
  const late = (days: number, kind: string) => own.filter((row) => row.kind === kind && row.at > NOW - days * DAY_MS);
  const found = await ledgerOfLate(db, { userId, ...(accountId === undefined ? {} : { accountId }) }, NOW);
  expect(Object.fromEntries(Object.entries(found).map(([name, value]) => [name, Number(value)]))).toEqual({
    funding1d: sum(late(1, 'funding'), amount),
    funding7d: sum(late(7, 'funding'), amount),
    funding30d: sum(late(30, 'funding'), amount),
    fees30d: sum(late(30, 'fee'), amount),
    traded30d: sum(late(30, 'fill'), size),
  });
});

test('what an account has by the sums is what its rows come to', async () => {
  for (const { accountId, asset, kind, ...found } of await ledgerSums(db, [userId])) {
    const rows = booked.filter(
      (row) => row.accountId === accountId && row.kind === kind && (row.asset ?? 'USDT') === asset,
    );
    expect([Number(found.amount), Number(found.traded)]).toEqual([sum(rows, amount), sum(rows, size)]);
  }
  const held = (symbol: string) =>
    sum(
      booked.filter((row) => row.symbol === symbol && row.kind === 'fill'),
      (row) => row.quantity,
    );
  const positions = await ledgerPositions(db, [userId]);
  expect(positions.map(({ symbol, quantity }) => [symbol, Number(quantity)])).toEqual(
    expect.arrayContaining(['BTCUSDT', 'SOLUSDT_SPOT'].map((symbol) => [symbol, held(symbol)])),
  );
  const cash = (await holdingsOf(db, userId)).reduce((total, row) => total.plus(row.cash), new Big(0));
  expect(Number(cash)).toBe(
    sum(
      booked.filter(({ kind }) => kind !== 'move'),
      amount,
    ),
  );
  expect(await openedVenues(db, userId)).toEqual(new Set(['simulated', 'simulated-okx']));
  expect(await wrongSums(db, userId)).toEqual([]);
});

test('a reading that goes on from an earlier one is that of a fresh reader', async () => {
  const kept = new LedgerTallies(db);
  await kept.of(userId);
  await book([
    { accountId: userId, kind: 'fill', source: 'simulated', symbol: 'ETHUSDT', amount: '-7', quantity: '2', at: NOW },
    { accountId: userId, kind: 'funding', source: 'simulated', symbol: 'BTCUSDT', amount: '0.3', at: NOW },
  ]);
  const plain = (rows: Awaited<ReturnType<LedgerTallies['of']>>) =>
    rows
      .map((row) =>
        JSON.stringify(
          Object.entries(row).map(([name, value]) => [name, typeof value === 'string' ? value : Number(value)]),
        ),
      )
      .sort();
  expect(plain(await kept.of(userId))).toEqual(plain(await new LedgerTallies(db).of(userId)));
});

test('a sum that is not what the rows come to is found', async () => {
  await db.execute(sql`update ledger_total set amount = amount + 1 where symbol = 'BTCUSDT' and kind = 'fee'`);
  await db.execute(sql`delete from ledger_day where kind = 'move'`);
  const wrong = await wrongSums(db, userId);
  expect(wrong.map(({ kind, of }) => `${kind} ${of}`).sort()).toEqual([
    'fee BTCUSDT',
    'move 2026-04-22',
    'move 2026-04-22',
  ]);
});
