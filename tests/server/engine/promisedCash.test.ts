import { eq } from 'drizzle-orm';
import { DEFAULT_SPREAD } from '#contract/kinds/spread/params';
import { deal, tradeOrder } from '#server/base/db/schema';
import { createStrategy, startStrategy } from '#server/desk/strategy/strategyIntents';
import { dryRun, readBooks } from '#server/engine/dryRun';
import { simulatedMarket, strategyDesk } from '../../support/kindDesk';
import { fileDatabase } from '../../support/testDatabase';

const START = Date.UTC(2026, 8, 1, 4, 30);
const db = await fileDatabase();

test.each(['market', 'maker'] as const)(
  'two entries of one moment are begun only where the account bears both (%s)',
  async (orderType) => {
    // Each takes 60,000 for coin and 12,000 of margin; the account has 100,000.
    const of = (coin: string) => ({
      ...{ ...DEFAULT_SPREAD, near: `${coin}USDT_SPOT`, far: `${coin}USDT_260925`, exitLevel: null, entryApr: 0 },
      ...{ legNotional: 60_000, leverage: 5, slippageCap: 100, orderType, convertSeconds: 5 },
    });
    const desk = await strategyDesk(db, simulatedMarket(START), 'spread', of('ETH'), { begins: false });
    const plan = await desk.planOf(of('ETH'));
    await db.transaction(async (tx) => {
      const { id } = await createStrategy(tx, desk.asker(), 'spread', { ...plan, name: 'other' } as never);
      await startStrategy(tx, desk.asker(), id);
      await startStrategy(tx, desk.asker(), desk.id);
    });
    await desk.run(60);
    const deals = await db.select().from(deal).where(eq(deal.userId, desk.userId));
    const orders = await db.select().from(tradeOrder).where(eq(tradeOrder.userId, desk.userId));
    const refused = orders
      .filter(({ state }) => state === 'refused')
      .map(({ symbol, reason }) => `${symbol} ${reason}`);
    const unwound = orders
      .filter(({ purpose }) => purpose === 'unwind')
      .map(({ symbol, state }) => `${symbol} ${state}`);
    expect({ deals: deals.map(({ state, closeReason }) => `${state} ${closeReason}`), refused, unwound }).toEqual({
      ...{ deals: ['open null'], refused: [], unwound: [] },
    });
  },
);

test('coin that is sold in a wallet apart backs no contracts, nor is their margin spent on coin', async () => {
  const of = (near: string, legNotional: number, leverage = 1) => ({
    ...{ ...DEFAULT_SPREAD, near, far: 'ETHUSDT_260925', exitLevel: null, entryApr: 0, slippageCap: 100 },
    ...{ legNotional, leverage, stopLoss: null, dailyLossLimit: null },
  });
  const desk = await strategyDesk(db, simulatedMarket(START), 'spread', of('ETHUSDT_SPOT', 30_000));
  await desk.run(20);
  const [held] = await desk.deals();
  expect(held!.state).toBe('open');
  // Spot has a wallet of its own, and nothing is free in either: all that there is to come is of the deal.
  const { venue, needs, userId } = desk;
  const margin = venue.margin.bind(venue);
  venue.margin = async (account) => {
    const { initialMargin, ...known } = await margin(account);
    return { ...known, spendable: '0', beside: '0', initialMargin, marginBalance: initialMargin };
  };
  /** What would open once it has ended. */
  async function opens(...asked: Parameters<typeof of>) {
    const params = of(...asked);
    const plan = await desk.planOf(params);
    const id = await db.transaction(async (tx) => {
      const made = await createStrategy(tx, desk.asker(), 'spread', { ...plan, name: asked.join() } as never);
      await startStrategy(tx, desk.asker(), made.id);
      return made.id;
    });
    const [book] = await readBooks(db, [userId], needs.clock());
    book!.deals.get(held!.id)!.closeAskedAt = needs.clock();
    for (const other of book!.strategies.values()) if (other.id !== id) other.state = 'paused';
    const { due, waiting } = await dryRun(needs, book!, () => true);
    const mine = waiting.find(({ strategyId }) => strategyId === id);
    return due.some(({ strategyId }) => strategyId === id) ? 'due' : mine?.block;
  }
  // 30,000 of margin are freed, and 30,000 of coin.
  const found = {
    contracts: await opens('ETHUSDT', 20_000),
    coin: await opens('ETHUSDT_SPOT', 40_000, 10),
    both: await opens('ETHUSDT_SPOT', 20_000, 10),
  };
  expect(found).toEqual({ contracts: 'margin', coin: 'balance', both: 'due' });
});
