import { HOUR_MS, SECOND_MS } from '#contract/duration';
import { LiveVenue } from '#server/market/live/liveVenue';
import { REAL_EXCHANGES } from '#server/market/live/orders/realExchanges';
import type { Raw } from '#server/market/live/ownClient';
import { liveAccount } from '../../support/liveAccount';
import { fileDatabase } from '../../support/testDatabase';
import { waitFor } from '../../support/waitFor';

const db = await fileDatabase();
/** How much later than its money binance says that it settled. */
const LATER_MS = 6;
const hourOf = (at: unknown) => Math.floor(Number(at) / HOUR_MS) * HOUR_MS;

test('a settlement that is dated a moment after its money is told as the one that it is, and keeps no deal open', async () => {
  const owner = await liveAccount(db);
  const { account, customer, source, exchange, clock, order, wait } = owner;
  owner.key.addresses = ['127.0.0.1'];
  const ending = new AbortController();
  const own = await owner.line({ signal: ending.signal });
  const { client } = own;
  const paid = () => customer.income.filter(({ kind }) => kind === 'funding');
  const hours = () => paid().map(({ at }) => hourOf(at));
  const rates = client.fapiPublicGetFundingRate.bind(client);
  client.fapiPublicGetFundingRate = async (request?: object) => {
    const { endTime, ...rest } = request as Record<string, number>;
    const dated = ((await rates({ ...rest, endTime: endTime! })) as Raw[]).map((row) => {
      // The first is dated as its money is.
      const later = Number(row.fundingTime) === hours()[0] ? 0 : LATER_MS;
      return { ...row, fundingTime: Number(row.fundingTime) + later };
    });
    return dated.filter(({ fundingTime }) => fundingTime <= endTime!) as never;
  };
  const income = client.fapiPrivateGetIncome.bind(client);
  client.fapiPrivateGetIncome = async (request?: object) => {
    const rows = (await income(request)) as Raw[];
    return rows.map((row) => (row.incomeType === 'FUNDING_FEE' ? { ...row, time: hourOf(row.time) } : row)) as never;
  };
  const venue = new LiveVenue({
    ...{ db, clock, source, exchange: REAL_EXCHANGES.binance as never, maxNotional: '100000' },
    keyOf: () => owner.keyRecord(),
    uidOf: async () => String(customer.uid),
    lineOf: async () => own,
    markOf: (symbol) => exchange.listed(symbol)?.ticker.price ?? null,
    onTrouble: () => undefined,
  });
  await (await venue.opening(account, await owner.keyRecord())).write(db);
  await venue.submit(order());
  expect(await venue.settled(account)).toBeGreaterThan(0);
  for (const [i, hoursOn] of [7, 8].entries()) {
    wait(hoursOn * HOUR_MS);
    await waitFor('it is settled', 60_000, () => paid().length === i + 1);
    await venue.settled(account).catch(() => undefined);
    wait(SECOND_MS);
  }
  await venue.submit(order({ side: 'sell', reduceOnly: true }));
  const settled = await venue.settled(account);
  const told = (await venue.events(account, 0)).filter((event) => event.kind === 'funding');
  ending.abort();
  await venue.stop();
  // Two of one instant would be booked as one.
  expect({ told: told.map(({ at, quantity }) => ({ at, quantity })), settled: typeof settled }).toEqual({
    told: hours().map((at) => ({ at, quantity: '0.01' })),
    settled: 'number',
  });
});
