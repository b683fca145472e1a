import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { backtest } from '#contract/backtest';
import { DAY_MS, HOUR_MS } from '#contract/duration';
import { DEFAULT_SETTINGS, hedgeConfig } from '#contract/kinds/hedge/config';
import { hedge as api, type HedgeRow } from '#contract/kinds/hedge/desk';
import { pair } from '#contract/pair';
import { strategyOverview } from '#contract/strategyOverview';
import { hedge } from '#server/base/db/hedges/hedgeView';
import { book, deal, killSwitch, tradeOrder, user } from '#server/base/db/schema';
import { presentZ } from '#server/base/maths/pair';
import { PairModels } from '#server/engine/pairModel';
import { ORDER_IN_DOUBT } from '#server/engine/words';
import { fileApp, type Who } from '../support/app';
import {
  addEvents,
  addFills,
  addHedges,
  addLedger,
  addOrders,
  addPair,
  changeAllHedges,
  changeHedges,
  clearHedges,
  type HedgeRows,
} from '../support/bookRows';
import { handMarket, handMarkets } from '../support/handMarket';

const NOW = Date.UTC(2026, 0, 15, 12);
const START = Date.UTC(2025, 9, 1);
const DAYS = Math.floor((NOW - START) / DAY_MS);

const wave = (level: number, phase: number) =>
  Array.from({ length: DAYS }, (_, t) => level * Math.exp(0.05 * Math.sin(t * 0.7 + phase) + 0.001 * t));
const coin = (level: number, phase: number, price: number) => ({
  start: START,
  closes: { '1d': wave(level, phase) },
  price: () => price,
  instrument: { tickSize: '0.01', lotSize: '0.001', minNotional: '5', maxLeverage: 20, fundingHours: 8 },
  ticker: { mark: price, turnover24h: 210e6, fundingRate: 0.0001 },
});
const source = handMarket(
  'simulated',
  { AAAUSDT: coin(100, 0, 110), BBBUSDT: coin(50, 1, 50), CCCUSDT: coin(10, 2, 12) },
  () => NOW,
);

const woken: string[] = [];
/** What the engine does when it is woken; a test may put its own in. */
let work: (userId: string) => Promise<void> = async () => {};
const ids: Record<string, string> = {};
const pairs: Record<string, string> = {};

const settings = { ...DEFAULT_SETTINGS, zBar: '1d' as const, zWindow: 60, leverage: 4 };
const app = await fileApp({
  markets: handMarkets(source),
  clock: () => NOW,
  desk: {
    wake: async (userId) => {
      woken.push(userId);
      await work(userId);
    },
  },
});
for (const who of ['trader', 'editor'] as const) {
  await app.as(who)(hedgeConfig.create, { body: settings });
  const [row] = await app.db.select().from(user).where(eq(user.name, who));
  ids[who] = row!.id;
  const pair = { userId: row!.id, long: 'AAAUSDT', short: 'BBBUSDT', createdAt: 1, armedAt: 1 };
  pairs[who] = await addPair(app.db, pair);
}
afterEach(() => {
  work = async () => {};
});

/** A hedge of 20 AAA at 100 against 40 BBB at 50, held since 4 days. */
const held = (over: Partial<HedgeRows> = {}): HedgeRows => ({
  id: randomUUID(),
  userId: ids.trader!,
  pairId: pairs.trader!,
  source: 'simulated',
  long: 'AAAUSDT',
  short: 'BBBUSDT',
  state: 'open',
  stateAt: NOW - 4 * DAY_MS,
  createdAt: NOW - 4 * DAY_MS - 1000,
  openedAt: NOW - 4 * DAY_MS,
  settings,
  ratio: 1,
  zOpen: -2,
  longQuantity: '20',
  longCost: '2000',
  shortQuantity: '-40',
  shortCost: '-2000',
  longOpened: '20',
  shortOpened: '40',
  longNotional: '2000',
  shortNotional: '2000',
  funding: '3',
  fees: '2',
  slippage: '1',
  ...over,
});

/** Its end: bought back with `long` and `short` as price PnL. */
const ended = (long: number, short: number, over: Partial<HedgeRows> = {}): HedgeRows =>
  held({
    state: 'closed',
    longQuantity: '0',
    longCost: '0',
    shortQuantity: '0',
    shortCost: '0',
    longRealised: String(long),
    shortRealised: String(short),
    longExit: '105',
    shortExit: '50',
    zClose: 0.5,
    closeReason: 'manual',
    closedAt: NOW - DAY_MS,
    stateAt: NOW - DAY_MS,
    ...over,
  });

async function put(...rows: HedgeRows[]): Promise<string[]> {
  await addHedges(app.db, ...rows);
  return rows.map(({ id }) => id);
}

const clear = () => clearHedges(app.db);
const list = async (query: Record<string, unknown> = {}, who: Who = 'trader') =>
  (await app.as(who)(api.list, { query })).body.data;
/** What a row is sorted by under a field. */
const sortedBy = (row: HedgeRow, field: string): number | string | null => {
  const value = row[field as keyof HedgeRow] as HedgeRow['stop'] | number | string;
  if (value !== null && typeof value === 'object') return value.left;
  return field.endsWith('Quantity') ? Number(value) : value === '' ? null : value;
};
const key = () => ({ 'idempotency-key': randomUUID() });
const bookOf = async (who: string) => (await app.db.select().from(book).where(eq(book.userId, ids[who]!)))[0]!;

describe('GET /api/hedge', () => {
  afterEach(clear);

  test('values what runs at the marks', async () => {
    await put(held());
    const { list: rows, at } = await list();
    expect(at).toBe(NOW);
    const model = (await new PairModels().of(source, { long: 'AAAUSDT', short: 'BBBUSDT', bar: '1d', window: 60 }))!;
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({
      user: 'trader',
      state: 'open',
      longQuantity: '20',
      shortQuantity: '-40',
      ratioOpen: 2,
      ratioNow: 2.2,
      zOpen: -2,
      notional: 4000,
      longPnl: 200,
      shortPnl: 0,
      funding: 3,
      fees: 2,
      slippage: 1,
      net: 201,
      heldHours: 96,
      priceAt: NOW,
    });
    const [row] = rows as [HedgeRow];
    expect(row.z).toBeCloseTo(presentZ(model, 110, 50)!, 12);
    // 2,200 against 2,000; margin of 4,000 at four times.
    expect(row.neutrality).toBeCloseTo(200 / 4200, 12);
    expect(row.marginReturn).toBeCloseTo(0.201, 12);
    // Stop and target are 5 % and 8 % of the notional: the return on it is what they are held against.
    expect(row.netReturn).toBeCloseTo(201 / 4000, 12);
    expect(row.stop).toEqual({ limit: -200, left: 401, used: 0 });
    expect(row.target).toEqual({ limit: 320, left: 119, used: 201 / 320 });
    expect(row.longest).toEqual({ limit: 168, left: 72, used: 96 / 168 });
    // Of four days no year is made: the return stands there.
    expect(row).toMatchObject({ marginReturn: expect.closeTo(0.201, 12), annualised: null });
    expect(row.badge).toBeNull();
  });

  test('a rule that is off has no distance, one that was passed none left', async () => {
    const rules = { stopLoss: 0.04, takeProfit: null, maxHoldingHours: null };
    await put(held({ fees: '402', settings: { ...settings, ...rules } }));
    const { list: rows, totals } = await list();
    // 200 + 3 - 402 = -199 of -160.
    expect(rows[0]).toMatchObject({
      net: -199,
      target: null,
      longest: null,
      stop: { limit: -160, left: -39, used: 1 },
    });
    expect(totals.netReturn).toBeCloseTo(-199 / 4000, 12);
    expect(totals.marginReturn).toBeCloseTo(-199 / 1000, 12);
  });

  test('tells how far z has come to where it is closed, and what closing it now would leave', async () => {
    await put(held({ zOpen: -3, settings: { ...settings, entry: 'z', exitZ: 0.5 } }), held());
    const { list: rows } = await list();
    const [byZ, atOnce] = [rows.find(({ zOpen }) => zOpen === -3)!, rows.find(({ zOpen }) => zOpen === -2)!];
    const z = byZ.z!;
    expect(byZ.exit).toEqual({
      limit: -0.5,
      left: expect.closeTo(-0.5 - z, 12),
      used: expect.closeTo(Math.min(1, Math.max(0, (z + 3) / 2.5)), 12),
    });
    expect(atOnce.exit).toBeNull();
    expect([byZ.gross, byZ.exposure]).toEqual([4200, 200]);
    const { data: quote } = (await app.as('trader')(api.quote, { query: { id: byZ.id } })).body;
    // Leaving costs both spreads and fees.
    expect(byZ.netClosed).toBe(quote.net);
    expect(byZ.netClosed!).toBeLessThan(byZ.net!);
  });

  test('asks a book once of each coin, and only for what the page shows', async () => {
    const other = { long: 'CCCUSDT', longQuantity: '100', longOpened: '100' };
    await put(held(), held({ createdAt: NOW - 1 }), held({ ...other, createdAt: NOW - 5 * DAY_MS }));
    const asked = (['quote', 'terms', 'cost'] as const).map((question) => jest.spyOn(app.venue, question));
    const { list: rows, total } = await list({ sort: '-createdAt', pageSize: 2 });
    const questions = asked.map(({ mock }) => (mock.calls as string[][]).map(([, ...of]) => of.join(' ')).sort());
    const byStanding = await list({ sort: '-netClosed', pageSize: 2 });
    for (const spy of asked) spy.mockRestore();
    expect(total).toBe(3);
    expect(rows.map(({ netClosed }) => netClosed)).not.toContain(null);
    const coins = ['AAAUSDT', 'BBBUSDT'];
    expect(questions).toEqual([coins, coins, ['AAAUSDT sell 20', 'BBBUSDT buy 40']]);
    // Ordered by it, all of them are asked for.
    const all = (await list({ pageSize: 10 })).list.map(({ netClosed }) => netClosed!);
    expect(byStanding.list.map(({ netClosed }) => netClosed)).toEqual(all.sort((a, b) => b - a).slice(0, 2));
  });

  test('a silent venue leaves one figure out of the list; any other fault is told', async () => {
    await put(held());
    const asked = (['quote', 'terms', 'cost'] as const).map((question) =>
      jest.spyOn(app.venue, question).mockResolvedValue(undefined),
    );
    const silent = await app.as('trader')(api.list);
    asked[0]!.mockRejectedValue(new Error('the store cannot be read'));
    const broken = await app.as('trader')(api.list);
    for (const spy of asked) spy.mockRestore();
    expect(silent.body.data.list).toMatchObject([{ net: 201, netClosed: null }]);
    expect(broken.status).toBe(500);
  });

  test('nets what runs by coin, the largest first; nothing is netted of a coin without a mark', async () => {
    const coins = async () => (await app.as('trader')(hedgeConfig.desk, {})).body.data.coins;
    const opposite = { long: 'BBBUSDT', short: 'CCCUSDT', longQuantity: '10', shortQuantity: '-50' };
    // What has ended holds nothing, and one that is to be opened is in its coins already.
    await put(held(), held(opposite), ended(1, 1), held({ state: 'waiting', longQuantity: '0', shortQuantity: '0' }));
    expect(await coins()).toEqual([
      { coin: 'AAA', net: 2200, hedges: 2 },
      { coin: 'BBB', net: -1500, hedges: 3 },
      { coin: 'CCC', net: -600, hedges: 1 },
    ]);
    await put(held({ long: 'GONEUSDT' }));
    expect((await coins())[0]).toEqual({ coin: 'GONEUSDT', net: null, hedges: 1 });
  });

  test('tells which legs rest on their way out, and until when', async () => {
    const [id] = (await put(held(), held())) as [string, string];
    const keep = { long: '10', short: '20' };
    const reduction = { at: NOW - 5_000, percent: 50, maker: true, from: { long: '20', short: '40' }, keep };
    await app.db.update(deal).set({ reduction, reducedAt: null }).where(eq(deal.id, id));
    const order = { userId: ids.trader!, dealId: id, source: 'simulated', symbol: 'AAAUSDT', leg: 'long' as const };
    await addOrders(app.db, {
      ...{ ...order, id: 'rests', purpose: 'exit', side: 'sell', type: 'maker', quantity: '10', limitPrice: '110' },
      ...{ decisionMid: 110, reduceOnly: true, state: 'open', createdAt: NOW - 4_000, filledQuantity: '0' },
    });
    const rows = (await list()).list;
    expect(rows.find((row) => row.id === id)).toMatchObject({
      reducing: 50,
      resting: { legs: ['long'], isOut: true, convertsAt: NOW + 55_000 },
    });
    expect(rows.find((row) => row.id !== id)).toMatchObject({ reducing: null, resting: null });
    await app.db.update(deal).set({ reducedAt: reduction.at }).where(eq(deal.id, id));
    await app.db.delete(tradeOrder).where(eq(tradeOrder.id, 'rests'));
    expect((await list()).list.find((row) => row.id === id)).toMatchObject({ reducing: null, resting: null });
  });

  test('freezes what is closed', async () => {
    await put(ended(100, -30));
    const [row] = (await list()).list;
    expect(row).toMatchObject({
      ...{ stop: null, target: null, longest: null, netReturn: 71 / 4000 },
      state: 'closed',
      longQuantity: '20',
      shortQuantity: '-40',
      ratioNow: 2.1,
      z: 0.5,
      longPnl: 100,
      shortPnl: -30,
      net: 71,
      neutrality: null,
      badge: null,
      heldHours: 72,
      priceAt: null,
    });
    expect(row).toMatchObject({ marginReturn: expect.closeTo(0.071, 12), annualised: null });
  });

  test('marks a leg without the other, and legs that drifted apart', async () => {
    const drifted = { longQuantity: '30', longOpened: '30', settings: { ...settings, rebalance: null } };
    const [one, apart, calm] = await put(
      held({ shortQuantity: '0', shortCost: '0' }),
      held(drifted),
      held({ ...drifted, settings: { ...settings, rebalance: 0.5 } }),
    );
    const badges = Object.fromEntries((await list()).list.map(({ id, badge }) => [id, badge]));
    expect(badges).toEqual({ [one!]: 'oneLeg', [apart!]: 'unbalanced', [calm!]: null });
  });

  test('leaves a PnL empty while a leg has no mark', async () => {
    await put(held({ long: 'GONEUSDT' }));
    const { list: rows, totals } = await list();
    expect(rows[0]).toMatchObject({
      longPnl: null,
      shortPnl: 0,
      net: null,
      netReturn: null,
      marginReturn: null,
      stop: null,
      target: null,
      longest: { limit: 168 },
      neutrality: null,
      z: null,
    });
    expect(totals).toMatchObject({ hedges: 1, net: 0, funding: 3 });
  });

  test("shows nobody another's, not even a master", async () => {
    await put(held(), held({ userId: ids.editor!, pairId: pairs.editor! }));
    expect((await list()).total).toBe(1);
    expect((await list({}, 'editor')).list.map(({ user: name }) => name)).toEqual(['editor']);
    expect((await list({}, 'master')).total).toBe(0);
  });

  test('totals follow the filter', async () => {
    await put(
      held(),
      ended(100, -30),
      ended(-50, -10, { closeReason: 'stopLoss', note: '止损', long: 'CCCUSDT' }),
      ended(0, 0, { state: 'failed', openedAt: null, closedAt: null, fees: '1', funding: '0', closeReason: 'refused' }),
    );
    const all = await list();
    expect(all.total).toBe(4);
    expect(all.totals).toMatchObject({
      hedges: 4,
      notional: 16000,
      longPnl: 250,
      shortPnl: -40,
      funding: 9,
      fees: 7,
      slippage: 4,
      net: 212,
      // What failed was no trade; two are too few to say how often one wins.
      ...{ closed: 2, fewest: 10, winRate: null, profitFactor: null, expectancy: null },
      averageHours: 72,
    });
    const of = async (query: Record<string, unknown>) => {
      const { list: rows, total, totals } = await list(query);
      expect(rows).toHaveLength(total);
      expect(totals.hedges).toBe(total);
      return totals.net;
    };
    expect(await of({ state: 'running' })).toBe(201);
    expect(await of({ state: 'ended' })).toBe(11);
    expect(await of({ pnl: 'profit' })).toBe(272);
    expect(await of({ pnl: 'loss' })).toBe(-60);
    expect(await of({ hasNote: true })).toBe(-59);
    expect(await of({ hasNote: false, state: 'ended' })).toBe(70);
    expect(await of({ reason: 'stopLoss' })).toBe(-59);
    expect(await of({ symbol: 'CCCUSDT' })).toBe(-59);
    expect(await of({ symbol: 'CCCUSDT', side: 'short' })).toBe(0);
    expect(await of({ symbol: 'BBBUSDT', side: 'short' })).toBe(212);
    expect(await of({ pairId: pairs.trader })).toBe(212);
    expect(await of({ pairId: 'no id' })).toBe(0);
    // The failed one counts from its creation, a second earlier.
    expect(await of({ start: NOW - 4 * DAY_MS })).toBe(213);
    expect(await of({ end: NOW - 4 * DAY_MS - 1 })).toBe(-1);
    const none = await list({ start: NOW });
    expect(none.totals).toMatchObject({ hedges: 0, winRate: null, profitFactor: null, expectancy: null });
  });

  test('ten closed hedges have a win rate', async () => {
    // Each 71 won and 59 lost.
    await put(...Array.from({ length: 5 }, () => [ended(100, -30), ended(-50, -10)]).flat());
    // A filter of its own: the sums of the plain list are kept until the next hedge ends.
    const { totals } = await list({ start: 1 });
    expect(totals).toMatchObject({ closed: 10, winRate: 0.5, expectancy: 6 });
    expect(totals.profitFactor).toBeCloseTo(71 / 59, 12);
  });

  test('totals see the next hedge that ends and the next note', async () => {
    const [id] = await put(held(), ended(1, 1));
    expect((await list({ state: 'ended' })).total).toBe(1);
    await changeHedges(app.db, [id!], ended(5, 5, { id: id!, stateAt: NOW }));
    expect((await list({ state: 'ended' })).totals).toMatchObject({ hedges: 2, longPnl: 6 });
    expect((await list({ hasNote: true })).total).toBe(0);
    await app.as('trader')(api.note, { body: { id: id!, note: '看' } });
    expect((await list({ hasNote: true })).total).toBe(1);
  });

  test('sorts by every figure, pages without gaps between running and ended ones', async () => {
    const rows = Array.from({ length: 23 }, (_, i) => {
      const createdAt = NOW - 10 * DAY_MS + ((i * 7) % 23) * HOUR_MS;
      const figures = { createdAt, openedAt: createdAt, naked: (i * 5) % 11, mae: i % 4 === 0 ? null : -i };
      return i % 3 === 0
        ? held({ ...figures, longCost: String(1900 + i * 10) })
        : ended((i * 13) % 40, -((i * 5) % 17), figures);
    });
    await put(...rows);
    const unsorted = ['id', 'pairId', 'userId', 'user', 'source', 'badge', 'frozen', 'priceAt', 'noteBy'];
    unsorted.push('mode', 'zBar', 'zBars', 'hedgeRatio', 'closeAsked', 'reducing', 'resting', 'unguarded');
    const fields = Object.keys((await list()).list[0]!).filter((name) => !unsorted.includes(name));
    expect(fields.length).toBeGreaterThan(25);
    for (const field of fields) {
      for (const sort of [field, `-${field}`]) {
        const whole = (await list({ sort, pageSize: 200 })).list;
        const paged = [];
        for (const current of [1, 2]) paged.push(...(await list({ sort, current, pageSize: 12 })).list);
        expect(paged.map(({ id }) => id)).toEqual(whole.map(({ id }) => id));
        const keys = whole.map((row) => sortedBy(row, field));
        const known = keys.filter((value) => value !== null) as (number | string)[];
        expect(keys.slice(known.length).every((value) => value === null)).toBe(true);
        const ordered = known.every(
          (value, i) => i === 0 || (sort === field ? value >= known[i - 1]! : value <= known[i - 1]!),
        );
        expect([sort, ordered]).toEqual([sort, true]);
      }
    }
  });

  test('refuses to sort by what has no order, and pages beyond the end are empty', async () => {
    await put(held());
    expect((await app.as('trader')(api.list, { query: { sort: 'badge' } })).status).toBe(400);
    expect((await app.as('trader')(api.list, { query: { pageSize: 201 } })).status).toBe(400);
    expect((await list({ current: 9 })).list).toEqual([]);
  });
});

describe('one hedge', () => {
  let id: string;
  let others: string;
  beforeAll(async () => {
    [id, others] = (await put(held(), held({ userId: ids.editor!, pairId: pairs.editor! }))) as [string, string];
    const order = (name: string, symbol: string, leg: string, side: string, quantity: string) => ({
      id: name,
      userId: ids.trader!,
      dealId: id,
      source: 'simulated',
      symbol,
      leg,
      side,
      type: 'market',
      purpose: 'entry',
      reduceOnly: false,
      quantity,
      limitPrice: '1',
      decisionMid: 100,
      state: 'filled',
      filledQuantity: quantity,
      createdAt: NOW - 4 * DAY_MS,
    });
    await addOrders(
      app.db,
      order('o-1', 'AAAUSDT', 'long', 'buy', '20'),
      order('o-2', 'BBBUSDT', 'short', 'sell', '40'),
    );
    const filled = (name: string, orderId: string, symbol: string, side: string, quantity: string, price: string) => ({
      id: name,
      userId: ids.trader!,
      orderId,
      dealId: id,
      source: 'simulated',
      symbol,
      side,
      quantity,
      price,
      fee: '1',
      maker: false,
      realised: '0',
      at: NOW - 4 * DAY_MS,
    });
    await addFills(
      app.db,
      filled('f-1', 'o-1', 'AAAUSDT', 'buy', '20', '100'),
      filled('f-2', 'o-2', 'BBBUSDT', 'sell', '40', '50'),
    );
    await addEvents(
      app.db,
      { dealId: id, at: NOW - 4 * DAY_MS, kind: 'created', detail: '' },
      { dealId: id, at: NOW - 4 * DAY_MS, kind: 'opened', detail: '两边' },
    );
    await addLedger(app.db, {
      userId: ids.trader!,
      dealId: id,
      kind: 'funding',
      source: 'simulated',
      symbol: 'BBBUSDT',
      amount: '3',
      quantity: '-40',
      price: '50',
      rate: '0.0015',
      reference: 'funding:test',
      at: NOW - 3 * DAY_MS,
    });
  });

  describe('GET /api/hedge/detail', () => {
    test('tells all that happened', async () => {
      const { body } = await app.as('trader')(api.detail, { query: { id } });
      const { hedge: row, fills, fundings, events, orders, series } = body.data;
      expect(row).toMatchObject({ id, net: 201 });
      expect(body.data.settings).toEqual(settings);
      expect(fills.map(({ id: name, leg, purpose, price }) => [name, leg, purpose, price])).toEqual([
        ['f-1', 'long', 'entry', '100'],
        ['f-2', 'short', 'entry', '50'],
      ]);
      expect(fundings).toEqual([
        {
          ...{ symbol: 'BBBUSDT', at: NOW - 3 * DAY_MS, rate: '0.0015', mark: '50', quantity: '-40', amount: '3' },
          ...{ tickSize: '0.01', lotSize: '0.001' },
        },
      ]);
      expect(events.map(({ kind }) => kind)).toEqual(['created', 'opened']);
      expect(orders.map(({ id: name }) => name).sort()).toEqual(['o-1', 'o-2']);
      expect(orders[0]).toMatchObject({ limitPrice: '1', tickSize: '0.01', lotSize: '0.001' });
      const { time, ratio, z } = series;
      // Daily closes: sixty before the entry and four since, the entry and now.
      expect(time).toHaveLength(66);
      expect(time).toEqual([...time].sort((a, b) => a - b));
      const entry = time.indexOf(row.openedAt!);
      expect([ratio[entry], z[entry]]).toEqual([row.ratioOpen, row.zOpen]);
      expect([time.at(-1), ratio.at(-1), z.at(-1)]).toEqual([NOW, row.ratioNow, row.z]);
      const [long, short] = [wave(100, 0).at(-1)!, wave(50, 1).at(-1)!];
      expect(time.at(-2)).toBe(Date.UTC(2026, 0, 15));
      expect(ratio.at(-2)).toBeCloseTo(long / short, 12);
      // The newest closed bar's z is what the live model says of its closes.
      const model = (await new PairModels().of(source, { long: 'AAAUSDT', short: 'BBBUSDT', bar: '1d', window: 60 }))!;
      expect(z.at(-2)).toBeCloseTo(presentZ(model, long, short)!, 9);
      // From nothing at the first fill to what the row says now.
      const { result } = body.data;
      expect(result.time).toEqual([row.openedAt, ...time.slice(-5)]);
      expect([result.long[0], result.short[0]]).toEqual([0, 0]);
      expect(result.long.at(-2)).toBeCloseTo(20 * (long - 100), 9);
      expect(result.short.at(-2)).toBeCloseTo(-40 * (short - 50), 9);
      expect([result.long.at(-1), result.short.at(-1)]).toEqual([row.longPnl, row.shortPnl]);
    });

    test('has one z with its pair, its chart and the pair panel, once window, bar and b are the same', async () => {
      const asked = { long: 'AAAUSDT', short: 'BBBUSDT', bar: '1d', bars: '60' };
      const facts = (await app.as('trader')(pair.facts, { query: asked })).body.data;
      const row = (await app.as('trader')(api.detail, { query: { id } })).body.data.hedge;
      const [standing] = (await app.as('trader')(hedgeConfig.desk)).body.data.pairs;
      expect(row).toMatchObject({ zBar: '1d', zBars: 60 });
      expect(standing).toMatchObject({ zBar: '1d', zBars: 60, z: row.z, hedgeRatio: row.hedgeRatio });
      expect(facts).toMatchObject({ bar: '1d', bars: 60, formingAt: NOW });
      expect(facts.hedgeRatio).toBeCloseTo(row.hedgeRatio!, 9);
      expect(facts.presentZ).toBeCloseTo(row.z!, 9);
      expect(facts.z.at(-1)).toBe(facts.presentZ);
      // Dear by now, which is what a hedge entered at -2 waits for; to go long today would be against it.
      expect(row.z).toBeGreaterThan(0);
      expect(facts.warnings).toContain('againstZ');
      expect(standing!.hedgeId).toBe(id);
      expect(standing!.warnings).not.toContain('againstZ');
    });

    test("of another's is no answer, but for a master to read", async () => {
      expect((await app.as('editor')(api.detail, { query: { id } })).status).toBe(404);
      expect((await app.as('master')(api.detail, { query: { id } })).body.data.hedge.user).toBe('trader');
      expect((await app.as('trader')(api.detail, { query: { id: 'no id' } })).status).toBe(404);
      expect((await app.as('trader')(api.detail, { query: { id: randomUUID() } })).status).toBe(404);
      expect((await app.as('trader')(api.detail)).status).toBe(400);
    });
  });

  describe('GET /api/hedge/backtest', () => {
    const beside = async (of: string, who: Who = 'trader') => app.as(who)(backtest.ofHedge, { query: { id: of } });

    test('runs the same notional, leverage, period and cost rates beside it', async () => {
      const { data } = (await beside(id)).body;
      // Fees of 2 and slippage of 1 on 4,000 traded; closes of the days that end on the 11th and the 15th, at 00:00 UTC.
      expect(data).toMatchObject({ why: null, running: true, at: NOW });
      expect(data.inputs).toEqual({
        ...{ bar: '1d', start: Date.UTC(2026, 0, 11), end: Date.UTC(2026, 0, 15), leverage: 4 },
        ...{ longNotional: 2000, shortNotional: 2000, fee: 0.0005, slippage: 0.00025 },
        ...{ fundingMissing: 24, liquidated: false },
      });
      const moved = (level: number, phase: number) => wave(level, phase).at(-1)! / wave(level, phase).at(-5)! - 1;
      const { rows } = data;
      // Its legs are valued, not sold: the entry alone costs.
      const [long, short] = [2000 * moved(100, 0) - 0.5, -2000 * moved(50, 1) - 0.5];
      expect(rows.longPnl.backtest).toBeCloseTo(long, 9);
      expect(rows.shortPnl.backtest).toBeCloseTo(short, 9);
      expect(rows.fees).toEqual({ live: 2, backtest: expect.closeTo(2, 9), gap: expect.closeTo(0, 9) });
      expect(rows.slippage.backtest).toBeCloseTo(1, 9);
      expect(rows.net.backtest).toBeCloseTo(long + short - 2, 9);
      expect(rows.net.live).toBe(201);
      expect(rows.net.gap).toBeCloseTo(201 - (long + short - 2), 9);
      expect(rows.netReturn.backtest).toBeCloseTo((long + short - 2) / 4000, 12);
      expect(rows.heldHours).toEqual({ live: 96, backtest: 96, gap: 0 });
      expect(rows.mae.backtest).toBeLessThanOrEqual(Math.min(0, rows.net.backtest!) + 1e-9);
      expect(rows.mfe.backtest).toBeGreaterThanOrEqual(Math.max(0, rows.net.backtest!) - 1e-9);
    });

    test('marks a hedge of under an hour as too short', async () => {
      const [brief] = await put(held({ openedAt: NOW - HOUR_MS / 2 }));
      const { data } = (await beside(brief!)).body;
      expect(data).toMatchObject({ why: 'underHour', inputs: null });
      expect(data.rows.net).toEqual({ live: 201, backtest: null, gap: null });
      await clearHedges(app.db, brief!);
    });

    test("of another's is no answer, but for a master", async () => {
      expect((await beside(id, 'editor')).status).toBe(404);
      expect((await beside(id, 'master')).status).toBe(200);
    });
  });

  describe('GET /api/hedge/close/quote', () => {
    test('says what closing would cost, by the book', async () => {
      const { body } = await app.as('trader')(api.quote, { query: { id } });
      const { legs, cost, realised, net, priceAt } = body.data;
      const bid = await app.venue.cost('simulated', 'AAAUSDT', 'sell', '20');
      const ask = await app.venue.cost('simulated', 'BBBUSDT', 'buy', '40');
      expect(legs).toMatchObject([
        { leg: 'long', symbol: 'AAAUSDT', side: 'sell', quantity: '20', price: bid!.price },
        { leg: 'short', symbol: 'BBBUSDT', side: 'buy', quantity: '40', price: ask!.price },
      ]);
      const fees = (20 * bid!.price + 40 * ask!.price) * 0.0005;
      expect(legs.reduce((sum, { fee }) => sum + fee!, 0)).toBeCloseTo(fees, 9);
      const slippage = legs.reduce((sum, one) => sum + one.slippage!, 0);
      expect(slippage).toBeGreaterThan(0);
      expect(cost).toBeCloseTo(fees + slippage, 9);
      const price = 20 * bid!.price - 2000 + 2000 - 40 * ask!.price;
      expect(realised).toBeCloseTo(price - fees, 9);
      expect(net).toBeCloseTo(price + 3 - 2 - fees, 9);
      expect(priceAt).toBe(NOW);
    });

    test('does not guess beyond the book', async () => {
      const [large] = await put(held({ longQuantity: '1000000', longOpened: '1000000' }));
      const { body } = await app.as('trader')(api.quote, { query: { id: large! } });
      expect(body.data).toMatchObject({ cost: null, net: null, legs: [{ price: null, fee: null }, { side: 'buy' }] });
      await clearHedges(app.db, large!);
    });

    test('is refused for what has ended, and for another', async () => {
      const [done] = await put(ended(1, 1));
      expect((await app.as('trader')(api.quote, { query: { id: done! } })).body.code).toBe(5021);
      expect((await app.as('editor')(api.quote, { query: { id } })).status).toBe(404);
      await clearHedges(app.db, done!);
    });
  });

  describe('PUT /api/hedge/note', () => {
    const note = (who: Who, text: string, of = id) => app.as(who)(api.note, { body: { id: of, note: text } });

    test('keeps who wrote it when', async () => {
      const { body } = await note('trader', '  观察 <b>  ');
      expect(body.data).toEqual({ id, note: '  观察 <b>  ', noteBy: 'trader', noteAt: NOW });
      expect((await list()).list[0]).toMatchObject({ note: '  观察 <b>  ', noteBy: 'trader', noteAt: NOW });
    });

    test("is for one's own hedges, up to 500 characters", async () => {
      expect((await note('editor', 'x')).status).toBe(404);
      expect((await note('master', 'x')).status).toBe(404);
      expect((await note('trader', 'x', 'no id')).status).toBe(404);
      expect((await note('trader', '字'.repeat(501))).status).toBe(400);
      expect((await note('trader', '\u0000')).status).toBe(400);
      expect((await note('trader', '字'.repeat(500))).body.code).toBe(200);
    });
  });

  describe('POST /api/hedge/close', () => {
    const close = (who: Who, of: string, headers: Record<string, string> = key()) =>
      app.as(who)(api.close, { query: { id: of }, headers });
    /** An engine that closes whatever it is asked to, after a while. */
    const closesAfter = (ms: number) => async (userId: string) => {
      const mine = await app.db.select().from(hedge).where(eq(hedge.userId, userId));
      for (const row of mine.filter(({ closeAskedAt, state }) => closeAskedAt !== null && state === 'open')) {
        await changeHedges(app.db, [row.id], { state: 'closing' });
        setTimeout(() => {
          const flat = { state: 'closed', longQuantity: '0', shortQuantity: '0', closedAt: NOW };
          void changeHedges(app.db, [row.id], flat);
        }, ms);
      }
    };

    test("of another's is 404, also for a master, and asks for nothing", async () => {
      expect((await close('editor', id)).status).toBe(404);
      expect((await close('master', id)).status).toBe(404);
      expect((await close('trader', others)).status).toBe(404);
      expect((await close('trader', 'no id')).status).toBe(404);
      const [row] = await app.db.select().from(hedge).where(eq(hedge.id, id));
      expect(row!.closeAskedAt).toBeNull();
    });

    test('answers once both legs are flat', async () => {
      work = closesAfter(300);
      const [mine] = (await put(held())) as [string];
      const before = (await bookOf('trader')).revision;
      const { body } = await close('trader', mine);
      expect(body.data).toEqual({ id: mine, state: 'closed', flat: true, message: '两边都已平仓' });
      const [row] = await app.db.select().from(hedge).where(eq(hedge.id, mine));
      expect(row).toMatchObject({ closeAskedAt: NOW, closeAskedBy: 'trader' });
      expect((await bookOf('trader')).revision).toBe(before + 1);
      expect(woken.at(-1)).toBe(ids.trader);
    });

    test('twice at once under one key is one close with one answer', async () => {
      work = closesAfter(200);
      const [mine] = (await put(held())) as [string];
      const before = (await bookOf('trader')).revision;
      const headers = key();
      const [first, second] = await Promise.all([close('trader', mine, headers), close('trader', mine, headers)]);
      expect(first!.body.data.flat).toBe(true);
      expect(second!.raw.rawPayload.equals(first!.raw.rawPayload)).toBe(true);
      expect((await bookOf('trader')).revision).toBe(before + 1);
      expect((await close('trader', others, headers)).body.code).toBe(1101);
    });

    test('needs no header, and of what is closing already it answers as the first time', async () => {
      work = closesAfter(200);
      const [mine] = (await put(held())) as [string];
      const both = await Promise.all([close('trader', mine, {}), close('trader', mine, {})]);
      const again = await close('trader', mine, {});
      for (const { status, body } of [...both, again]) {
        expect([status, body.data]).toEqual([200, { id: mine, state: 'closed', flat: true, message: '两边都已平仓' }]);
      }
      const [row] = await app.db.select().from(hedge).where(eq(hedge.id, mine));
      expect(row).toMatchObject({ closeAskedAt: NOW, closeAskedBy: 'trader' });
    });

    test('disarms its pair, unless it is to go on', async () => {
      work = closesAfter(50);
      const pairNow = async () => {
        const { data } = (await app.as('trader')(hedgeConfig.desk)).body;
        return data.pairs.find(({ pairId }) => pairId === pairs.trader)!;
      };
      await app.as('trader')(hedgeConfig.armPair, { body: { pairId: pairs.trader! } });
      const [first] = (await put(held())) as [string];
      const { body } = await app.as('trader')(api.close, { query: { id: first, keepArmed: true } });
      expect(body.data.flat).toBe(true);
      expect((await pairNow()).held).toBeNull();
      const [second] = (await put(held())) as [string];
      await close('trader', second);
      expect((await pairNow()).held).toEqual({ hold: 'closed', at: NOW, by: 'trader' });
      const { code } = (await app.as('trader')(hedgeConfig.armPair, { body: { pairId: pairs.trader! } })).body;
      expect([code, (await pairNow()).held]).toEqual([200, null]);
    });

    test('of what has ended answers its state and asks for nothing', async () => {
      const [done] = (await put(ended(1, 1))) as [string];
      const before = (await bookOf('trader')).revision;
      const { body } = await close('trader', done);
      expect(body.data).toMatchObject({ id: done, state: 'closed', flat: true });
      expect((await bookOf('trader')).revision).toBe(before);
    });

    test('that takes too long answers what it reached, and so does the same key later', async () => {
      const [mine] = (await put(held({ frozen: '订单结果不明' }))) as [string];
      const headers = key();
      const { body, raw } = await close('trader', mine, headers);
      expect(body.data).toMatchObject({ state: 'open', flat: false });
      expect(body.data.message).toContain('订单结果不明');
      await changeHedges(app.db, [mine], { state: 'closed', longQuantity: '0', shortQuantity: '0' });
      expect((await close('trader', mine, headers)).raw.payload).toBe(raw.payload);
    });

    test('goes on when the engine cannot be woken: it looks by itself', async () => {
      work = async (userId) => {
        await closesAfter(100)(userId);
        throw new Error('away');
      };
      const [mine] = (await put(held())) as [string];
      expect((await close('trader', mine)).body.data.flat).toBe(true);
    });
  });
});

describe('a frozen hedge', () => {
  const unfreeze = (who: Who, id: string, reason = '对过持仓') =>
    app.as(who)(api.unfreeze, { body: { id, reason }, headers: { 'idempotency-key': randomUUID() } });
  // A desk that was switched off again goes on managing what it holds.
  beforeAll(async () => {
    const trader = app.as('trader');
    for (const to of [hedgeConfig.enable, hedgeConfig.disable]) expect((await trader(to)).body.code).toBe(200);
  });

  test('goes on when its owner says why: the engine is asked to compare it with the venue', async () => {
    const [mine] = (await put(held({ frozen: '风控拦截：AAAUSDT 一分钟内已发出 30 笔委托' }))) as [string];
    expect((await app.as('trader')(api.detail, { query: { id: mine } })).body.data.mayThaw).toBe(true);
    expect((await unfreeze('trader', mine, '   ')).body).toMatchObject({ code: 5123 });
    expect((await unfreeze('editor', mine)).status).toBe(404);
    const before = (await bookOf('trader')).revision;
    expect((await unfreeze('trader', mine)).body).toMatchObject({ code: 200, data: { id: mine } });
    expect((await bookOf('trader')).revision).toBeGreaterThan(before);
    const [row] = await app.db.select().from(deal).where(eq(deal.id, mine));
    expect(row).toMatchObject({ unfreezeAskedAt: NOW, unfreezeAskedBy: 'trader', unfreezeReason: '对过持仓' });
  });

  test('is left to the engine while that compares it by itself, and what is not frozen needs nothing', async () => {
    const [doubted] = (await put(held({ frozen: ORDER_IN_DOUBT }))) as [string];
    expect((await app.as('trader')(api.detail, { query: { id: doubted } })).body.data.mayThaw).toBe(false);
    expect((await unfreeze('trader', doubted)).body.code).toBe(5122);
    const [sound] = (await put(held())) as [string];
    expect((await unfreeze('trader', sound)).body.code).toBe(5121);
  });
});

describe('the switches', () => {
  /** Fills are never deleted, so their hedges stay. */
  const endAll = () => changeAllHedges(app.db, { state: 'closed' });

  test('pause keeps its author and reason until it is resumed with another', async () => {
    const trader = app.as('trader');
    const before = (await bookOf('trader')).revision;
    expect((await trader(api.resume, { body: { reason: '没有' } })).body.code).toBe(5022);
    expect((await trader(api.pause, { body: { reason: '看行情' } })).body.data).toEqual({ paused: true });
    expect((await trader(api.pause, { body: {} })).body.data).toEqual({ paused: true });
    const desk = (await trader(hedgeConfig.desk)).body.data;
    expect(desk.paused).toEqual({ at: NOW, by: 'trader', reason: '看行情' });
    expect((await trader(api.resume, { body: {} })).status).toBe(400);
    expect((await trader(api.resume, { body: { reason: '恢复' } })).body.data).toEqual({ paused: false });
    expect((await trader(hedgeConfig.desk)).body.data.paused).toBeNull();
    expect((await bookOf('trader')).revision).toBe(before + 3);
    expect((await bookOf('trader')).lossLiftedDay).toBeNull();
    await app.as('master')(hedgeConfig.desk);
    const [master] = await app.db.select().from(user).where(eq(user.name, 'master'));
    await app.db.delete(book).where(eq(book.userId, master!.id));
    expect((await app.as('master')(api.pause, { body: {} })).body.code).toBe(6002);
  });

  test("a resume after the day's loss lifts the limit for the day", async () => {
    const mine = eq(book.userId, ids.trader!);
    await app.db.update(book).set({ pausedAt: NOW, pausedBy: '风控', pauseReason: '单日亏损' }).where(mine);
    expect((await app.as('trader')(hedgeConfig.desk)).body.data).toMatchObject({ lossLimitHit: true });
    await app.as('trader')(api.resume, { body: { reason: '接受风险' } });
    const day = NOW - (NOW % DAY_MS);
    expect(await bookOf('trader')).toMatchObject({ pausedAt: null, lossLiftedDay: day, pauseReason: '接受风险' });
    expect((await app.as('trader')(hedgeConfig.desk)).body.data).toMatchObject({ lossLimitHit: false, paused: null });
  });

  test('flatten asks for everything and pauses', async () => {
    await endAll();
    await put(held(), held(), ended(1, 1));
    const { body } = await app.as('trader')(api.flatten, { headers: key() });
    expect(body.data).toEqual({ running: 2 });
    expect(await bookOf('trader')).toMatchObject({ flattenAskedAt: NOW, flattenAskedBy: 'trader', pausedAt: NOW });
    expect(await bookOf('editor')).toMatchObject({ flattenAskedAt: null, pausedAt: null });
    expect((await app.as('master')(api.flatten, { headers: key() })).body.code).toBe(6002);
  });

  test("a master's switch is for everybody, and for no one else", async () => {
    await endAll();
    await put(held(), held({ userId: ids.editor!, pairId: pairs.editor! }));
    const turn = (who: Who, action: 'pause' | 'resume' | 'flatten') =>
      app.as(who)(api.switchAll, { body: { action, reason: '演练' }, headers: key() });
    expect((await turn('master', 'resume')).body.code).toBe(5022);
    const wrong = { action: 'stop', reason: '演练' };
    expect((await app.as('master')(api.switchAll, { body: wrong, headers: key() })).status).toBe(400);
    const before = (await bookOf('editor')).revision;
    woken.length = 0;
    expect((await turn('master', 'pause')).body.data).toEqual({ paused: true, running: 2 });
    expect(woken.sort()).toEqual([ids.trader!, ids.editor!].sort());
    expect((await bookOf('editor')).revision).toBe(before + 1);
    const { pausedForAll } = (await app.as('editor')(hedgeConfig.desk)).body.data;
    expect(pausedForAll).toEqual({ at: NOW, by: 'master', reason: '演练' });
    expect((await turn('master', 'resume')).body.data).toEqual({ paused: false, running: 2 });
    expect((await app.as('editor')(hedgeConfig.desk)).body.data.pausedForAll).toBeNull();
    expect((await turn('master', 'flatten')).body.data).toEqual({ paused: true, running: 2 });
    expect(await bookOf('editor')).toMatchObject({ flattenAskedAt: NOW, flattenAskedBy: 'master', pausedAt: null });
    expect((await app.db.select().from(killSwitch))[0]).toMatchObject({ id: 'all', pausedAt: NOW });
  });

  describe('what needs a master', () => {
    const list = async () => (await app.as('master')(api.attention)).body.data;
    const flatten = (who: Who, body: Record<string, unknown>) =>
      app.as(who)(api.switchAll, { body: { action: 'flatten', reason: '代为处理', ...body }, headers: key() });

    test('is nothing while all is well', async () => {
      await endAll();
      await put(held());
      expect(await list()).toEqual({ list: [], total: 0 });
    });

    test('everything that runs is listed for masters, of all users or of one, as its owner sees it', async () => {
      await endAll();
      const other = held({ userId: ids.editor!, pairId: pairs.editor!, createdAt: NOW - DAY_MS });
      await put(held(), other, ended(1, 1));
      const { running } = strategyOverview;
      const { list: rows, total } = (await app.as('master')(running)).body.data;
      expect(total).toBe(2);
      const [own] = (await app.as('trader')(api.list, { query: { state: 'running' } })).body.data.list;
      const { id, userId, user: name, state, frozen, openedAt, funding, net } = own!;
      expect(rows.find((row) => row.user === 'trader')).toMatchObject({
        ...{ id, userId, user: name, kind: 'hedge', symbols: ['AAAUSDT', 'BBBUSDT'] },
        ...{ state, frozen, openedAt, funding, net: expect.closeTo(net!, 8) },
      });
      const of = async (asked: string) => (await app.as('master')(running, { query: { userId: asked } })).body.data;
      expect((await of(ids.editor!)).list.map((row) => row.id)).toEqual([other.id]);
      expect(await of('no id')).toEqual({ list: [], total: 0 });
    });

    test('is what is frozen, on a wrong side, or of a blocked user; what has ended needs nobody', async () => {
      await endAll();
      const frozen = held({ frozen: '有委托结果未知', createdAt: NOW - 3 * DAY_MS });
      const reversed = held({ longQuantity: '-1', createdAt: NOW - 2 * DAY_MS });
      const other = held({ userId: ids.editor!, pairId: pairs.editor!, createdAt: NOW - DAY_MS });
      await put(frozen, reversed, held(), other, { ...ended(1, 1), frozen: '已了结' });
      const blocked = (flag: boolean) => app.db.update(user).set({ blocked: flag }).where(eq(user.id, ids.editor!));
      await blocked(true);
      const { list: rows, total } = await list();
      await blocked(false);
      expect(total).toBe(3);
      expect(
        rows.map(({ id, user: name, frozen: why, wrongSide, blocked: is }) => [id, name, why, wrongSide, is]),
      ).toEqual([
        [frozen.id, 'trader', '有委托结果未知', false, false],
        [reversed.id, 'trader', null, true, false],
        [other.id, 'editor', null, false, true],
      ]);
      const line = (await app.as('trader')(api.list, { query: { state: 'running' } })).body.data.list.find(
        ({ id }) => id === frozen.id,
      )!;
      expect(rows[0]).toMatchObject({ long: 'AAAUSDT', short: 'BBBUSDT', state: 'open', createdAt: frozen.createdAt });
      expect([rows[0]!.notional, rows[0]!.net]).toEqual([line.notional, line.net]);
    });

    test("one user's hedges are flattened alone, and everybody's switch stays as it is", async () => {
      await endAll();
      await put(held(), held({ userId: ids.editor!, pairId: pairs.editor! }));
      await app.db.delete(killSwitch);
      await app.db.update(book).set({ flattenAskedAt: null, flattenAskedBy: null, pausedAt: null });
      expect((await flatten('trader', { userId: ids.editor })).status).toBe(403);
      for (const action of ['pause', 'resume']) {
        expect((await flatten('master', { userId: ids.editor, action })).body).toMatchObject({
          code: 400,
          data: { fields: [{ field: 'userId' }] },
        });
      }
      for (const userId of [randomUUID(), 'nobody']) expect((await flatten('master', { userId })).status).toBe(404);
      expect((await flatten('master', { userId: ids.editor, reason: '' })).status).toBe(400);
      woken.length = 0;
      const { body } = await flatten('master', { userId: ids.editor });
      expect(body.data).toEqual({ paused: true, running: 1 });
      expect(woken).toEqual([ids.editor]);
      expect(await bookOf('editor')).toMatchObject({
        flattenAskedAt: NOW,
        flattenAskedBy: 'master',
        pausedAt: NOW,
        pausedBy: 'master',
        pauseReason: '代为处理',
      });
      expect(await bookOf('trader')).toMatchObject({ flattenAskedAt: null, pausedAt: null });
      expect(await app.db.select().from(killSwitch)).toEqual([]);
    });
  });
});
