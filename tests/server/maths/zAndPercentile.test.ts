import { pastOf, zAndPercentile } from '#server/base/maths/pair';

describe('where a value stands in its past', () => {
  test('z (F14) and the share of the past that is not above it', () => {
    // Mean 2.5; squares 2.25 + 0.25 + 0.25 + 2.25 = 5 over 3.
    const past = pastOf(Float64Array.of(4, 1, 3, 2))!;
    const { z, percentile } = zAndPercentile(past, 3);
    expect(z).toBeCloseTo(0.5 / Math.sqrt(5 / 3), 14);
    expect(percentile).toBe(0.75);
    expect(zAndPercentile(past, 0.5).percentile).toBe(0);
    expect(zAndPercentile(past, 9).percentile).toBe(1);
  });

  test('nothing stands out from one value, or from constant ones', () => {
    expect(pastOf(Float64Array.of(1))).toBeNull();
    expect(pastOf(Float64Array.of(2, 2, 2))).toBeNull();
  });
});
