import type { TimeZone } from '#contract/user';
import { formatDateTime } from '@/components/DateTime';
import { instantShown, midnightBefore } from '@/components/timeZone';
import { setAppearance } from '@/components/useAppearance';
import { spanOf } from '@/table/period';

/** 2026-03-08 07:30 UTC: clocks of New York go from 02:00 to 03:00 half an hour before. */
const AT = Date.UTC(2026, 2, 8, 7, 30);

afterEach(() => setAppearance({ timeZone: 'local' }));

test.each<[zone: TimeZone, shown: string, midnight: string, week: string]>([
  ['UTC', '2026-03-08 07:30:00', '2026-03-08T00:00:00.000Z', '2026-03-01T00:00:00.000Z'],
  ['Asia/Tokyo', '2026-03-08 16:30:00', '2026-03-07T15:00:00.000Z', '2026-02-28T15:00:00.000Z'],
  // Both midnights are of winter, the instant itself is of summer.
  ['America/New_York', '2026-03-08 03:30:00', '2026-03-08T05:00:00.000Z', '2026-03-01T05:00:00.000Z'],
])('times and days are those of %s', (timeZone, shown, midnight, week) => {
  setAppearance({ timeZone });
  expect(formatDateTime(AT, 'second')).toBe(shown);
  expect(formatDateTime(AT, 'second', true)).toBe('2026-03-08 07:30:00');
  expect(instantShown(Date.parse(`${shown.replace(' ', 'T')}Z`))).toBe(AT);
  expect([midnightBefore(AT, 0), midnightBefore(AT, 7)].map((at) => new Date(at).toISOString())).toEqual([
    midnight,
    week,
  ]);
});

test('a period of days begins at a midnight of the chosen zone', () => {
  setAppearance({ timeZone: 'Asia/Shanghai' });
  const { start } = spanOf({ period: '7d', start: null, end: null });
  expect(formatDateTime(start!, 'second')).toMatch(/ 00:00:00$/);
});
