import Big from 'big.js';
import { HOUR_MS } from '#contract/duration';
import type { SettledLeg } from '#server/kinds/cexRate/coinLegs';
import { matrixRow } from '#server/kinds/cexRate/deals';
import { cexRateCandidate } from '#server/kinds/cexRate/scan';
import type { RatePlan } from '#server/kinds/cexRate/way';
import type { Instrument, InstrumentTerms, Market, OrderBook, Ticker } from '#server/market/exchange';
import { NOTHING_SETTLED, readPast } from '#server/market/scan/fundingPast';
import { Quoted } from '#server/market/scan/sight';

const NOW = Date.UTC(2026, 0, 2, 6);
const PLAN = { size: 500, hours: 24, leastApr: 0 };

interface Given {
  source: string;
  bids: [price: number, coins: number][];
  asks: [price: number, coins: number][];
  taker: number;
  /** As much as taking, unless given. */
  maker?: number;
  rate: number | null;
  hours: number;
  /** Hours. */
  next: number;
  /** Settled in the last 7 days. */
  week?: number | null;
  /** What it could be sold and bought at 7 days ago. */
  before7?: { bid: number; ask: number };
}

/** Prices in steps of 0.1 and quantities in steps of 0.01. */
function legOf(
  { source, bids, asks, taker, maker = taker, rate, hours, next, week = null, before7 }: Given,
  more: Partial<SettledLeg> = {},
): SettledLeg {
  const levels = (side: [number, number][]) =>
    side.map(([price, coins]) => ({ ticks: Math.round(price * 10), lots: coins * 100 }));
  const book: OrderBook = {
    tickSize: new Big('0.1'),
    lotSize: new Big('0.01'),
    bids: levels(bids),
    asks: levels(asks),
  };
  const terms = { takerFee: taker, makerFee: maker, adl: 1 } as InstrumentTerms;
  const market = { source, feeShares: [1, 0.8], book: () => book, terms: () => terms } as unknown as Market;
  const instrument = {
    symbol: 'XUSDT',
    base: 'X',
    fundingHours: hours,
    lotSize: '0.01',
    minNotional: '5',
    listedAt: NOW - 1_000 * 24 * HOUR_MS,
  } as Instrument;
  const ticker = { price: 100, fundingRate: rate, nextFundingAt: NOW + next * HOUR_MS, openInterest: 1e6 } as Ticker;
  // The rate of now for ever.
  const past = { ...NOTHING_SETTLED, settled: { week, month: null }, trend: { mean: rate ?? 0, phi: 0 } };
  const before = before7 && { week: before7, month: null };
  const quoted = new Quoted(market, instrument, ticker, NOW);
  return { source, isOut: false, quoted, canMove: true, past, before, ...more };
}

const A: Given = {
  source: 'a',
  bids: [[99.9, 10]],
  asks: [
    [100, 10],
    [102, 10],
  ],
  taker: 0.0005,
  rate: 0.001,
  hours: 4,
  next: 3,
  week: 0.01,
  before7: { bid: 99.5, ask: 99.6 },
};
const B: Given = {
  source: 'b',
  bids: [[100.2, 100]],
  asks: [[100.3, 100]],
  taker: 0.0001,
  rate: 0.005,
  hours: 8,
  next: 2,
  week: 0.03,
  before7: { bid: 99.7, ask: 99.8 },
};
const pairOf = (a: SettledLeg, b: SettledLeg) => ({ base: 'X', legs: [a, b] as const });

test('two venues by hand: each settles by its own clock, the gap is paid once', () => {
  const row = cexRateCandidate(pairOf(legOf(A), legOf(B)), PLAN, NOW);
  // The higher middle is 100.25: 500 / 100.25 = 4.987 is 4.98 in lots.
  expect(row).toMatchObject({ id: 'X a b', long: 'a', short: 'b', quantity: 4.98, openInterest: 1e6 });
  expect(row).toMatchObject({ notes: ['interval'], obstacles: [], longHours: 4, shortHours: 8 });
  // 0.005 / 8 - 0.001 / 4 an hour.
  expect(row.grossApr!).toBeCloseTo(0.000375 * 8760, 12);
  expect(row.rateGap!).toBeCloseTo(0.003, 15);
  expect(row.fees!).toBeCloseTo(0.0012, 15);
  const [edge, level] = [100.2 / 100 - 1, 100.3 / 99.9 - 1];
  expect(row.openEdge!).toBeCloseTo(edge, 12);
  expect(row.closeLevel!).toBeCloseTo(level, 12);
  // In 24 h: 2, 10, 18 at b and 3, 7, 11, 15, 19, 23 at a.
  const cost = 0.0012 - edge + level;
  expect(row.netApr!).toBeCloseTo(((3 * 0.005 - 6 * 0.001 - cost) * 8760) / 24, 10);
  // Both legs tie up a third of their notional (F12).
  expect(row.capitalApr!).toBeCloseTo(row.netApr! * 1.5, 12);
  // The first settlement brings 0.005, the costs are 0.0032.
  expect(row.paybackDays!).toBeCloseTo(2 / 24, 12);
  // Sold at 99.7 against 99.6 then.
  expect(row.replay7!).toBeCloseTo((99.7 / 99.6 - 1 - level - 0.0012 + 0.03 - 0.01) * 1.5, 12);
});

test('what is assumed of entry, exit and tier goes through every figure of a row', () => {
  // A saves 3 bp by resting, B nothing.
  const pair = pairOf(legOf({ ...A, maker: 0.0002 }), legOf(B));
  const rowOf = (terms: Partial<NonNullable<RatePlan['terms']>>, more: Partial<RatePlan> = {}) =>
    cexRateCandidate(pair, { ...PLAN, ...more, terms: { entry: 'taker', exit: 'counted', tier: 0, ...terms } }, NOW);
  const [edge, level, funding] = [100.2 / 100 - 1, 100.3 / 99.9 - 1, 3 * 0.005 - 6 * 0.001];
  const apr = (fees: number, leaveAt: number) => ((funding - fees + edge - leaveAt) * 8760) / 24;
  const traded = cexRateCandidate(pair, PLAN, NOW);
  expect(rowOf({})).toEqual(traded);

  const resting = rowOf({ entry: 'maker' });
  expect(resting.fees!).toBeCloseTo(0.0009, 15);
  expect(resting.netApr!).toBeCloseTo(apr(0.0009, level), 10);
  // The price is that of taking all the same.
  expect(resting).toMatchObject({ openEdge: traded.openEdge, closeLevel: traded.closeLevel });

  // Held on: the middles stay as far apart as they are, and two fees are paid.
  const middles = 100.25 / 99.95 - 1;
  const rolled = rowOf({ exit: 'rolled' });
  expect(rolled.fees!).toBeCloseTo(0.0006, 15);
  expect(rolled.netApr!).toBeCloseTo(apr(0.0006, middles), 10);
  expect(rolled.replay7!).toBeCloseTo((99.7 / 99.6 - 1 - middles - 0.0006 + 0.03 - 0.01) * 1.5, 12);

  const graded = rowOf({ tier: 1 });
  expect(graded.fees!).toBeCloseTo(0.0012 * 0.8, 15);
  expect(graded.netApr!).toBeCloseTo(apr(0.00096, level), 10);
  // Of a tier that the venues do not have nothing is known.
  expect(rowOf({ tier: 2 })).toMatchObject({ fees: null, netApr: null, capacity: null, paybackDays: null });

  // Ten coins can be sold back: what nets too little when leaving is paid for nets enough when it is not.
  const leastApr = apr(0.0009, middles);
  expect(rowOf({}, { leastApr }).capacity).toBe(0);
  expect(rowOf({ exit: 'rolled' }, { leastApr }).capacity!).toBeCloseTo(10 * 100.25, 8);
});

test('the capacity is what still nets the least asked for', () => {
  const capacityAt = (leastApr: number) =>
    cexRateCandidate(pairOf(legOf(A), legOf(B)), { ...PLAN, leastApr }, NOW).capacity!;
  // Ten coins can be sold back at a; buying them costs the same to the last: all or nothing.
  const all = (3 * 0.005 - 6 * 0.001 - 0.0012 + 0.002 - (100.3 / 99.9 - 1)) * 365;
  expect(capacityAt(all - 0.01)).toBeCloseTo(10 * 100.25, 8);
  expect(capacityAt(all + 0.01)).toBe(0);
  // With more to sell back the asks are the bound: two coins above ten cost 2 % more.
  const deep = legOf({ ...A, bids: [[99.9, 100]] });
  const row = cexRateCandidate(pairOf(deep, legOf(B)), { ...PLAN, leastApr: all - 365 * 0.001 }, NOW);
  // 0.001 dearer: 100.2 / p = 1.001, p = 100.0999; (1000 + 102 x) / (10 + x) = p, x = 0.5257.
  expect(row.capacity! / 100.25).toBeGreaterThan(10.5);
  expect(row.capacity! / 100.25).toBeLessThanOrEqual(10.53);
});

test('what keeps from acting, and what does not', () => {
  const obstacles = (a: SettledLeg, b: SettledLeg, plan: RatePlan = PLAN) =>
    cexRateCandidate(pairOf(a, b), plan, NOW).obstacles;
  const [a, b] = [legOf(A), legOf(B)];
  expect(obstacles(a, b, { ...PLAN, size: 1_100 })).toEqual(['depth']);
  expect(obstacles(a, b, { ...PLAN, size: 4 })).toEqual(['minimum']);
  expect(obstacles({ ...a, isOut: true }, b)).toEqual(['out']);
  expect(obstacles(a, { ...b, canMove: false })).toEqual(['wallet']);
  const rowOfUnsettled = () => cexRateCandidate(pairOf(a, legOf({ ...B, week: null })), PLAN, NOW);
  const unknown = cexRateCandidate(pairOf(legOf({ ...A, rate: null }), b), PLAN, NOW);
  expect(unknown).toMatchObject({ obstacles: ['incomplete'], netApr: null, grossApr: null, capacity: null });
  expect(rowOfUnsettled().replay7).toBeNull();
  // What comes in within the hours asked for does not pay for it: later it would.
  const slow = legOf({ ...B, rate: 0.0024 });
  expect(obstacles(a, slow)).toEqual(['costs']);
  expect(obstacles(a, slow, { ...PLAN, hours: 240 })).toEqual([]);
  // What would be closed at once by its gap is not opened, whatever the rates to come are expected to be.
  expect(obstacles(a, legOf(B), { ...PLAN, exitApr: 100 })).toEqual(['waitsForGap']);
  expect(obstacles(a, legOf(B), { ...PLAN, exitApr: null })).toEqual([]);
  // The same rate of the same hours: nothing comes in.
  expect(obstacles(a, legOf({ ...B, rate: 0.001, hours: 4 }))).toEqual(['noPayback']);
});

test('days with a gap have no sum, and of six weeks only the last 7 or 30 days count', () => {
  const settledOf = (count: number, rate = 0.0001) =>
    readPast(
      {
        time: Float64Array.from({ length: count }, (_, i) => NOW - (count - 1 - i) * 8 * HOUR_MS),
        rate: new Float64Array(count).fill(rate),
        hours: new Float64Array(count).fill(8),
      },
      8,
      NOW,
    ).settled;
  expect(settledOf(21).week!).toBeCloseTo(0.0021, 12);
  expect(settledOf(126).week!).toBeCloseTo(0.0021, 12);
  expect(settledOf(126).month!).toBeCloseTo(0.009, 12);
  expect(settledOf(89)).toEqual({ week: expect.closeTo(0.0021, 12), month: null });
  expect(settledOf(20).week).toBeNull();
  expect(settledOf(0).week).toBeNull();
  expect(readPast(null, 8, NOW)).toBe(NOTHING_SETTLED);
});

test('rates that fall back to their means bring less than their gap (F29)', () => {
  const means = [0.0001, 0.0006].map((mean) => ({ past: { ...NOTHING_SETTLED, trend: { mean, phi: 0.5 } } }));
  const row = cexRateCandidate(pairOf(legOf(A, means[0]), legOf(B, means[1])), PLAN, NOW);
  const steady = cexRateCandidate(pairOf(legOf(A), legOf(B)), PLAN, NOW);
  expect(row).toMatchObject({ long: 'a', grossApr: steady.grossApr, netAprAtRate: steady.capitalApr });
  // 3 x 6 bp and 44 x 7/8 at b; 6 x 1 bp and 9 x 63/64 at a.
  const funding = 3 * 0.0006 + 0.0044 * (7 / 8) - (6 * 0.0001 + 0.0009 * (63 / 64));
  const expected = steady.netApr! + ((funding - (3 * 0.005 - 6 * 0.001)) * 8760) / 24;
  expect(row.netApr!).toBeCloseTo(expected, 9);
});

test('the matrix marks where the year costs least and brings most, by the interval', () => {
  const [a, b, silent] = [legOf(A), legOf(B), legOf({ ...B, source: 'c', rate: 1 }, { isOut: true })];
  const row = matrixRow({ id: 'X', base: 'X', legs: [a, b, silent] });
  expect(row).toMatchObject({ bestLong: 'a', bestShort: 'b', openInterest: 3e6 });
  expect(row.cells[0]).toMatchObject({ source: 'a', rate: 0.001, rate8h: 0.002, hours: 4 });
  expect(row.aprGap!).toBeCloseTo(0.000375 * 8760, 12);
  expect(matrixRow({ id: 'X', base: 'X', legs: [a] })).toMatchObject({ bestLong: null, bestShort: null, aprGap: null });
});
