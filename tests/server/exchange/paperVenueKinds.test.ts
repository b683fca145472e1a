import Big from 'big.js';
import { HOUR_MS, MINUTE_MS } from '#contract/duration';
import { createPaperVenue } from '#server/market/paper/paperVenue';
import { createSimulatedVenues } from '#server/market/simulated';
import type { Side, VenueFill, VenueOrder, VenueRefusalReason } from '#server/market/venue';
import { handMarkets } from '../../support/handMarket';
import { fileDatabase } from '../../support/testDatabase';

/** A Friday noon; quarterly futures of 25 September 2026 are listed. */
const START = Date.UTC(2026, 7, 21, 12, 5);
const SPOT = 'BTCUSDT_SPOT';
const PERPETUAL = 'BTCUSDT';
const FUTURE = 'BTCUSDT_260925';
const EXPIRY = Date.UTC(2026, 8, 25, 8);

const db = await fileDatabase();

let made = 0;

/** An account with 100,000 USDT at the simulated market, whose clock a test moves. */
async function openDesk() {
  made += 1;
  const account = `kinds-${made}`;
  const clock = { now: START };
  const markets = createSimulatedVenues({ clock: () => clock.now });
  const [market] = markets;
  const venue = createPaperVenue({ db, clock: () => clock.now, markets: handMarkets(...markets) });
  await venue.open(account, '100000');
  let orders = 0;
  const submit = (symbol: string, side: Side, quantity: string, over: Partial<VenueOrder> = {}) => {
    orders += 1;
    const limitPrice = side === 'buy' ? '10000000' : '0.1';
    const order = {
      clientId: `${account}-${orders}`,
      account,
      source: 'simulated',
      symbol,
      side,
      quantity,
      limitPrice,
    };
    return venue.submit({ ...order, type: 'market', reduceOnly: false, leverage: 1, ...over });
  };
  return {
    account,
    clock,
    market: market!,
    venue,
    submit,
    refusal: (...args: Parameters<typeof submit>): Promise<VenueRefusalReason | 'done'> =>
      submit(...args).then(
        () => 'done',
        ({ reason }) => reason,
      ),
    fills: async () => (await venue.events(account, 0)).filter((event): event is VenueFill => event.kind === 'fill'),
    held: async (symbol: string) =>
      new Big((await venue.positions(account)).find((position) => position.symbol === symbol)?.quantity ?? 0),
  };
}

const paid = (fills: readonly VenueFill[]): Big =>
  fills.reduce((sum, { quantity, price }) => sum.plus(new Big(quantity).times(price)), new Big(0));

describe('spot', () => {
  test('a purchase yields what its fee leaves of it, for the whole price, and only that can be sold', async () => {
    const desk = await openDesk();
    const before = await desk.venue.margin(desk.account);
    await desk.submit(SPOT, 'buy', '0.5');
    const fills = await desk.fills();
    const { takerFee, collateralRatio } = (await desk.venue.terms('simulated', SPOT))!;
    const received = new Big('0.5').times(new Big(1).minus(takerFee));
    expect((await desk.held(SPOT)).toFixed()).toBe(received.toFixed());
    expect(fills.every(({ fee, feeInBase, price }) => new Big(feeInBase!).times(price).eq(fee))).toBe(true);

    const after = await desk.venue.margin(desk.account);
    const cash = new Big(100_000).minus(paid(fills));
    const mark = desk.market.listed!(SPOT)!.ticker.mark!;
    expect(after.spendable).toBe(cash.toFixed());
    expect(after.equity).toBe(cash.plus(received.times(mark)).toFixed());
    expect(after.marginBalance).toBe(cash.plus(received.times(mark).times(collateralRatio)).toFixed());
    expect([before.initialMargin, after.initialMargin, after.maintenanceMargin]).toEqual(['0', '0', '0']);

    expect(await desk.refusal(SPOT, 'sell', '0.5')).toBe('insufficientBalance');
    const whole = received.round(3, Big.roundDown).toFixed();
    await desk.submit(SPOT, 'sell', whole);
    expect((await desk.held(SPOT)).toFixed()).toBe(received.minus(whole).toFixed());
  });

  test('a short perpetual prints no USDT to buy spot for, and neither does a profit that nobody realised', async () => {
    const desk = await openDesk();
    const price = desk.market.listed!(SPOT)!.ticker.price;
    const beyond = new Big(110_000).div(price).round(3, Big.roundUp).toFixed();
    await desk.submit(PERPETUAL, 'sell', '1', { leverage: 20 });
    expect(await desk.refusal(SPOT, 'buy', beyond)).toBe('insufficientBalance');
    expect((await desk.held(SPOT)).toFixed()).toBe('0');
    const { spendable, equity, initialMargin } = await desk.venue.margin(desk.account);
    expect(Number(spendable)).toBeLessThanOrEqual(Number(equity) - Number(initialMargin));

    // The price falls until the short has won: what may be spent is still no more than what was paid in.
    const entry = price;
    while (desk.market.listed!(PERPETUAL, desk.clock.now)!.ticker.price > entry * 0.98) desk.clock.now += HOUR_MS;
    await desk.venue.advance();
    const later = await desk.venue.margin(desk.account);
    expect(Number(later.equity)).toBeGreaterThan(100_300);
    const received = (await desk.venue.events(desk.account, 0)).reduce(
      (sum, event) => (event.kind === 'funding' ? sum.plus(event.amount) : sum),
      new Big(0),
    );
    const fee = (await desk.fills()).reduce((sum, one) => sum.plus(one.fee), new Big(0));
    expect(Number(later.spendable)).toBeLessThanOrEqual(100_000 + Number(received) - Number(fee) + 1e-6);
  });

  test('what rests locks its side: USDT of who buys, coin of who sells', async () => {
    const desk = await openDesk();
    const price = desk.market.listed!(SPOT)!.ticker.price;
    await desk.submit(SPOT, 'buy', '0.4');
    const { spendable } = await desk.venue.margin(desk.account);
    const low = new Big(price * 0.9).round(0).toFixed();
    await desk.submit(SPOT, 'buy', '0.1', { type: 'maker', limitPrice: low });
    const locked = await desk.venue.margin(desk.account);
    expect(locked.initialMargin).toBe(new Big(low).times('0.1').toFixed());
    expect(locked.spendable).toBe(new Big(spendable).minus(locked.initialMargin).toFixed());

    const high = new Big(price * 1.1).round(0).toFixed();
    await desk.submit(SPOT, 'sell', '0.3', { type: 'maker', limitPrice: high });
    expect(await desk.refusal(SPOT, 'sell', '0.1')).toBe('insufficientBalance');
    expect(await desk.refusal(SPOT, 'sell', '0.09')).toBe('done');
    expect(await desk.refusal(SPOT, 'sell', '0.001', { reduceOnly: true })).toBe('rejected');
  });

  test('coins back a short: a rally that would end the short alone does not end the carry', async () => {
    const [spot, perpetual] = ['SOLUSDT_SPOT', 'SOLUSDT'];
    const desk = await openDesk();
    const price = desk.market.listed!(spot)!.ticker.price;
    const quantity = new Big(90_000).div(price).round(0, Big.roundDown).toFixed();
    await desk.submit(spot, 'buy', quantity);
    await desk.submit(perpetual, 'sell', quantity, { leverage: 10 });
    while (desk.market.listed!(perpetual, desk.clock.now)!.ticker.price < price * 1.15) desk.clock.now += HOUR_MS;
    await desk.venue.advance();
    expect((await desk.fills()).some(({ forced }) => forced !== undefined)).toBe(false);
    expect((await desk.held(perpetual)).toFixed()).toBe(`-${quantity}`);
    const funded = (await desk.venue.events(desk.account, 0)).filter(({ kind }) => kind === 'funding');
    expect(new Set(funded.map(({ symbol }) => symbol))).toEqual(new Set([perpetual]));
  });
});

describe('a future', () => {
  test('held through its expiry is delivered at the mean of the index, for the delivery fee, without funding', async () => {
    const desk = await openDesk();
    await desk.submit(FUTURE, 'sell', '0.3', { leverage: 5 });
    const { deliveryFee, expiresAt } = (await desk.venue.terms('simulated', FUTURE))!;
    expect(expiresAt).toBe(EXPIRY);
    desk.clock.now = EXPIRY - MINUTE_MS;
    await desk.venue.advance();
    expect((await desk.held(FUTURE)).toFixed()).toBe('-0.3');
    expect(await desk.venue.goneBy('simulated', FUTURE)).toBeNull();
    desk.clock.now = EXPIRY + MINUTE_MS;
    await desk.venue.advance();
    expect((await desk.held(FUTURE)).toFixed()).toBe('0');
    expect(await desk.venue.goneBy('simulated', FUTURE)).toBe('delivery');
    const delivered = (await desk.fills()).at(-1)!;
    // The index of the half hour before, minute by minute: the mean of its seconds is close to theirs.
    const minutes = Array.from({ length: 31 }, (_, i) => EXPIRY - i * MINUTE_MS);
    const indexes = minutes.map((at) => desk.market.listed!(PERPETUAL, at)!.ticker.index!);
    const mean = indexes.reduce((sum, index) => sum + index, 0) / indexes.length;
    expect(delivered).toMatchObject({ forced: 'delivery', clientId: null, side: 'buy', quantity: '0.3' });
    expect(Math.abs(Number(delivered.price) / mean - 1)).toBeLessThan(0.001);
    expect(deliveryFee).toBeGreaterThan(0);
    expect(Number(delivered.fee)).toBeCloseTo(0.3 * Number(delivered.price) * deliveryFee, 6);
    const events = await desk.venue.events(desk.account, 0);
    expect(events.some(({ kind }) => kind === 'funding')).toBe(false);
    // Told once, however often time goes on.
    await desk.venue.advance();
    expect((await desk.venue.events(desk.account, 0)).length).toBe(events.length);
  });
});
