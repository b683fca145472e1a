import { randomUUID } from 'node:crypto';
import { user } from '#server/base/db/schema';
import { accountIn, freeCoins } from '#server/desk/account/freeCoins';
import { addLedger, addOrders } from '../support/bookRows';
import { testDatabase } from '../support/testDatabase';

const PLACE = { source: 'simulated', symbol: 'SOLUSDT_SPOT' };

test('coin in live sales is not free, and coin being bought is not there yet', async () => {
  const db = await testDatabase();
  const userId = randomUUID();
  await db.insert(user).values({ id: userId, name: 'owner', role: 'user', passwordHash: '-', createdAt: 0 });
  const bought = { kind: 'fill', amount: '-1000', quantity: '10', price: '100', reference: 'bought', at: 1 };
  await addLedger(db, { userId, ...PLACE, ...bought });
  const order = {
    ...{ userId, ...PLACE, leg: 'short', type: 'market', purpose: 'entry', reduceOnly: false, quantity: '3' },
    ...{ limitPrice: '100', decisionMid: 100, state: 'open', filledQuantity: '1', createdAt: 2 },
  };
  const coins = async () => {
    const known = await freeCoins(db, userId, 'paper');
    return known.freeOf(accountIn(known, PLACE.source), PLACE).toFixed();
  };
  expect(await coins()).toBe('10');
  await addOrders(db, { ...order, id: 'buys', side: 'buy' });
  expect(await coins()).toBe('10');
  await addOrders(db, { ...order, id: 'sells', side: 'sell' });
  expect(await coins()).toBe('8');
  // The venue has ended it at what is booked of it.
  await addOrders(db, { ...order, id: 'ends', side: 'sell', reportedState: 'canceled', reportedQuantity: '1' });
  expect(await coins()).toBe('8');
});
