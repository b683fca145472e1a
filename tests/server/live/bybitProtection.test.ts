import { MINUTE_MS, SECOND_MS } from '#contract/duration';
import type { VenueRefused } from '#server/market/venue';
import { atEnd } from '../../support/atEnd';
import { liveAccount } from '../../support/liveAccount';
import { fileDatabase } from '../../support/testDatabase';
import { waitFor } from '../../support/waitFor';

const PATIENCE_MS = 60_000;
const { customer, exchange, resting, there, wait, process } = await liveAccount(await fileDatabase(), {}, 'bybit');
/** Longer than Bybit waits for somebody to come back. */
const GONE_MS = 31 * SECOND_MS;

/** Somebody who trades the account, with an order that rests. */
async function trader() {
  const ending = new AbortController();
  atEnd(async () => ending.abort());
  const { orders, venue } = await process({ signal: ending.signal });
  const order = resting();
  return {
    ...{ orders, order, end: () => ending.abort() },
    rest: () => venue.submit(order),
    isLive: () => there(order)!.state === 'new',
  };
}
/** The stand-in has looked at who is there since the clock went on. */
async function later(): Promise<void> {
  const before = exchange.trueNow();
  wait(GONE_MS);
  await waitFor('a look', PATIENCE_MS, () => exchange.trueNow() > before + GONE_MS + SECOND_MS);
}

beforeEach(() => void customer.dcp.set('derivatives', 10));
afterEach(() => wait(MINUTE_MS));

test('where Bybit has not agreed it nothing is counted down', async () => {
  customer.dcp.clear();
  const { orders } = await trader();
  expect(await orders.countDown('', MINUTE_MS).catch((error: VenueRefused) => error.reason)).toBe('noCountdown');
});

test('what rests is kept for as long as somebody is there, and is cancelled when nobody is any more', async () => {
  const { orders, rest, isLive, end } = await trader();
  // Orders that are sent at once share it.
  await Promise.all([orders.countDown('', MINUTE_MS), orders.countDown('', MINUTE_MS)]);
  expect(customer.dcp.get('derivatives')).toBe(30);
  await rest();
  await later();
  expect(isLive()).toBe(true);
  end();
  await waitFor('it is cancelled', PATIENCE_MS, () => {
    wait(SECOND_MS);
    return !isLive();
  });
});

test('a connection that is lost is opened again by who puts it off', async () => {
  const { orders, rest, isLive } = await trader();
  await orders.countDown('', MINUTE_MS);
  await rest();
  exchange.faults.endedStreams.add('owner');
  await waitFor('it is hung up', PATIENCE_MS, () => !exchange.faults.endedStreams.has('owner'));
  await orders.countDown('', MINUTE_MS);
  await later();
  expect(isLive()).toBe(true);
  await orders.countDown('', 0);
});

test('what is taken back leaves orders of others where they are', async () => {
  const { orders, rest, isLive, end } = await trader();
  await orders.countDown('', MINUTE_MS);
  await rest();
  await orders.countDown('', 0);
  end();
  await later();
  expect(isLive()).toBe(true);
});
