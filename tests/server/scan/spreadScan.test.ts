import Big from 'big.js';
import { DAY_MS, HOUR_MS } from '#contract/duration';
import type { SpreadType } from '#contract/kinds/spread/scan';
import { fundingCandidate } from '#server/kinds/fundingRate/scan';
import { spreadCandidate } from '#server/kinds/spread/scan';
import type { Instrument, InstrumentKind, InstrumentTerms, Market, OrderBook, Ticker } from '#server/market/exchange';
import { NOTHING_SETTLED } from '#server/market/scan/fundingPast';
import { Quoted } from '#server/market/scan/sight';

const NOW = Date.UTC(2026, 0, 2, 8);
const NEXT = { nextFundingAt: NOW + 8 * HOUR_MS };

interface Given {
  bid: number;
  ask: number;
  taker: number;
  /** Of a future. */
  days?: number;
}

/** Prices in steps of 0.1 and quantities in steps of 0.01; ten coins at the best price of each side and no more. */
function quoted(kind: InstrumentKind, { bid, ask, taker, days }: Given): Quoted {
  const steps = { tickSize: new Big('0.1'), lotSize: new Big('0.01') };
  const level = (price: number) => [{ ticks: Math.round(price * 10), lots: 1_000 }];
  const book: OrderBook = { ...steps, bids: level(bid), asks: level(ask) };
  const terms = { takerFee: taker, deliveryFee: kind === 'future' ? 0.0002 : null, borrowApr: 0.365, adl: 1 };
  const market = { source: 'simulated', book: () => book, terms: () => terms as InstrumentTerms } as unknown as Market;
  const instrument = {
    symbol: `X ${kind} ${days ?? ''}`,
    base: 'X',
    kind,
    expiresAt: days === undefined ? null : NOW + days * DAY_MS,
    fundingHours: kind === 'perpetual' ? 8 : null,
    lotSize: '0.01',
    minNotional: '5',
    listedAt: NOW - 1_000 * DAY_MS,
  } as Instrument;
  const ticker = { price: 100, fundingRate: kind === 'perpetual' ? 0.0001 : null, turnover24h: bid, ...NEXT } as Ticker;
  return new Quoted(market, instrument, ticker, NOW);
}

const SPOT = quoted('spot', { bid: 99.9, ask: 100.1, taker: 0.001 });
const pairOf = (type: SpreadType, near: Quoted, far: Quoted) => ({
  source: 'simulated',
  isOut: false,
  type,
  near,
  far,
  spot: SPOT,
  perpetual: undefined,
  // The rate of now for ever.
  trend: { mean: 0.0001, phi: 0 },
  settled: { week: 0.0021, month: 0.009 },
});
const PLAN = { size: 500, days: 10 };
const future = (middle: number, days: number) =>
  quoted('future', { bid: middle - 0.1, ask: middle + 0.1, taker: 0.0005, days });

test('spot against a future by hand: the future is delivered, the coin is sold at its slippage', () => {
  const row = spreadCandidate(pairOf('spotFuture', SPOT, future(102, 73)), 'pending', PLAN, NOW);
  // 500 / 102 = 4.901 is 4.90 in lots of 0.01.
  expect(row).toMatchObject({ direction: 'sellFar', days: 73, quantity: 4.9, obstacles: [], z: null, past: 'pending' });
  expect(row).toMatchObject({ borrowApr: null, fundingApr: null, turnover24h: 99.9 });
  expect(row.basis!).toBeCloseTo(2, 12);
  expect(row.annualised!).toBeCloseTo(0.02 * 5, 12);
  expect(row.openEdge!).toBeCloseTo(101.9 / 100.1 - 1, 12);
  expect(row.closeLevel!).toBeCloseTo(102.1 / 99.9 - 1, 12);
  // Ten coins on either side.
  expect(row.depth!).toBeCloseTo(1001, 9);
  expect(row.expectedLevel!).toBeCloseTo(1 / 0.999 - 1, 12);
  // In 0.001 + 0.0005, out 0.001 and the delivery.
  expect(row.fees!).toBeCloseTo(0.0027, 12);
  const net = 101.9 / 100.1 - 1 - (1 / 0.999 - 1) - 0.0027;
  expect(row.net!).toBeCloseTo(net, 12);
  expect(row.netApr!).toBeCloseTo(net * 5, 12);
  // Spot in full, the future by half (F12).
  expect(row.capitalApr!).toBeCloseTo(row.netFundingApr! / 1.5, 12);
  expect(row.spread!).toBeCloseTo(1.8, 12);
  expect(row.spreadShare!).toBeCloseTo(0.018, 12);
});

test('selling the coin first pays for borrowing it, and cannot be done here', () => {
  const row = spreadCandidate(pairOf('spotFuture', SPOT, future(97, 10)), 'short', PLAN, NOW);
  expect(row).toMatchObject({ direction: 'buyFar', borrowApr: 0.365, obstacles: ['borrow'], past: 'short' });
  // 36.5 % a year is 1 % in ten days; the coin is bought back 0.1 above the index.
  const net = 99.9 / 97.1 - 1 - (1.001 - 1) - 0.0027 - 0.01;
  expect(row.net!).toBeCloseTo(net, 12);
  expect(row.netApr!).toBeCloseTo(net * 36.5, 10);
});

test('two futures: the near one is delivered, the far one keeps its basis a year', () => {
  const row = spreadCandidate(pairOf('nearFar', future(102, 73), future(106, 146)), 'short', PLAN, NOW);
  expect(row.annualised!).toBeCloseTo((106 / 102 - 1) * 5, 12);
  // 6 % in 146 days: 3 % are left after 73; it is bought back 0.1 / 106 above that.
  expect(row).toMatchObject({ direction: 'sellFar', days: 73 });
  const expected = (1.03 * 106.1) / 106 - 1;
  expect(row.expectedLevel!).toBeCloseTo(expected, 12);
  const net = 105.9 / 102.1 - 1 - expected - (0.0005 + 0.0002 + 0.001);
  expect(row.netApr!).toBeCloseTo(net * 5, 12);
});

test('what never expires is held for the days planned, and costs four fees', () => {
  const perpetual = quoted('perpetual', { bid: 100.4, ask: 100.6, taker: 0.0005 });
  const row = spreadCandidate(pairOf('spotPerpetual', SPOT, perpetual), 'short', PLAN, NOW);
  expect(row).toMatchObject({ annualised: null, days: null, expiresAt: null, obstacles: ['costs'] });
  const paid = { ...pairOf('spotPerpetual', SPOT, perpetual), trend: { mean: 0.0005, phi: 0 } };
  expect(spreadCandidate(paid, 'short', PLAN, NOW).obstacles).toEqual([]);
  expect(row.fundingApr!).toBeCloseTo(0.1095, 12);
  // It is left as far from spot as it stands now.
  const net = 100.4 / 100.1 - 1 - (100.6 / 99.9 - 1) - 0.003;
  expect(row.netApr!).toBeCloseTo(net * 36.5, 10);
  expect(row.netFundingApr!).toBeCloseTo(net * 36.5 + 0.1095, 10);
  // Bought against a future it pays.
  const paying = spreadCandidate(pairOf('perpetualFuture', perpetual, future(103, 73)), 'short', PLAN, NOW);
  expect(paying.fundingApr!).toBeCloseTo(-0.1095, 12);
  expect(paying.netFundingApr!).toBeCloseTo(paying.netApr! - 0.1095, 12);
});

test('a carry is promised the same on both screens that list it', () => {
  const perpetual = quoted('perpetual', { bid: 100.4, ask: 100.6, taker: 0.0005 });
  const trend = { mean: 0.0004, phi: 0.5 };
  const pair = { ...pairOf('spotPerpetual', SPOT, perpetual), trend };
  const shown = { mean7Apr: null, mean30Apr: null, positiveShare: null, streak: 0 };
  const past = { ...NOTHING_SETTLED, shown, trend };
  const carry = fundingCandidate({ ...pair, spot: SPOT, perpetual }, past, { size: 500, hours: 240 }, NOW);
  const spread = spreadCandidate(pair, 'short', PLAN, NOW);
  expect(carry.quantity).toBe(spread.quantity);
  expect(spread.netFundingApr!).toBeCloseTo(carry.netApr!, 12);
  expect(spread.capitalApr!).toBeCloseTo(carry.capitalApr!, 12);
});

test('a rate that is expected to fall counts as it falls (F29), beside what it would be as it is', () => {
  const perpetual = quoted('perpetual', { bid: 100.4, ask: 100.6, taker: 0.0005 });
  const fading = { ...pairOf('spotPerpetual', SPOT, perpetual), trend: { mean: 0.00002, phi: 0.5 } };
  const row = spreadCandidate(fading, 'short', PLAN, NOW);
  // 30 settlements: 30 x 0.2 bp and 0.8 x 0.5 + 0.8 x 0.25 + ... = 0.8 bp.
  expect(row.netFunding!).toBeCloseTo(row.net! + 0.0006 + 0.00008, 9);
  expect(row.netFundingApr!).toBeCloseTo(row.netApr! + 0.00068 * 36.5, 7);
  expect(row.netFundingAprAtRate!).toBeCloseTo((row.netApr! + 0.003 * 36.5) / 1.5, 10);
  // Against a future whose funding costs more than the basis brings, the other direction is the better one.
  const dear = { ...pairOf('perpetualFuture', perpetual, future(103, 73)), trend: { mean: 0.0005, phi: 0 } };
  expect(spreadCandidate(dear, 'short', PLAN, NOW).direction).toBe('buyFar');
});

test('under three days nothing is annualised; what the book does not hold has no price', () => {
  const soon = pairOf('spotFuture', SPOT, future(102, 2));
  const row = spreadCandidate(soon, 'short', PLAN, NOW);
  expect(row).toMatchObject({ annualised: null, netApr: null, obstacles: [] });
  expect(row.net!).toBeGreaterThan(0.01);
  const none = { openEdge: null, closeLevel: null, net: null, netApr: null };
  expect(spreadCandidate(soon, 'short', { ...PLAN, size: 1_100 }, NOW)).toMatchObject({
    ...none,
    obstacles: ['depth'],
  });
  expect(spreadCandidate(soon, 'short', { ...PLAN, size: 4 }, NOW).obstacles).toEqual(['minimum']);
  // Of 0.08 bought 0.07 can be hedged once the fee is taken in the coin (F28).
  expect(spreadCandidate(soon, 'short', { ...PLAN, size: 8.2 }, NOW).obstacles).toEqual(['minimum']);
  const stopped = new Quoted({ ...SPOT.market, book: () => null }, SPOT.instrument, SPOT.ticker, NOW);
  const bookless = spreadCandidate(pairOf('spotFuture', stopped, future(102, 73)), 'short', PLAN, NOW);
  expect(bookless).toMatchObject({ ...none, basisRate: null, z: null, obstacles: ['depth'] });
});

test('a row is as old as the older of its quotes, which is that of a venue that is out', () => {
  const pair = pairOf('spotFuture', SPOT, future(102, 73));
  expect(spreadCandidate(pair, 'short', PLAN, NOW).quotedAt).toBe(NOW);
  const [near, far] = [7_000, 3_000].map(
    (ms) => new Quoted(SPOT.market, SPOT.instrument, { ...SPOT.ticker, at: NOW - ms }, NOW),
  ) as [Quoted, Quoted];
  const out = spreadCandidate({ ...pair, isOut: true, near, far }, 'short', PLAN, NOW);
  expect(out).toMatchObject({ quotedAt: NOW - 7_000, obstacles: ['out'] });
});

test('the present basis stands where its past puts it', () => {
  const past = { mean: 0.01, sd: 0.005, ascending: Float64Array.of(0, 0.01, 0.015, 0.03) };
  const row = spreadCandidate(pairOf('spotFuture', SPOT, future(102, 73)), past, PLAN, NOW);
  expect(row.z!).toBeCloseTo(2, 10);
  expect(row).toMatchObject({ percentile: 0.75, past: 'known' });
});

test('a spread over what was (F30): neither leg is delivered, and a perpetual is paid as it settled', () => {
  const now = { bid: 100.4, ask: 100.6 };
  const spans = (bid: number, ask: number) => ({ week: { bid, ask }, month: { bid: bid + 1, ask: ask + 1 } });
  const before = { near: spans(99.8, 100), far: spans(101, 101.2) };
  const perpetual = quoted('perpetual', { ...now, taker: 0.0005 });
  const held = spreadCandidate({ ...pairOf('spotPerpetual', SPOT, perpetual), before }, 'short', PLAN, NOW);
  // Sold far at 101 against 100, or at 102 against 101, and left at 100.6 against 99.9; four fees.
  expect(held.replay7!).toBeCloseTo((101 / 100 - 100.6 / 99.9 - 0.003 + 0.0021) / 1.5, 12);
  expect(held.replay30!).toBeCloseTo((102 / 101 - 100.6 / 99.9 - 0.003 + 0.009) / 1.5, 12);
  const far = future(102, 73);
  const lost = spreadCandidate({ ...pairOf('spotFuture', SPOT, far), before }, 'short', PLAN, NOW);
  expect(lost.replay7!).toBeCloseTo((101 / 100 - 102.1 / 99.9 - 0.003) / 1.5, 12);
  expect(lost.obstacles).toEqual(['lostBefore']);
  // A near perpetual that is bought pays what it settled; two contracts tie up half each.
  const paying = { ...pairOf('perpetualFuture', perpetual, future(103, 73)), before };
  const row = spreadCandidate(paying, 'short', PLAN, NOW);
  expect(row.replay7!).toBeCloseTo(101 / 100 - 103.1 / 100.4 - 0.002 - 0.0021, 12);
});
