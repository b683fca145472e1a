import { randomUUID } from 'node:crypto';
import { DAY_MS, HOUR_MS } from '#contract/duration';
import { type CexRateCandidate, cexRateScan } from '#contract/kinds/cexRate/scan';
import { fundingScan } from '#contract/kinds/fundingRate/scan';
import { gridScan } from '#contract/kinds/grid/scan';
import { arbitrageScan } from '#contract/kinds/okx/scan';
import { spreadScan } from '#contract/kinds/spread/scan';
import { SCAN_INTERVAL_MS } from '#contract/scan';
import { scanPast } from '#contract/scanPast';
import { user as userApi } from '#contract/user';
import { insertAccount } from '#server/base/db/accounts/venueAccount';
import { nextTurn } from '#server/base/work/loopTurns';
import { fundingPastOf } from '#server/market/scan/fundingPast';
import { Quoted } from '#server/market/scan/sight';
import { createSimulatedVenues } from '#server/market/simulated';
import { fileApp, testApp } from '../../support/app';
import { addBook } from '../../support/bookRows';
import { handMarkets } from '../../support/handMarket';
import { waitFor } from '../../support/waitFor';

const NOW = Date.UTC(2026, 2, 10, 9, 12, 34);

/** The present; a test that goes elsewhere comes back. */
let now = NOW;
// Coins and instants were chosen on this law, which stays as it is.
const venues = createSimulatedVenues({ clock: () => now, law: 1 });
const markets = handMarkets(...venues);
const app = await fileApp({ markets, clock: () => now });
afterEach(() => {
  now = NOW;
});

const arbitrage = async (query: Record<string, string | number> = {}) =>
  (await app.as('master')(arbitrageScan.list, { query: { pageSize: 200, ...query } })).body.data;

const rowsOf = async (query: Record<string, string | number> = {}) =>
  (await app.as('master')(fundingScan.list, { query: { pageSize: 200, ...query } })).body.data;

test('a larger size costs more and makes less, until the book does not hold it', async () => {
  const at = async (size: number, of = 'simulated SOL') => {
    const { list } = await rowsOf({ size });
    return list.find(({ id }) => id === of) ?? (await rowsOf({ size, current: 2 })).list.find(({ id }) => id === of)!;
  };
  const [small, middle, large] = [await at(1_000), await at(100_000), await at(2_000_000)];
  const [thin] = (await rowsOf({ sort: 'depth' })).list;
  const huge = await at(10_000_000, thin!.id);
  expect(small.entryCost!).toBeLessThanOrEqual(middle.entryCost!);
  expect(middle.entryCost!).toBeLessThan(large.entryCost!);
  expect(small.netApr!).toBeGreaterThan(large.netApr!);
  expect(huge).toMatchObject({ entryCost: null, exitCost: null, netApr: null, breakEven: null });
  expect(huge.obstacles).toContain('depth');
  expect((await at(10)).obstacles).toEqual(['minimum']);
});

test('the rows are in the order asked for, and what the filters say holds for each', async () => {
  const best = (await rowsOf()).list.map(({ capitalApr }) => capitalApr ?? Number.NEGATIVE_INFINITY);
  expect(best).toEqual([...best].sort((a, b) => b - a));
  const { list, total } = await rowsOf({
    source: 'simulated-okx',
    direction: 'carry',
    minApr: 0.05,
    maxBreakEvenHours: 400,
    minDepth: 50_000,
    actionable: 'true',
    sort: 'base',
  });
  expect(total).toBeGreaterThan(0);
  expect(list.map(({ base }) => base)).toEqual(list.map(({ base }) => base).sort());
  for (const row of list) {
    expect(row).toMatchObject({ source: 'simulated-okx', direction: 'carry', obstacles: [] });
    expect(row.capitalApr!).toBeGreaterThanOrEqual(0.05);
    expect(row.breakEvenHours!).toBeLessThanOrEqual(400);
    expect(row.depth!).toBeGreaterThanOrEqual(50_000);
  }
  const top = await rowsOf({ source: 'simulated', top: 5 });
  expect(top.total).toBe(5);
  expect((await app.as('master')(fundingScan.list, { query: { sort: 'obstacles' } })).status).toBe(400);
});

test('what sells the coin first is shown net of borrowing, and cannot be done here', async () => {
  const { list } = await rowsOf({ direction: 'reverse' });
  expect(list.length).toBeGreaterThan(0);
  for (const row of list) {
    // A long contract is paid for what is expected, whatever the rate of now.
    expect(row.expectedApr!).toBeGreaterThan(0);
    expect(row.borrowApr!).toBeGreaterThan(0);
    expect(row.obstacles).toContain('borrow');
  }
});

test('each filter says how many rows it keeps away, whatever the others do', async () => {
  const open = await rowsOf();
  expect(open).toMatchObject({ all: open.total, hidden: [] });
  const query = { minApr: 0.05, maxBreakEvenHours: 1, search: 'b', source: 'simulated' };
  const none = await rowsOf(query);
  expect(none).toMatchObject({ list: [], total: 0, all: open.total });
  expect(none.hidden.map(({ filter }) => filter).sort()).toEqual(Object.keys(query).sort());
  const some = await rowsOf({ actionable: 'true', source: 'simulated' });
  expect(some.total).toBeGreaterThan(0);
  for (const { filter, rows } of [...none.hidden, ...some.hidden]) {
    const { total } = await rowsOf({ [filter]: { ...query, actionable: 'true' }[filter]! });
    expect([filter, rows]).toEqual([filter, open.total - total]);
  }
  const counts = none.hidden.map(({ rows }) => rows);
  expect(counts).toEqual([...counts].sort((a, b) => b - a));
});

const ratesOf = async (query: Record<string, string | number> = {}) =>
  (await app.as('master')(cexRateScan.list, { query: { pageSize: 200, ...query } })).body.data;

test('over two venues a larger size nets less, up to the capacity of the pair', async () => {
  const at = async (size: number) => {
    let row: CexRateCandidate | undefined;
    await waitFor('what was before', 60_000, async () => {
      now += SCAN_INTERVAL_MS;
      row = (await ratesOf({ size, search: 'SOL' })).list.find(({ id }) => id === 'SOL simulated simulated-okx');
      return row?.replay30 != null;
    });
    return row!;
  };
  const [small, large] = [await at(1_000), await at(300_000)];
  expect(small.netApr!).toBeGreaterThan(large.netApr!);
  expect(small.replay7!).toBeGreaterThan(large.replay7!);
  const [huge] = (await ratesOf({ size: 10_000_000, sort: 'openInterest' })).list;
  expect(huge).toMatchObject({ netApr: null, openEdge: null, paybackDays: null, replay7: null, replay30: null });
  expect(huge!.obstacles).toContain('depth');
  expect(huge!.grossApr).not.toBeNull();

  const [best] = (await ratesOf({ minNetApr: 0.05 })).list;
  const pairAt = async (size: number) =>
    (await ratesOf({ size, search: best!.base })).list.find(({ id }) => id === best!.id)!;
  expect((await pairAt(best!.capacity!)).capitalApr!).toBeGreaterThanOrEqual(0.05);
  expect((await pairAt(best!.capacity! * 1.02)).capitalApr ?? 0).toBeLessThan(0.05);
});

test('the assumptions of the venue pairs make every row cheaper, none dearer', async () => {
  const byId = async (query: Record<string, string | number>) =>
    new Map((await ratesOf(query)).list.map((row) => [row.id, row]));
  const query = { sources: 'simulated,simulated-okx', sort: 'base' };
  const traded = await byId(query);
  for (const assumed of [{ entry: 'maker' }, { exit: 'rolled' }, { tier: 2 }] as Record<string, string | number>[]) {
    const cheaper = await byId({ ...query, ...assumed });
    expect(cheaper.size).toBe(traded.size);
    for (const [id, row] of cheaper) {
      expect(row.fees!).toBeLessThan(traded.get(id)!.fees!);
      if (row.netApr !== null) expect(row.netApr).toBeGreaterThan(traded.get(id)!.netApr!);
    }
  }
  // Both venues take 5 bp: four fees of 0.7 parts.
  for (const { fees } of (await byId({ ...query, tier: 2 })).values()) expect(fees!).toBeCloseTo(4 * 0.0005 * 0.7, 12);
  expect((await app.as('master')(cexRateScan.list, { query: { tier: 3 } })).status).toBe(400);
});

test('each pair of venues stands once, and what the filters say holds for each', async () => {
  const all = await ratesOf();
  const best = all.list.map(({ capitalApr }) => capitalApr ?? Number.NEGATIVE_INFINITY);
  expect(best).toEqual([...best].sort((a, b) => b - a));
  expect(new Set(all.list.map(({ id }) => id)).size).toBe(all.list.length);
  const { list, total } = await ratesOf({
    sources: 'simulated-okx,simulated-bybit',
    minNetApr: 0.01,
    minOpenInterest: 1_000_000,
    actionable: 'true',
    sort: 'base',
  });
  expect(total).toBeGreaterThan(0);
  expect(list.map(({ base }) => base)).toEqual(list.map(({ base }) => base).sort());
  for (const row of list) {
    expect([row.long, row.short].sort()).toEqual(['simulated-bybit', 'simulated-okx']);
    expect(row.capitalApr!).toBeGreaterThanOrEqual(0.01);
    expect(row.openInterest!).toBeGreaterThanOrEqual(1_000_000);
    expect(row.obstacles).toEqual([]);
    expect(row.notes).toEqual(row.longHours === row.shortHours ? [] : ['interval']);
  }
  const opposite = await ratesOf({ sign: 'opposite' });
  expect(opposite.total).toBeGreaterThan(0);
  for (const row of opposite.list) expect(row.longRate! < 0 && row.shortRate! > 0).toBe(true);
});

test('gaps between two venues alone, as many as a page holds', async () => {
  const query = { sources: 'simulated,simulated-okx', pageSize: 200, sort: 'base' };
  const { list, total } = (await app.as('master')(arbitrageScan.list, { query })).body.data;
  expect(total).toBeGreaterThan(0);
  expect(list).toHaveLength(total);
  for (const { buy, sell } of list) expect([buy, sell].sort()).toEqual(['simulated', 'simulated-okx']);
});

test('the matrix has every coin at every venue that lists it', async () => {
  const query = { pageSize: 200 };
  const { list } = (await app.as('master')(cexRateScan.matrix, { query })).body.data;
  const gaps = list.map(({ aprGap }) => aprGap ?? Number.NEGATIVE_INFINITY);
  expect(gaps).toEqual([...gaps].sort((a, b) => b - a));
  expect(list.some(({ cells }) => cells.length < 3)).toBe(true);
  for (const { cells, bestLong, bestShort } of list.filter((row) => row.bestLong !== null)) {
    const aprAt = (source: string | null) => cells.find((cell) => cell.source === source)!.apr!;
    for (const { apr } of cells) {
      expect(apr!).toBeGreaterThanOrEqual(aprAt(bestLong));
      expect(apr!).toBeLessThanOrEqual(aprAt(bestShort));
    }
  }
});

const spreadsOf = async (query: Record<string, string | number> = {}) =>
  (await app.as('master')(spreadScan.list, { query: { pageSize: 200, ...query } })).body.data;

describe('spreads', () => {
  test('a larger size makes less, until the book does not hold it', async () => {
    const at = async (size: number) => {
      const { list } = await spreadsOf({ size, search: 'btc', source: 'simulated', type: 'spotFuture', sort: 'days' });
      return list[0]!;
    };
    const [small, large, huge] = [await at(1_000), await at(1_000_000), await at(10_000_000)];
    expect(small).toMatchObject({ near: 'BTCUSDT_SPOT', far: 'BTCUSDT_260327', direction: 'sellFar' });
    expect(small.days!).toBeCloseTo(16.95, 2);
    // Futures lie a few percent a year above the index here.
    expect(small.annualised!).toBeGreaterThan(0.02);
    expect(small.annualised!).toBeLessThan(0.2);
    expect(small.netApr!).toBeLessThan(small.annualised!);
    expect(large.netApr!).toBeLessThan(small.netApr!);
    expect(large.openEdge!).toBeLessThan(small.openEdge!);
    expect(huge).toMatchObject({ openEdge: null, netApr: null });
    expect(huge.obstacles).toContain('depth');
  });

  test('the rows are in the order asked for, and what the filters say holds for each', async () => {
    const best = (await spreadsOf()).list.map(({ capitalApr }) => capitalApr ?? Number.NEGATIVE_INFINITY);
    expect(best).toEqual([...best].sort((a, b) => b - a));
    const { list, total } = await spreadsOf({
      source: 'simulated-okx',
      minNetApr: 0.001,
      minDepth: 50_000,
      maxDays: 30,
      actionable: 'true',
      sort: '-days',
    });
    expect(total).toBeGreaterThan(0);
    for (const row of list) {
      expect(row).toMatchObject({ source: 'simulated-okx', obstacles: [] });
      expect(row.capitalApr!).toBeGreaterThanOrEqual(0.001);
      expect(row.depth!).toBeGreaterThanOrEqual(50_000);
      expect(row.days!).toBeLessThanOrEqual(30);
    }
    const types = (await spreadsOf({ search: 'btc' })).list.map(({ source, type }) => `${source} ${type}`);
    // Two quarters at each of three venues.
    expect(types).toHaveLength(18);
    expect(new Set(types).size).toBe(12);
    expect((await app.as('master')(spreadScan.list, { query: { sort: 'obstacles' } })).status).toBe(400);
  });

  test('the past of the basis comes by itself, and is none where a leg is young', async () => {
    const rows = async () => (await spreadsOf({ source: 'simulated' })).list;
    await waitFor('every past', 60_000, async () => {
      now += SCAN_INTERVAL_MS;
      return (await rows()).every(({ past }) => past !== 'pending');
    });
    const young = (await rows()).filter(({ obstacles }) => obstacles.includes('young'));
    const old = (await rows()).filter(({ past, basis }) => past === 'known' && basis !== null);
    expect(old.length).toBeGreaterThan(100);
    expect(young.length).toBeGreaterThan(0);
    for (const row of young) expect(row).toMatchObject({ past: 'short', z: null, percentile: null });
    for (const row of old) {
      expect(row.percentile!).toBeGreaterThanOrEqual(0);
      expect(row.percentile!).toBeLessThanOrEqual(1);
    }
    const middle = old.map(({ z }) => z!).sort((a, b) => a - b)[Math.floor(old.length / 2)]!;
    expect(Math.abs(middle)).toBeLessThan(1);
  });
});

describe('arbitrage', () => {
  /** XPL stands apart by half a percent at the main venue from 07:31:11 to 07:32:26. */
  const APART = Date.UTC(2026, 2, 10, 7, 31, 40);
  const XPL = 'XPL simulated simulated-okx';
  const xpl = async (size: number) => (await arbitrage({ size, search: ' xpl ' })).list.find(({ id }) => id === XPL)!;

  test('most rows cost more than they bring, and are there all the same', async () => {
    const first = await arbitrage();
    const { list } = await arbitrage({ current: 2 });
    const rows = [...first.list, ...list];
    expect(first.total).toBe(rows.length);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
    expect(rows.filter(({ obstacles }) => obstacles.includes('costs')).length).toBeGreaterThan(rows.length * 0.9);
    const { list: best } = await arbitrage({ sort: '-netBps' });
    const nets = best.map(({ netBps }) => netBps ?? Number.NEGATIVE_INFINITY);
    expect(nets).toEqual([...nets].sort((a, b) => b - a));
    for (const row of rows) if ((row.netBps ?? 0) < 0) expect(row.profit!).toBeLessThan(0);
  });

  test('pairs are in the order of what their gaps brought in 30 days', async () => {
    await waitFor('what was before', 60_000, async () => {
      now += SCAN_INTERVAL_MS;
      const { list } = await arbitrage({ sort: 'replay30' });
      return list.every(({ replay30 }) => replay30 !== null);
    });
    const made = (await arbitrage()).list.map(({ replay30 }) => replay30!);
    expect(made).toEqual([...made].sort((a, b) => b - a));
    expect(made[0]!).toBeGreaterThan(0);
  });

  test('a coin that stands apart is sold where it is dear; a larger size makes less of it, until there is no more', async () => {
    now = APART;
    const [small, middle, large] = [await xpl(1_000), await xpl(20_000), await xpl(10_000_000)];
    expect(small).toMatchObject({ buy: 'simulated-okx', sell: 'simulated', obstacles: [] });
    expect(small.netBps!).toBeGreaterThan(middle.netBps!);
    expect(small.grossBps).toBe(middle.grossBps);
    expect(small.transferBps!).toBeGreaterThan(middle.transferBps!);
    // Its fees are paid from soon after 07:31:11 on.
    expect(small.heldSeconds!).toBeGreaterThan(15);
    expect(small.heldSeconds!).toBeLessThan(29);
    expect(large).toMatchObject({ netBps: null, profit: null, transferBps: null, obstacles: ['depth'] });
    // F25 is 0 at the size that is still worth it.
    expect(Math.abs((await xpl(small.fillable!)).netBps!)).toBeLessThan(1);
    expect((await xpl(1.1 * small.fillable!)).netBps!).toBeLessThan(0);
    now = APART + 2_250;
    expect((await xpl(1_000)).heldSeconds).toBe(small.heldSeconds! + 2.25);
  });

  test('what the filters say holds for each row', async () => {
    now = APART;
    const winners = await arbitrage({ minNetBps: 1, minProfit: 2, minHeldSeconds: 5, actionable: 'true' });
    expect(winners.list.map(({ id }) => id)).toContain(XPL);
    for (const row of winners.list) {
      expect(row.netBps!).toBeGreaterThanOrEqual(1);
      expect(row.profit!).toBeGreaterThanOrEqual(2);
      expect(row.heldSeconds!).toBeGreaterThanOrEqual(5);
      expect(row.obstacles).toEqual([]);
    }
    const { list } = await arbitrage({ buy: 'simulated-okx', sell: 'simulated-bybit', minNetBps: -60 });
    expect(list.length).toBeGreaterThan(0);
    for (const row of list) expect(row).toMatchObject({ buy: 'simulated-okx', sell: 'simulated-bybit' });
    const all = await arbitrage();
    const open = await arbitrage({ transferable: 'true' });
    const blocked = await arbitrage({ actionable: 'false' });
    expect(open.total).toBeLessThan(all.total);
    for (const row of open.list) expect([row.coinOut, row.coinIn, row.moneyOut, row.moneyIn]).not.toContain(false);
    expect(blocked.total).toBeLessThan(all.total);
    const refused = await app.as('master')(arbitrageScan.list, { query: { minHeldSeconds: -1 } });
    expect(refused).toMatchObject({ status: 400, body: { data: { fields: [{ field: 'minHeldSeconds' }] } } });
  });
});

describe('what lies behind a row', () => {
  const rates = async (query: object) =>
    (await app.as('master')(scanPast.rates, { query: query as Record<string, string> })).body.data;

  test('rates of both legs by each settlement, as they add up to what the row settled', async () => {
    const { list } = await ratesOf({ search: 'SOL', sources: 'simulated,simulated-okx' });
    const { long, longSymbol, short, shortSymbol } = list[0]!;
    const week = await rates({ long, longSymbol, short, shortSymbol, days: 7 });
    expect(week.time).toHaveLength(new Set(week.time).size);
    const settled = async (source: string, symbol: string) => {
      const market = createSimulatedVenues({ clock: () => now, law: 1 }).find((one) => one.source === source)!;
      const quoted = new Quoted(market, market.listed(symbol)!.instrument, market.listed(symbol)!.ticker, now);
      return (await fundingPastOf(quoted, now)).settled.week!;
    };
    const received = (await settled(short, shortSymbol)) - (await settled(long, longSymbol));
    expect(week.sum.at(-1)!).toBeCloseTo(received, 10);
    // A leg alone receives what the other way round it pays.
    const [held, sold] = await Promise.all([
      rates({ long, longSymbol }),
      rates({ short: long, shortSymbol: longSymbol }),
    ]);
    expect(held.apr).toEqual(sold.apr.map((apr) => -apr + 0));
    const { status } = await app.as('master')(scanPast.rates, { query: { long, longSymbol: 'SOLUSDT_SPOT' } });
    expect(status).toBe(400);
  });

  test('the basis of a pair, whose newest standing is that of the row', async () => {
    let row = (await spreadsOf({ search: 'BTC', source: 'simulated', type: 'spotFuture' })).list[0]!;
    await waitFor('its past', 60_000, async () => {
      now += SCAN_INTERVAL_MS;
      row = (await spreadsOf({ search: 'BTC', source: 'simulated', type: 'spotFuture' })).list[0]!;
      return row.z !== null;
    });
    const { source, near, far } = row;
    const ask = (query: object) => app.as('master')(scanPast.basis, { query: { source, near, far, ...query } });
    const { data } = (await ask({})).body;
    const { time, basis, mean, sd, annualised, near: bought, far: sold } = data;
    expect(
      [basis, annualised, bought, sold, data.open, data.high, data.low].every(({ length }) => length === time.length),
    ).toBe(true);
    const days = (row.expiresAt! - time.at(-1)!) / DAY_MS;
    expect(annualised.at(-1)!).toBeCloseTo(((sold.at(-1)! / bought.at(-1)! - 1) * 365) / days, 10);
    // The newest bar by hand: the closes of its four hours, and of the hour before.
    const start = time.at(-1)! - 5 * HOUR_MS;
    const [market] = createSimulatedVenues({ clock: () => now, law: 1 });
    const [ours, theirs] = await Promise.all([near, far].map((symbol) => market!.candles(symbol, '1h', { start })));
    const hourly = Array.from(theirs!.close.subarray(0, 5), (close, i) => close / ours!.close[i]! - 1);
    expect(ours!.time[0]).toBe(start);
    expect(data.finest).toBe('1h');
    expect(data.open.at(-1)!).toBeCloseTo(hourly[0]!, 12);
    expect(data.high.at(-1)!).toBeCloseTo(Math.max(...hourly), 12);
    expect(data.low.at(-1)!).toBeCloseTo(Math.min(...hourly), 12);
    expect(basis.at(-1)!).toBeCloseTo(hourly[4]!, 12);
    // Each bar opens where the one before closed.
    expect(data.open.slice(1).every((open, i) => Math.abs(open - basis[i]!) < 1e-12)).toBe(true);
    expect((row.basisRate! - mean!) / sd!).toBeCloseTo(row.z!, 8);
    expect((await ask({ far: 'NOTHING' })).body.code).toBe(2002);
  });
});

describe('a range by the hours of one instrument', () => {
  const ask = async (query: Record<string, string | number>) =>
    (await app.as('master')(gridScan.range, { query: { source: 'simulated', ...query } })).body;

  test('reaches from the lowest to the highest of the days, or three average daily ranges either way of the close', async () => {
    for (const symbol of ['SOLUSDT', 'SOLUSDT_SPOT']) {
      const { data: found } = await ask({ symbol, days: 7 });
      const { lower, upper, low, high, price, from, until } = found;
      const [market] = createSimulatedVenues({ clock: () => now, law: 1 });
      const hours = (await market!.candles(symbol, '1h', { start: from, end: until }))!;
      expect(hours.time).toHaveLength(7 * 24);
      expect([low, high]).toEqual([Math.min(...hours.low), Math.max(...hours.high)]);
      expect([lower, upper, price]).toEqual([low, high, hours.close.at(-1)]);
      expect(until).toBeLessThanOrEqual(now);
      expect(now - until).toBeLessThan(DAY_MS / 24);
      const { data: byAtr } = await ask({ symbol, days: 7, range: 'atr' });
      expect(byAtr.atr).toBe(found.atr);
      expect(byAtr.upper - byAtr.lower).toBeCloseTo(6 * byAtr.atr, 1);
      expect((byAtr.upper + byAtr.lower) / 2).toBeCloseTo(price, 1);
    }
  });

  test('is refused for what is not listed, and where the history is shorter than what is asked for', async () => {
    expect(await ask({ symbol: 'NOPE' })).toMatchObject({ code: 2002, data: { fields: [{ field: 'symbol' }] } });
    const { list } = (await app.as('master')(gridScan.list, { query: { pageSize: 200, source: 'simulated' } })).body
      .data;
    const young = list.find(({ obstacles }) => obstacles.includes('young'))!;
    expect(await ask({ symbol: young.symbol, days: 30 })).toMatchObject({
      ...{ code: 5124, data: { fields: [{ field: 'days' }] } },
      message: expect.stringMatching(/小时 K 线只有 \d+ 天，不满 30 天/),
    });
  });

  test('the scanner has spot beside contracts: without funding, at the fees of spot', async () => {
    const rows = async (query: object) => {
      const { body } = await app.as('master')(gridScan.list, {
        query: { pageSize: 200, source: 'simulated', search: 'SOL', ...query },
      });
      return body.data.list.filter(({ base }) => base === 'SOL');
    };
    await waitFor('its past', 60_000, async () => {
      now += SCAN_INTERVAL_MS;
      return (await rows({})).every(({ past }) => past === 'known');
    });
    expect((await rows({})).map(({ market }) => market).sort()).toEqual(['perpetual', 'spot']);
    const [spot] = await rows({ market: 'spot' });
    const [perpetual] = await rows({ market: 'perpetual' });
    expect(spot).toMatchObject({ symbol: 'SOLUSDT_SPOT', fundingApr: null });
    expect(perpetual).toMatchObject({ symbol: 'SOLUSDT', market: 'perpetual' });
    expect(spot!.profit!).toBeLessThan(perpetual!.profit!);
  });
});

test('a server that is closed reads no more of the past', async () => {
  const own = createSimulatedVenues({ clock: () => NOW });
  const reads = own.map((venue) => jest.spyOn(venue, 'candles'));
  const count = () => reads.reduce((sum, { mock }) => sum + mock.calls.length, 0);
  const server = await testApp({ markets: handMarkets(...own), clock: () => NOW });
  const { total } = (await server.as('master')(gridScan.list)).body.data;
  await server.close();
  const before = count();
  for (let turn = 0; turn < 20; turn += 1) await nextTurn();
  expect(before).toBeLessThan(total);
  expect(count()).toBe(before);
});

test('what can be acted on lies where the master has accounts, unless none of it does', async () => {
  const { data } = (await app.as('master')(userApi.current)).body;
  await addBook(app.db, data.id);
  const placesOf = async (query: Record<string, string> = {}) =>
    new Set((await ratesOf({ actionable: 'true', ...query })).list.flatMap(({ long, short }) => [long, short]));
  expect((await placesOf()).size).toBe(3);
  await insertAccount(app.db, {
    ...{ userId: data.id, mode: 'paper', id: randomUUID() },
    ...{ venue: 'simulated-bybit', name: 'Bybit' },
  });
  expect(await placesOf()).toEqual(new Set(['simulated', 'simulated-bybit']));
  expect((await placesOf({ sources: 'simulated,simulated-okx' })).has('simulated-okx')).toBe(true);
});
