import { sql } from 'drizzle-orm';
import { HOUR_MS } from '#contract/duration';
import type { Database } from '#server/base/db/client';
import { createPaperVenue } from '#server/market/paper/paperVenue';
import { type VenueOrder, VenueRefused } from '#server/market/venue';
import { handMarkets } from '../../support/handMarket';
import { movingMarket, openDesk, START } from '../../support/paperDesk';
import { fileDatabase } from '../../support/testDatabase';

const db = await fileDatabase();

const market = () => movingMarket({ AAAUSDT: { price: 100, fundingHours: 8 }, BBBUSDT: { price: 2 } });
/** Strikes at the n-th order alone. */
function nth(n: number) {
  let seen = 0;
  return (_: VenueOrder) => {
    seen += 1;
    return seen === n;
  };
}

describe('a client id', () => {
  test('is done once, whatever else is wrong with its second coming', async () => {
    const moving = market();
    const desk = await openDesk(db, moving);
    const order = desk.order('buy', '900', { leverage: 10 });
    await desk.venue.submit(order);
    for (const again of [order, { ...order, quantity: '1' }, { ...order, symbol: 'ZZZUSDT' }]) {
      await expect(desk.venue.submit(again)).rejects.toEqual(new VenueRefused('duplicateClientId'));
    }
    expect(await desk.held()).toBe('900');
  });

  test('is done once when it comes twice at once, also under two accounts', async () => {
    const moving = market();
    const [one, other] = [await openDesk(db, moving), await openDesk(db, moving)];
    const order = one.order('buy', '1');
    const answers = await Promise.allSettled([
      one.venue.submit(order),
      one.venue.submit(order),
      other.venue.submit({ ...order, account: other.account }),
    ]);
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const answer of answers) {
      if (answer.status === 'rejected') expect(answer.reason).toEqual(new VenueRefused('duplicateClientId'));
    }
    const held = await Promise.all([one.held(), other.held()]);
    expect(held.sort()).toEqual(['0', '1']);
  });

  test('of another account is nobody else’s to see', async () => {
    const moving = market();
    const [one, other] = [await openDesk(db, moving), await openDesk(db, moving)];
    const { clientId } = await one.submit('buy', '1', { type: 'maker', limitPrice: '90' });
    expect(await other.venue.lookup(other.account, clientId)).toEqual({ found: false, covered: true });
    await expect(other.venue.cancel(other.account, clientId)).rejects.toThrow('rejected');
  });
});

describe('a restart', () => {
  test('finds cash, positions, resting orders, reports and events as they were answered', async () => {
    const moving = market();
    const desk = await openDesk(db, moving);
    const filled = await desk.submit('buy', '10', { leverage: 5 });
    await desk.submit('sell', '300', { symbol: 'BBBUSDT' });
    const resting = await desk.submit('sell', '10', { type: 'maker', limitPrice: '101', reduceOnly: true });
    const again = createPaperVenue({ db, clock: moving.clock, markets: moving.markets });
    expect(await again.margin(desk.account)).toEqual(await desk.venue.margin(desk.account));
    expect(await again.positions(desk.account)).toEqual(await desk.venue.positions(desk.account));
    expect(await again.events(desk.account, 0)).toEqual(await desk.events());
    expect(await again.lookup(desk.account, filled.clientId)).toEqual({ found: true, report: filled });
    moving.set('AAAUSDT', 102);
    await again.advance();
    expect(await again.lookup(desk.account, resting.clientId)).toMatchObject({ report: { state: 'filled' } });
    expect(await again.positions(desk.account)).toMatchObject([{ symbol: 'BBBUSDT', quantity: '-300' }]);
  });

  test('after a write whose answer was lost asks the database what has happened', async () => {
    const moving = market();
    const desk = await openDesk(db, moving);
    await desk.submit('buy', '10');
    let broken = true;
    const wire = new Proxy(db, {
      get(target, name) {
        if (name !== 'execute' || !broken) return Reflect.get(target, name);
        return async (statement: Parameters<Database['execute']>[0]) => {
          await target.execute(statement);
          throw new Error('connection lost');
        };
      },
    });
    const venue = createPaperVenue({ db: wire, clock: moving.clock, markets: moving.markets });
    const order = desk.order('sell', '4');
    await expect(venue.submit(order)).rejects.toThrow('connection lost');
    broken = false;
    expect(await venue.lookup(desk.account, order.clientId)).toMatchObject({ found: true });
    expect(await venue.positions(desk.account)).toMatchObject([{ quantity: '6' }]);
    await venue.submit(desk.order('sell', '6'));
    expect(await venue.positions(desk.account)).toEqual([]);
  });
});

describe('two processes on one database', () => {
  test('do every order on what the other has left, and settle funding once', async () => {
    const moving = market();
    const desk = await openDesk(db, moving, { shared: () => true });
    const other = createPaperVenue({ db, clock: moving.clock, markets: moving.markets, shared: () => true });
    await desk.submit('buy', '10');
    await Promise.allSettled([
      ...Array.from({ length: 4 }, () => desk.submit('sell', '6', { reduceOnly: true })),
      ...Array.from({ length: 4 }, () => other.submit(desk.order('sell', '6', { reduceOnly: true }))),
    ]);
    expect(await desk.held()).toBe('0');
    expect(await other.positions(desk.account)).toEqual([]);
    await desk.submit('buy', '10');
    moving.set('AAAUSDT', 100);
    moving.wait(9 * HOUR_MS);
    await Promise.all([desk.venue.advance(), other.advance()]);
    const events = await other.events(desk.account, 0);
    expect(events).toEqual(await desk.events());
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, i) => i + 1));
    // 08:00, and no more until 16:00.
    expect(events.filter(({ kind }) => kind === 'funding')).toHaveLength(1);
  });

  test('move on what the other one did to the accounts that each looks after, and nothing else', async () => {
    const moving = market();
    const desk = await openDesk(db, moving, { shared: () => true });
    const other = createPaperVenue({ db, clock: moving.clock, markets: moving.markets, shared: () => true });
    const own = new Set([desk.account]);
    const fundings = async () => (await desk.events()).filter(({ kind }) => kind === 'funding').length;
    await desk.venue.advance(own);
    await other.submit(desk.order('buy', '10'));
    moving.set('AAAUSDT', 100);
    moving.wait(9 * HOUR_MS);
    await desk.venue.advance(new Set(['nobody']));
    expect(await fundings()).toBe(0);
    await desk.venue.advance(own);
    expect(await fundings()).toBe(1);
    await other.submit(desk.order('sell', '4'));
    moving.wait(8 * HOUR_MS);
    await desk.venue.advance(own);
    expect(await fundings()).toBe(2);
    expect(await desk.held()).toBe('6');
  });
});

describe('a fault', () => {
  test('refuses the n-th order and no other', async () => {
    const desk = await openDesk(db, market(), { faults: { reject: nth(2) } });
    await desk.submit('buy', '1');
    expect(await desk.refusal('buy', '1')).toBe('rejected');
    await desk.submit('buy', '1');
    expect(await desk.held()).toBe('2');
  });

  test('leaves the sender in doubt of an order that is done', async () => {
    const desk = await openDesk(db, market(), { faults: { timeOutAfterAccept: nth(1) } });
    const order = desk.order('buy', '3');
    const error = await desk.venue.submit(order).catch((reason: unknown) => reason);
    expect(error).not.toBeInstanceOf(VenueRefused);
    expect(await desk.venue.lookup(desk.account, order.clientId)).toMatchObject({
      found: true,
      report: { state: 'filled', filledQuantity: '3' },
    });
    expect(await desk.held()).toBe('3');
  });

  test('leaves the sender in doubt of an order that never came', async () => {
    const desk = await openDesk(db, market(), { faults: { loseBeforeAccept: nth(1) } });
    const order = desk.order('buy', '3');
    const error = await desk.venue.submit(order).catch((reason: unknown) => reason);
    expect(error).not.toBeInstanceOf(VenueRefused);
    expect(await desk.venue.lookup(desk.account, order.clientId)).toEqual({ found: false, covered: true });
    expect(await desk.held()).toBe('0');
  });

  test('tells each fill twice', async () => {
    let repeats = true;
    const desk = await openDesk(db, market(), { faults: { repeatFills: () => repeats } });
    await desk.submit('buy', '3');
    const [, fill, same] = await desk.events();
    expect(same).toEqual(fill);
    repeats = false;
    expect(await desk.events()).toHaveLength(2);
  });

  test('lets prices stand still', async () => {
    let frozenAt: number | undefined;
    const moving = market();
    const desk = await openDesk(db, moving, { faults: { frozenAt: () => frozenAt } });
    frozenAt = START;
    moving.wait(60_000);
    expect(await desk.venue.quote('simulated', 'AAAUSDT')).toMatchObject({ at: START });
    frozenAt = undefined;
    expect(await desk.venue.quote('simulated', 'AAAUSDT')).toMatchObject({ at: START + 60_000 });
  });

  test('keeps positions and look-ups from being answered', async () => {
    const desk = await openDesk(db, market(), { faults: { failPositions: () => true, failLookup: () => true } });
    await expect(desk.venue.positions(desk.account)).rejects.toThrow();
    await expect(desk.venue.lookup(desk.account, 'any')).rejects.toThrow();
  });

  test('of a database that is gone leaves nothing done in memory', async () => {
    const moving = market();
    const desk = await openDesk(db, moving);
    await desk.submit('buy', '10');
    await db.execute(sql`alter table paper_event rename to paper_event_gone`);
    await expect(desk.submit('sell', '10')).rejects.not.toBeInstanceOf(VenueRefused);
    await db.execute(sql`alter table paper_event_gone rename to paper_event`);
    expect(await desk.held()).toBe('10');
    expect(await desk.submit('sell', '10', { reduceOnly: true })).toMatchObject({ filledQuantity: '10' });
  });
});

test('an order on its way is waited for by who looks it up', async () => {
  let arrive: () => void = () => undefined;
  const way = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const slept: number[] = [];
  const sleep = (ms: number) => {
    slept.push(ms);
    return way;
  };
  const desk = await openDesk(db, market(), { latency: () => 40, sleep });
  const order = desk.order('buy', '1');
  const sent = desk.venue.submit(order);
  const looked = desk.venue.lookup(desk.account, order.clientId);
  arrive();
  expect(await looked).toEqual({ found: true, report: await sent });
  expect(slept).toEqual([40]);
});

test('an order that comes after its absence was vouched for, from a process that slept, is refused', async () => {
  const moving = market();
  let arrive: () => void = () => undefined;
  const way = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const sleeper = await openDesk(db, moving, { latency: () => 40, sleep: () => way, shared: () => true });
  const other = createPaperVenue({ db, ...moving, shared: () => true });
  const order = sleeper.order('buy', '1');
  const sent = sleeper.venue.submit(order);
  expect(await other.lookup(sleeper.account, order.clientId)).toEqual({ found: false, covered: true });
  arrive();
  await expect(sent).rejects.toMatchObject({ reason: 'duplicateClientId' });
  expect(await other.lookup(sleeper.account, order.clientId)).toEqual({ found: false, covered: true });
  expect(await other.positions(sleeper.account)).toEqual([]);
});

describe('an outage of the venue', () => {
  /** Out while the test says so; its prices stand still as they were. */
  function outage() {
    const moving = market();
    let isOut = false;
    const venueMarket = { ...moving.market, isOut: () => isOut };
    const markets = handMarkets(venueMarket);
    return {
      ...moving,
      markets,
      go: (out: boolean) => {
        isOut = out;
      },
    };
  }

  test('leaves every order in doubt that meets it, and nobody says what became of it until it is over', async () => {
    const moving = outage();
    const desk = await openDesk(db, moving);
    const resting = await desk.submit('buy', '1', { type: 'maker', limitPrice: '90' });
    moving.go(true);
    const order = desk.order('buy', '5');
    await expect(desk.venue.submit(order)).rejects.toThrow('did not answer');
    await expect(desk.venue.lookup(desk.account, order.clientId)).rejects.toThrow('did not answer');
    await expect(desk.venue.lookup(desk.account, resting.clientId)).rejects.toThrow('did not answer');
    await expect(desk.venue.cancel(desk.account, resting.clientId)).rejects.toThrow('did not answer');
    await expect(desk.venue.positions(desk.account)).rejects.toThrow('did not answer');
    moving.go(false);
    expect(await desk.venue.lookup(desk.account, order.clientId)).toEqual({ found: false, covered: true });
    expect(await desk.venue.cancel(desk.account, resting.clientId)).toMatchObject({ state: 'cancelled' });
    expect(await desk.held()).toBe('0');
    // Whoever vouched for its absence keeps its word.
    await expect(desk.venue.submit(order)).rejects.toEqual(new VenueRefused('duplicateClientId'));
  });

  test('takes nothing from the equity, fills nothing, and what fell due in it is settled once when it is over', async () => {
    const moving = outage();
    const desk = await openDesk(db, moving);
    await desk.submit('buy', '10');
    await desk.submit('sell', '10', { type: 'maker', limitPrice: '101', reduceOnly: true });
    const { equity } = await desk.venue.margin(desk.account);
    moving.go(true);
    moving.wait(2 * HOUR_MS);
    await desk.venue.advance();
    expect((await desk.venue.margin(desk.account)).equity).toBe(equity);
    expect((await desk.events()).map(({ kind }) => kind)).not.toContain('funding');
    moving.set('AAAUSDT', 102);
    await desk.venue.advance();
    moving.go(false);
    expect(await desk.held()).toBe('10');
    await desk.venue.advance();
    expect((await desk.events()).filter(({ kind }) => kind === 'funding')).toHaveLength(1);
    expect(await desk.held()).toBe('0');
  });
});
