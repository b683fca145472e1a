import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { insertAccount } from '#server/base/db/accounts/venueAccount';
import { outsideNews } from '#server/base/db/markets/newsSource';
import { ledger, user } from '#server/base/db/schema';
import { fileApp } from '../support/app';

const app = await fileApp();

test('what an account is opened with was not traded just now, and is no news', async () => {
  const { db } = app;
  const [found] = await db.select().from(user).where(eq(user.name, 'trader'));
  const [userId, accountId] = [found!.id, randomUUID()];
  await insertAccount(db, { id: accountId, userId, venue: 'binance-live', name: '实盘', mode: 'live' });
  const at = app.now();
  const row = { userId, accountId, kind: 'fill', source: 'binance-live', amount: '-1', quantity: '1', price: '1', at };
  await db.insert(ledger).values([
    { ...row, symbol: 'ETHUSDT', reference: `fill:${accountId}:open:ETHUSDT` },
    { ...row, symbol: 'BTCUSDT', reference: `fill:${accountId}:BTCUSDT:7` },
  ]);
  expect((await outsideNews(db, 0, 0)).map(({ symbol }) => symbol)).toEqual(['BTCUSDT']);
});
