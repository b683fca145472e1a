import Big from 'big.js';
import { HOUR_MS } from '#contract/duration';
import { LiveJournal } from '#server/market/live/orders/liveJournal';
import { REAL_EXCHANGES } from '#server/market/live/orders/realExchanges';
import { liveAccount } from '../../support/liveAccount';
import { fileDatabase } from '../../support/testDatabase';

const db = await fileDatabase();

test('what positions have made before an account is opened is money that it begins with, and no result', async () => {
  const { source, account, exchange, customer, line, wait } = await liveAccount(db);
  exchange.trading.place(customer, {
    ...{ symbol: 'ETHUSDT', wallet: 'derivatives', clientId: 'web', side: 'sell', type: 'market' },
    ...{ timeInForce: 'IOC', price: null, quantity: new Big('0.5'), reduceOnly: false },
  });
  wait(2 * HOUR_MS);
  const records = REAL_EXCHANGES.binance!.records((await line()) as never);
  const holdings = await records.holdings();
  const journal = new LiveJournal({
    db,
    source,
    recordsOf: async () =>
      ({ ...records, time: () => records.time(), income: async () => [], holdings: async () => holdings }) as never,
  });
  const { events } = await journal.found(account);
  const [position] = holdings.positions;
  const money = events.flatMap(({ event }) => (event.kind === 'transfer' ? [event.amount] : []));
  // Both books together, at the marks of the moment.
  const worth = events.reduce((sum, { event }) => {
    if (event.kind === 'transfer') return sum.plus(event.amount);
    if (event.kind !== 'fill') return sum;
    const signed = new Big(event.quantity).times(event.side === 'buy' ? 1 : -1);
    return sum.plus(signed.times(new Big(position!.markPrice).minus(event.price)));
  }, new Big(0));
  expect(new Big(position!.unrealised).abs().gt(1)).toBe(true);
  expect(worth.minus(money[0]!).toFixed()).toBe('0');
});
