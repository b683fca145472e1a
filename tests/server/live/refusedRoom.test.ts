import { DAY_MS, MINUTE_MS } from '#contract/duration';
import { openJournal, restlessOrders } from '#server/base/db/accounts/liveJournal';
import { DeadMan } from '#server/market/live/orders/deadMan';
import { LiveOrders } from '#server/market/live/orders/liveOrders';
import { REAL_EXCHANGES } from '#server/market/live/orders/realExchanges';
import { VenueRefused } from '#server/market/venue';
import { answerOf, liveAccount } from '../../support/liveAccount';
import { fileDatabase } from '../../support/testDatabase';

const SPOT = { symbol: 'BTCUSDT_SPOT', leverage: 1 };
const db = await fileDatabase();
const { account, clock, exchange, order, process, wait, priceOf } = await liveAccount(db, {}, 'binance');

const refusalOf = (asked: Promise<unknown>) =>
  asked.then(
    () => 'nothing',
    (error) => (error instanceof VenueRefused ? error.reason : error),
  );

test('what an exchange refused for certain takes nothing of what the account may hold', async () => {
  const { orders, journal } = await process();
  const { since, events } = await journal.found(account);
  await openJournal(db, { accountId: account, since }, events);
  const real = REAL_EXCHANGES.binance;
  const ordersOf = async () => orders;
  // Room for two orders.
  const worth = Number(order(SPOT).limitPrice) * 0.01;
  const cap = { most: String(worth * 2.5), markOf: () => Number(priceOf('BTCUSDT', 1)) };
  const look = (id: string, clientId: string) => live.lookup(id, clientId, false);
  const deadMan = new DeadMan({ db, clock, exchange: real, ordersOf, look, onTrouble: () => undefined });
  const live: LiveOrders = new LiveOrders({ db, exchange: real, ordersOf, capFor: async () => cap });

  const poor = answerOf(400, { code: -2010, msg: 'Account has insufficient balance for requested action.' });
  for (let i = 0; i < 2; i += 1) {
    exchange.faults.next(/^POST \/api\/v3\/order$/, poor);
    expect(await refusalOf(live.submit(order(SPOT)))).toBe('insufficientBalance');
  }
  // Whoever trades the account looks after it for days.
  for (let i = 0; i < 3; i += 1) {
    wait(DAY_MS);
    deadMan.tend(account);
    await deadMan.idle();
  }
  wait(MINUTE_MS);
  expect(await refusalOf(live.submit(order(SPOT)))).toBe('nothing');
  // Nor is it asked about for ever.
  expect((await restlessOrders(db, account, clock() - MINUTE_MS)).length).toBe(1);
});
