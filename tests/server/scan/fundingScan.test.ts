import Big from 'big.js';
import { HOUR_MS } from '#contract/duration';
import { fundingCandidate } from '#server/kinds/fundingRate/scan';
import type { Instrument, InstrumentTerms, Market, OrderBook, Ticker } from '#server/market/exchange';
import { NOTHING_SETTLED } from '#server/market/scan/fundingPast';
import { Quoted } from '#server/market/scan/sight';

const NOW = Date.UTC(2026, 0, 2, 6);
const SHOWN = { mean7Apr: 0.1, mean30Apr: 0.1, positiveShare: 1, streak: 3 };
/** Of which every settlement is expected at the rate. */
const steady = (mean: number) => ({ ...NOTHING_SETTLED, shown: SHOWN, trend: { mean, phi: 0.5 } });
const PAST = steady(0.001);

interface Given {
  bid: number;
  ask: number;
  taker: number;
  rate?: number;
}

/** Prices in steps of 0.1 and quantities in steps of 0.01; ten coins at the best price of each side and no more. */
function quoted(kind: 'spot' | 'perpetual', { bid, ask, taker, rate }: Given): Quoted {
  const steps = { tickSize: new Big('0.1'), lotSize: new Big('0.01') };
  const level = (price: number) => [{ ticks: Math.round(price * 10), lots: 1_000 }];
  const book: OrderBook = { ...steps, bids: level(bid), asks: level(ask) };
  const terms = { takerFee: taker, makerFee: 0, borrowApr: 0.0876, adl: 1, collateralRatio: 0.9, fundingCap: 0.003 };
  const market = { source: 'simulated', book: () => book, terms: () => terms as InstrumentTerms } as unknown as Market;
  const instrument = {
    symbol: kind === 'spot' ? 'XUSDT_SPOT' : 'XUSDT',
    base: 'X',
    kind,
    fundingHours: kind === 'spot' ? null : 8,
    lotSize: '0.01',
    minNotional: '5',
    listedAt: NOW - 1_000 * 24 * HOUR_MS,
  } as Instrument;
  const ticker = { price: 100, fundingRate: rate ?? null, nextFundingAt: NOW + 2 * HOUR_MS } as Ticker;
  return new Quoted(market, instrument, ticker, NOW);
}

const pairOf = (rate: number) => ({
  source: 'simulated',
  isOut: false,
  spot: quoted('spot', { bid: 99.9, ask: 100.1, taker: 0.001 }),
  perpetual: quoted('perpetual', { bid: 100.2, ask: 100.4, taker: 0.0005, rate }),
});

test('a carry by hand: costs, break-even and net of the hours planned', () => {
  const row = fundingCandidate(pairOf(0.001), PAST, { size: 500, hours: 24 }, NOW);
  // Middles 100.0 and 100.3; 500 / 100.3 = 4.985 is 4.98 in lots of 0.01.
  expect(row).toMatchObject({ direction: 'carry', quantity: 4.98, borrowApr: null });
  // Seven settlements pay for it, three of them come in a day.
  expect(row.obstacles).toEqual(['costs']);
  expect(fundingCandidate(pairOf(0.001), PAST, { size: 500, hours: 240 }, NOW).obstacles).toEqual([]);
  expect(row.basis!).toBeCloseTo(0.003, 12);
  // Fees 0.0015 of each way; each leg is taken 0.1 away from its middle.
  const cost = 0.0015 + 0.1 / 100 + 0.1 / 100.3;
  expect(row.entryCost!).toBeCloseTo(cost, 12);
  expect(row.exitCost!).toBeCloseTo(cost, 12);
  // 2 x 0.003497 / 0.001 = 6.99: seven settlements, the first in 2 h.
  expect(row).toMatchObject({ breakEven: 7, breakEvenHours: 50 });
  // In 2, 10 and 18 h: three settlements. F5: 100.2 / 100.1 - 1 less 100.4 / 99.9 - 1.
  const made = 100.2 / 100.1 - 100.4 / 99.9 - 0.003;
  expect(row.netApr!).toBeCloseTo(((0.003 + made) * 8760) / 24, 10);
  // The coin in full and half of the contract (F12).
  expect(row.capitalApr!).toBeCloseTo(row.netApr! / 1.5, 12);
});

test('the other way round the interest of borrowing goes off', () => {
  const row = fundingCandidate(pairOf(-0.001), steady(-0.001), { size: 500, hours: 24 }, NOW);
  expect(row).toMatchObject({ direction: 'reverse', borrowApr: 0.0876, obstacles: ['borrow', 'costs'] });
  // 0.0876 a year is 0.00008 in 8 h: 0.00092 a settlement, 7.60 of them.
  expect(row.breakEven).toBe(8);
  const made = 99.9 / 100.4 - 100.1 / 100.2 - 0.003;
  expect(row.netApr!).toBeCloseTo(((0.003 - 0.0876 / 365 + made) * 8760) / 24, 10);
});

test('a rate that falls back to its mean brings less than it promises, and may turn the direction (F29)', () => {
  const fading = { ...PAST, trend: { mean: 0.0002, phi: 0.5 } };
  const row = fundingCandidate(pairOf(0.001), fading, { size: 500, hours: 24 }, NOW);
  // 6, 4 and 3 bp come in where three times 10 are promised.
  const made = 100.2 / 100.1 - 100.4 / 99.9 - 0.003;
  expect(row.netApr!).toBeCloseTo(((0.0013 + made) * 8760) / 24, 10);
  expect(row.netAprAtRate!).toBeCloseTo(((0.003 + made) * 8760) / 24 / 1.5, 10);
  expect(row.expectedApr!).toBeCloseTo((0.0013 * 8760) / 24, 10);
  // Costs of 69.94 bp: 8 bp more than the mean in all, and 2 bp each.
  expect(row.breakEven).toBe(31);
  expect(row.breakEvenHours).toBe(2 + 30 * 8);
  // Negative today, positive in the long run: the coin is held against the contract.
  const turning = fundingCandidate(pairOf(-0.0001), fading, { size: 500, hours: 240 }, NOW);
  expect(turning.direction).toBe('carry');
  expect(turning.capitalApr!).toBeGreaterThan(turning.netAprAtRate!);
  // Of a coin without any past nothing is expected.
  expect(fundingCandidate(pairOf(0.001), NOTHING_SETTLED, { size: 500, hours: 24 }, NOW)).toMatchObject({
    ...{ expectedApr: 0, breakEven: null, obstacles: ['noPayback'] },
  });
});

test('what cannot be filled has no price, and what is too small no order', () => {
  expect(fundingCandidate(pairOf(0.001), PAST, { size: 1_100, hours: 24 }, NOW)).toMatchObject({
    netApr: null,
    entryCost: null,
    obstacles: ['depth'],
  });
  expect(fundingCandidate(pairOf(0.001), PAST, { size: 4, hours: 240 }, NOW).obstacles).toEqual(['minimum']);
});

// The fee is taken in the coin: of 0.05 bought 0.04 can be hedged, of 0.08 0.07, of 0.12 0.11.
test.each([
  [5.05, ['minimum']],
  [8, ['minimum']],
  [12, []],
])('%d USDT of spot are opened where a tenth of them at the most stays unhedged (F28)', (size, obstacles) => {
  expect(fundingCandidate(pairOf(0.001), PAST, { size, hours: 240 }, NOW).obstacles).toEqual(obstacles);
});

test('a carry and the other way round over what was (F30), and what lost both times is not opened', () => {
  const [spot, perpetual] = [
    { bid: 99.8, ask: 100 },
    { bid: 100.5, ask: 100.7 },
  ];
  const before = { spot: { week: spot, month: spot }, perpetual: { week: perpetual, month: perpetual } };
  const rowOf = (rate: number, settled: { week: number; month: number }) =>
    fundingCandidate(pairOf(rate), { ...steady(rate), settled }, { size: 500, hours: 240 }, NOW, before);
  const carry = rowOf(0.001, { week: 0.021, month: 0.09 });
  // The contract was sold at 100.5 against 100, and is bought back at 100.4 against 99.9.
  const made = 100.5 / 100 - 100.4 / 99.9 - 0.003;
  expect(carry.replay7!).toBeCloseTo((made + 0.021) / 1.5, 12);
  expect(carry.replay30!).toBeCloseTo((made + 0.09) / 1.5, 12);
  const reverse = rowOf(-0.001, { week: -0.021, month: -0.09 });
  const sold = 99.8 / 100.7 - 100.1 / 100.2 - 0.003;
  expect(reverse.replay7!).toBeCloseTo((sold + 0.021 - (0.0876 * 7) / 365) / 1.5, 12);
  expect(rowOf(0.001, { week: -0.001, month: -0.001 }).obstacles).toEqual(['lostBefore']);
  expect(rowOf(0.001, { week: -0.001, month: 0.01 }).obstacles).toEqual([]);
  expect(fundingCandidate(pairOf(0.001), PAST, { size: 500, hours: 24 }, NOW).replay7).toBeNull();
});
