import { bollingerBands, movingAverage } from '../../../server/base/maths/indicator';
import { nullable } from '../../../server/base/maths/statistics';

const column = (...values: number[]) => Float64Array.from(values);

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
