import { DAY_MS } from '#contract/duration';
import { annualisedReturn } from '#server/base/maths/hedge';
import { annualised30d } from '#server/desk/account/track';

test('of less than 30 days no year is made (F12)', () => {
  expect(annualisedReturn(0.02, 30 * DAY_MS - 1)).toBeNull();
  expect(annualisedReturn(0.02, 30 * DAY_MS)).toBeCloseTo((0.02 * 365) / 30, 12);
  expect(annualisedReturn(null, 60 * DAY_MS)).toBeNull();
});

test('the newest 30 days begin with the last close that is as old', () => {
  const NOW = Date.UTC(2026, 2, 1, 12);
  const midnight = Date.UTC(2026, 2, 1);
  /** A close a day: 100 and one more each day. */
  const points = (days: number) => [
    ...Array.from({ length: days }, (_, i) => ({
      ...{ at: midnight - (days - 1 - i) * DAY_MS, equity: 100 + i, transfers: 0 },
    })),
    { at: NOW, equity: 100 + days, transfers: 0 },
  ];
  // 31 closes: the first is 30.5 days old. 30 of them: 29.5.
  expect(annualised30d(points(31))).toBeCloseTo((0.31 * 365) / 30.5, 12);
  expect(annualised30d(points(30))).toBeNull();
  // Of more only the newest: from 102 on.
  expect(annualised30d(points(33))).toBeCloseTo(((133 / 102 - 1) * 365) / 30.5, 12);
  expect(annualised30d([])).toBeNull();
});
