import { createPaperVenue } from '#server/market/paper/paperVenue';
import { perpetualOf } from '#server/market/perpetualOf';
import { createSimulatedVenues } from '#server/market/simulated';
import { handMarkets } from '../../support/handMarket';
import { movingMarket, openDesk } from '../../support/paperDesk';
import { fileDatabase } from '../../support/testDatabase';

const START = Date.UTC(2026, 0, 15, 6, 30);

let now = START;
const venues = createSimulatedVenues({ clock: () => now });
const markets = handMarkets(...venues);
/** What ether's perpetual is called at each venue. */
const NAMES = new Map<string, string>();
for (const market of venues) NAMES.set(market.source, perpetualOf(await market.instruments(), 'ETH')!.symbol);

const db = await fileDatabase();

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

describe('resting orders that one move of the price reaches', () => {
  /** What each of these orders (price, quantity) has bought when the price fell from 100 to 94, coins; each at one account or all at the same. */
  async function filled(orders: [price: string, quantity: string][], own: boolean, halfLifeMs?: number) {
    const moving = movingMarket({ AAAUSDT: { price: 100, turnover24h: 400_000 } });
    const options = { capital: '100000', ...(halfLifeMs === undefined ? {} : { halfLifeMs }) };
    const first = await openDesk(db, moving, options);
    const accounts = own ? await Promise.all(orders.map((_, i) => other(first, i))) : orders.map(() => first.account);
    const placed: string[] = [];
    for (const [i, [limitPrice, quantity]] of orders.entries()) {
      const order = { ...first.order('buy', quantity), type: 'maker' as const, limitPrice, account: accounts[i]! };
      placed.push((await first.venue.submit(order)).clientId);
    }
    moving.set('AAAUSDT', 94);
    await first.venue.advance(new Set(accounts));
    const reports = await Promise.all(placed.map((id, i) => first.venue.lookup(accounts[i]!, id)));
    return reports.map((one) => (one.found ? Number(one.report.filledQuantity) : Number.NaN));
  }
  async function other({ account, venue }: Awaited<ReturnType<typeof openDesk>>, i: number) {
    await venue.open(`${account}-${i}`, '100000');
    return `${account}-${i}`;
  }
  const total = (parts: number[]) => parts.reduce((sum, part) => sum + part, 0);

  test('share what is there, the better price and then the older one first', async () => {
    const [there] = await filled([['95', '90']], false);
    expect(there).toBeGreaterThan(1);
    expect(there).toBeLessThan(10);
    const [whole, less] = [String(there! * 2), String(Math.floor(there! * 60) / 100)];
    expect(
      await filled(
        [
          ['95', whole],
          ['95', whole],
          ['95', whole],
        ],
        false,
      ),
    ).toEqual([there, 0, 0]);
    const [old, young, last] = await filled(
      [
        ['95', less],
        ['95', less],
        ['95', less],
      ],
      false,
    );
    expect([old, last]).toEqual([Number(less), 0]);
    expect(old! + young!).toBeCloseTo(there!, 6);
    // What the better one takes is missing for the other one, which was there before.
    const [nearer] = await filled([['94.6', '90']], false);
    expect(nearer).toBeLessThan(there!);
    const [far, near] = await filled(
      [
        ['94.6', '90'],
        ['95', less],
      ],
      false,
    );
    expect(near).toBe(Number(less));
    expect(far).toBeCloseTo(Math.max(0, nearer! - near!), 6);
  });

  test('of several accounts share it, too, where what is taken stays away for a while', async () => {
    const [there] = await filled([['95', '90']], true, 20_000);
    const parts = await filled(
      [
        ['95', '90'],
        ['95', '90'],
        ['95', '90'],
      ],
      true,
      20_000,
    );
    expect(total(parts)).toBeCloseTo(there!, 6);
  });
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
