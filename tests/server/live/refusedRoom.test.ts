import Big from 'big.js';
import { liveSource } from '#contract/candle';
import { DAY_MS, MINUTE_MS } from '#contract/duration';
import { openJournal, restlessOrders } from '#server/base/db/accounts/liveJournal';
import { DeadMan } from '#server/market/live/orders/deadMan';
import { LiveOrders } from '#server/market/live/orders/liveOrders';
import { REAL_EXCHANGES } from '#server/market/live/orders/realExchanges';
import { VenueRefused } from '#server/market/venue';
import { atEnd } from '../../support/atEnd';
import { badLineTo, onlyAt } from '../../support/badLine';
import { addPair } from '../../support/bookRows';
import { answerOf, liveAccount } from '../../support/liveAccount';
import { liveProcess } from '../../support/liveProcess';
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
  const open = (id: string, symbols: readonly string[]) => live.open(id, symbols);
  const [onTrouble, onEnded] = [() => undefined, () => undefined];
  const deadMan = new DeadMan({ db, clock, exchange: real, ordersOf, look, open, onTrouble, onEnded });
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

test('a deal is closed whose exits the account nets with other deals: neither cap nor leverage keeps it open', async () => {
  const [BTC, ETH] = ['BTCUSDT', 'ETHUSDT'];
  const own = await fileDatabase();
  const held = { stopLoss: null, takeProfit: null, rebalance: null, dailyLossLimit: null };
  const owner = await liveAccount(own, { ...held, source: liveSource('binance') }, 'binance');
  const { source, userId, customer } = owner;
  owner.key.addresses = ['127.0.0.1'];
  const line = await badLineTo(owner.url, onlyAt.binance(BTC, ETH));
  atEnd(() => line.close());
  const begun = (maxNotional?: string) => liveProcess(own, owner, line.url, maxNotional ? { maxNotional } : {});
  const first = await begun();
  await first.venue.open(owner.paperAccount, '50000');
  await (await first.real.opening(owner.account, await owner.keyRecord())).write(own);
  const instants = { createdAt: owner.clock(), armedAt: owner.clock() };
  await addPair(own, { userId, source, long: BTC, short: ETH, ...instants });
  await addPair(own, { userId, source, long: ETH, short: BTC, ...instants });
  const deals = async () => (await first.desk.hedges()).map(({ state }) => state);
  await first.until('both are open', async () => (await deals()).join() === 'open,open');
  const closed = (await first.desk.hedges())[0]!;
  await first.end();

  // Both legs were netted away: each exit makes the account hold more than it may.
  const second = await begun('1');
  atEnd(() => second.end());
  owner.exchange.faults.next(
    /leverage$/,
    answerOf(400, { code: -4161, msg: 'Leverage reduction is not supported.' }),
    99,
  );
  await second.desk.close(closed.id);
  const refusals = async () =>
    (await second.desk.orders()).flatMap(({ state, reason }) => (state === 'refused' ? [reason] : []));
  const isClosed = async () => (await second.desk.hedges())[0]!.state === 'closed';
  await second.until('it is closed', async () => (await isClosed()) || (await refusals()).length > 0);
  expect(await refusals()).toEqual([]);
  const exits = (await second.desk.orders()).filter(({ purpose }) => purpose === 'exit');
  expect(exits.map(({ state, reduceOnly }) => [state, reduceOnly])).toEqual([
    ['filled', false],
    ['filled', false],
  ]);
  const left = (await second.desk.hedges())[1]!;
  expect(new Big(left.shortQuantity).eq(customer.positionOf(left.short))).toBe(true);
  // What adds has no room beside what the exits left.
  owner.exchange.faults.clear();
  const refused = refusalOf(second.venue.submit(owner.order({ side: 'sell', symbol: BTC, quantity: '0.001' })));
  expect(await refused).toBe('overCap');
  expect(await second.findings()).toEqual([]);
});
