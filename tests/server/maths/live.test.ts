import { liveGap, totalGap } from '../../../server/base/maths/liveGap';
import { sharpe } from '../../../server/base/maths/performance';
import { contributionLine, periodStatistics, rollingBeta, rollingSharpe } from '../../../server/base/maths/periods';
import { correlation, slopeTValue } from '../../../server/base/maths/statistics';

const column = (...values: number[]) => Float64Array.from(values);

describe('periods', () => {
  test('counts, extremes and runs by hand', () => {
    // Two wins, a flat day that breaks the run, a win, three losses, a win. Sum 0.01 over 8.
    const result = periodStatistics(column(0.01, 0.02, 0, 0.03, -0.01, -0.04, -0.02, 0.02));
    expect(result).toMatchObject({ wins: 4, losses: 3, winRate: 0.5, best: 0.03, worst: -0.04 });
    expect(result).toMatchObject({ longestWins: 2, longestLosses: 3 });
    expect(result.mean).toBeCloseTo(0.01 / 8, 15);
    // Squares sum up to 0.0039; less 8 x mean^2 = 0.0000125, over 7.
    expect(result.deviation).toBeCloseTo(Math.sqrt(0.0038875 / 7), 15);
  });

  test('without periods nothing is known but that there were none', () => {
    expect(periodStatistics(column())).toEqual({
      ...{ wins: 0, losses: 0, winRate: null, mean: null, best: null, worst: null },
      ...{ longestWins: 0, longestLosses: 0, deviation: null },
    });
    expect(periodStatistics(column(0.1)).deviation).toBeNull();
  });
});

describe('rolling figures', () => {
  test('stand at the last day of each window', () => {
    const daily = column(0.02, -0.02, 0.03, 0.01);
    const rolled = rollingSharpe(daily, 3);
    expect([rolled[0], rolled[1]]).toEqual([Number.NaN, Number.NaN]);
    // Mean 0.01, sd sqrt(0.0007).
    expect(rolled[2]).toBeCloseTo((0.01 / Math.sqrt(0.0007)) * Math.sqrt(365), 12);
    expect(rolled[3]).toBe(sharpe(daily.subarray(1)));
  });

  test('beta of a window, and none where a return is missing', () => {
    const benchmark = column(0.01, 0.02, 0.03, Number.NaN, 0.01);
    const rolled = rollingBeta(column(0.02, 0.04, 0.06, 0.01, 0.02), benchmark, 3);
    expect(rolled[2]).toBeCloseTo(2, 12);
    expect([rolled[3], rolled[4]]).toEqual([Number.NaN, Number.NaN]);
    expect(rollingSharpe(column(0.1), 30)).toEqual(column(Number.NaN));
  });
});

test('the t-value of a slope', () => {
  // x 1 2 3 4, y 1 3 2 4: sxy 4, sxx = syy = 5, r 0.8; residual variance (5 - 3.2) / 2 = 0.9, error sqrt(0.9 / 5).
  expect(slopeTValue(correlation(column(1, 2, 3, 4), column(1, 3, 2, 4)), 4)).toBeCloseTo(0.8 / Math.sqrt(0.18), 12);
  expect(slopeTValue(1, 10)).toBeNull();
  expect(slopeTValue(0.5, 2)).toBeNull();
  expect(slopeTValue(null, 10)).toBeNull();
});

test('contributions sum up to the index', () => {
  // Day 1: 100 earns 6 + 4; day 2: 200 (100 moved in) earns 30 - 10; the index 1.1, 1.21.
  const base = column(100, 200);
  const index = column(1.1, 1.21);
  const a = contributionLine(column(6, 30), base, index);
  const b = contributionLine(column(4, -10), base, index);
  expect(Array.from(a, (value) => Number(value.toFixed(12)))).toEqual([1.06, 1.225]);
  expect(Array.from(b, (value) => Number(value.toFixed(12)))).toEqual([1.04, 0.985]);
  expect(a[1]! - 1 + (b[1]! - 1)).toBeCloseTo(index[1]! - 1, 12);
  expect(contributionLine(column(5), column(0), column(1))).toEqual(column(1));
});

describe('live against backtest', () => {
  // A run of 1,000 a leg made +50 and -20 by price, -2 and +3 by funding. Aimed at 2,000 a leg; filled 1,800 and 1,900.
  const legs = [
    { run: { price: 50, funding: -2 }, runNotional: 1000, filled: 1800, aimed: 2000 },
    { run: { price: -20, funding: 3 }, runNotional: 1000, filled: 1900, aimed: 2000 },
  ];
  const live = { price: 45, funding: 2.5, fees: 3.7, slippage: 1.5, traded: 7400 };

  test('the gap splits into its causes without a rest of its own', () => {
    const gap = liveGap(live, legs);
    // Backtest 2 x (50 - 20 - 2 + 3) = 62; filled: price 90 - 38 = 52, funding -3.6 + 5.7 = 2.1.
    expect(gap.live).toBeCloseTo(43.8, 12);
    expect(gap.backtest).toBeCloseTo(62, 12);
    expect(gap.gap).toBeCloseTo(-18.2, 12);
    expect(gap).toMatchObject({ slippage: -1.5, fees: -3.7, traded: 7400 });
    expect(gap.funding).toBeCloseTo(0.4, 12);
    expect(gap.missed).toBeCloseTo(-7.9, 12);
    expect(gap.rest).toBeCloseTo(-5.5, 12);
    expect(gap.slippage + gap.fees + gap.funding + gap.missed + gap.rest).toBeCloseTo(gap.gap, 12);
    expect(gap.bps).toBeCloseTo((-18.2 / 7400) * 1e4, 9);
  });

  test('totals add up and have their own rate', () => {
    const gap = liveGap(live, legs);
    const total = totalGap([gap, gap])!;
    expect(total.gap).toBeCloseTo(-36.4, 12);
    expect(total.traded).toBe(14_800);
    expect(total.bps).toBeCloseTo(gap.bps!, 9);
    expect(totalGap([])).toBeNull();
    expect(liveGap({ ...live, traded: 0 }, legs).bps).toBeNull();
  });
});
