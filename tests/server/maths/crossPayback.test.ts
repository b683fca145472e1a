import { HOUR_MS } from '#contract/duration';
import { crossPaybackHours, plannedLeg } from '#server/maths/crossPayback';

// Short: 5 bp every 8 h, next in 2 h. Long: 1 bp every 4 h, next in 3 h.
const short = { rate: 0.0005, hours: 8, toNext: 2 * HOUR_MS };
const long = { rate: 0.0001, hours: 4, toNext: 3 * HOUR_MS };

test('each venue settles by its own clock (F7)', () => {
  // In 24 h: 2, 10, 18 and 3, 7, 11, 15, 19, 23.
  expect(plannedLeg(short, 24)).toEqual({ rate: 0.0005, settlements: 3 });
  expect(plannedLeg(long, 24)).toEqual({ rate: 0.0001, settlements: 6 });
});

test('the costs are paid by the settlement that brings the rest of them', () => {
  // 2: +5, 3: 4, 7: 3, 10: 8, 11: 7, 15: 6, 18: 11 bp.
  expect(crossPaybackHours(short, long, 0.0005)).toBe(2);
  expect(crossPaybackHours(short, long, 0.0008)).toBe(10);
  expect(crossPaybackHours(short, long, 0.00085)).toBe(18);
  expect(crossPaybackHours(short, long, 0)).toBe(0);
});

test('what brings nothing in the long run, or not enough within a year, is never paid back', () => {
  expect(crossPaybackHours(long, short, 0.0005)).toBeNull();
  // 0.3285 a year.
  expect(crossPaybackHours(short, long, 0.4)).toBeNull();
  expect(crossPaybackHours({ ...long, rate: 0.00025 }, short, 0.0001)).toBeNull();
});
