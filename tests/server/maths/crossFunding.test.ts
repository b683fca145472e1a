import { HOUR_MS } from '#contract/duration';
import { crossFunding, crossGrossApr, crossNetApr, crossPaybackHours } from '#server/maths/crossFunding';

// Short: 5 bp every 8 h, next in 2 h. Long: 1 bp every 4 h, next in 3 h.
const short = { rate: 0.0005, hours: 8, toNext: 2 * HOUR_MS };
const long = { rate: 0.0001, hours: 4, toNext: 3 * HOUR_MS };

test('each venue settles by its own clock (F7)', () => {
  // 5 / 8 - 1 / 4 = 0.375 bp an hour.
  expect(crossGrossApr(short, long)).toBeCloseTo(0.3285, 12);
  // In 24 h: 2, 10, 18 and 3, 7, 11, 15, 19, 23: 3 x 5 - 6 x 1 = 9 bp.
  expect(crossFunding(short, long, 24)).toBeCloseTo(0.0009, 15);
  // Less 7 bp of fees and prices: 2 bp a day.
  expect(crossNetApr(short, long, 24, 0.0007)).toBeCloseTo(0.073, 12);
});

test('the costs are paid by the settlement that brings the rest of them', () => {
  // 2: +5, 3: 4, 7: 3, 10: 8, 11: 7, 15: 6, 18: 11 bp.
  expect(crossPaybackHours(short, long, 0.0005)).toBe(2);
  expect(crossPaybackHours(short, long, 0.0008)).toBe(10);
  expect(crossPaybackHours(short, long, 0.00085)).toBe(18);
  expect(crossPaybackHours(short, long, 0)).toBe(0);
});

test('what brings nothing in the long run, or not within a year, is never paid back', () => {
  expect(crossPaybackHours(long, short, 0.0005)).toBeNull();
  expect(crossPaybackHours(short, long, 0.4)).toBeNull();
  expect(crossPaybackHours({ ...long, rate: 0.00025 }, short, 0.0001)).toBeNull();
});
