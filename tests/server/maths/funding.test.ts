import { breakEvenSettlements, fundingApr, fundingCash } from '../../../server/maths/funding';

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

  test('settlements until the costs are paid (F8)', () => {
    const costs = { entryCost: 0.7, exitCost: 0.7, notional: 1000 };
    // 1000 x 0.0003 = 0.3 a settlement: 1.4 takes 4.67, so 5; with 0.1 of interest 7.
    expect(breakEvenSettlements({ ...costs, rate: 0.0003 })).toBe(5);
    expect(breakEvenSettlements({ ...costs, rate: 0.0003, borrow: 0.1 })).toBe(7);
    expect(breakEvenSettlements({ entryCost: 0, exitCost: 0, notional: 1000, rate: 0.0003 })).toBe(1);
    // A rate against us, or one that the interest eats, never pays.
    expect(breakEvenSettlements({ ...costs, rate: -0.0003 })).toBeNull();
    expect(breakEvenSettlements({ ...costs, rate: 0.0003, borrow: 0.3 })).toBeNull();
  });
});
