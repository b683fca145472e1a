import { eq } from 'drizzle-orm';
import { equityPoint } from '#server/base/db/schema';
import type { PaperFaults } from '#server/market/paper/paperVenue';
import { KIND_SAMPLES, kindDesk, kindMarket, type TradedKind } from '../../support/kindDesk';
import { fileDatabase } from '../../support/testDatabase';

/** The first venue answers nobody from 11:28 to 11:31. */
const OUT_AT = Date.UTC(2026, 8, 3, 11, 28, 30);
const BACK_AT = Date.UTC(2026, 8, 3, 11, 32);

const market = kindMarket();
const db = await fileDatabase();

type Desk = Awaited<ReturnType<typeof kindDesk>>;

/** True for the calls with these numbers, from 1. */
const nth = (...numbers: number[]) => {
  let calls = 0;
  return () => {
    calls += 1;
    return numbers.includes(calls);
  };
};

/** Whatever happened: nothing is held by a deal that has ended, nothing rests, and the books say what the venue says. */
async function endsClean(desk: Desk, seconds = 40): Promise<void> {
  await desk.flatten();
  for (let left = seconds; left > 0; left -= 5) {
    await desk.run(5);
    if ((await desk.deals()).every(({ closedAt }) => closedAt !== null)) break;
  }
  expect((await desk.deals()).map(({ state }) => state)).not.toContain('closing');
  for (const { closedAt } of await desk.deals()) expect(closedAt).not.toBeNull();
  for (const { quantity } of await desk.legs()) expect(Number(quantity)).toBe(0);
  expect(await desk.live()).toEqual([]);
  await desk.retireClean();
}

/** What may come in by a leg that rests does so as well. */
const RESTS = { orderType: 'maker', convertSeconds: 5 };
const SAMPLES: [kind: TradedKind, how: string, over: object][] = [
  ...(Object.keys(KIND_SAMPLES) as TradedKind[]).map((kind): [TradedKind, string, object] => [kind, 'as saved', {}]),
  ['spread', 'resting', RESTS],
  ['cexRate', 'resting', RESTS],
];

describe.each(SAMPLES)('a faulty venue and a strategy of kind %s, %s', (kind, _, over) => {
  const desk = (faults?: PaperFaults) => kindDesk(db, market, kind, { over, ...(faults && { faults }) });

  test('a refused order', async () => {
    const one = await desk({ reject: nth(1, 3) });
    await one.run(10);
    const orders = await one.orders();
    expect(orders.filter(({ state }) => state === 'refused').length).toBeGreaterThan(0);
    expect(orders.some(({ filledQuantity }) => Number(filledQuantity) > 0)).toBe(true);
    await endsClean(one);
  });

  test('an order without an answer is looked up, not resent', async () => {
    const one = await desk({ timeOutAfterAccept: nth(1, 2) });
    await one.run(10);
    const [first] = await one.orders();
    // What rests is taken back once it was found.
    expect(['filled', 'open', 'expired', 'cancelled']).toContain(first!.state);
    const events = (await Promise.all((await one.deals()).map(({ id }) => one.events(id)))).flat();
    expect(events).toEqual(expect.arrayContaining(['inDoubt', 'found']));
    await endsClean(one);
  });

  test('a duplicate fill event, and one three seconds late', async () => {
    const one = await desk({ repeatFills: () => true, eventsLateMs: () => 3000 });
    await one.run(20);
    const held = await one.legs();
    expect(held.some(({ opened }) => Number(opened) > 0)).toBe(true);
    await endsClean(one, 80);
  });

  test('a stale price blocks entries until it is fresh', async () => {
    const one = await kindDesk(db, market, kind, { over, staleMs: 11_000 });
    await one.run(3);
    expect(await one.orders()).toEqual([]);
    for (const { block } of await one.targets()) expect(block).toBe('stalePrice');
    one.moveOn();
    await one.run(8);
    expect((await one.orders()).length).toBeGreaterThan(0);
    await endsClean(one);
  });

  test('an outage pauses all orders; the deal is flat once the venue is back', async () => {
    const one = await desk();
    await one.run(10);
    one.clock.market = one.clock.trader = OUT_AT;
    const filled = async () => (await one.orders()).filter(({ filledQuantity }) => Number(filledQuantity) > 0).length;
    const before = await filled();
    await one.flatten();
    await one.run(5);
    expect(await filled()).toBe(before);
    const points = await db.select().from(equityPoint).where(eq(equityPoint.userId, one.userId));
    for (const { equity } of points) expect(equity).toBeGreaterThan(90_000);
    one.clock.market = one.clock.trader = BACK_AT;
    await endsClean(one);
  });
});
