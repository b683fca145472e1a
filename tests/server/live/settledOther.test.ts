import { HOUR_MS } from '#contract/duration';
import { LiveVenue } from '#server/market/live/liveVenue';
import { REAL_EXCHANGES } from '#server/market/live/orders/realExchanges';
import { answerOf, liveAccount } from '../../support/liveAccount';
import { fileDatabase } from '../../support/testDatabase';

const db = await fileDatabase();

test('what was flat at the last settlements is not asked about before a deal is closed, and keeps none open', async () => {
  const owner = await liveAccount(db, {}, 'okx');
  const { account, source, exchange, clock, order, wait } = owner;
  owner.key.addresses = ['127.0.0.1'];
  const ending = new AbortController();
  const asked: string[] = [];
  const venue = new LiveVenue({
    ...{ db, clock, source, exchange: REAL_EXCHANGES.okx as never, maxNotional: '100000' },
    keyOf: () => owner.keyRecord(),
    uidOf: async () => String(owner.customer.uid),
    lineOf: async () => {
      const line = await owner.line({ signal: ending.signal });
      const ask = line.asked.bind(line);
      return Object.assign(line, {
        asked: (what: string, ...rest: [never, never]) => {
          asked.push(what);
          return ask(what, ...rest);
        },
      });
    },
    markOf: (symbol) => exchange.listed(symbol)?.ticker.price ?? null,
    onTrouble: () => undefined,
  });
  await (await venue.opening(account, await owner.keyRecord())).write(db);
  for (const [symbol, quantity] of [
    ['SOLUSDT', '1'],
    ['ETHUSDT', '0.1'],
    ['BTCUSDT', '0.01'],
  ] as const) {
    await venue.submit(order({ symbol, quantity }));
    await venue.submit(order({ symbol, quantity, side: 'sell', reduceOnly: true }));
  }
  expect(await venue.settled(account)).toBeGreaterThan(0);
  wait(10 * HOUR_MS);
  asked.length = 0;
  // What is listed no more is not known there.
  const unknown = answerOf(400, { code: '51001', msg: "Instrument ID doesn't exist.", data: [] });
  exchange.faults.next(/funding-rate-history/, unknown);
  const settled = await venue.settled(account).catch((error: Error) => error.message);
  const settlements = asked.filter((what) => what === 'settlements').length;
  ending.abort();
  await venue.stop();
  expect({ settled: typeof settled, settlements }).toEqual({ settled: 'number', settlements: 0 });
});
