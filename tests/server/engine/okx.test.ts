import Big from 'big.js';
import { asc, eq, sql } from 'drizzle-orm';
import { DAY_MS, SECOND_MS } from '#contract/duration';
import { DEFAULT_OKX, type OkxParams } from '#contract/okx';
import { book, deal, dealLeg, ledger, target, tradeOrder } from '#server/db/schema';
import { targetsOf } from '#server/engine/preview';
import type { PaperVenueOptions } from '#server/exchange/paper/paperVenue';
import { createSimulatedVenues } from '#server/exchange/simulated';
import { okxDeskOf } from '#server/strategy/okxDesk';
import { createStrategy, startStrategy, updateStrategy } from '#server/strategy/strategyIntents';
import { strategyOverview } from '#server/strategy/strategyOverview';
import { openAt } from '../../support/openAt';
import { testDatabase } from '../../support/testDatabase';
import { tradingDesk } from '../../support/tradingDesk';

/** GRASS is cheap at OKX for some seconds 990 s after. */
const START = Date.UTC(2026, 8, 1, 4, 30) + 960 * SECOND_MS;

let db: Awaited<ReturnType<typeof testDatabase>>;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.close());

async function arbitrageDesk(over: Partial<OkxParams> = {}, venue: Partial<PaperVenueOptions> = {}) {
  const clock = { now: START };
  const venues = createSimulatedVenues({ clock: () => clock.now });
  const markets = { list: async () => venues, get: async (s: string) => venues.find(({ source }) => source === s) };
  const wait = (ms = 1000) => {
    clock.now += ms;
  };
  const desk = await tradingDesk(db, { clock: () => clock.now, wait, markets }, { venue });
  await openAt(db, desk.venue, { userId: desk.userId, at: 'simulated-okx' });
  const params: OkxParams = { ...DEFAULT_OKX, coins: ['GRASS'], ...over };
  const asker = () => ({ user: { id: desk.userId, name: 'desk' }, now: clock.now });
  const planOf = async (with_: OkxParams) => ({
    name: 'GRASS',
    params: with_,
    targets: (await targetsOf(markets, 'okx', with_)).legs,
  });
  const first = await planOf(params);
  const { id } = await db.transaction((tx) => createStrategy(tx, asker(), 'okx', first));
  await db.transaction((tx) => startStrategy(tx, asker(), id));
  await desk.engine.wake(desk.userId);
  return {
    ...desk,
    clock,
    change: async (next: Partial<OkxParams>) => {
      const plan = await planOf({ ...params, ...next });
      await db.transaction((tx) => updateStrategy(tx, asker(), id, 1, plan));
      await desk.engine.wake(desk.userId);
    },
    overview: () => strategyOverview({ db, markets }, desk.userId, clock.now),
    read: () => okxDeskOf({ db, markets, clock: () => clock.now }, desk.userId, id),
    targets: () => db.select().from(target).where(eq(target.strategyId, id)).orderBy(asc(target.id)),
    deals: async () => {
      const rows = await db.select().from(deal).where(eq(deal.strategyId, id)).orderBy(asc(deal.createdAt));
      return Promise.all(
        rows.map(async (row) => {
          const own = await db.select().from(dealLeg).where(eq(dealLeg.dealId, row.id));
          const of = (name: string) => own.find(({ leg }) => leg === name)!;
          return {
            ...row,
            long: of('long'),
            short: of('short'),
            isStock: (row.opening as { isStock: boolean }).isStock,
          };
        }),
      );
    },
    /** Coin at all venues by the ledger. */
    coins: async () => {
      const rows = await db.select().from(ledger).where(eq(ledger.userId, desk.userId));
      return rows.reduce((sum, { kind, quantity }) => (kind === 'fill' ? sum.plus(quantity ?? 0) : sum), new Big(0));
    },
  };
}

test('it stocks up at both venues, takes a gap with both orders at once, keeps its coin, and sells it when told to hold none', async () => {
  const sentAt: number[] = [];
  const latency = () => {
    sentAt.push(performance.now());
    return 80;
  };
  const desk = await arbitrageDesk({}, { latency });
  await desk.run(8);
  const stock = await desk.deals();
  expect(stock.map(({ isStock, state, long }) => [isStock, state, long.source]).sort()).toEqual([
    [true, 'closed', 'simulated'],
    [true, 'closed', 'simulated-okx'],
  ]);
  const before = await desk.coins();
  expect(before.toNumber()).toBeGreaterThan(0);
  expect((await desk.targets()).every(({ block }) => block === 'waitsForEdge')).toBe(true);

  sentAt.length = 0;
  await desk.run(30);
  const trades = (await desk.deals()).filter(({ isStock }) => !isStock);
  expect(trades.length).toBeGreaterThan(0);
  const [first] = trades;
  expect(first).toMatchObject({ state: 'closed', closeReason: 'done', long: { source: 'simulated-okx' } });
  // The second order left while the first was still on its way.
  expect(sentAt[1]! - sentAt[0]!).toBeLessThan(70);
  const orders = await db.select().from(tradeOrder).where(eq(tradeOrder.dealId, first!.id));
  expect(orders.map(({ sentAt: at }) => at)).toEqual([orders[0]!.sentAt, orders[0]!.sentAt]);

  // What was bought and sold is one quantity, but for the lot that the fee leaves.
  const { lotSize } = (await desk.venue.terms('simulated', 'GRASSUSDT_SPOT'))!;
  const moved = (await desk.coins()).minus(before).abs().div(trades.length);
  expect(moved.lte(lotSize)).toBe(true);
  const rows = await db.select().from(ledger).where(eq(ledger.dealId, first!.id));
  const cash = rows.reduce((sum, { amount }) => sum.plus(amount), new Big(0));
  const total = (figure: 'realised' | 'fees') => new Big(first!.long[figure]).plus(first!.short[figure]);
  expect(total('realised').minus(total('fees')).toFixed()).toBe(cash.toFixed());
  // What was seen is what was made, within the second that it took.
  expect(cash.div(first!.long.notional).toNumber()).toBeCloseTo(first!.signalOpen!, 4);
  expect((await desk.targets()).reduce((sum, row) => sum + row.seen, 0)).toBeGreaterThan(0);

  const { funnel, inventory, moves, trades: told } = await desk.read();
  expect(funnel).toEqual({
    seen: expect.any(Number),
    attempted: trades.length,
    filled: trades.length,
    profitable: trades.length,
  });
  expect(funnel.seen).toBeGreaterThanOrEqual(funnel.attempted);
  expect(told[0]).toMatchObject({ buy: 'simulated-okx', sell: 'simulated', apartMs: 0, state: 'closed' });
  const held = inventory.reduce((sum, { quantity }) => sum.plus(quantity), new Big(0));
  expect(held.toFixed()).toBe((await desk.coins()).toFixed());
  // The coin went from where it is dear to where it was cheap: it is told what would bring it back.
  expect(moves).toMatchObject([{ base: 'GRASS', from: 'simulated-okx', to: 'simulated' }]);

  await desk.change({ stockNotional: 0 });
  await desk.run(15);
  const left = await desk.coins();
  expect(left.toNumber()).toBeLessThan(before.toNumber() * 0.02);
  // What stayed as inventory is nothing that the strategy makes or loses the day after.
  desk.clock.now += DAY_MS;
  const own = (await desk.overview()).list.find(({ kind, userId }) => kind === 'okx' && userId === desk.userId)!;
  expect(own.today).toBeCloseTo(0, 6);
  expect(await desk.findings()).toEqual([]);
  expect(desk.troubles).toEqual([]);
  await desk.retire();
});

test('a side that does not come is completed or taken back; without inventory nothing is sold', async () => {
  // The selling side is refused: what was bought goes back.
  const reject: NonNullable<PaperVenueOptions['faults']>['reject'] = ({ side, source }) =>
    side === 'sell' && source === 'simulated';
  const desk = await arbitrageDesk({}, { faults: { reject } });
  await desk.run(60);
  const [failed] = (await desk.deals()).filter(({ isStock }) => !isStock);
  expect(failed).toMatchObject({
    state: 'failed',
    closeReason: 'oneLeg',
    long: { quantity: '0' },
    short: { opened: '0' },
  });
  expect(await desk.findings()).toEqual([]);
  await desk.retire();

  const empty = await arbitrageDesk({ stockNotional: null });
  const blocks = new Set<string | null>();
  for (let seconds = 0; seconds < 36; seconds += 1) {
    // Somebody saves something every second.
    await db
      .update(book)
      .set({ revision: sql`${book.revision} + 1` })
      .where(eq(book.userId, empty.userId));
    await empty.run(1);
    for (const { block } of await empty.targets()) blocks.add(block);
  }
  expect(await empty.deals()).toEqual([]);
  expect([...blocks].sort()).toEqual(['inventory', 'waitsForEdge']);
  // One gap, however often it was looked at.
  expect((await empty.targets()).map(({ seen }) => seen).sort()).toEqual([0, 1]);
  await empty.retire();
});
