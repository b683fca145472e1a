import Big from 'big.js';
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { HOUR_MS } from '#contract/duration';
import { createPaperVenue } from '#server/market/paper/paperVenue';
import { type PaperVenue, VenueRefused } from '#server/market/venue';
import { cashOf, movingMarket, openDesk } from '../../support/paperDesk';
import { fileDatabase } from '../../support/testDatabase';

const db = await fileDatabase();

const SYMBOLS = ['AAAUSDT', 'BBBUSDT', 'CCCUSDT'] as const;

const trade = fc.record({
  kind: fc.constant('trade' as const),
  symbol: fc.constantFrom(...SYMBOLS),
  side: fc.constantFrom('buy' as const, 'sell' as const),
  type: fc.constantFrom('market' as const, 'market' as const, 'maker' as const),
  /** USDT. */
  notional: fc.oneof(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1000, max: 60_000 })),
  /** How far the limit lies beyond the price for a market order, before it for a maker; mostly so that it works. */
  distance: fc.integer({ min: -3, max: 40 }).map((bps) => bps / 10_000),
  reduceOnly: fc.constantFrom(false, false, false, true),
  leverage: fc.constantFrom(1, 5, 20, 20, 20, 22),
});
const step = fc.oneof(
  { weight: 5, arbitrary: trade },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('move' as const),
      symbol: fc.constantFrom(...SYMBOLS),
      by: fc.constantFrom(-0.12, -0.02, -0.005, -0.001, 0.001, 0.005, 0.02, 0.12),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('sleep' as const), hours: fc.integer({ min: 1, max: 9 }) }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'restart' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'cancel' as const }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('flatten' as const), symbol: fc.constantFrom(...SYMBOLS) }) },
);

/** What the venue says of an account equals what its events add up to, to the last digit. */
async function expectConserved(venue: PaperVenue, account: string, prices: Record<string, number>) {
  const events = await venue.events(account, 0);
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, i) => i + 1));
  const held: Record<string, Big> = {};
  for (const event of events) {
    if (event.kind !== 'fill') continue;
    const signed = event.side === 'buy' ? new Big(event.quantity) : new Big(event.quantity).neg();
    held[event.symbol] = (held[event.symbol] ?? new Big(0)).plus(signed);
  }
  const positions = await venue.positions(account);
  const open = Object.entries(held).filter(([, quantity]) => !quantity.eq(0));
  expect(Object.fromEntries(positions.map(({ symbol, quantity }) => [symbol, quantity]))).toEqual(
    Object.fromEntries(open.map(([symbol, quantity]) => [symbol, quantity.toFixed()])),
  );
  const value = open.reduce((sum, [symbol, quantity]) => sum.plus(quantity.times(prices[symbol]!)), new Big(0));
  const { equity } = await venue.margin(account);
  expect(new Big(equity).eq(cashOf(events).plus(value))).toBe(true);
}

type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

/** An account on three coins that a list of steps is done to; a restart makes another venue of it. */
async function openBench() {
  const moving = movingMarket({
    AAAUSDT: { price: 100, fundingHours: 8 },
    BBBUSDT: { price: 2, fundingHours: 4, rate: -0.0007 },
    CCCUSDT: { price: 0.5, fundingHours: 1, turnover24h: 2e7 },
  });
  const desk = await openDesk(db, moving, { capital: '3000' });
  const refusedAtMost = (error: unknown) => expect(error).toBeInstanceOf(VenueRefused);
  const bench = { account: desk.account, venue: desk.venue, prices: () => pricesOf(moving.coins), act };
  let newest = '';
  let paid = 0;

  async function place({ symbol, notional, distance, ...one }: Extract<Step, { kind: 'trade' }>) {
    const { price } = moving.coins[symbol];
    const beyond = (one.side === 'buy') === (one.type === 'market') ? distance : -distance;
    const limitPrice = (price * (1 + beyond)).toFixed(2);
    const order = desk.order(one.side, (notional / price).toFixed(2), { ...one, symbol, limitPrice });
    newest = order.clientId;
    await bench.venue.submit(order).catch(refusedAtMost);
  }

  async function flatten(symbol: string) {
    for (const side of ['buy', 'sell'] as const) {
      await bench.venue.submit(desk.order(side, '1000000', { symbol, reduceOnly: true })).catch(refusedAtMost);
    }
  }

  /** To or from another account of the owner; told again it changes nothing. */
  async function pay(amount: number) {
    paid += 1;
    const move = { moveId: `pay-${paid}`, amount: String(amount), ...(amount < 0 ? { fee: '1' } : {}) };
    await bench.venue.move(desk.account, move).catch(refusedAtMost);
    await bench.venue.move(desk.account, move).catch(refusedAtMost);
  }

  async function act(one: Step) {
    if (one.kind === 'trade') return place(one);
    if (one.kind === 'flatten') return flatten(one.symbol);
    if (one.kind === 'cancel') return bench.venue.cancel(desk.account, newest).catch(refusedAtMost);
    if (one.kind === 'restart') {
      await pay(paid % 2 === 0 ? -50 : 50);
      bench.venue = createPaperVenue({ db, clock: moving.clock, markets: moving.markets });
      return;
    }
    if (one.kind === 'sleep') moving.wait(one.hours * HOUR_MS);
    else moving.set(one.symbol, Number(Math.max(0.1, moving.coins[one.symbol].price * (1 + one.by)).toFixed(2)));
    await bench.venue.advance();
  }
  return bench;
}

const pricesOf = (coins: Record<string, { price: number }>) =>
  Object.fromEntries(Object.entries(coins).map(([symbol, { price }]) => [symbol, price]));

test('whatever is done, equity is what the events add up to plus the value of what they leave', async () => {
  const seen = { fill: 0, funding: 0, orderEnd: 0, move: 0, transfer: 0, bailout: 0, maker: 0, liquidated: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60, size: 'max' }), async (steps) => {
      const bench = await openBench();
      for (const one of steps) {
        await bench.act(one);
        await expectConserved(bench.venue, bench.account, bench.prices());
      }
      for (const event of await bench.venue.events(bench.account, 0)) {
        seen[event.kind] += 1;
        if (event.kind === 'fill' && event.maker) seen.maker += 1;
        if (event.kind === 'fill' && event.clientId === null) seen.liquidated += 1;
      }
      // The next run begins without accounts that would be moved along.
      for (const table of ['paper_position', 'paper_order', 'paper_event', 'paper_account']) {
        await db.execute(sql`delete from ${sql.identifier(table)}`);
      }
    }),
    { numRuns: 25, seed: 7 },
  );
  // The steps reach everything that moves money.
  for (const [what, count] of Object.entries(seen)) expect([what, count > 0]).toEqual([what, true]);
});

test('a second without news costs a thousand accounts no query', async () => {
  const moving = movingMarket({ AAAUSDT: { price: 100, fundingHours: 8 }, BBBUSDT: { price: 2, fundingHours: 4 } });
  await db.execute(sql`
    insert into paper_account (account, cash, sequence, funded_until)
    select 'many-' || n, 10000, 1, ${moving.clock()} from generate_series(1, 1000) n`);
  await db.execute(sql`
    insert into paper_position (account, source, symbol, quantity, leverage)
    select 'many-' || n, 'simulated', symbol, quantity, 5
    from generate_series(1, 1000) n, (values ('AAAUSDT', 10), ('BBBUSDT', -500)) as leg (symbol, quantity)`);
  let queries = 0;
  const counted = new Proxy(db, {
    get(target, name) {
      if (name === 'execute' || name === 'select') queries += 1;
      return Reflect.get(target, name);
    },
  });
  const venue = createPaperVenue({ db: counted, clock: moving.clock, markets: moving.markets });
  await venue.advance();
  expect(queries).toBe(1);
  for (let second = 0; second < 5; second += 1) {
    moving.set('AAAUSDT', 100 + second / 100);
    await venue.advance();
  }
  expect(queries).toBe(1);
});
