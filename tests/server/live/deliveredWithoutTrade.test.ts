import { HOUR_MS } from '#contract/duration';
import { openJournal } from '#server/base/db/accounts/liveJournal';
import { LiveJournal } from '#server/market/live/orders/liveJournal';
import { REAL_EXCHANGES } from '#server/market/live/orders/realExchanges';
import { liveAccount } from '../../support/liveAccount';
import { fileDatabase } from '../../support/testDatabase';

const FUTURE = 'BTCUSDT_261225';
const db = await fileDatabase();

test('a delivery whose money names no trade is booked all the same', async () => {
  const { account, source, exchange, customer, order, line, process, wait } = await liveAccount(db, {}, 'binance');
  const records = REAL_EXCHANGES.binance!.records((await line()) as never);
  const income = records.income.bind(records);
  let isDelivered = false;
  // What it comes to is one row of its own, of the symbol alone.
  records.income = async (from, until) => {
    const rows = await income(from, until);
    return isDelivered ? rows.map((row) => (row.symbol === FUTURE ? { ...row, trade: null } : row)) : rows;
  };
  const journal = new LiveJournal({ db, source, recordsOf: async () => records });
  const { since, events } = await journal.found(account);
  await openJournal(db, { accountId: account, since }, events);
  const { venue } = await process();
  await venue.submit(order({ symbol: FUTURE, quantity: '0.01', leverage: 5 }));
  await journal.read(account);
  expect((await journal.heldThen(account)).get(FUTURE)).toBe('0.01');
  // Nothing else is asked about it any more.
  wait(2 * HOUR_MS);
  await journal.read(account);
  wait(2 * HOUR_MS);
  await journal.read(account);
  isDelivered = true;
  exchange.trading.force(customer, FUTURE, 'delivery');
  for (let i = 0; i < 3; i += 1) {
    await journal.read(account);
    wait(20_000);
  }
  expect((await journal.heldThen(account)).get(FUTURE) ?? '0').toBe('0');
  const told = await journal.events(account, 0);
  expect(told.filter((event) => event.kind === 'fill' && event.forced === 'delivery').length).toBeGreaterThan(0);
});
