import Big from 'big.js';
import { HOUR_MS } from '#contract/duration';
import { handMarket, handMarkets } from '../../support/handMarket';
import { cashOf, movingMarket, openDesk, START } from '../../support/paperDesk';
import { fileDatabase } from '../../support/testDatabase';

const db = await fileDatabase();

const market = () => movingMarket({ AAAUSDT: { price: 100 }, BBBUSDT: { price: 2 } });

describe('a market order', () => {
  test('is filled at the book, and cash moves by minus notional and fee', async () => {
    const desk = await openDesk(db, market());
    const report = await desk.submit('buy', '10');
    expect(report).toMatchObject({ state: 'filled', filledQuantity: '10' });
    // Notional 1,000.2, fee 0.0005 of it; the mark is 100.
    expect(await desk.events(1)).toEqual([
      {
        kind: 'fill',
        sequence: 2,
        account: desk.account,
        source: 'simulated',
        symbol: 'AAAUSDT',
        at: START,
        fillId: `${desk.account}-2`,
        clientId: report.clientId,
        side: 'buy',
        quantity: '10',
        price: '100.02',
        fee: '0.5001',
        maker: false,
      },
    ]);
    expect(cashOf(await desk.events()).toFixed()).toBe('8999.2999');
    expect(await desk.held()).toBe('10');
    expect(await desk.venue.margin(desk.account)).toMatchObject({
      equity: '9999.2999',
      initialMargin: '100',
      maintenanceMargin: '10',
    });
  });

  test('walks the book in at most three fills', async () => {
    const desk = await openDesk(db, market());
    await desk.submit('buy', '300');
    const fills = await desk.events(1);
    expect(fills.map((fill) => fill.kind === 'fill' && [fill.price, fill.quantity])).toEqual([
      ['100.02', '49.99'],
      ['100.07', '99.93'],
      ['100.13', '150.08'],
    ]);
  });

  test('takes what there is up to its limit, the rest expires', async () => {
    const desk = await openDesk(db, market());
    expect(await desk.submit('buy', '300', { limitPrice: '100.08' })).toMatchObject({
      state: 'expired',
      filledQuantity: '149.92',
    });
    expect(await desk.held()).toBe('149.92');
    expect(await desk.submit('sell', '5', { limitPrice: '99.99' })).toMatchObject({
      state: 'expired',
      filledQuantity: '0',
    });
    expect(await desk.held()).toBe('149.92');
  });

  test('may turn a position round', async () => {
    const desk = await openDesk(db, market());
    await desk.submit('buy', '10');
    await desk.submit('sell', '25');
    expect(await desk.held()).toBe('-15');
    await desk.submit('buy', '15');
    expect(await desk.venue.positions(desk.account)).toEqual([]);
  });

  test('costs what it was said to cost', async () => {
    const desk = await openDesk(db, market());
    const cost = await desk.venue.cost('simulated', 'AAAUSDT', 'sell', '100');
    await desk.submit('sell', '100');
    const cash = cashOf(await desk.events(1)).plus(
      (await desk.events(1)).reduce((fee, e) => fee + (e.kind === 'fill' ? Number(e.fee) : 0), 0),
    );
    // 50.01 at 99.98 and 49.99 at 99.93
    expect(cost).toEqual({ price: 99.955005, quantity: '100' });
    expect(cash.toFixed()).toBe('9995.5005');
    expect((await desk.venue.cost('simulated', 'AAAUSDT', 'sell', '1000000'))?.quantity).toMatch(/^10\d{3}\.\d+$/);
  });

  test('has no cost where nobody stands on the other side', async () => {
    const moving = market();
    const step = new Big('0.01');
    moving.market.book = () => ({ tickSize: step, lotSize: step, bids: [{ ticks: 9_998, lots: 100 }], asks: [] });
    const { venue } = await openDesk(db, moving);
    expect(await venue.cost('simulated', 'AAAUSDT', 'buy', '1')).toBeUndefined();
    expect(await venue.cost('simulated', 'AAAUSDT', 'sell', '1')).toEqual({ price: 99.98, quantity: '1' });
  });
});

describe('a refusal', () => {
  test.each([
    ['unknownSymbol', '10', { symbol: 'ZZZUSDT' }],
    ['unknownSymbol', '10', { source: 'nowhere' }],
    ['tooMuchLeverage', '10', { leverage: 21 }],
    ['rejected', '10', { leverage: 0.5 }],
    ['rejected', '0', {}],
    ['rejected', 'ten', {}],
    ['rejected', '10', { limitPrice: '-1' }],
    ['badStep', '0.005', {}],
    ['badStep', '10', { limitPrice: '100.005' }],
    ['belowMinNotional', '0.04', {}],
    ['belowMinNotional', '0.05', { type: 'maker', limitPrice: '99.5' }],
    ['wouldCross', '10', { type: 'maker', limitPrice: '100.02' }],
    ['nothingToReduce', '10', { reduceOnly: true }],
    // 1,000 coins need 10,000 USDT of margin at leverage 10, before costs.
    ['insufficientMargin', '1000', {}],
    ['insufficientMargin', '1100', { type: 'maker', limitPrice: '99' }],
  ] as const)('for %s leaves everything as it was', async (reason, quantity, over) => {
    const desk = await openDesk(db, market());
    expect(await desk.refusal('buy', quantity, over)).toBe(reason);
    expect(await desk.events(1)).toEqual([]);
    expect(await desk.venue.margin(desk.account)).toMatchObject({
      equity: '10000',
      spendable: '10000',
      initialMargin: '0',
      maintenanceMargin: '0',
    });
  });

  test('meets a coin that nobody trades, which has no terms and no quote either', async () => {
    const quiet = movingMarket({ AAAUSDT: { price: 100, stoppedAt: START }, BBBUSDT: { price: 2 } });
    const desk = await openDesk(db, quiet);
    expect(await desk.refusal('buy', '10')).toBe('noLiquidity');
    expect(await desk.venue.terms('simulated', 'AAAUSDT')).toBeUndefined();
    expect(await desk.venue.quote('simulated', 'AAAUSDT')).toBeUndefined();
    expect(await desk.venue.cost('simulated', 'AAAUSDT', 'buy', '1')).toBeUndefined();
    expect(await desk.venue.quote('simulated', 'BBBUSDT')).toMatchObject({ at: START });
  });

  test('meets an account that was never opened', async () => {
    const desk = await openDesk(db, market());
    expect(await desk.refusal('buy', '10', { account: 'nobody' })).toBe('rejected');
    await expect(desk.venue.positions('nobody')).rejects.toThrow();
  });

  test('comes for what binds margin, never for what frees it', async () => {
    const moving = market();
    const desk = await openDesk(db, moving);
    await desk.submit('buy', '900', { limitPrice: '200', leverage: 10 });
    moving.set('AAAUSDT', 96);
    const { equity, initialMargin } = await desk.venue.margin(desk.account);
    expect(Number(equity)).toBeLessThan(Number(initialMargin));
    expect(await desk.refusal('buy', '1')).toBe('insufficientMargin');
    expect(await desk.submit('sell', '1')).toMatchObject({ state: 'filled' });
  });

  test('of concurrent orders leaves no more bound than there is', async () => {
    const desk = await openDesk(db, market());
    const answers = await Promise.allSettled(Array.from({ length: 5 }, () => desk.submit('buy', '300')));
    const done = answers.filter(({ status }) => status === 'fulfilled');
    expect(done.length).toBe(3);
    const { equity, initialMargin } = await desk.venue.margin(desk.account);
    expect(Number(equity)).toBeGreaterThan(Number(initialMargin));
  });
});

describe('a reducing order', () => {
  test('is cut to the position, smaller than the steps and the least notional allow', async () => {
    const desk = await openDesk(db, market());
    await desk.submit('buy', '0.05');
    expect(await desk.submit('sell', '99.999', { reduceOnly: true })).toMatchObject({
      state: 'filled',
      filledQuantity: '0.05',
    });
    expect(await desk.refusal('sell', '0.05', { reduceOnly: true })).toBe('nothingToReduce');
    await desk.submit('sell', '10');
    expect(await desk.refusal('sell', '1', { reduceOnly: true })).toBe('nothingToReduce');
    expect(await desk.refusal('buy', '0.005', { reduceOnly: true })).toBe('badStep');
  });
});

describe('a maker order', () => {
  test('rests, holds margin, and is filled at its own price when the market comes', async () => {
    const moving = market();
    const desk = await openDesk(db, moving);
    const resting = await desk.submit('buy', '20', { type: 'maker', limitPrice: '99.5' });
    expect(resting).toMatchObject({ state: 'open', filledQuantity: '0' });
    expect((await desk.venue.margin(desk.account)).initialMargin).toBe('200');
    await desk.venue.advance();
    expect(await desk.events(1)).toEqual([]);
    moving.set('AAAUSDT', 99.4);
    await desk.venue.advance();
    // Fee 0.0002 of 1,990.
    expect(await desk.events(1)).toMatchObject([
      { kind: 'fill', clientId: resting.clientId, price: '99.5', quantity: '20', fee: '0.398', maker: true },
    ]);
    expect(await desk.venue.lookup(desk.account, resting.clientId)).toMatchObject({
      found: true,
      report: { state: 'filled', filledQuantity: '20' },
    });
  });

  test('is filled in part where the market only grazes it', async () => {
    const moving = market();
    const desk = await openDesk(db, moving, { capital: '100000' });
    const { clientId } = await desk.submit('sell', '120', { type: 'maker', limitPrice: '100.5' });
    // Around 100.52 the best bid is 100.50 with 5,000 / 100.5 = 49.75 coins.
    moving.set('AAAUSDT', 100.52);
    await desk.venue.advance();
    expect(await desk.venue.lookup(desk.account, clientId)).toMatchObject({
      report: { state: 'open', filledQuantity: '49.75' },
    });
    expect(await desk.venue.cancel(desk.account, clientId)).toMatchObject({
      state: 'cancelled',
      filledQuantity: '49.75',
    });
    moving.set('AAAUSDT', 103);
    await desk.venue.advance();
    expect(await desk.held()).toBe('-49.75');
  });

  test('that would reduce ends when there is nothing left to reduce', async () => {
    const moving = market();
    const desk = await openDesk(db, moving);
    await desk.submit('buy', '10');
    const { clientId } = await desk.submit('sell', '10', { type: 'maker', limitPrice: '101', reduceOnly: true });
    await desk.submit('sell', '10');
    await desk.venue.advance();
    expect((await desk.events()).at(-1)).toMatchObject({
      kind: 'orderEnd',
      report: { clientId, state: 'cancelled', filledQuantity: '0' },
    });
    moving.set('AAAUSDT', 102);
    await desk.venue.advance();
    expect(await desk.held()).toBe('0');
  });

  test('that has ended is cancelled without an error, and one that never was is refused', async () => {
    const desk = await openDesk(db, market());
    const { clientId } = await desk.submit('buy', '1');
    expect(await desk.venue.cancel(desk.account, clientId)).toMatchObject({ state: 'filled', filledQuantity: '1' });
    await expect(desk.venue.cancel(desk.account, 'never')).rejects.toMatchObject({ reason: 'rejected' });
  });
});

test('an account is opened once', async () => {
  const desk = await openDesk(db, market());
  await desk.venue.open(desk.account, '5');
  expect(await desk.events()).toMatchObject([{ kind: 'transfer', sequence: 1, amount: '10000' }]);
  await expect(desk.venue.open('another', '0')).rejects.toThrow(RangeError);
});

test('files give prices of their newest close, with terms of their own', async () => {
  const closed = START - 24 * HOUR_MS;
  const files = handMarket('files', {
    AAAUSDT: { start: closed - 2 * 24 * HOUR_MS, closes: { '1d': [90, 100] }, ticker: { turnover24h: 210e6 } },
  });
  const desk = await openDesk(db, { markets: handMarkets(files), clock: () => START });
  expect(await desk.venue.terms('files', 'AAAUSDT')).toMatchObject({
    source: 'files',
    symbol: 'AAAUSDT',
    tickSize: '0.01',
    lotSize: '0.01',
    minNotional: '5',
    maxLeverage: 20,
    makerFee: 0.0002,
    takerFee: 0.0005,
    maintenanceRate: 0.01,
  });
  expect(await desk.venue.quote('files', 'AAAUSDT')).toEqual({
    source: 'files',
    symbol: 'AAAUSDT',
    bid: 99.98,
    ask: 100.02,
    at: closed,
  });
  expect(await desk.submit('sell', '10', { source: 'files' })).toMatchObject({ state: 'filled' });
});

describe('a venue that tells its brackets', () => {
  /** Up to 1,000 USDT 1 % and 20 times, then 10 % but for 90 USDT, and 5 times; nothing beyond 6,000. */
  const BRACKETS = [
    { cap: 1_000, maxLeverage: 20, maintenanceRate: 0.01, deducted: 0 },
    { cap: 6_000, maxLeverage: 5, maintenanceRate: 0.1, deducted: 90 },
  ];
  const bracketed = () => {
    const moving = market();
    const terms = { makerFee: 0.0002, takerFee: 0.0005, deliveryFee: null, fundingCap: null };
    const told: { brackets: typeof BRACKETS | null } = { brackets: BRACKETS };
    moving.market.terms = () => ({ ...terms, collateralRatio: 0, borrowApr: 0, adl: null, ...told });
    return { ...moving, told };
  };

  test('keeps more of a larger position, and takes no order that its leverage is too much for', async () => {
    const desk = await openDesk(db, bracketed());
    await desk.submit('buy', '10', { leverage: 20 });
    expect(await desk.venue.margin(desk.account)).toMatchObject({ maintenanceMargin: '10' });
    await expect(desk.submit('buy', '10', { leverage: 6 })).rejects.toMatchObject({ reason: 'tooMuchLeverage' });
    await desk.submit('buy', '10', { leverage: 5 });
    // A tenth of 2,000 less 90.
    expect(await desk.venue.margin(desk.account)).toMatchObject({ maintenanceMargin: '110' });
    await expect(desk.submit('buy', '50', { leverage: 1 })).rejects.toMatchObject({ reason: 'tooMuchLeverage' });
    // What makes it smaller goes, whatever it was opened with.
    expect(await desk.submit('sell', '5', { leverage: 20 })).toMatchObject({ state: 'filled' });
    expect(await desk.submit('sell', '15', { leverage: 20, reduceOnly: true })).toMatchObject({ state: 'filled' });
  });

  test('closes nothing before it has told them', async () => {
    const moving = bracketed();
    const desk = await openDesk(db, moving, { capital: '800' });
    await desk.submit('buy', '30', { leverage: 5 });
    moving.told.brackets = null;
    moving.set('AAAUSDT', 78);
    await desk.venue.advance();
    expect(await desk.held()).toBe('30');
    moving.told.brackets = BRACKETS;
    moving.wait();
    await desk.venue.advance();
    expect(await desk.venue.positions(desk.account)).toEqual([]);
  });

  test('closes a position by what its size takes', async () => {
    const moving = bracketed();
    const desk = await openDesk(db, moving, { capital: '800' });
    await desk.submit('buy', '30', { leverage: 5 });
    // Of 2,550 at 85 a tenth less 90 is kept, 165, and 347 are there; of 2,340 at 78 it is 144, and 137 are there.
    moving.set('AAAUSDT', 85);
    await desk.venue.advance();
    expect(await desk.held()).toBe('30');
    moving.set('AAAUSDT', 78);
    await desk.venue.advance();
    expect(await desk.venue.positions(desk.account)).toEqual([]);
  });
});
