import { HOUR_MS } from '#contract/duration';
import { beyondStop, worstOf } from '#server/base/maths/worstCase';

const of = (...closes: number[]) => Float64Array.from(closes);

test('a stop is jumped by the worst hour of both legs, and one leg alone adds its own (F32)', () => {
  // Long falls 10 % while short rises 5 %: 15 % in an hour; the other way round it gains.
  const long = of(100, 110, 99, 99);
  const short = of(50, 45, 47.25, 47.25);
  const found = beyondStop({ long, short, barMs: HOUR_MS }, 36_000)!;
  expect(found.gap).toBeCloseTo(0.15, 12);
  // The worst of either leg, 10 %, over a hundredth of an hour.
  expect(found.alone).toBeCloseTo(0.1 * 0.1, 12);
  expect(worstOf(1000, 50, found)).toBeCloseTo(50 + 150 + 10, 9);
  // A day that was as bad is a better hour.
  const daily = beyondStop({ long, short, barMs: 24 * HOUR_MS }, 36_000)!;
  expect(daily.gap).toBeCloseTo(0.15 / Math.sqrt(24), 12);
  // What never lost costs nothing beyond its stop; without history the stop alone is known, without a stop nothing.
  expect(beyondStop({ long: of(1, 2), short: of(2, 1), barMs: HOUR_MS }, 1)).toEqual({ gap: 0, alone: 0 });
  expect(beyondStop({ long: of(1), short: of(1), barMs: HOUR_MS }, 1)).toBeNull();
  expect([worstOf(1000, 50, null), worstOf(1000, null, found)]).toEqual([50, null]);
});
