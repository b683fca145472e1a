import { account } from '#contract/account';
import { cexRateDesk } from '#contract/kinds/cexRate/desk';
import { strategies as api } from '#contract/strategies';
import { venueAccount } from '#contract/venueAccount';
import { journalEvents } from '#server/base/db/accounts/liveJournal';
import { cashAt, cashOf } from '../../support/journalCash';
import { answerOf } from '../../support/liveAccount';
import { answered, PERPETUAL, REAL_PATIENCE_MS } from '../../support/realCarry';
import { realRates } from '../../support/realRates';
import { fileDatabase } from '../../support/testDatabase';

const db = await fileDatabase();
const rates = await realRates(db, ['binance', 'okx']);
const { places, bought, sold, owner, made, start, until, close, stop, dealsOf } = rates;

/** Of a perpetual, at both. */
const ORDER = /^POST .*\/order$/;

const heldAt = ({ customer }: (typeof places)[number]) => customer.positionOf(PERPETUAL!).toNumber();
const entriesAt = ({ customer }: (typeof places)[number]) =>
  [...customer.orders.values()].filter(({ reduceOnly }) => !reduceOnly);

/** Nothing is left at either exchange, and the books of both accounts are the exchange's own, to the last digit. */
async function endsClean(id: string): Promise<void> {
  expect((await stop(id)).code).toBe(200);
  const rows = (await owner.call(venueAccount.list)).data.list.filter(({ mode }) => mode === 'live');
  for (const { customer, name } of places) {
    const { id: accountId } = rows.find(({ venue }) => venue.startsWith(name))!;
    expect(customer.positionOf(PERPETUAL!).toFixed()).toBe('0');
    await answered(
      `the books of ${name}`,
      async () => cashOf(await journalEvents(db, accountId, 0)) === cashAt(customer),
    );
  }
}

async function started(): Promise<string> {
  await owner.proved();
  const { code, data } = await made();
  expect(code).toBe(200);
  expect((await start(data.id)).code).toBe(200);
  return data.id;
}

beforeAll(() => rates.open(), 2 * REAL_PATIENCE_MS);
afterEach(() => {
  for (const { exchange } of places) exchange.faults.clear();
});

test('the cap of each account is held against the leg that it has', async () => {
  const { params } = rates;
  const { accounts } = (await owner.call(api.preview, { body: { kind: 'cexRate', mode: 'live', params } })).data;
  expect(accounts).toMatchObject(
    Object.values(rates.sources).map((source) => ({ source, notional: 2_000, room: 5_000 })),
  );
});

test('a difference of rates is opened at two exchanges with as much of both, and closed', async () => {
  const id = await started();
  await until(id, 'open');
  expect(heldAt(bought)).toBeGreaterThan(0);
  expect(heldAt(sold)).toBe(-heldAt(bought));
  const { venues } = (await owner.call(cexRateDesk.margins, { query: { id } })).data;
  expect(venues.map(({ source }) => source)).toEqual(Object.values(rates.sources));
  for (const { equity } of venues) expect(Math.abs(equity! - 40_000)).toBeLessThan(100);
  expect((await close(id)).code).toBe(200);
  await until(id, 'closed');
  await endsClean(id);
});

test.each(['noAnswer', 'cut'] as const)(
  'an order at either exchange that is taken, and then %s, is not sent again',
  async (kind) => {
    for (const { exchange } of places) exchange.faults.next(ORDER, { kind });
    const before = places.map((place) => entriesAt(place).length);
    const id = await started();
    await until(id, 'open');
    expect(heldAt(sold)).toBe(-heldAt(bought));
    expect(places.map((place, i) => entriesAt(place).length - before[i]!)).toEqual([1, 1]);
    for (const { exchange } of places) exchange.faults.next(ORDER, { kind });
    expect((await close(id)).code).toBe(200);
    await until(id, 'closed');
    await endsClean(id);
  },
);

test('what one exchange refuses is taken back at the other', async () => {
  bought.exchange.faults.next(ORDER, answerOf(400, { code: -2019, msg: 'Margin is insufficient.' }), 1_000);
  const before = entriesAt(sold).length;
  const id = await started();
  await answered('it has failed', async () => (await dealsOf(id)).some(({ state }) => state === 'failed'));
  expect(entriesAt(sold).length).toBeGreaterThan(before);
  await endsClean(id);
});

test('a close that one exchange does not hear is done when it is there again', async () => {
  const id = await started();
  await until(id, 'open');
  const size = heldAt(bought);
  const { faults } = sold.exchange;
  Object.assign(faults, { isRestDown: true, areStreamsDown: true });
  await answered('it is told', async () =>
    (await owner.call(account.stops)).data.outages.includes(rates.sources.short),
  );
  expect((await close(id)).code).toBe(200);
  expect((await dealsOf(id))[0]).toMatchObject({ state: 'open', closeAsked: true });
  expect(places.map(heldAt)).toEqual([size, -size]);
  faults.clear();
  await until(id, 'closed');
  await endsClean(id);
});
