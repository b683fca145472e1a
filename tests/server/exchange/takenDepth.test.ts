import type { Database } from '#server/db/client';
import { createPaperVenue } from '#server/exchange/paper/paperVenue';
import { perpetualOf } from '#server/exchange/perpetualOf';
import { createSimulatedVenues } from '#server/exchange/simulated';
import { memoryDatabase } from '../../support/prepared';

const START = Date.UTC(2026, 0, 15, 6, 30);

let db: Database;
beforeAll(async () => {
  db = await memoryDatabase();
  for (const market of venues) NAMES.set(market.source, perpetualOf(await market.instruments(), 'ETH')!.symbol);
}, 120_000);
afterAll(() => db.close());

let now = START;
const venues = createSimulatedVenues({ clock: () => now });
const markets = { list: async () => venues, get: async (name: string) => venues.find(({ source }) => source === name) };
/** What ether's perpetual is called at each venue. */
const NAMES = new Map<string, string>();

/** Average price of buying so much of the coin at a venue for a new account, USDT. */
let accounts = 0;
async function buyAt(venue: ReturnType<typeof createPaperVenue>, source: string, quantity: string) {
  accounts += 1;
  const account = `taker-${accounts}`;
  await venue.open(account, '1000000');
  const order = { side: 'buy', type: 'market', limitPrice: '100000', reduceOnly: false, leverage: 5 } as const;
  await venue.submit({ ...order, clientId: account, account, source, symbol: NAMES.get(source)!, quantity });
  const fills = (await venue.events(account, 0)).filter((event) => event.kind === 'fill');
  const paid = fills.reduce((sum, fill) => sum + Number(fill.quantity) * Number(fill.price), 0);
  return paid / fills.reduce((sum, fill) => sum + Number(fill.quantity), 0);
}

test('what was taken from a book is missing for everybody, at that venue alone, and half of it is back after 20 s', async () => {
  const venue = createPaperVenue({ db, clock: () => now, markets, halfLifeMs: 20_000 });
  const quote = async (source: string) => (await venue.quote(source, NAMES.get(source)!))!;
  const [before, sister] = [await quote('simulated'), await quote('simulated-okx')];
  const quantity = '200';
  const first = await buyAt(venue, 'simulated', quantity);
  const second = await buyAt(venue, 'simulated', quantity);
  expect(second).toBeGreaterThan(first);
  const after = await quote('simulated');
  expect(after.ask).toBeGreaterThan(before.ask);
  // Who sells, and who trades elsewhere, meets what was there before.
  expect(after.bid).toBe(before.bid);
  expect(await quote('simulated-okx')).toEqual(sister);
  // What an order that was refused would have taken is there.
  await venue.open('poor', '10');
  const order = { side: 'buy', type: 'market', limitPrice: '100000', reduceOnly: false, leverage: 1 } as const;
  const poor = {
    ...order,
    clientId: 'poor',
    account: 'poor',
    source: 'simulated',
    symbol: NAMES.get('simulated')!,
    quantity,
  };
  await expect(venue.submit(poor)).rejects.toMatchObject({ reason: 'insufficientMargin' });
  expect(await quote('simulated')).toEqual(after);

  // Against the same market from which nothing was taken.
  const whole = createPaperVenue({ db, clock: () => now, markets });
  const gap = async () => {
    const [thin, full] = [venue, whole].map((of) => of.cost('simulated', NAMES.get('simulated')!, 'buy', quantity));
    return (await thin)!.price / (await full)!.price - 1;
  };
  const gaps = [await gap()];
  for (const wait of [20_000, 20_000, 400_000]) {
    now += wait;
    gaps.push(await gap());
  }
  expect(gaps[1]!).toBeLessThan(gaps[0]! * 0.75);
  expect(gaps[2]!).toBeLessThan(gaps[1]! * 0.75);
  expect(gaps[3]!).toBe(0);
});

test('orders are under way for as long as their venue says', async () => {
  const slept: number[] = [];
  const sleep = async (ms: number) => {
    slept.push(ms);
  };
  const venue = createPaperVenue({ db, clock: () => now, markets, latency: () => 1, ownLatency: true, sleep });
  const said = venues.map((market) => market.latencyMs(now));
  for (const { source } of venues) await buyAt(venue, source, '1');
  expect(slept).toEqual(said);
});
