import { eq } from 'drizzle-orm';
import { DEFAULT_SPREAD } from '#contract/kinds/spread/params';
import { deal, tradeOrder } from '#server/base/db/schema';
import { createStrategy, startStrategy } from '#server/desk/strategy/strategyIntents';
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
