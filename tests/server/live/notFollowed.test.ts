import { randomUUID } from 'node:crypto';
import Big from 'big.js';
import { DAY_MS, MINUTE_MS } from '#contract/duration';
import { openJournal } from '#server/base/db/accounts/liveJournal';
import { createLive } from '#server/market/live/live';
import { LiveJournal } from '#server/market/live/orders/liveJournal';
import { atEnd } from '../../support/atEnd';
import { badLineTo, onlyAt } from '../../support/badLine';
import { liveAccount } from '../../support/liveAccount';
import { fileDatabase } from '../../support/testDatabase';
import { waitFor } from '../../support/waitFor';

/** A coin without a perpetual is not followed. */
const FOLLOWED = ['BTCUSDT', 'ETHUSDT'];
const COIN = 'SOLUSDT_SPOT';

const db = await fileDatabase();

test.each(['okx'] as const)(
  'what somebody trades by hand at %s of what is not followed keeps nothing else from being booked',
  async (name) => {
    const owner = await liveAccount(db, {}, name);
    const { account, source, customer, exchange, clock, order, process, wait } = owner;
    const far = await badLineTo(owner.url, onlyAt[name](...FOLLOWED, COIN));
    atEnd(() => far.close());
    const live = createLive({
      ...{ db, clock, exchanges: [name], urls: { [name]: far.url }, onTrouble: () => undefined },
      times: { ping: 150, out: 900, silent: 2_000, stale: 2_500, poll: 300, again: 50, longest: 200, history: 0 },
      collectorTimes: { look: 100, lease: 1_500 },
    });
    atEnd(() => live.stop());
    live.start();
    const market = live.markets[0]!;
    await waitFor('it is listed', 60_000, () => market.feed.listedAt > 0);

    const line = Object.assign(await owner.line(), {
      contractSizeOf: (symbol: string) => market.contractSizeOf(symbol),
    });
    const records = line.exchange.records(line);
    const journal = new LiveJournal({ db, source, recordsOf: async () => records });
    const { since, events } = await journal.found(account);
    await openJournal(db, { accountId: account, since }, events);

    exchange.trading.place(customer, {
      ...{ symbol: COIN, wallet: 'spot', clientId: `web_${randomUUID().slice(0, 12)}`, side: 'buy', type: 'market' },
      ...{ timeInForce: 'IOC', price: null, quantity: new Big('1'), reduceOnly: false },
    });
    const ours = order();
    await (await process()).venue.submit(ours);
    // The stream names it too, and what was heard is asked for until it was read.
    const heard = [ours.symbol, COIN];
    await journal.read(account, heard).catch(() => undefined);
    wait(DAY_MS + MINUTE_MS);
    const failure = await journal.read(account, heard).then(
      () => null,
      (error: Error) => error.message,
    );
    expect(failure).toBeNull();
    const booked = (await journal.events(account, 0)).filter(
      (event) => event.kind === 'fill' && event.clientId === ours.clientId,
    );
    expect(booked.length).toBeGreaterThan(0);
  },
);

test('what OKX closes and lists no more is booked all the same', async () => {
  const owner = await liveAccount(db, {}, 'okx');
  const { account, source, customer, exchange, clock, order, process, wait } = owner;
  const live = createLive({
    ...{ db, clock, exchanges: ['okx'], urls: { okx: owner.url }, onTrouble: () => undefined },
    times: {
      ping: 150,
      out: 900,
      silent: 2_000,
      stale: 2_500,
      poll: 300,
      again: 50,
      longest: 200,
      history: 0,
      listings: 300,
    },
    collectorTimes: { look: 100, lease: 1_500 },
  });
  atEnd(() => live.stop());
  live.start();
  const market = live.markets[0]!;
  await waitFor('it is listed', 60_000, () => market.feed.listedAt > 0);
  const line = Object.assign(await owner.line(), { contractSizeOf: (symbol: string) => market.contractSizeOf(symbol) });
  const records = line.exchange.records(line);
  const journal = new LiveJournal({ db, source, recordsOf: async () => records });
  const { since, events } = await journal.found(account);
  await openJournal(db, { accountId: account, since }, events);

  const held = order({ symbol: 'SOLUSDT', quantity: '3' });
  await (await process()).venue.submit(held);
  await journal.read(account, [held.symbol]);
  exchange.trading.force(customer, 'SOLUSDT', 'liquidation', 1);
  exchange.faults.delisted.add('SOLUSDT');
  await waitFor('it is listed no more', 60_000, () => !market.feed.listings.has('SOLUSDT'));
  wait(MINUTE_MS);
  // No read fails; which of them is the first to be told of it is the exchange's affair.
  await waitFor('it is booked', 60_000, async () => {
    await journal.read(account);
    return (await journal.heldThen(account)).get('SOLUSDT') === undefined;
  });
});
