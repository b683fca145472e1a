import { bollingerBands, movingAverage } from '../../../server/base/maths/indicator';
import { logReturns, simpleReturns, timeWeightedReturns } from '../../../server/base/maths/returns';
import {
  beta,
  correlation,
  mean,
  normalCdf,
  nullable,
  quantile,
  regression,
  standardDeviation,
} from '../../../server/base/maths/statistics';

const column = (...values: number[]) => Float64Array.from(values);

describe('statistics', () => {
  test('mean and sample standard deviation', () => {
    // Mean 5; squares 9 + 1 + 1 + 1 + 0 + 0 + 4 + 16 = 32; sqrt(32 / 7).
    const values = column(2, 4, 4, 4, 5, 5, 7, 9);
    expect(mean(values)).toBe(5);
    expect(standardDeviation(values)).toBeCloseTo(Math.sqrt(32 / 7), 14);
  });

  test('undefined figures are null, a constant column has no spread', () => {
    expect(mean(column())).toBeNull();
    expect(mean(column(1, Number.NaN))).toBeNull();
    expect(standardDeviation(column(1))).toBeNull();
    // Three times 0.1 sums to 0.30000000000000004: dust, not a spread.
    expect(standardDeviation(column(0.1, 0.1, 0.1))).toBe(0);
    expect(correlation(column(1, 1, 1), column(1, 2, 3))).toBeNull();
    expect(regression(column(1, 1, 1), column(1, 2, 3))).toBeNull();
    expect(regression(column(1, 2, 3), column(1, 1, 1))).toEqual({ slope: 0, intercept: 1, r2: null });
    expect(beta(column(1, 2), column(1, 2, 3))).toBeNull();
    expect(nullable(column(1, Number.NaN, Number.POSITIVE_INFINITY))).toEqual([1, null, null]);
  });

  test('correlation, slope and R2 by hand', () => {
    // About the means: x -1.5 -0.5 0.5 1.5, y -1 -1 0 2; xx = 5, yy = 6, xy = 1.5 + 0.5 + 0 + 3 = 5.
    const x = column(1, 2, 3, 4);
    const y = column(1, 1, 2, 4);
    expect(correlation(x, y)).toBeCloseTo(5 / Math.sqrt(30), 14);
    const line = regression(x, y)!;
    expect(line.slope).toBeCloseTo(1, 14);
    expect(line.intercept).toBeCloseTo(-0.5, 14);
    expect(line.r2).toBeCloseTo(25 / 30, 14);
    expect(beta(y, x)).toBeCloseTo(1, 14);
  });

  test('quantile interpolates between order statistics', () => {
    // Position (5 - 1) x 0.3 = 1.2: 20 + 0.2 x 10.
    expect(quantile(column(50, 10, 40, 20, 30), 0.3)).toBeCloseTo(22, 12);
    expect(quantile(column(), 0.5)).toBeNull();
  });

  test('normal distribution at published points', () => {
    expect(normalCdf(0)).toBeCloseTo(0.5, 15);
    expect(normalCdf(1.959963984540054)).toBeCloseTo(0.975, 14);
    expect(normalCdf(-1.6448536269514722)).toBeCloseTo(0.05, 14);
    expect(normalCdf(-8) / 6.220960574271786e-16).toBeCloseTo(1, 7);
    expect(normalCdf(40)).toBe(1);
    expect(normalCdf(-40)).toBe(0);
  });
});

describe('returns', () => {
  test('simple returns, from the capital where it is given', () => {
    expect([...simpleReturns(column(110, 99))]).toEqual([99 / 110 - 1]);
    expect([...simpleReturns(column(110, 99), 100)]).toEqual([110 / 100 - 1, 99 / 110 - 1]);
    expect(simpleReturns(column())).toHaveLength(0);
  });

  test('log returns', () => {
    expect([...logReturns(column(1, Math.E, 1))]).toEqual([1, -1]);
  });

  test('a transfer is no return (F18)', () => {
    // 100 -> 160 of which 50 was paid in: 10 %. 160 -> 120 of which -40 was paid out: 0 %.
    const [first, second] = timeWeightedReturns(column(100, 160, 120), column(0, 50, -40));
    expect(first).toBeCloseTo(0.1, 14);
    expect(second).toBeCloseTo(0, 14);
  });
});

describe('indicator', () => {
  test('moving average has no value before the window is full', () => {
    expect(nullable(movingAverage(column(1, 2, 3, 4), 3))).toEqual([null, null, 2, 3]);
    expect(nullable(movingAverage(column(1, 2), 3))).toEqual([null, null]);
  });

  test('Bollinger bands use the population deviation', () => {
    // 1, 3: mean 2, population deviation 1. 3, 7: mean 5, deviation 2.
    const bands = bollingerBands(column(1, 3, 7), 2, 2);
    expect(nullable(bands.middle)).toEqual([null, 2, 5]);
    expect(bands.upper[1]).toBeCloseTo(4, 14);
    expect(bands.lower[1]).toBeCloseTo(0, 14);
    expect(bands.upper[2]).toBeCloseTo(9, 14);
    expect(bands.lower[2]).toBeCloseTo(1, 14);
  });

  test('bands of a constant price lie on it', () => {
    const { upper, lower } = bollingerBands(new Float64Array(25).fill(0.1));
    expect(upper[24]).toBe(lower[24]);
    expect(upper.findIndex((value) => value > 0)).toBe(19);
  });
});
