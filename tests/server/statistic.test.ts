import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { HOUR_MS } from '#contract/duration';
import { DEFAULT_SETTINGS } from '#contract/kinds/hedge/config';
import { ATTRIBUTIONS, type Comparison, type Statistic, statistic } from '#contract/statistic';
import { insertAccount } from '#server/base/db/accounts/venueAccount';
import { deal, ledger, user } from '#server/base/db/schema';
import { fileApp } from '../support/app';
import { addHedges, addLedger, addPair, addPoints, changeHedges, type HedgeRows } from '../support/bookRows';
import { handMarket, handMarkets } from '../support/handMarket';

/** An instant of January 2026, UTC. The server's clock is at noon of the 15th. */
const jan = (day: number, hours = 0) => Date.UTC(2026, 0, day) + hours * HOUR_MS;

/** From the 10th on; hour 0 is the midnight after. Hours end on the morning of the 13th, days with the 13th. */
const hourly = (price: (hour: number) => number) => ({
  start: jan(10),
  closes: {
    '1h': Array.from({ length: 80 }, (_, i) => price(i - 23)),
    '1d': [0, 24, 48, 72].map(price),
  },
  instrument: { fundingHours: 8 },
});
const market = handMarket('simulated', {
  AAAUSDT: {
    ...hourly((hour) => 100 + 0.3 * hour),
    funding: { time: [jan(11), jan(11, 8)], rate: [0.5, 0.0005] },
  },
  BBBUSDT: {
    ...hourly((hour) => 50 + 0.1 * hour),
    funding: { time: [jan(11), jan(11, 8)], rate: [0.5, 0.001] },
  },
});

const people: Record<string, string> = {};
const ids: Record<string, string> = {};

const read = async (query: Record<string, unknown> = {}) =>
  (await server.as('master')(statistic.all, { query })).body.data as Statistic;
const compare = async (query: Record<string, unknown> = {}) =>
  (await server.as('master')(statistic.compare, { query })).body.data as Comparison;

interface Point {
  equity: number;
  transfers: number;
  long: number;
  short?: number;
  funding?: number;
  fees?: number;
  btc: number;
}
async function point(who: string, at: number, { long, short = 0, funding = 0, fees = 0, ...rest }: Point) {
  const row = { userId: people[who]!, at, longPnl: long, shortPnl: short, funding, fees, ...rest };
  await addPoints(server.db, { ...row, slippage: fees / 2, traded: fees * 1000, net: -50, gross: 1000 });
}

let entries = 0;
async function book(who: string, kind: string, amount: number, at: number, rest: object = {}) {
  entries += 1;
  const row = { userId: people[who]!, kind, amount: String(amount), at, reference: `test:${entries}` };
  await addLedger(server.db, { ...row, ...rest });
}

interface Leg {
  price: number;
  funding?: number;
  fee: number;
  fills: [number, number];
}
interface Trade {
  who: string;
  long: [string, Leg];
  short: [string, Leg];
  opened: number | null;
  ended: number;
  rest?: Partial<HedgeRows>;
}

/** An ended hedge with its ledger. */
async function trade(name: string, { who, long, short, opened, ended, rest = {} }: Trade) {
  const id = randomUUID();
  ids[name] = id;
  const owner = {
    userId: people[who]!,
    source: 'simulated',
    long: long[0],
    short: short[0],
    createdAt: ended - HOUR_MS,
  };
  const pairId = await addPair(server.db, { armedAt: 0, removedAt: 0, ...owner });
  const legs = [long, short];
  const sum = (key: 'funding' | 'fee') => String(legs.reduce((total, [, leg]) => total + (leg[key] ?? 0), 0));
  await addHedges(server.db, {
    ...{ id, pairId, ...owner, state: 'closed', stateAt: ended, openedAt: opened, closedAt: ended },
    ...{ settings: { ...DEFAULT_SETTINGS, legNotional: 1000 }, ratio: 1 },
    ...{ longRealised: String(long[1].price), shortRealised: String(short[1].price) },
    ...{ funding: sum('funding'), fees: sum('fee'), slippage: '0.7' },
    ...{ longOpened: '1', shortOpened: '1' },
    ...{ longNotional: String(Math.abs(long[1].fills[0])), shortNotional: String(Math.abs(short[1].fills[0])) },
    ...rest,
  });
  for (const [symbol, leg] of legs) {
    const of = { dealId: id, symbol, source: 'simulated' };
    for (const amount of leg.fills) if (amount !== 0) await book(who, 'fill', -amount, ended, of);
    if (leg.fee !== 0) await book(who, 'fee', -leg.fee, ended, of);
    if (leg.funding) await book(who, 'funding', leg.funding, ended, of);
  }
}

async function drawPoints() {
  await book('trader', 'transfer', 1000, jan(10, 12));
  await point('trader', jan(11), { equity: 1010, transfers: 1000, long: 15, short: -4, funding: 1, fees: 2, btc: 100 });
  await book('trader', 'transfer', 100, jan(11, 6));
  await point('trader', jan(12), { equity: 1130, transfers: 1100, long: 35, short: -8, funding: 6, fees: 3, btc: 110 });
  // Nothing is recorded on the 12th.
  await point('trader', jan(14), { equity: 1100, transfers: 1100, long: 10, short: -5, fees: 5, btc: 99 });
  await point('trader', jan(15), { equity: 1122, transfers: 1100, long: 30, short: -5, funding: 2, fees: 5, btc: 99 });
  await point('trader', jan(15, 11), { equity: 5000, transfers: 1100, long: 3908, short: -5, fees: 3, btc: 99 });
  await book('editor', 'transfer', 500, jan(12, 6));
  await point('editor', jan(13), { equity: 510, transfers: 500, long: 10, btc: 110 });
  await point('editor', jan(14), { equity: 505, transfers: 500, long: 5, btc: 99 });
  await point('editor', jan(15), { equity: 505, transfers: 500, long: 5, btc: 99 });
}

async function tradeAll() {
  await trade('won', {
    ...{ who: 'trader', opened: jan(11, 1 / 3), ended: jan(11, 10 + 2 / 3), rest: { closeReason: 'takeProfit' } },
    long: ['AAAUSDT', { price: 20, funding: -1, fee: 1.25, fills: [990, -1010] }],
    short: ['BBBUSDT', { price: -5, funding: 4, fee: 0.75, fills: [-1000, 1005] }],
  });
  await trade('lost', {
    ...{ who: 'trader', opened: jan(12), ended: jan(13, 12), rest: { closeReason: 'stopLoss' } },
    long: ['CCCUSDT', { price: -30, fee: 1, fills: [1000, -970] }],
    short: ['AAAUSDT', { price: 12, funding: -0.5, fee: 0.5, fills: [-1000, 988] }],
  });
  await trade('halved', {
    ...{ who: 'editor', opened: null, ended: jan(14, 3), rest: { state: 'failed', closeReason: 'oneLeg' } },
    long: ['AAAUSDT', { price: -1, fee: 0.5, fills: [100, -99] }],
    short: ['BBBUSDT', { price: 0, fee: 0, fills: [0, 0] }],
  });
  const nothing: Leg = { price: 0, fee: 0, fills: [0, 0] };
  const idle = {
    who: 'editor',
    long: ['AAAUSDT', nothing] as [string, Leg],
    short: ['BBBUSDT', nothing] as [string, Leg],
  };
  const unfilled = { longOpened: '0', shortOpened: '0' };
  await trade('refused', { ...idle, opened: null, ended: jan(14, 4), rest: { ...unfilled, state: 'failed' } });
  await trade('running', { ...idle, opened: jan(14), ended: jan(14), rest: { closedAt: null, state: 'open' } });
}

const server = await fileApp({ markets: handMarkets(market) });
for (const row of await server.db.select().from(user)) people[row.name] = row.id;
await drawPoints();
await tradeAll();

test('names the field that makes no sense', async () => {
  const fieldOf = async (query: Record<string, unknown>) => {
    const { status, body } = await server.as('master')(statistic.all, { query });
    return [status, (body.data as unknown as { fields: { field: string }[] }).fields[0]?.field];
  };
  expect(await fieldOf({ userId: 'nobody' })).toEqual([400, 'userId']);
  expect(await fieldOf({ pair: 'AAAUSDT' })).toEqual([400, 'pair']);
  expect(await fieldOf({ start: jan(12), end: jan(11) })).toEqual([400, 'end']);
});

describe('days of all accounts together', () => {
  test('returns take transfers and openings out and carry what is missing', async () => {
    const { daily, from, to, accounts, users } = await read();
    expect([from, to, accounts]).toEqual([jan(10, 12), jan(15), 2]);
    expect(users.map(({ name }) => name)).toEqual(['editor', 'trader']);
    expect(daily.day).toEqual(['2026-01-10', '2026-01-11', '2026-01-12', '2026-01-13', '2026-01-14']);
    expect(daily.equity).toEqual([1010, 1130, 1640, 1605, 1627]);
    expect(daily.transfers).toEqual([0, 100, 0, 0, 0]);
    expect(daily.net).toEqual([10, 20, 10, -35, 22]);
    expect(daily.missing).toEqual([0, 0, 1, 0, 0]);
    const steps = [10 / 1000, 20 / 1010, 10 / 1630, -35 / 1640, 22 / 1605];
    let index = 1;
    for (const [i, step] of steps.entries()) {
      index *= 1 + step;
      expect(daily.return[i]).toBeCloseTo(step, 12);
      expect(daily.index[i]).toBeCloseTo(index, 12);
    }
    expect(daily.btcReturn.map((value) => value && Number(value.toFixed(12)))).toEqual([null, 0.1, 0, -0.1, 0]);
    expect(daily.neutrality[4]).toBeCloseTo(-0.05, 12);
    expect(daily.sharpe30).toEqual([null, null, null, null, null]);
  });

  test('the four parts add up to the result, in money and in the index', async () => {
    const { daily, quality } = await read();
    for (const i of daily.day.keys()) {
      expect(daily.long[i]! + daily.short[i]! + daily.funding[i]! + daily.fees[i]!).toBeCloseTo(daily.net[i]!, 9);
      const parts = [daily.longIndex, daily.shortIndex, daily.fundingIndex, daily.feesIndex];
      expect(parts.reduce((sum, line) => sum + line[i]! - 1, 0)).toBeCloseTo(daily.index[i]! - 1, 12);
    }
    expect(quality).toMatchObject({ missingDays: ['2026-01-12'], missingAccountDays: 1, running: 1 });
    expect(quality).toMatchObject({ transferCount: 1, transfers: 100 });
    expect(quality.unexplained).toBeCloseTo(0, 9);
  });

  test('figures of the whole, by hand', async () => {
    const figures = (await read()).figures!;
    const index = 1.01 * (1 + 20 / 1010) * (1 + 10 / 1630) * (1 - 35 / 1640) * (1 + 22 / 1605);
    expect(figures.index).toBeCloseTo(index, 12);
    expect(figures).toMatchObject({ equity: 1627, net: 27, days: 4.5, winningPeriods: 4, losingPeriods: 1 });
    expect(figures.cagr).toBeCloseTo(index ** (365 / 4.5) - 1, 6);
    expect(figures.maxDrawdown).toBeCloseTo(-35 / 1640, 12);
    expect([figures.drawdownPeakAt, figures.drawdownTroughAt]).toEqual([jan(13), jan(14)]);
    expect([figures.drawdownDays, figures.recoveryDays, figures.longestUnderwaterDays]).toEqual([1, null, 2]);
    expect([figures.dayWinRate, figures.longestWins, figures.longestLosses]).toEqual([0.8, 3, 1]);
    expect(figures.bestReturn).toBeCloseTo(20 / 1010, 12);
    expect(figures.worstReturn).toBeCloseTo(-35 / 1640, 12);
    // Fees 5, slippage 2.5; traded 5,000 over the mean of the daily equities in 4.5 days.
    expect(figures).toMatchObject({ fees: 5, slippage: 2.5, traded: 5000, funding: 2 });
    expect(figures.turnover).toBeCloseTo(5000 / ((1010 + 1130 + 1640 + 1605 + 1627) / 5) / 4.5, 12);
    // Before costs: long 35, short -5, funding 2, slippage 2.5.
    expect(figures.costDrag).toBeCloseTo(7.5 / 34.5, 12);
    // BTC moved +0.1 and -0.1 on two of four days: covariance and variance about a mean of 0.
    expect(figures.betaBtc).toBeCloseTo((20 / 1010 + 35 / 1640) / 0.2, 12);
    const r = figures.correlationBtc!;
    expect(figures.betaT).toBeCloseTo((r * Math.sqrt(2)) / Math.sqrt(1 - r * r), 9);
    // Under twenty days.
    expect(figures).toMatchObject({ var95: null, fewestDays: 20, sharpe: null, sortino: null, calmar: null });
  });

  test('a period begins with what was there', async () => {
    const { figures, daily, from } = await read({ start: jan(13, 5), end: jan(13, 6) });
    expect(from).toBe(jan(13));
    expect(daily.day).toEqual(['2026-01-13']);
    expect(figures!.totalReturn).toBeCloseTo(-35 / 1640, 12);
    expect(figures!.sharpe).toBeNull();
  });

  test('one account alone, and a user without one', async () => {
    const alone = await read({ userId: people.editor });
    expect(alone.daily.net).toEqual([10, -5, 0]);
    expect(alone.months).toEqual([{ month: '2026-01', return: expect.closeTo(0.01, 12) }]);
    expect(alone.hedges.count).toBe(1);
    const nobody = await read({ userId: people.master });
    expect(nobody).toMatchObject({ accounts: 0, from: null, to: null, figures: null, months: [] });
    expect(nobody.daily.day).toEqual([]);
    expect(nobody.users).toHaveLength(2);
  });
});

describe('narrowed down', () => {
  test('by an account or a venue the days and the hedges are those made there', async () => {
    const all = await read();
    const place = all.places.find(({ userId }) => userId === people.editor)!;
    const [there, own] = [await read({ accountId: place.id }), await read({ userId: people.editor })];
    expect(there.daily).toEqual(own.daily);
    expect([there.accounts, there.hedges.count]).toEqual([1, own.hedges.count]);
    expect(own.hedges.count).toBeLessThan(all.hedges.count);
    const venue = await read({ source: 'simulated' });
    expect([venue.daily, venue.hedges.count]).toEqual([all.daily, all.hedges.count]);
    expect(await read({ source: 'simulated-okx' })).toMatchObject({ accounts: 0, figures: null, hedges: { count: 0 } });
    const bad = await server.as('master')(statistic.all, { query: { accountId: 'nobody' } });
    expect(bad.body.data).toEqual({ fields: [{ field: 'accountId', message: '没有这个账户' }] });
  });

  test('by a strategy the hedges are its own, and the days stay those of the accounts', async () => {
    const all = await read();
    const [{ strategyId }] = (await server.db
      .select({ strategyId: deal.strategyId })
      .from(deal)
      .where(eq(deal.id, ids.won!))) as [{ strategyId: string }];
    const own = await read({ strategyId });
    expect(own.daily).toEqual(all.daily);
    expect(own.hedges.count).toBeGreaterThan(0);
    expect(own.hedges.count).toBeLessThan(all.hedges.count);
    expect((await read({ strategyId: randomUUID() })).hedges.count).toBe(0);
  });
});

describe('where the result of hedges came from', () => {
  test('each attribution adds up: price + funding + fees = net', async () => {
    const { attribution, hedges } = await read();
    // 20 - 5 + 3 - 2 = 16; -30 + 12 - 0.5 - 1.5 = -20; -1 - 0.5 = -1.5.
    const tooFew = { winRate: null, profitFactor: null, payoff: null, expectancy: null, sqn: null };
    expect(hedges).toMatchObject({ count: 3, net: -5.5, fewest: 10, ...tooFew });
    expect(hedges.averageHours).toBeCloseTo((10 + 1 / 3 + 36) / 2, 9);
    for (const by of ATTRIBUTIONS) {
      const rows = attribution[by];
      const sum = (key: 'price' | 'funding' | 'fees' | 'net' | 'traded') =>
        rows.reduce((all, row) => all + row[key], 0);
      expect(sum('net')).toBeCloseTo(-5.5, 9);
      expect(sum('price')).toBeCloseTo(-4, 9);
      expect(sum('funding')).toBeCloseTo(2.5, 9);
      expect(sum('fees')).toBeCloseTo(-4, 9);
      expect(sum('traded')).toBeCloseTo(990 + 1010 + 1000 + 1005 + 1000 + 970 + 1000 + 988 + 199, 9);
      for (const row of rows) expect(row.price + row.funding + row.fees).toBeCloseTo(row.net, 12);
      expect(rows.every(({ winRate }) => winRate === null)).toBe(true);
    }
  });

  test('by user, pair, coin, side, reason and holding time', async () => {
    const { attribution, pairs } = await read();
    const nets = (by: (typeof ATTRIBUTIONS)[number]) => attribution[by].map(({ key, count, net }) => [key, count, net]);
    expect(nets('user')).toEqual([
      ['editor', 1, -1.5],
      ['trader', 2, -4],
    ]);
    expect(nets('pair')).toEqual([
      ['AAAUSDT / BBBUSDT', 2, 14.5],
      ['CCCUSDT / AAAUSDT', 1, -20],
    ]);
    // Legs: AAA 17.75 + 11 - 1.5; BBB -1.75 + 0; CCC -31.
    expect(nets('coin')).toEqual([
      ['AAAUSDT', 3, 27.25],
      ['BBBUSDT', 2, -1.75],
      ['CCCUSDT', 1, -31],
    ]);
    expect(nets('side')).toEqual([
      ['short', 3, 9.25],
      ['long', 3, -14.75],
    ]);
    expect(nets('reason').map(([key]) => key)).toEqual(['takeProfit', 'oneLeg', 'stopLoss']);
    expect(nets('holding').map(([key]) => key)).toEqual(['under1d', 'unopened', 'under3d']);
    expect(pairs).toContainEqual({ long: 'CCCUSDT', short: 'AAAUSDT' });
  });

  test('ten hedges have a win rate, and a coin wins with its hedge', async () => {
    // Seven more of 16 - 1 = 15 each: with 16, -20 and -1.5 there are ten, eight of them won. The short leg loses each time.
    const names = Array.from({ length: 7 }, (_, i) => `more${i}`);
    for (const name of names) {
      await trade(name, {
        ...{ who: 'trader', opened: jan(11), ended: jan(12), rest: { closeReason: 'manual' } },
        long: ['AAAUSDT', { price: 20, fee: 1, fills: [1000, -1020] }],
        short: ['BBBUSDT', { price: -4, fee: 0, fills: [-1000, 1004] }],
      });
    }
    const { hedges, attribution } = await read();
    expect(hedges).toMatchObject({ count: 10, winRate: 0.8 });
    expect(hedges.payoff).toBeCloseTo(121 / 8 / 10.75, 12);
    expect(hedges.profitFactor).toBeCloseTo(121 / 21.5, 12);
    expect(hedges.expectancy).toBeCloseTo(99.5 / 10, 12);
    expect(attribution.side.map(({ key, count, winRate }) => [key, count, winRate])).toEqual([
      ['long', 10, 0.8],
      ['short', 10, 0.8],
    ]);
    for (const name of names) {
      const nothing = { state: 'failed', longOpened: '0', shortOpened: '0' };
      await changeHedges(server.db, [ids[name]!], nothing);
    }
  });

  test('the pair and the period narrow hedges by when they ended', async () => {
    const chosen = await read({ pair: 'AAAUSDT,BBBUSDT' });
    expect(chosen.hedges).toMatchObject({ count: 2, net: 14.5 });
    expect(chosen.daily.net).toEqual([10, 20, 10, -35, 22]);
    expect((await read({ start: jan(12), end: jan(13) })).hedges).toMatchObject({ count: 1, net: -20 });
  });
});

describe('live against backtest', () => {
  test('a hedge against its pair on hourly bars, and what could not be compared', async () => {
    const { list, totals, left, older } = await compare();
    expect(older).toBe(0);
    expect(left).toEqual([
      { id: ids.lost, user: 'trader', long: 'CCCUSDT', short: 'AAAUSDT', closedAt: jan(13, 12), why: 'noCandles' },
    ]);
    expect(list).toHaveLength(1);
    const [row] = list;
    expect(row).toMatchObject({ id: ids.won, bar: '1h', fundingMissing: 0, fees: -2, slippage: -0.7, traded: 4005 });
    // 100 to 103 and 50 to 51 from 00:00 to 10:00; the settlement of 08:00 at 102.4 and 50.8, that of 00:00 before it.
    const long = { price: 0.03, funding: -0.01 * 102.4 * 0.0005 };
    const short = { price: -0.02, funding: 0.02 * 50.8 * 0.001 };
    const backtest = 1000 * (long.price + long.funding + short.price + short.funding);
    expect(row!.live).toBeCloseTo(16, 9);
    expect(row!.backtest).toBeCloseTo(backtest, 6);
    expect(row!.gap).toBeCloseTo(16 - backtest, 6);
    expect(row!.funding).toBeCloseTo(3 - (990 * long.funding + 1000 * short.funding), 6);
    expect(row!.missed).toBeCloseTo(-10 * (long.price + long.funding), 6);
    expect(row!.rest).toBeCloseTo(15 + 0.7 - (990 * long.price + 1000 * short.price), 6);
    expect(row!.slippage + row!.fees + row!.funding + row!.missed + row!.rest).toBeCloseTo(row!.gap, 9);
    expect(row!.bps).toBeCloseTo(((16 - backtest) / 4005) * 1e4, 4);
    expect(totals!.gap).toBeCloseTo(row!.gap, 12);
  });

  test('what the fine bar does not reach is run on the next coarser one', async () => {
    const leg: Leg = { price: 0, fee: 0, fills: [1000, -1000] };
    const pair = { who: 'editor', long: ['AAAUSDT', leg], short: ['BBBUSDT', leg] } as const;
    await trade('long', { ...pair, long: [...pair.long], short: [...pair.short], opened: jan(12), ended: jan(14) });
    const { list } = await compare({ userId: people.editor });
    expect(list.map(({ id, bar }) => [id, bar])).toEqual([[ids.long, '1d']]);
    // 107.2 to 121.6 and 52.4 to 57.2, at the midnights that close the days.
    expect(list[0]!.backtest).toBeCloseTo(1000 * (121.6 / 107.2 - 57.2 / 52.4), 6);
    await changeHedges(server.db, [ids.long!], { state: 'failed' });
  });

  test('too short for two closes, and a source that is gone, are said to be so', async () => {
    const leg: Leg = { price: 1, fee: 0, fills: [1000, -1001] };
    const [long, short]: [string, Leg][] = [
      ['AAAUSDT', leg],
      ['BBBUSDT', leg],
    ];
    const pair = { who: 'editor', long: long!, short: short! };
    await trade('brief', { ...pair, opened: jan(11, 2.1), ended: jan(11, 2.2) });
    await trade('late', { ...pair, opened: jan(14, 1), ended: jan(14, 20) });
    await trade('gone', { ...pair, opened: jan(11, 1), ended: jan(11, 9), rest: { source: 'gone' } });
    const { left, list } = await compare({ userId: people.editor });
    expect(list).toEqual([]);
    expect(left.map(({ id, why }) => [id, why])).toEqual([
      [ids.late, 'tooShort'],
      [ids.gone, 'noSource'],
      // Of 6 minutes.
      [ids.brief, 'underHour'],
    ]);
    for (const name of ['brief', 'late', 'gone']) {
      await changeHedges(server.db, [ids[name]!], { state: 'failed' });
    }
    expect((await compare({ userId: people.editor })).left).toEqual([]);
  });
});

test('real money is looked at first where there is some, and never added to play money', async () => {
  const paper = await read();
  expect([paper.mode, paper.hasReal]).toEqual(['paper', false]);
  const id = randomUUID();
  const userId = people.editor!;
  await insertAccount(server.db, { id, userId, venue: 'gate-live', name: 'GATE 实盘', mode: 'live' });
  const paid = { kind: 'transfer', amount: '500', at: jan(14), reference: 'real:1' } as const;
  await server.db.insert(ledger).values({ ...paid, userId, accountId: id });
  const first = await read();
  expect(first).toMatchObject({ mode: 'live', hasReal: true, accounts: 1, hedges: { count: 0 } });
  expect(first.places).toEqual([{ id, userId, name: 'GATE 实盘', venue: 'gate-live' }]);
  const asked = await read({ mode: 'paper' });
  expect([asked.daily, asked.hedges, asked.places]).toEqual([paper.daily, paper.hedges, paper.places]);
  // An account that is chosen is looked at whichever money it has.
  expect((await read({ accountId: paper.places[0]!.id, mode: 'live' })).mode).toBe('paper');
  expect((await compare()).list).toEqual([]);
  expect(
    (await compare({ mode: 'paper' })).list.length + (await compare({ mode: 'paper' })).left.length,
  ).toBeGreaterThan(0);
});
