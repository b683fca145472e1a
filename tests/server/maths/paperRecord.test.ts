import { DAY_MS } from '#contract/duration';
import { type EndedDeal, keptPromise, longestAlone } from '#server/base/maths/paperRecord';

const deal = (over: Partial<EndedDeal> = {}): EndedDeal => ({
  ...{ signal: 0.365, notional: 1_000, heldMs: 10 * DAY_MS, net: 5, naked: 0, ...over },
});

test('what deals brought is held against the APR they were opened for, over the time they were held', () => {
  // 0.365 a year on 1,000 USDT is 1 USDT a day.
  expect(keptPromise([deal()])).toBeCloseTo(0.5, 12);
  expect(keptPromise([deal(), deal({ heldMs: 30 * DAY_MS, net: -9 })])).toBeCloseTo(-0.1, 12);
  // One that was opened for nothing that has a rate says nothing.
  expect(keptPromise([deal(), deal({ signal: null, net: 1_000 })])).toBeCloseTo(0.5, 12);
  expect(keptPromise([])).toBeNull();
  expect(keptPromise([deal({ signal: -0.1 })])).toBeNull();
});

test('the longest time on one whole leg', () => {
  expect(longestAlone([deal({ naked: 2_000 }), deal({ notional: 5_000, naked: 5_000 })])).toBe(2);
  expect(longestAlone([deal({ notional: 0, naked: 0 })])).toBeNull();
});
