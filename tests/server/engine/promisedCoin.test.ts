import { eq } from 'drizzle-orm';
import { SECOND_MS } from '#contract/duration';
import { DEFAULT_OKX } from '#contract/kinds/okx/params';
import { deal, tradeOrder } from '#server/base/db/schema';
import { createStrategy, startStrategy } from '#server/desk/strategy/strategyIntents';
import type { BookLevel } from '#server/market/exchange';
import { simulatedMarket, strategyDesk } from '../../support/kindDesk';
import { fileDatabase } from '../../support/testDatabase';

const START = Date.UTC(2026, 8, 1, 4, 30) + 960 * SECOND_MS;
const db = await fileDatabase();

test('two strategies sell the coin of one account no more than once', async () => {
  const params = { ...DEFAULT_OKX, coins: ['GRASS'], hedge: false, auto: true, triggers: 1, maxDelayMs: 5000 };
  const own = { ...params, legNotional: 1500, stockNotional: 2000, entryBps: 60 };
  const desk = await strategyDesk(db, simulatedMarket(START - 300 * SECOND_MS), 'okx', own, { second: 100_000 });
  await desk.run(8);
  const plan = await desk.planOf({ ...own, stockNotional: null });
  await desk.ask(async (tx, by) => {
    const { id } = await createStrategy(tx, by, 'okx', { ...plan, name: 'other' } as never);
    await startStrategy(tx, by, id);
  });
  await desk.run(2);
  // What one of the venues has is dearer there from now on, by a hundredth.
  const venue = desk.venues[1]!;
  const book = venue.book!.bind(venue);
  const shifted = (levels: readonly BookLevel[]) =>
    levels.map(({ ticks, lots }) => ({ ticks: Math.round(ticks * 1.02), lots }));
  venue.book = (symbol, at) => {
    const now = book(symbol, at);
    return now && { ...now, bids: shifted(now.bids), asks: shifted(now.asks) };
  };
  const before = new Set((await db.select().from(deal).where(eq(deal.userId, desk.userId))).map(({ id }) => id));
  await desk.run(12);
  const deals = (await db.select().from(deal).where(eq(deal.userId, desk.userId))).filter(({ id }) => !before.has(id));
  const orders = await db.select().from(tradeOrder).where(eq(tradeOrder.userId, desk.userId));
  const refused = orders
    .filter(({ state }) => state === 'refused')
    .map(({ symbol, side, reason }) => `${side} ${symbol} ${reason}`);
  expect({
    before: before.size,
    ends: deals.map(({ state, closeReason }) => `${state} ${closeReason}`),
    refused,
  }).toEqual({ before: 2, ends: ['closed done'], refused: [] });
});

test('two strategies that are started at once buy the stock of their accounts once', async () => {
  const own = { ...DEFAULT_OKX, coins: ['GRASS'], hedge: false, auto: false, legNotional: 1500, stockNotional: 2000 };
  const market = simulatedMarket(START - 300 * SECOND_MS);
  const desk = await strategyDesk(db, market, 'okx', own, { second: 100_000, begins: false });
  const plan = await desk.planOf(own);
  await db.transaction(async (tx) => {
    const { id } = await createStrategy(tx, desk.asker(), 'okx', { ...plan, name: 'other' } as never);
    await startStrategy(tx, desk.asker(), id);
    await startStrategy(tx, desk.asker(), desk.id);
  });
  await desk.run(30);
  const orders = await db.select().from(tradeOrder).where(eq(tradeOrder.userId, desk.userId));
  const filled = orders.filter(({ state }) => state === 'filled');
  expect(filled.map(({ side, source }) => `${side} ${source}`).sort()).toEqual(['buy simulated', 'buy simulated-okx']);
});
