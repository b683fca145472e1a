import { randomUUID } from 'node:crypto';
import { and, eq, sql } from 'drizzle-orm';
import type { AccountDay, AccountState, AccountStops, AllAccounts, EquityCurve } from '#contract/account';
import { DAY_MS, HOUR_MS } from '#contract/duration';
import { DEFAULT_SETTINGS } from '#contract/kinds/hedge/config';
import { hedge } from '#server/base/db/hedges/hedgeView';
import {
  account,
  book,
  equityPoint,
  killSwitch,
  paperAccount,
  paperEvent,
  paperPosition,
  user,
} from '#server/base/db/schema';
import { DailyCloses } from '#server/desk/account/record';
import { createPaperVenue } from '#server/market/paper/paperVenue';
import { hashPassword } from '#server/people/auth/password';
import { fileApp } from '../support/app';
import { addBook, addHedges, addLedger, addPair, addPoints, changeHedges } from '../support/bookRows';
import { type HandCoin, handMarket, handMarkets } from '../support/handMarket';
import { fileDatabase } from '../support/testDatabase';

const NOW = Date.UTC(2026, 0, 15, 12);
const OPENED = Date.UTC(2025, 11, 6, 12);
/** 16:00 UTC, at which the owner's days begin: 00:00 in Beijing. */
const MIDNIGHT = Date.UTC(2026, 0, 14, 16);
const NEXT = NOW + 4 * HOUR_MS;

const bitcoin = Array.from({ length: 40 }, (_, i) => 100 * Math.exp(0.05 * Math.sin(i)));
const coin = (power: number, ticker: HandCoin['ticker'], days = 40): HandCoin => ({
  start: NOW - 12 * HOUR_MS - days * DAY_MS,
  closes: { '1d': bitcoin.slice(-days).map((price) => price ** power) },
  ticker: { at: NOW, ...ticker },
});

const market = handMarket('simulated', {
  BTCUSDT: coin(1, { price: 100, turnover24h: 2e9 }),
  AAAUSDT: coin(2, { price: 109, mark: 110, turnover24h: 5e7, fundingRate: 0.0001, nextFundingAt: NEXT }),
  BBBUSDT: coin(1, { price: 48, mark: 48, turnover24h: 1e9, fundingRate: -0.0002, nextFundingAt: NEXT }),
  CCCUSDT: coin(0.5, { price: 2, turnover24h: 1e7, fundingRate: 0.01, nextFundingAt: NEXT + HOUR_MS }),
  DDDUSDT: coin(1, { price: 10, turnover24h: 2e8 }, 5),
  AAAUSDT_SPOT: { ...coin(2, { price: 100, mark: 100 }), base: 'AAA', instrument: { kind: 'spot' } },
});
const markets = handMarkets(market);

let failing = false;
/** Ids by name. */
const people: Record<string, string> = {};
const PASSWORD = 'nobody-guesses-this';
/** As the console writes. */
const HERE = { host: 'localhost:8000', origin: 'http://localhost:8000' };

async function ask<T>(path: string, who: string, query: Record<string, unknown> = {}) {
  const params = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  const cookie = who === 'visitor' ? undefined : await server.signIn(who, PASSWORD);
  const headers = { host: 'localhost:8000', ...(cookie === undefined ? {} : { cookie }) };
  const answer = await server.app.inject({ url: `/api/account${path}?${params}`, headers });
  return { status: answer.statusCode, ...(answer.json() as { code: number; data: T }) };
}
const stateOf = async (who: string) => (await ask<{ account: AccountState | null }>('', who)).data.account!;

async function addUser(name: string): Promise<string> {
  const [row] = await db
    .insert(user)
    .values({ name, role: 'user', passwordHash: await hashPassword(PASSWORD), createdAt: OPENED })
    .returning({ id: user.id });
  people[name] = row!.id;
  return row!.id;
}

interface Legs {
  longQuantity?: string;
  longCost?: string;
  shortQuantity?: string;
  shortCost?: string;
}

async function addHedge(userId: string, long: string, short: string, legs: Legs, rest: object = {}): Promise<string> {
  const id = randomUUID();
  const row = { userId, source: 'simulated', long, short, createdAt: OPENED };
  const pairId = await addPair(db, { armedAt: OPENED, removedAt: OPENED, ...row });
  const settings = { ...DEFAULT_SETTINGS, leverage: 10 };
  await addHedges(db, { id, pairId, ...row, state: 'open', stateAt: OPENED, settings, ratio: 1, ...legs, ...rest });
  return id;
}

let entries = 0;
async function enter(userId: string, kind: string, amount: string, at: number, rest: object = {}): Promise<void> {
  entries += 1;
  await addLedger(db, { userId, kind, amount, at, reference: `test:${entries}`, ...rest });
}
const of = (dealId: string | null, symbol: string, quantity?: string) => ({
  ...{ dealId, symbol, source: 'simulated' },
  ...(quantity === undefined ? {} : { quantity }),
});

interface Point {
  at: number;
  equity: number;
  transfers: number;
  price: number;
  funding: number;
  fees: number;
}
const pointOf = (userId: string, { price, ...rest }: Point) => ({
  ...{ userId, slippage: 0, traded: 0, net: 0, gross: 0, btc: 80 },
  ...{ longPnl: price + 10, shortPnl: -10 },
  ...rest,
});

/** Puts a position at the venue's account, in place of another. */
async function atVenue(symbol: string, change: { symbol?: string; quantity: string }, sequence = 3): Promise<void> {
  const account = people.owner!;
  await db
    .update(paperPosition)
    .set(change)
    .where(and(eq(paperPosition.account, account), eq(paperPosition.symbol, symbol)));
  const moved = { revision: sql`${paperAccount.revision} + 1`, sequence };
  await db.update(paperAccount).set(moved).where(eq(paperAccount.account, account));
}
const setBook = (change: Partial<typeof book.$inferInsert>) =>
  db.update(book).set(change).where(eq(book.userId, people.owner!));
const hedgeOf = async (long: string) => {
  const rows = await db.select().from(hedge).where(eq(hedge.userId, people.owner!));
  return rows.find((row) => row.long === long)!.id;
};

/** Opened with 450, 50 more today; AAA/BBB on both legs, CCC on one, and 5 DDD at the venue that nobody accounts for. */
async function addOwner(): Promise<void> {
  const id = await addUser('owner');
  const paused = { pausedAt: NOW - HOUR_MS, pausedBy: 'owner' };
  const saved = { settings: DEFAULT_SETTINGS, at: OPENED, by: 'owner' };
  await addBook(db, id, { enabled: true, sequence: 3, dayBoundary: 960, ...paused }, saved);
  const pair = await addHedge(
    id,
    'AAAUSDT',
    'BBBUSDT',
    { longQuantity: '10', longCost: '1000', shortQuantity: '-20', shortCost: '-1000' },
    { openedAt: NOW - 2 * DAY_MS },
  );
  const alone = await addHedge(id, 'CCCUSDT', 'BBBUSDT', { longQuantity: '100', longCost: '200' });
  await addHedge(
    id,
    'DDDUSDT',
    'BBBUSDT',
    {},
    { state: 'closed', openedAt: NOW - 5 * DAY_MS, closedAt: NOW - 3 * DAY_MS },
  );
  await enter(id, 'transfer', '450', OPENED);
  await enter(id, 'transfer', '50', NOW - 9.5 * HOUR_MS);
  await enter(id, 'fill', '-1000', NOW - 2 * DAY_MS, of(pair, 'AAAUSDT', '10'));
  await enter(id, 'fill', '1000', NOW - 2 * DAY_MS, of(pair, 'BBBUSDT', '-20'));
  await enter(id, 'fee', '-0.5', NOW - 2 * DAY_MS, of(pair, 'AAAUSDT'));
  await enter(id, 'fee', '-0.5', NOW - 31 * DAY_MS, of(pair, 'BBBUSDT'));
  await enter(id, 'fill', '-200', NOW - HOUR_MS, of(alone, 'CCCUSDT', '100'));
  await enter(id, 'fee', '-0.1', NOW - HOUR_MS, of(alone, 'CCCUSDT'));
  await enter(id, 'funding', '3', NOW - 2 * HOUR_MS, of(pair, 'BBBUSDT', '-20'));
  await enter(id, 'funding', '5', NOW - 3 * DAY_MS, of(pair, 'AAAUSDT', '10'));
  await enter(id, 'funding', '7', NOW - 20 * DAY_MS, of(pair, 'AAAUSDT', '10'));
  await enter(id, 'funding', '11', NOW - 35 * DAY_MS, of(pair, 'AAAUSDT', '10'));
  await addPoints(
    db,
    pointOf(id, { at: Date.UTC(2025, 11, 20), equity: 900, transfers: 450, price: 450, funding: 0, fees: 0 }),
    pointOf(id, { at: MIDNIGHT, equity: 600, transfers: 450, price: 149, funding: 2, fees: 1 }),
    pointOf(id, { at: NOW - 10 * HOUR_MS, equity: 630, transfers: 450, price: 178, funding: 3, fees: 1 }),
    pointOf(id, { at: NOW - 9 * HOUR_MS, equity: 682, transfers: 500, price: 180, funding: 3, fees: 1 }),
  );
  await db.insert(paperAccount).values({ account: id, cash: '274.9', sequence: 3, fundedUntil: NOW });
  const held = { AAAUSDT: '10', BBBUSDT: '-20', CCCUSDT: '100', DDDUSDT: '5' };
  for (const [symbol, quantity] of Object.entries(held)) {
    await db.insert(paperPosition).values({ account: id, source: 'simulated', symbol, quantity, leverage: 10 });
  }
}

/** A hedge in a coin that has no price any more, and one that the venue knows nothing of. */
async function addOther(): Promise<void> {
  const id = await addUser('other');
  await addBook(db, id);
  await enter(id, 'transfer', '777', OPENED);
  await enter(id, 'fill', '-10', NOW - DAY_MS, of(null, 'GONEUSDT', '1'));
  await addHedge(id, 'GONEUSDT', 'BBBUSDT', {
    longQuantity: '1',
    longCost: '10',
    shortQuantity: '-2',
    shortCost: '-90',
  });
  await db.insert(paperAccount).values({ account: id, cash: '767', sequence: 1, fundedUntil: NOW });
}

const db = await fileDatabase();
await addOwner();
await addOther();
await addUser('newcomer');
const clock = () => NOW;
const venue = createPaperVenue({ db, clock, markets, faults: { failPositions: () => failing }, shared: () => true });
const server = await fileApp({ db, clock, markets, venue });

describe('GET /api/account', () => {
  test('money: equity is cash and positions at their marks, less what is tied up', async () => {
    const state = await stateOf('owner');
    // 450 + 50 - 1000 + 1000 - 200 - 1.1 + 26 = 324.9; + 10 x 110 - 20 x 48 + 100 x 2
    expect(state).toMatchObject({ equity: '664.9', net: '164.9', unrealised: '140', venue: 'ok', unpriced: [] });
    // (1100 + 960 + 200 + 50) / 10 is tied up.
    expect(state.available).toBe('433.9');
    expect(state.balances).toEqual([
      {
        accountId: people.owner,
        asset: 'USDT',
        total: '664.9',
        available: '433.9',
        frozen: '231',
        value: '664.9',
        share: 1,
      },
    ]);
    expect(state).toMatchObject({ openedAt: OPENED, running: 2, enabled: true, pausedForAll: null });
    expect(state.paused).toEqual({ at: NOW - HOUR_MS, by: 'owner', reason: '' });
  });

  test('today: since the start of its own day, time-weighted, the transfer taken out', async () => {
    const { today, day } = await stateOf('owner');
    expect(today!.since).toBe(MIDNIGHT);
    expect(day).toEqual({ start: MIDNIGHT, end: MIDNIGHT + DAY_MS });
    expect(today!.pnl).toBeCloseTo(664.9 - 600 - 50, 9);
    expect(today!.return).toBeCloseTo((630 / 600) * ((682 - 50) / 630) * (664.9 / 682) - 1, 12);
  });

  test('what the loss limit counts from is what today is counted from', async () => {
    await setBook({ day: MIDNIGHT, dayEquity: '700' });
    expect((await stateOf('owner')).today!.pnl).toBeCloseTo(664.9 - 700, 9);
    // A day that the engine has not begun yet is counted by the record.
    await setBook({ day: MIDNIGHT - DAY_MS });
    expect((await stateOf('owner')).today!.pnl).toBeCloseTo(664.9 - 600 - 50, 9);
    await setBook({ day: null, dayEquity: null });
  });

  test('drawdown from the highest daily close, the days since, and the 30 days a year', async () => {
    const state = await stateOf('owner');
    const growth = (600 / 450) * ((664.9 - 50) / 600);
    expect(state.drawdown).toBeCloseTo(growth / 2 - 1, 12);
    expect(state.underWaterDays).toBeCloseTo(26.5, 12);
    // The last close that is 30 days old is the opening, 40 days ago.
    expect(state.annualised30d).toBeCloseTo(((growth - 1) * 365) / 40, 9);
  });

  test('risk: margin ratio, leverage, neutrality, the nearest liquidation and the largest coin', async () => {
    const { risk } = await stateOf('owner');
    // 1100 x 0.015 + 960 x 0.005 + 200 x 0.02 + 50 x 0.01
    expect(risk.marginRatio).toBeCloseTo(25.8 / 664.9, 12);
    expect(risk.leverage).toBeCloseTo(2310 / 664.9, 12);
    expect(risk.net).toBeCloseTo(390, 9);
    expect(risk.neutrality).toBeCloseTo(390 / 2310, 12);
    const price = (9.3 - 664.9 + 1100) / (10 * (1 - 0.015));
    expect(risk.nearest!.symbol).toBe('AAAUSDT');
    expect(risk.nearest!.price).toBeCloseTo(price, 9);
    expect(risk.nearest!.distance).toBeCloseTo((110 - price) / 110, 12);
    // At that price the account's margin ratio is 1.
    expect(664.9 + 10 * (price - 110)).toBeCloseTo(9.3 + 10 * price * 0.015, 9);
    expect(risk.largest).toEqual({ symbol: 'AAAUSDT', share: 1100 / 2310 });
    // DDD has five days of history.
    expect(risk).toMatchObject({ betaExposure: null, withoutBeta: ['DDDUSDT'] });
  });

  test('beta-weighted exposure where every coin has a beta', async () => {
    await atVenue('DDDUSDT', { symbol: 'BTCUSDT', quantity: '1' });
    const { risk } = await stateOf('owner');
    expect(risk.betaExposure).toBeCloseTo(2 * 1100 - 960 + 0.5 * 200 + 100, 6);
    await atVenue('BTCUSDT', { symbol: 'DDDUSDT', quantity: '5' });
  });

  test('carry: the next settlement, what was received and what was paid', async () => {
    const { carry } = await stateOf('owner');
    expect(carry.next!).toMatchObject({ at: NEXT, positions: 2 });
    expect(carry.next!.amount).toBeCloseTo(-10 * 110 * 0.0001 + 20 * 48 * -0.0002, 12);
    expect(carry).toMatchObject({ funding1d: '3', funding7d: '8', funding30d: '15', fees30d: '0.6' });
    expect(carry).toMatchObject({ traded30d: '2200', fee: { maker: 0.0002, taker: 0.0005 } });
  });

  test('positions: what the venue holds, with entry, result and the hedge behind it', async () => {
    const { positions } = await stateOf('owner');
    expect(positions!.map(({ symbol }) => symbol)).toEqual(['AAAUSDT', 'BBBUSDT', 'CCCUSDT', 'DDDUSDT']);
    const [first, second, third] = positions!;
    expect(first).toMatchObject({
      side: 'long',
      quantity: '10',
      notional: '1100',
      entryPrice: '100',
      markPrice: '110',
    });
    expect(first).toMatchObject({
      leverage: 10,
      unrealised: '100',
      roe: 1,
      funding: '23',
      unexplained: '0',
      badges: [],
    });
    expect(first!.hedges).toMatchObject([{ long: 'AAAUSDT', short: 'BBBUSDT', leg: 'long', quantity: '10' }]);
    expect(second).toMatchObject({ side: 'short', quantity: '-20', unrealised: '40', funding: '3' });
    expect(second!.roe).toBeCloseTo(0.4, 12);
    expect(second!.liquidationPrice).toBeCloseTo((21 - 664.9 - 960) / (-20 * 1.005), 9);
    expect(third!.liquidationPrice).toBeNull();
  });

  test('badges: one leg, an orphan, out of balance', async () => {
    const badges = async () => (await stateOf('owner')).positions!.map((row) => row.badges);
    expect(await badges()).toEqual([[], [], ['oneLeg'], ['orphan']]);
    // 1320 against 960: the long leg is 180 above the middle of 2280, beyond 5 %.
    await changeHedges(db, [await hedgeOf('AAAUSDT')], { longQuantity: '12', longCost: '1200' });
    await atVenue('AAAUSDT', { quantity: '12' });
    expect(await badges()).toEqual([['unbalanced'], ['unbalanced'], ['oneLeg'], ['orphan']]);
    await changeHedges(db, [await hedgeOf('AAAUSDT')], { longQuantity: '10', longCost: '1000' });
    await atVenue('AAAUSDT', { quantity: '10' });
  });

  test('a venue that answers nobody is named as long as it is out', async () => {
    const outages = async () => (await ask<AccountStops>('/stops', 'owner')).data.outages;
    expect(await outages()).toEqual([]);
    const { isOut } = market;
    market.isOut = () => true;
    try {
      expect(await outages()).toEqual(['simulated']);
    } finally {
      market.isOut = isOut;
    }
  });

  test('what no deal explains is ignored while it stays the same quantity, by the owner of the account alone', async () => {
    const badges = async () => (await stateOf('owner')).positions!.map((row) => row.badges).at(-1);
    const ignore = async (who: string, change: object = {}) => {
      const { body: answer, statusCode } = await server.app.inject({
        ...{ method: 'PUT', url: '/api/account/ignored' },
        headers: { ...HERE, cookie: await server.signIn(who, PASSWORD) },
        body: { accountId: people.owner, source: 'simulated', symbol: 'DDDUSDT', ignored: true, ...change },
      });
      return { status: statusCode, ...JSON.parse(answer) };
    };
    expect(await ignore('other')).toMatchObject({ status: 404 });
    expect(await ignore('owner', { symbol: 'AAAUSDT' })).toMatchObject({
      status: 400,
      data: { fields: [{ field: 'symbol' }] },
    });
    failing = true;
    expect(await ignore('owner')).toMatchObject({ code: 6014 });
    failing = false;
    expect(await badges()).toEqual(['orphan']);
    expect(await ignore('owner')).toMatchObject({ data: { unexplained: '5' } });
    expect(await badges()).toEqual(['ignored']);
    await atVenue('DDDUSDT', { quantity: '6' });
    expect(await badges()).toEqual(['orphan']);
    await atVenue('DDDUSDT', { quantity: '5' });
    expect(await badges()).toEqual(['ignored']);
    expect(await ignore('owner', { ignored: false })).toMatchObject({ data: { unexplained: null } });
    expect(await badges()).toEqual(['orphan']);
  });

  test('a fill that is not booked yet makes no orphan', async () => {
    const event = { kind: 'fill', sequence: 4, source: 'simulated', symbol: 'DDDUSDT' };
    await db.insert(paperEvent).values({ account: people.owner!, sequence: 4, event });
    await atVenue('DDDUSDT', { quantity: '5' }, 4);
    expect((await stateOf('owner')).positions![3]).toMatchObject({ symbol: 'DDDUSDT', badges: [] });
    await db.delete(paperEvent);
    await atVenue('DDDUSDT', { quantity: '5' }, 3);
  });

  test('a venue that cannot be asked is never flat', async () => {
    failing = true;
    const state = await stateOf('owner');
    failing = false;
    expect(state).toMatchObject({ venue: 'failed', positions: null, available: null, equity: '664.9' });
    expect(state.risk).toMatchObject({ marginRatio: null, leverage: null, gross: null, nearest: null });
    expect(state.carry).toMatchObject({ next: null, funding1d: '3' });
    expect(state.balances[0]).toMatchObject({ total: '664.9', available: null, frozen: null });
  });

  test('without a price nothing is guessed; what the venue lacks is told; nobody sees the money of others', async () => {
    const state = await stateOf('other');
    expect(state).toMatchObject({ unpriced: ['GONEUSDT'], equity: null, net: null, unrealised: null, today: null });
    expect(state).toMatchObject({ drawdown: null, annualised30d: null, running: 1 });
    expect(state.carry).toMatchObject({ funding30d: '0', fees30d: '0' });
    expect(state.positions).toMatchObject([
      { symbol: 'BBBUSDT', side: 'short', quantity: '0', notional: '0', unexplained: '2', badges: ['missing'] },
      { symbol: 'GONEUSDT', side: 'long', quantity: '0', notional: null, unexplained: '-1', badges: ['missing'] },
    ]);
  });

  test('whose money is not booked yet has no account, not an empty one; the switch for all is told', async () => {
    expect((await ask('', 'newcomer')).data).toEqual({ at: NOW, account: null });
    await db.insert(killSwitch).values({ id: 'all', pausedAt: NOW, pausedBy: 'master', reason: '维护' });
    expect((await stateOf('owner')).pausedForAll).toEqual({ at: NOW, by: 'master', reason: '维护' });
  });
});

describe('GET /api/account/all', () => {
  const all = async (query: Record<string, unknown> = {}, who = 'owner') => ask<AllAccounts>('/all', who, query);
  const setRole = (role: string) => db.update(user).set({ role }).where(eq(user.id, people.owner!));

  test('has each account as its own screen has it; what cannot be valued leaves the sum open', async () => {
    await setRole('master');
    const { data } = await all();
    expect(data.users.map(({ name }) => name)).toEqual(['other', 'owner']);
    const [other, owner] = data.list;
    const own = await stateOf('owner');
    expect(owner).toMatchObject({ user: 'owner', equity: Number(own.equity), net: Number(own.net), paused: true });
    expect(owner).toMatchObject({ todayPnl: own.today!.pnl, running: own.running, openedAt: OPENED });
    expect(owner!.drawdown).toBeCloseTo(own.drawdown!, 12);
    expect(other).toMatchObject({ user: 'other', equity: null, net: null, drawdown: null, unpriced: ['GONEUSDT'] });
    expect(data.total).toMatchObject({ equity: null, todayPnl: null, drawdown: null, running: 3 });
  });

  test('of one user is that account by day: from its opening to now, on one scale with BTC', async () => {
    const { total, list, curve, users } = (await all({ userId: people.owner })).data;
    expect(users).toHaveLength(2);
    expect(list.map(({ user: name }) => name)).toEqual(['owner']);
    const { equity, drawdown, running } = list[0]!;
    expect(total).toMatchObject({ equity, drawdown, running });
    expect([curve.time[0], curve.time.at(-1), curve.time.at(-2)]).toEqual([OPENED, NOW, NOW - (NOW % DAY_MS)]);
    expect([curve.equity[0], curve.equity.at(-1)]).toEqual([450, 664.9]);
    expect([curve.index[0], curve.btc[0], curve.drawdown[0]]).toEqual([100, 100, 0]);
    expect(curve.index.at(-2)).toBeCloseTo((600 / 450) * 100, 9);
    // 50 of it came in today.
    expect(curve.index.at(-1)).toBeCloseTo(((664.9 - 50) / 450) * 100, 9);
    expect((await all({ userId: 'nobody' })).data).toMatchObject({ list: [], total: { equity: 0, sharpe: null } });
    await setRole('user');
  });
});

describe('GET /api/account/equity', () => {
  const curveOf = async (who: string, range: string) => (await ask<EquityCurve>('/equity', who, { range })).data;

  test('the curve of a day, its drawdown and BTC from 100', async () => {
    const curve = await curveOf('owner', '1d');
    expect(curve.time).toEqual([Date.UTC(2025, 11, 20), MIDNIGHT, NOW - 10 * HOUR_MS, NOW - 9 * HOUR_MS, NOW]);
    expect(curve.equity).toEqual([900, 600, 630, 682, 664.9]);
    expect(curve.index[1]).toBeCloseTo((600 / 900) * 100, 9);
    expect(curve.btc).toEqual([100, 100, 100, 100, 125]);
    expect(curve.drawdown[0]).toBe(0);
    const { drawdown } = await stateOf('owner');
    expect(curve.drawdown[4]).toBeCloseTo(drawdown!, 2);
  });

  test('marks of what was opened, closed and moved', async () => {
    const { marks, marksLeftOut } = await curveOf('owner', '7d');
    expect(marksLeftOut).toBe(0);
    expect(marks).toEqual([
      { at: NOW - 5 * DAY_MS, kind: 'open', text: 'DDDUSDT / BBBUSDT' },
      { at: NOW - 3 * DAY_MS, kind: 'close', text: 'DDDUSDT / BBBUSDT' },
      { at: NOW - 2 * DAY_MS, kind: 'open', text: 'AAAUSDT / BBBUSDT' },
      { at: NOW - 9.5 * HOUR_MS, kind: 'transfer', text: '50' },
    ]);
    expect((await curveOf('owner', 'all')).time[0]).toBe(OPENED);
  });

  test('a long record is thinned', async () => {
    const id = await addUser('veteran');
    await addBook(db, id);
    await enter(id, 'transfer', '1000', NOW - 90 * DAY_MS);
    await db.execute(sql`insert into equity_point
      (user_id, account_id, at, equity, transfers, funding, fees, slippage, traded, long_pnl, short_pnl, net, gross, btc)
      select ${id}, ${id}, ${NOW}::bigint - i * 300000, 1000 + i, 1000, 0, 0, 0, 0, i, 0, 0, 0, 80
      from generate_series(0, ${90 * 288 - 1}::bigint) i`);
    for (const [range, points] of Object.entries({ '1d': 289, '7d': 1009, '30d': 1441, '90d': 1081, all: 1081 })) {
      const { time } = await curveOf('veteran', range);
      expect(time.length).toBeGreaterThan(points - 3);
      expect(time.length).toBeLessThanOrEqual(points + 1);
    }
  });

  test('daily closes that were kept are those read anew, while one account records later than the other', async () => {
    const id = await addUser('keeper');
    await addBook(db, id);
    const second = randomUUID();
    await db.insert(account).values({ id: second, userId: id, venue: 'simulated-okx', mode: 'paper', name: 'second' });
    const begin = Date.UTC(2025, 9, 1);
    const opening = { at: begin, equity: 1000, transfers: 1000, price: 0, funding: 0, fees: 0, btc: null };
    const keeping = new DailyCloses(db);
    const recorded = async (accountId: string, hours: number) => {
      const sums = { equity: 500 + hours, transfers: 500, price: hours, funding: 0, fees: 0 };
      await db.insert(equityPoint).values({ ...pointOf(id, { at: begin + hours * HOUR_MS, ...sums }), accountId });
    };
    const closesAfter = async (hours: number) => {
      const now = begin + hours * HOUR_MS;
      const asked = { scope: { userId: id }, opening, present: { ...opening, at: now, equity: 1 }, now };
      const closes = await keeping.of(asked);
      expect(closes).toEqual(await new DailyCloses(db).of(asked));
      return closes.map(({ equity }) => equity);
    };
    for (let hours = 6; hours <= 24 * 6; hours += 6) {
      await recorded(id, hours);
      await closesAfter(hours + 1);
      // What the second tells comes later; from the third day on it tells nothing, and all of it on the fifth.
      if (hours < 48 || hours > 102) await recorded(second, hours);
      if (hours === 102) for (let late = 48; late <= hours; late += 6) await recorded(second, late);
      await closesAfter(hours + 3);
    }
    expect(await closesAfter(24 * 6 + 4)).toEqual([1000, 1048, 1096, 1144, 1192, 1240, 1288, 1]);
  });

  test('who has no account has an empty curve; an unknown range is refused', async () => {
    expect((await curveOf('newcomer', '30d')).time).toEqual([]);
    // Nothing of the others, and nothing of its own that cannot be valued.
    expect((await curveOf('other', 'all')).equity).toEqual([777]);
    expect(await ask('/equity', 'owner', { range: '2d' })).toMatchObject({ status: 400 });
  });
});

describe('GET /api/account/daily', () => {
  const daysOf = async (who: string, query: Record<string, unknown>) =>
    (await ask<{ days: AccountDay[] }>('/daily', who, query)).data.days;

  test('days of the account: the running one adds up to today, those without a record are empty', async () => {
    const days = await daysOf('owner', {});
    expect(days[0]).toMatchObject({ day: '2025-12-06', price: null, net: null });
    expect(days.at(-1)!.day).toBe('2026-01-15');
    expect(days).toHaveLength(41);
    const last = days.at(-1)!;
    expect(last.price).toBeCloseTo(140 - 149, 9);
    expect(last.funding).toBeCloseTo(26 - 2, 9);
    expect(last.fees).toBeCloseTo(1 - 1.1, 9);
    const { today } = await stateOf('owner');
    expect(last.net).toBeCloseTo(today!.pnl, 9);
    expect(last.return).toBeCloseTo((630 / 600) * ((682 - 50) / 630) * (664.9 / 682) - 1, 2);
    expect(days.find(({ day }) => day === '2026-01-14')).toMatchObject({ price: 149 - 450, funding: 2, fees: -1 });
    expect(days.find(({ day }) => day === '2025-12-20')).toMatchObject({ price: 450, return: 1 });
  });

  test('a few days only, cut where the running day began', async () => {
    expect((await daysOf('owner', { days: 2 })).map(({ day }) => day)).toEqual(['2026-01-14', '2026-01-15']);
    await setBook({ dayBoundary: 0 });
    const days = await daysOf('owner', { days: 2 });
    expect(days.map(({ day }) => day)).toEqual(['2026-01-14', '2026-01-15']);
    const { today } = await stateOf('owner');
    // 00:00 UTC: the newest point before it is that of 16:00.
    expect(today!.since).toBe(MIDNIGHT);
    expect(days[1]!.net).toBeCloseTo(today!.pnl, 9);
    await setBook({ dayBoundary: 960 });
    expect(await daysOf('newcomer', {})).toEqual([]);
  });
});

describe('PUT /api/account/dayBoundary', () => {
  const put = async (who: string, body: object) => {
    const cookie = await server.signIn(who, PASSWORD);
    const headers = { ...HERE, cookie };
    const url = '/api/account/dayBoundary';
    const answer = await server.app.inject({ method: 'PUT', url, headers, payload: body });
    return { status: answer.statusCode, ...(answer.json() as { code: number; data: Record<string, unknown> }) };
  };
  afterEach(() => setBook({ dayBoundary: 960, day: null, dayEquity: null }));

  test('takes half hours, of an account of its own', async () => {
    for (const dayBoundary of [-30, 45, 1440, 'x']) {
      const refused = { status: 400, data: { fields: [{ field: 'dayBoundary' }] } };
      expect(await put('owner', { dayBoundary })).toMatchObject(refused);
    }
    const { fields } = (await put('owner', { dayBoundary: 45 })).data as { fields: { message: string }[] };
    expect(fields[0]!.message).toBe('当日开始必须是 30 的整数倍');
    expect(await put('newcomer', { dayBoundary: 30 })).toMatchObject({ status: 200, code: 200 });
  });

  test('the day that runs keeps its start and its losses and is never shortened', async () => {
    await setBook({ day: MIDNIGHT, dayEquity: '700' });
    // 18:00 UTC comes first at 26 hours, 12:30 at 44.5: never before the 24 hours are over.
    expect(await put('owner', { dayBoundary: 18 * 60 })).toMatchObject({
      data: { dayBoundary: 1080, day: { start: MIDNIGHT, end: MIDNIGHT + 26 * HOUR_MS } },
    });
    expect(await put('owner', { dayBoundary: 750 })).toMatchObject({
      data: { day: { start: MIDNIGHT, end: MIDNIGHT + 44.5 * HOUR_MS } },
    });
    const state = await stateOf('owner');
    expect(state).toMatchObject({ dayBoundary: 750, day: { start: MIDNIGHT } });
    expect(state.today!.pnl).toBeCloseTo(664.9 - 700, 9);
    // The pause is as it was.
    expect(state.paused).toEqual({ at: NOW - HOUR_MS, by: 'owner', reason: '' });
  });

  test('waits until the engine has begun the day', async () => {
    await setBook({ day: MIDNIGHT - 3 * DAY_MS, dayEquity: '700' });
    expect(await put('owner', { dayBoundary: 0 })).toMatchObject({ status: 200, code: 6001 });
    expect((await stateOf('owner')).dayBoundary).toBe(960);
  });
});

describe('an account with coins', () => {
  test('risk goes by what the venue counts: coins at what they back, not at what they are worth', async () => {
    const id = await addUser('carrier');
    await addBook(db, id);
    await enter(id, 'transfer', '1100', OPENED);
    await db.insert(paperAccount).values({ account: id, cash: '1700', sequence: 0, fundedUntil: NOW });
    const held = { AAAUSDT: '-10', AAAUSDT_SPOT: '5' };
    for (const [symbol, quantity] of Object.entries(held)) {
      await db.insert(paperPosition).values({ account: id, source: 'simulated', symbol, quantity, leverage: 10 });
    }
    const { risk, positions } = await stateOf('carrier');
    // 1700 - 10 x 110; the coins, worth 500, back nothing here.
    expect(risk.marginRatio).toBeCloseTo(16.5 / 600, 12);
    const price = (600 + 1100) / (10 * (1 + 0.015));
    expect(positions!.find(({ symbol }) => symbol === 'AAAUSDT')!.liquidationPrice).toBeCloseTo(price, 9);
    const { list } = (await ask<{ list: { marginRatio: number }[] }>('/list', 'carrier')).data;
    expect(list[0]!.marginRatio).toBeCloseTo(16.5 / 600, 12);
    // Spot moves as the perpetual of its coin, with its beta of 2.
    expect(risk).toMatchObject({ betaExposure: expect.closeTo(2 * (500 - 1100), 6), withoutBeta: [] });
  });
});
