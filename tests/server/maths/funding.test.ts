import { DAY_MS, HOUR_MS } from '#contract/duration';
import { expectedFunding, fundingTrend, fundingWithin, NO_TREND } from '#server/base/maths/expectedFunding';
import { fundingApr, fundingCash, settlementsWithin } from '../../../server/base/maths/funding';

describe('funding', () => {
  test('APR by the interval of the symbol (F1)', () => {
    // 1095 settlements of 8 h a year, 8760 of 1 h.
    expect(fundingApr(0.0001, 8)).toBeCloseTo(0.1095, 14);
    expect(fundingApr(0.0001, 1)).toBeCloseTo(0.876, 14);
    expect(fundingApr(-0.0001, 4)).toBeCloseTo(-0.219, 14);
  });

  test('an unknown rate or interval has no APR', () => {
    expect(fundingApr(null, 8)).toBeNull();
    expect(fundingApr(0.0001, null)).toBeNull();
    expect(fundingApr(0.0001, 0)).toBeNull();
  });

  test('a long pays a positive rate, a short receives it (F2)', () => {
    expect(fundingCash(1, 2, 100, 0.001)).toBeCloseTo(-0.2, 14);
    expect(fundingCash(-1, 2, 100, 0.001)).toBeCloseTo(0.2, 14);
    expect(Object.is(fundingCash(1, 2, 100, 0), 0)).toBe(true);
  });

  test('settlements within the hours to come', () => {
    // In 2, 10 and 18 hours.
    expect(settlementsWithin(2 * 3_600_000, 8, 18)).toBe(3);
    expect(settlementsWithin(2 * 3_600_000, 8, 17.9)).toBe(2);
    expect(settlementsWithin(2 * 3_600_000, 8, 1.9)).toBe(0);
  });
});

const NOW = Date.UTC(2026, 0, 31);

/** Settlements up to now, the last one at it. */
const settled = (rate: readonly number[], hours = 8) => ({
  time: rate.map((_, i) => NOW - (rate.length - 1 - i) * hours * HOUR_MS),
  rate,
  hours: rate.map(() => hours),
});

describe('expected funding (F29)', () => {
  test('a rate decays to the mean by its share', () => {
    // 0.0002 + 0.0008 x 0.5, 0.25, 0.125: 0.0006, 0.0004, 0.0003.
    expect(expectedFunding(0.001, { mean: 0.0002, phi: 0.5 }, 3)).toBeCloseTo(0.0013, 15);
    expect(expectedFunding(0.001, { mean: 0.0002, phi: 0.5 }, 0)).toBe(0);
    expect(expectedFunding(0.001, { mean: 0.0002, phi: 0 }, 3)).toBeCloseTo(0.0006, 15);
    // Below its mean it rises.
    expect(expectedFunding(-0.001, { mean: 0.0002, phi: 0.5 }, 1)).toBeCloseTo(-0.0004, 15);
    expect(expectedFunding(0.001, NO_TREND, 90)).toBe(0);
  });

  test('thirty days count for three quarters of what they say, three days for less than a quarter', () => {
    expect(fundingTrend(settled(Array.from({ length: 90 }, () => 0.0004)), 8, NOW)).toEqual({
      mean: expect.closeTo(0.0003, 15),
      phi: 0,
    });
    expect(fundingTrend(settled(Array.from({ length: 9 }, () => 0.0013)), 8, NOW).mean).toBeCloseTo(0.0003, 15);
    expect(fundingTrend(settled([]), 8, NOW)).toEqual(NO_TREND);
    // Older than 30 days: 90 of 8 h are in.
    const old = settled([...Array.from({ length: 30 }, () => 1), ...Array.from({ length: 90 }, () => 0.0004)]);
    expect(fundingTrend(old, 8, NOW).mean).toBeCloseTo(0.0003, 15);
  });

  test('what is left of a distance is the lag-1 autocorrelation, within 0 and 0.98', () => {
    const [up, down] = [0.0003, 0.0001];
    // Blocks of ten: of 90 the mean is 5/9 up; turns come 8 times.
    const blocks = Array.from({ length: 90 }, (_, i) => (Math.floor(i / 10) % 2 === 0 ? up : down));
    // Distances 8/9 and -10/9 (in 1e-4): squares 50 x 64/81 + 40 x 100/81, products 45 x 64/81 + 36 x 100/81 - 8 x 80/81.
    const phi = (45 * 64 + 36 * 100 - 8 * 80) / (50 * 64 + 40 * 100);
    expect(fundingTrend(settled(blocks), 8, NOW).phi).toBeCloseTo(phi, 12);
    const turning = Array.from({ length: 90 }, (_, i) => (i % 2 === 0 ? up : down));
    expect(fundingTrend(settled(turning), 8, NOW).phi).toBe(0);
  });

  test('what was settled at another interval counts by the hour', () => {
    const both = settled(Array.from({ length: 90 }, () => 0.0004));
    expect(fundingTrend(both, 4, NOW).mean).toBeCloseTo(0.00015, 15);
  });

  test('within the hours to come each settlement is expected once', () => {
    const leg = { rate: 0.001, hours: 8, toNext: 2 * HOUR_MS, trend: { mean: 0.0002, phi: 0.5 } };
    // In 2, 10 and 18 h.
    expect(fundingWithin(leg, 24)).toEqual({
      settlements: 3,
      expected: expect.closeTo(0.0013, 15),
      atRate: expect.closeTo(0.003, 15),
    });
    expect(fundingWithin(leg, 1)).toEqual({ settlements: 0, expected: 0, atRate: 0 });
    expect(fundingWithin({ ...leg, toNext: 0 }, DAY_MS / HOUR_MS).settlements).toBe(4);
  });
});
