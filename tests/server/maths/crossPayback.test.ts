import { HOUR_MS } from '#contract/duration';
import { crossPaybackHours } from '#server/base/maths/crossPayback';

/** Of which every settlement is expected at one rate. */
const steady = (rate: number, hours: number, nextIn: number) => ({
  ...{ rate, hours, toNext: nextIn * HOUR_MS },
  trend: { mean: rate, phi: 0.5 },
});

// Short: 5 bp every 8 h, next in 2 h. Long: 1 bp every 4 h, next in 3 h.
const short = steady(0.0005, 8, 2);
const long = steady(0.0001, 4, 3);

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
  expect(crossPaybackHours(short, long, 0.328)).not.toBeNull();
  expect(crossPaybackHours(steady(0.00025, 4, 3), short, 0.0003)).toBeNull();
});

test('a rate that decays pays back later than one that stays, or never (F29)', () => {
  const nothing = { rate: 0, hours: 8, toNext: 2 * HOUR_MS, trend: { mean: 0, phi: 0 } };
  // 5, 2.5, 1.25 ... bp: 10 bp in all, of which the fourth brings 9.375.
  const fading = { rate: 0.001, hours: 8, toNext: 2 * HOUR_MS, trend: { mean: 0, phi: 0.5 } };
  expect(crossPaybackHours(fading, nothing, 0.0009)).toBe(26);
  expect(crossPaybackHours(fading, nothing, 0.00101)).toBeNull();
  // Negative now, 2 bp in the long run: -1 - 2 x 0.5, ...: -4.5+... 1.5 x 0.5^k below 2 bp.
  const turning = { rate: -0.0001, hours: 8, toNext: 0, trend: { mean: 0.0002, phi: 0.5 } };
  // 0.5, 1.25, 1.625 bp: 1.75 after the second, 3.375 after the third.
  expect(crossPaybackHours(turning, nothing, 0.0003)).toBe(16);
});
