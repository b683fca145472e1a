import { arbitrageScan } from '#contract/arbitrageScan';
import { fundingScan } from '#contract/fundingScan';
import { createSimulatedVenues } from '#server/exchange/simulated';
import { testApp } from '../../support/app';

const NOW = Date.UTC(2026, 2, 10, 9, 12, 34);

/** The present; a test that goes elsewhere comes back. */
let now = NOW;
let app: Awaited<ReturnType<typeof testApp>>;
beforeAll(async () => {
  const venues = createSimulatedVenues({ clock: () => now });
  const markets = {
    list: async () => venues,
    get: async (name: string) => venues.find(({ source }) => source === name),
  };
  app = await testApp({ markets, clock: () => now });
}, 120_000);
afterAll(() => app.close());
afterEach(() => {
  now = NOW;
});

const arbitrage = async (query: Record<string, string | number> = {}) =>
  (await app.as('master')(arbitrageScan.list, { query: { pageSize: 200, ...query } })).body.data;

const rowsOf = async (query: Record<string, string | number> = {}) =>
  (await app.as('master')(fundingScan.list, { query: { pageSize: 200, ...query } })).body.data;

test('the scanners are the masters alone', async () => {
  expect((await app.as('trader')(fundingScan.list)).status).toBe(403);
  expect((await app.as('visitor')(fundingScan.list)).status).toBe(401);
  expect((await app.as('trader')(arbitrageScan.list)).status).toBe(403);
  expect((await app.as('visitor')(arbitrageScan.list)).status).toBe(401);
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
    const nets = rows.map(({ netBps }) => netBps ?? Number.NEGATIVE_INFINITY);
    expect(nets).toEqual([...nets].sort((a, b) => b - a));
    for (const row of rows) if ((row.netBps ?? 0) < 0) expect(row.profit!).toBeLessThan(0);
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
