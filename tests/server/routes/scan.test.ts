import { cexRateScan } from '#contract/cexRateScan';
import { fundingScan } from '#contract/fundingScan';
import { spreadScan } from '#contract/spreadScan';
import { createSimulatedVenues } from '#server/exchange/simulated';
import { testApp } from '../../support/app';
import { waitFor } from '../../support/waitFor';

const NOW = Date.UTC(2026, 2, 10, 9, 12, 34);

let app: Awaited<ReturnType<typeof testApp>>;
beforeAll(async () => {
  const venues = createSimulatedVenues({ clock: () => NOW });
  const markets = {
    list: async () => venues,
    get: async (name: string) => venues.find(({ source }) => source === name),
  };
  app = await testApp({ markets, clock: () => NOW });
}, 120_000);
afterAll(() => app.close());

const rowsOf = async (query: Record<string, string | number> = {}) =>
  (await app.as('master')(fundingScan.list, { query: { pageSize: 200, ...query } })).body.data;

test('the scanners are the masters alone', async () => {
  expect((await app.as('trader')(fundingScan.list)).status).toBe(403);
  expect((await app.as('visitor')(fundingScan.list)).status).toBe(401);
  expect((await app.as('trader')(cexRateScan.list)).status).toBe(403);
  expect((await app.as('trader')(cexRateScan.matrix)).status).toBe(403);
  expect((await app.as('trader')(spreadScan.list)).status).toBe(403);
  expect((await app.as('visitor')(spreadScan.list)).status).toBe(401);
});

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
  const best = (await rowsOf()).list.map(({ netApr }) => netApr ?? Number.NEGATIVE_INFINITY);
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
    expect(row.apr!).toBeGreaterThanOrEqual(0.05);
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
    expect(row.predictedRate!).toBeLessThan(0);
    expect(row.borrowApr!).toBeGreaterThan(0);
    expect(row.obstacles).toContain('borrow');
  }
});

const ratesOf = async (query: Record<string, string | number> = {}) =>
  (await app.as('master')(cexRateScan.list, { query: { pageSize: 200, ...query } })).body.data;

test('over two venues a larger size nets less, up to the capacity of the pair', async () => {
  const at = async (size: number) =>
    (await ratesOf({ size, search: 'SOL' })).list.find(({ id }) => id === 'SOL simulated simulated-okx')!;
  const [small, large] = [await at(1_000), await at(300_000)];
  expect(small.netApr!).toBeGreaterThan(large.netApr!);
  expect(small.replay!).toBeGreaterThan(large.replay!);
  const [huge] = (await ratesOf({ size: 10_000_000, sort: 'openInterest' })).list;
  expect(huge).toMatchObject({ netApr: null, openEdge: null, paybackDays: null, replay: null });
  expect(huge!.obstacles).toContain('depth');
  expect(huge!.grossApr).not.toBeNull();

  const [best] = (await ratesOf({ minNetApr: 0.05 })).list;
  const pairAt = async (size: number) =>
    (await ratesOf({ size, search: best!.base })).list.find(({ id }) => id === best!.id)!;
  expect((await pairAt(best!.capacity!)).netApr!).toBeGreaterThanOrEqual(0.05);
  expect((await pairAt(best!.capacity! * 1.02)).netApr ?? 0).toBeLessThan(0.05);
});

test('each pair of venues stands once, and what the filters say holds for each', async () => {
  const all = await ratesOf();
  const best = all.list.map(({ netApr }) => netApr ?? Number.NEGATIVE_INFINITY);
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
    expect(row.netApr!).toBeGreaterThanOrEqual(0.01);
    expect(row.openInterest!).toBeGreaterThanOrEqual(1_000_000);
    expect(row.obstacles).toEqual([]);
    expect(row.notes).toEqual(row.longHours === row.shortHours ? [] : ['interval']);
  }
  const opposite = await ratesOf({ sign: 'opposite' });
  expect(opposite.total).toBeGreaterThan(0);
  for (const row of opposite.list) expect(row.longRate! < 0 && row.shortRate! > 0).toBe(true);
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

describe('spreads', () => {
  const spreadsOf = async (query: Record<string, string | number> = {}) =>
    (await app.as('master')(spreadScan.list, { query: { pageSize: 200, ...query } })).body.data;

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
    const best = (await spreadsOf()).list.map(({ netApr }) => netApr ?? Number.NEGATIVE_INFINITY);
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
      expect(row.netApr!).toBeGreaterThanOrEqual(0.001);
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
    await waitFor('every past', 60_000, async () => (await rows()).every(({ past }) => past !== 'pending'));
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
