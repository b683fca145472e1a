import { HOUR_MS } from '#contract/duration';
import { createPaperVenue } from '#server/market/paper/paperVenue';
import { createSimulatedMarket } from '#server/market/simulated';
import { handMarkets } from '../../support/handMarket';
import { cashOf, movingMarket, openDesk, START } from '../../support/paperDesk';
import { fileDatabase } from '../../support/testDatabase';

const db = await fileDatabase();

// START is 06:30: every hour 07:00 ..., every four 08:00, 12:00 ..., every eight 08:00, 16:00 ...
const atHour = (hour: number) => START + (hour - 6.5) * HOUR_MS;

describe('funding', () => {
  const market = () =>
    movingMarket({
      AAAUSDT: { price: 100, fundingHours: 8, rate: 0.0001 },
      BBBUSDT: { price: 2, fundingHours: 4, rate: 0.0002 },
      CCCUSDT: { price: 50, fundingHours: 1, rate: -0.0003 },
    });
  const settled = async (desk: Awaited<ReturnType<typeof openDesk>>) =>
    (await desk.events()).flatMap((event) =>
      event.kind === 'funding' ? [[event.symbol, event.at, event.amount] as const] : [],
    );

  test('is charged to the whole position at each settlement, long pays a positive rate', async () => {
    const moving = market();
    const desk = await openDesk(db, moving);
    await desk.submit('buy', '10');
    moving.wait(1.5 * HOUR_MS - 1);
    await desk.venue.advance();
    expect(await settled(desk)).toEqual([]);
    moving.wait(1);
    await desk.venue.advance();
    await desk.venue.advance();
    // -10 x 100 x 0.0001, once.
    expect((await desk.events()).at(-1)).toMatchObject({ rate: '0.0001', mark: '100', quantity: '10', amount: '-0.1' });
    expect(await settled(desk)).toEqual([['AAAUSDT', atHour(8), '-0.1']]);
  });

  test('that fell due while nobody looked is settled once each, in the order of time, at its own mark', async () => {
    const moving = market();
    const desk = await openDesk(db, moving);
    await desk.submit('buy', '10');
    await desk.submit('sell', '100', { symbol: 'BBBUSDT' });
    await desk.submit('buy', '2', { symbol: 'CCCUSDT' });
    moving.wait(2 * HOUR_MS);
    await desk.venue.advance();
    moving.wait(4 * HOUR_MS);
    await desk.venue.advance();
    // C: 2 x 50 x 0.0003 received; B: 100 x 2 x 0.0002 received; A: 10 x 100 x 0.0001 paid.
    expect(await settled(desk)).toEqual([
      ['CCCUSDT', atHour(7), '0.03'],
      ['AAAUSDT', atHour(8), '-0.1'],
      ['BBBUSDT', atHour(8), '0.04'],
      ['CCCUSDT', atHour(8), '0.03'],
      ['CCCUSDT', atHour(9), '0.03'],
      ['CCCUSDT', atHour(10), '0.03'],
      ['CCCUSDT', atHour(11), '0.03'],
      ['BBBUSDT', atHour(12), '0.04'],
      ['CCCUSDT', atHour(12), '0.03'],
    ]);
  });

  test('takes the mark of its own instant, not that of the moment it is caught up', async () => {
    const moving = market();
    const marks = {
      ...moving.market,
      tickers: async (at = moving.clock()) =>
        (await moving.market.tickers(at)).map((ticker) => ({ ...ticker, mark: at < atHour(12) ? 101 : 105 })),
    };
    const markets = handMarkets(marks);
    const desk = await openDesk(db, { ...moving, markets });
    await desk.submit('buy', '10', { symbol: 'AAAUSDT' });
    moving.wait(20 * HOUR_MS);
    await desk.venue.advance();
    expect((await settled(desk)).map(([, at, amount]) => [at, amount])).toEqual([
      [atHour(8), '-0.101'],
      [atHour(16), '-0.105'],
      [atHour(24), '-0.105'],
    ]);
  });

  test('is not charged for what was bought after it, nor lost by what was sold after it', async () => {
    const moving = market();
    const desk = await openDesk(db, moving);
    await desk.submit('buy', '10');
    moving.wait(2 * HOUR_MS);
    // Nobody advanced at 08:00: the order itself settles first.
    await desk.submit('buy', '5');
    moving.wait(8 * HOUR_MS);
    await desk.submit('sell', '15');
    moving.wait(16 * HOUR_MS);
    await desk.venue.advance();
    expect(await settled(desk)).toEqual([
      ['AAAUSDT', atHour(8), '-0.1'],
      ['AAAUSDT', atHour(16), '-0.15'],
    ]);
  });

  test('is settled once each across a restart', async () => {
    const moving = market();
    const desk = await openDesk(db, moving);
    await desk.submit('buy', '10');
    moving.wait(2 * HOUR_MS);
    await desk.venue.advance();
    moving.wait(8 * HOUR_MS);
    for (let restart = 0; restart < 2; restart += 1) {
      const again = createPaperVenue({ db, clock: moving.clock, markets: moving.markets });
      await again.advance();
    }
    const events = await createPaperVenue({ db, clock: moving.clock, markets: moving.markets }).events(desk.account, 0);
    expect(events.flatMap((event) => (event.kind === 'funding' ? [event.at] : []))).toEqual([atHour(8), atHour(16)]);
  });
});

describe('liquidation', () => {
  test('ends orders and closes all positions with an extra fee once equity is no more than must be kept', async () => {
    const moving = movingMarket({ AAAUSDT: { price: 100 }, BBBUSDT: { price: 2 } });
    const desk = await openDesk(db, moving, { capital: '1000' });
    await desk.submit('buy', '90', { leverage: 20 });
    const { clientId } = await desk.submit('buy', '100', { symbol: 'BBBUSDT', type: 'maker', limitPrice: '1.9' });
    // Equity 1,000 - 6.30 of spread and fee; at 90 it is 93.9, and 81 must be kept.
    moving.set('AAAUSDT', 90);
    await desk.venue.advance();
    expect(await desk.held()).toBe('90');
    moving.set('AAAUSDT', 89.8);
    await desk.venue.advance();
    const [orderEnd, first, ...more] = (await desk.events()).slice(-3);
    expect(orderEnd).toMatchObject({ kind: 'orderEnd', report: { clientId, state: 'cancelled' } });
    // Best bid 89.78 (half-spread 1.38 bps): 5,000 USDT are 55.69 coins; the fee is 0.0055 of the notional.
    expect(first).toMatchObject({ kind: 'fill', clientId: null, side: 'sell', price: '89.78', quantity: '55.69' });
    expect(first).toMatchObject({ fee: (89.78 * 55.69 * 0.0055).toFixed(8).replace(/0+$/, '') });
    expect(more).toMatchObject([{ kind: 'fill', clientId: null, quantity: '34.31' }]);
    expect(await desk.venue.positions(desk.account)).toEqual([]);
    const { equity, initialMargin, maintenanceMargin } = await desk.venue.margin(desk.account);
    expect([initialMargin, maintenanceMargin]).toEqual(['0', '0']);
    expect(equity).toBe(cashOf(await desk.events()).toFixed());
  });

  test('leaves no debt: the venue pays what a gap took beyond the equity', async () => {
    const moving = movingMarket({ AAAUSDT: { price: 100 } });
    const desk = await openDesk(db, moving, { capital: '1000' });
    await desk.submit('sell', '90', { leverage: 20 });
    moving.set('AAAUSDT', 150);
    await desk.venue.advance();
    expect((await desk.events()).at(-1)).toMatchObject({ kind: 'bailout' });
    expect(await desk.venue.margin(desk.account)).toMatchObject({ equity: '0', initialMargin: '0', spendable: '0' });
    expect(await desk.refusal('buy', '1')).toBe('insufficientMargin');
  });

  test('takes a position that the book cannot bear at its last level', async () => {
    const moving = movingMarket({ AAAUSDT: { price: 100, turnover24h: 400_000 } });
    const desk = await openDesk(db, moving, { capital: '1000' });
    // The whole side of the book is 2,000 USDT; three orders pile up three times as much.
    for (let i = 0; i < 5; i += 1) await desk.submit('buy', '19', { leverage: 20 });
    moving.set('AAAUSDT', 92);
    await desk.venue.advance();
    const fills = (await desk.events()).filter((event) => event.kind === 'fill' && event.clientId === null);
    expect(fills).toHaveLength(4);
    expect(await desk.venue.positions(desk.account)).toEqual([]);
  });
});

describe('a coin that is taken off the exchange', () => {
  test('ends orders and closes positions at the last price without a fee', async () => {
    const moving = movingMarket({
      AAAUSDT: { price: 100, stoppedAt: START + HOUR_MS },
      BBBUSDT: { price: 2 },
    });
    const desk = await openDesk(db, moving);
    await desk.submit('buy', '10');
    await desk.submit('buy', '10', { type: 'maker', limitPrice: '99' });
    moving.wait(HOUR_MS);
    await desk.venue.advance();
    expect(await desk.refusal('sell', '10', { reduceOnly: true })).toBe('noLiquidity');
    expect(await desk.held()).toBe('10');
    moving.wait(HOUR_MS);
    await desk.venue.advance();
    expect((await desk.events()).slice(-2)).toMatchObject([
      { kind: 'orderEnd' },
      { kind: 'fill', clientId: null, side: 'sell', quantity: '10', price: '100', fee: '0' },
    ]);
    expect(await desk.held()).toBe('0');
  });
});

test('a resting order is filled by what the price did since the last look, not by where it stands', async () => {
  let now = START;
  const market = createSimulatedMarket({ clock: () => now });
  const desk = await openDesk(db, { markets: handMarkets(market), clock: () => now });
  const { low } = (await createSimulatedMarket({ clock: () => START + 6 * HOUR_MS }).candles('ETHUSDT', '1h', {
    start: START,
  }))!;
  const there = Number((await desk.venue.quote('simulated', 'ETHUSDT'))!.bid);
  // Between the lowest price of the next hours and what is bid now.
  const limit = Math.round(((Math.min(...low) + there) / 2) * 10) / 10;
  expect(limit).toBeLessThan(there);
  const { clientId } = await desk.submit('buy', '0.5', { symbol: 'ETHUSDT', type: 'maker', limitPrice: String(limit) });
  await desk.venue.advance();
  const met = (at: number) => market.meetsAt!('ETHUSDT', 'buy', limit, START, at);
  // The first moment at which it has been met and the price has gone away again.
  const ask = async () => (await desk.venue.quote('simulated', 'ETHUSDT'))!.ask;
  for (now += HOUR_MS; met(now) === null || (await ask()) <= limit; ) now += 60_000;
  expect(await desk.venue.lookup(desk.account, clientId)).toMatchObject({ report: { state: 'open' } });
  await desk.venue.advance();
  expect(await desk.venue.lookup(desk.account, clientId)).toMatchObject({ report: { state: 'filled' } });
  expect((await desk.events()).at(-1)).toMatchObject({
    kind: 'fill',
    price: String(limit),
    quantity: '0.5',
    maker: true,
  });
});
