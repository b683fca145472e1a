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
