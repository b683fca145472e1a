import { DAY_MS } from '#contract/duration';
import { type EndedDeal, keptPromise, longestAlone } from '#server/base/maths/paperRecord';
import { riskShares } from '#server/base/maths/strategyTrack';
import { dailyCloses, monthlyReturns } from '../../../server/base/maths/calendar';
import { drawdown, drawdownSeries } from '../../../server/base/maths/drawdown';
import {
  cagr,
  calmar,
  costDrag,
  ratiosOf,
  sharpe,
  sortino,
  tailRisk,
  tradeStatistics,
  turnover,
  volatility,
} from '../../../server/base/maths/performance';

const column = (...values: number[]) => Float64Array.from(values);

describe('ratios (F19)', () => {
  // Mean 0.01; deviations 0.01, -0.03, 0.02; squares 0.0014; sd = sqrt(0.0007).
  const daily = column(0.02, -0.02, 0.03);

  test('Sharpe, Sortino and volatility by hand', () => {
    expect(sharpe(daily)).toBeCloseTo((0.01 / Math.sqrt(0.0007)) * Math.sqrt(365), 12);
    expect(sortino(daily)).toBeCloseTo((0.01 / Math.sqrt(0.0004 / 3)) * Math.sqrt(365), 12);
    expect(volatility(daily)).toBeCloseTo(Math.sqrt(0.0007 * 365), 12);
  });

  test('of a record want twenty days and as many returns', () => {
    const many = Float64Array.from({ length: 21 }, (_, i) => daily[i % 3]!);
    const track = { daily: many, days: 20, growth: 0.3, maxDrawdown: -0.2 };
    expect(ratiosOf(track)).toEqual({ sharpe: sharpe(many), sortino: sortino(many), calmar: 0.3 / 0.2 });
    const none = { sharpe: null, sortino: null, calmar: null };
    expect(ratiosOf({ ...track, days: 19.9 })).toEqual(none);
    expect(ratiosOf({ ...track, daily: many.subarray(0, 19) })).toEqual(none);
  });

  test('undefined without variation, losses or enough days', () => {
    expect(sharpe(column(0.1, 0.1, 0.1))).toBeNull();
    expect(sharpe(column(0.1))).toBeNull();
    expect(sortino(column(0.1, 0.2))).toBeNull();
    expect(sortino(column(-0.1))).toBeNull();
    expect(volatility(column())).toBeNull();
    expect(volatility(column(0.1, 0.1))).toBe(0);
  });
});

describe('drawdown (F20)', () => {
  test('depth, times and the longest time under water', () => {
    // Capital 100. Peak 110 on day 1, trough 88 on day 3 (-20 %), back on day 6; then 99 / 120 under water to the end.
    const time = column(0, 1, 2, 3, 4, 5, 6, 7, 8).map((day) => day * DAY_MS);
    const equity = column(99, 110, 99, 88, 100, 105, 110, 120, 99);
    const result = drawdown(time, equity, 100);
    expect(result).toMatchObject({
      max: 88 / 110 - 1,
      startedAt: 1 * DAY_MS,
      troughAt: 3 * DAY_MS,
      recoveredAt: 6 * DAY_MS,
      longestDaysUnderWater: 5,
    });
    const depths = [-0.01, 0, -0.1, -0.2, 100 / 110 - 1, 105 / 110 - 1, 0, 0, 99 / 120 - 1];
    expect(result.ulcer).toBeCloseTo(Math.sqrt(depths.reduce((sum, depth) => sum + depth ** 2, 0) / 9), 14);
    for (const [i, depth] of drawdownSeries(equity, 100).entries()) expect(depth).toBeCloseTo(depths[i]!, 14);
  });

  test('a curve that never came back, and one that never fell', () => {
    expect(drawdown(column(0, DAY_MS, 2 * DAY_MS), column(90, 95, 80), 100)).toMatchObject({
      max: 80 / 100 - 1,
      startedAt: 0,
      troughAt: 2 * DAY_MS,
      recoveredAt: null,
      longestDaysUnderWater: 2,
    });
    expect(drawdown(column(0, DAY_MS), column(100, 101), 100)).toEqual({
      max: 0,
      startedAt: null,
      troughAt: null,
      recoveredAt: null,
      longestDaysUnderWater: 0,
      ulcer: 0,
    });
    expect(drawdown(column(), column(), 100)).toMatchObject({ max: null, longestDaysUnderWater: null, ulcer: null });
  });

  test('CAGR and Calmar', () => {
    expect(cagr(100, 121, 730)).toBeCloseTo(0.1, 12);
    expect(cagr(100, 0, 10)).toBe(-1);
    expect(cagr(100, -5, 10)).toBeNull();
    expect(cagr(100, 110, 0)).toBeNull();
    expect(cagr(1, 1e6, 0.001)).toBeNull();
    expect(calmar(0.3, -0.2)).toBeCloseTo(1.5, 14);
    expect(calmar(0.3, 0)).toBeNull();
    expect(calmar(null, -0.1)).toBeNull();
  });
});

describe('trades (F21, F22)', () => {
  test('figures by hand', () => {
    // Twice: wins 30, 10 (average 20), losses -10, -5, -5 (average -20/3); mean 4.
    const result = tradeStatistics(column(30, -10, 10, -5, -5, 30, -10, 10, -5, -5));
    expect(result.count).toBe(10);
    expect(result.winRate).toBe(0.4);
    expect(result.profitFactor).toBeCloseTo(2, 14);
    expect(result.payoff).toBeCloseTo(3, 14);
    expect(result.expectancy).toBeCloseTo(0.4 * 20 - 0.6 * (20 / 3), 14);
    // Squares about 4: 2 x (676 + 196 + 36 + 81 + 81) = 2140; sd = sqrt(2140 / 9).
    expect(result.sqn).toBeCloseTo((Math.sqrt(10) * 4) / Math.sqrt(2140 / 9), 14);
  });

  test('under ten there is nothing but their number; only wins, only losses', () => {
    const none = { winRate: null, profitFactor: null, payoff: null, expectancy: null, sqn: null };
    expect(tradeStatistics(column())).toEqual({ count: 0, ...none });
    expect(tradeStatistics(column(30, -10, 10, -5, -5, 30, -10, 10, -5))).toEqual({ count: 9, ...none });
    const ten = (a: number, b: number) => column(a, b, a, b, a, b, a, b, a, b);
    expect(tradeStatistics(ten(2, 4))).toMatchObject({ winRate: 1, profitFactor: null, payoff: null, expectancy: 3 });
    expect(tradeStatistics(ten(-2, -4))).toMatchObject({ winRate: 0, profitFactor: 0, payoff: null, expectancy: -3 });
  });

  test('turnover and cost drag', () => {
    expect(turnover(4000, 1000, 8)).toBe(0.5);
    expect(turnover(4000, 1000, 0)).toBeNull();
    expect(turnover(4000, null, 8)).toBeNull();
    expect(costDrag(5, 20)).toBe(0.25);
    expect(costDrag(5, 0)).toBeNull();
    expect(costDrag(5, -20)).toBeNull();
  });
});

describe('tail risk (F24)', () => {
  test('historical, one day', () => {
    // -0.20 ... 0.20 in steps of 0.01 is 41 days: position 40 x 0.05 = 2, the third worst, -0.18.
    const daily = Float64Array.from({ length: 41 }, (_, i) => (i - 20) / 100);
    const { valueAtRisk95, conditionalValueAtRisk95 } = tailRisk(daily);
    expect(valueAtRisk95).toBeCloseTo(0.18, 14);
    expect(conditionalValueAtRisk95).toBeCloseTo(0.19, 14);
    expect(tailRisk(daily.subarray(0, 19))).toEqual({ valueAtRisk95: null, conditionalValueAtRisk95: null });
  });
});

describe('calendar', () => {
  test('a close at midnight ends the day and the month before it', () => {
    const feb = Date.UTC(2024, 1, 1);
    const hour = DAY_MS / 24;
    const time = column(feb - DAY_MS, feb - hour, feb, feb + hour, feb + DAY_MS + hour);
    const daily = dailyCloses({ time, value: column(110, 100, 121, 130, 242) });
    expect([...daily.time]).toEqual([feb - DAY_MS, feb, feb + hour, feb + DAY_MS + hour]);
    expect([...daily.value]).toEqual([110, 121, 130, 242]);
    const months = monthlyReturns(daily, 100);
    expect(months.map(({ month }) => month)).toEqual(['2024-01', '2024-02']);
    expect(months[0]!.return).toBeCloseTo(0.21, 14);
    expect(months[1]!.return).toBeCloseTo(1, 14);
  });
});

const DAYS = 20;
const days = (of: (day: number) => number | null) => Array.from({ length: DAYS }, (_none, day) => of(day));

/** Up and down by one, every other day. */
const swing = days((day) => (day % 2 === 0 ? 1 : -1));

test('of two that swing together the one of twice the size has two thirds of the risk', () => {
  const shares = riskShares([swing, swing.map((result) => 2 * result!)]);
  expect(shares[0]).toBeCloseTo(1 / 3, 12);
  expect(shares[1]).toBeCloseTo(2 / 3, 12);
});

test('what goes against all others takes risk away, and all add up to one', () => {
  const shares = riskShares([swing.map((result) => 3 * result!), swing.map((result) => -result!), days(() => 5)]);
  expect(shares[0]).toBeCloseTo(1.5, 12);
  expect(shares[1]).toBeCloseTo(-0.5, 12);
  expect(shares[2]).toBeCloseTo(0, 12);
});

test('one with fewer than twenty days has none, and nobody has where nothing moves', () => {
  const young = days((day) => (day === 0 ? null : 7));
  expect(riskShares([swing, young])).toEqual([1, null]);
  expect(riskShares([days(() => 1), days(() => 2)])).toEqual([null, null]);
  expect(riskShares([])).toEqual([]);
});

const deal = (over: Partial<EndedDeal> = {}): EndedDeal => ({
  ...{ signal: 0.365, notional: 1_000, heldMs: 10 * DAY_MS, net: 5, naked: 0, ...over },
});

test('what deals brought is held against the APR they were opened for, over the time they were held', () => {
  // 0.365 a year on 1,000 USDT is 1 USDT a day.
  expect(keptPromise([deal()])).toBeCloseTo(0.5, 12);
  expect(keptPromise([deal(), deal({ heldMs: 30 * DAY_MS, net: -9 })])).toBeCloseTo(-0.1, 12);
  // One that was opened for nothing that has a rate says nothing.
  expect(keptPromise([deal(), deal({ signal: null, net: 1_000 })])).toBeCloseTo(0.5, 12);
  expect(keptPromise([])).toBeNull();
  expect(keptPromise([deal({ signal: -0.1 })])).toBeNull();
});

test('the longest time on one whole leg', () => {
  expect(longestAlone([deal({ naked: 2_000 }), deal({ notional: 5_000, naked: 5_000 })])).toBe(2);
  expect(longestAlone([deal({ notional: 0, naked: 0 })])).toBeNull();
});
