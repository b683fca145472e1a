import { DAY_MS } from '#contract/duration';
import { annualisedReturn } from '#server/base/maths/hedge';
import { annualised30d, returnOver } from '#server/desk/account/track';
import { dailyRecord, dailyReturns } from '#server/desk/statistic/dailyRecord';

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

test('what comes in on the day of the opening is what the account begins with (F18)', () => {
  const at = (day: number, equity: number, transfers: number) => ({ at: day * DAY_MS, equity, transfers });
  // Opened with 10, 990 more within the day, 10 made: one per cent, not a hundred.
  expect(returnOver([at(0, 10, 10), at(1, 1010, 1000)])).toBeCloseTo(0.01, 12);
  // What leaves has been there: it began with all of it.
  expect(returnOver([at(0, 1000, 1000), at(1, 510, 500)])).toBeCloseTo(0.01, 12);
  // Later days begin with what was there.
  expect(returnOver([at(0, 10, 10), at(1, 20, 10), at(2, 1020, 1010)])).toBeCloseTo(1, 12);
  // So do the whole days of the statistics.
  const account = { userId: 'a', name: 'a', openedAt: DAY_MS / 2, capital: 10, parts: [], isOne: false };
  const nothing = { funding: 0, fees: 0, slippage: 0, traded: 0, longPnl: 0, shortPnl: 0, net: 0, gross: 0 };
  const point = { userId: 'a', midnight: DAY_MS, ...at(1, 1010, 1000), ...nothing, btc: null, isExact: true };
  const record = dailyRecord([account], [point], { from: 0, to: DAY_MS });
  expect(record).toMatchObject({ base: Float64Array.of(1000), transfers: Float64Array.of(0) });
  expect(dailyReturns(record)[0]).toBeCloseTo(0.01, 12);
});
