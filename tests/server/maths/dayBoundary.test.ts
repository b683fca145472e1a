import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/duration';
import { dayEndOf, dayStartAt, runningDay } from '../../../server/base/maths/dayBoundary';

const jan = (day: number, hours = 0) => Date.UTC(2026, 0, day) + hours * HOUR_MS;

test('a day begins at the newest boundary', () => {
  expect(dayStartAt(jan(15, 12), 0)).toBe(jan(15));
  expect(dayStartAt(jan(15), 0)).toBe(jan(15));
  expect(dayStartAt(jan(15, 15.99), 960)).toBe(jan(14, 16));
  expect(dayStartAt(jan(15, 16), 960)).toBe(jan(15, 16));
});

test('it ends a day later, or at the first new boundary after that', () => {
  expect(dayEndOf(jan(15), 0)).toBe(jan(16));
  expect(dayEndOf(jan(15), 960)).toBe(jan(16, 16));
  expect(dayEndOf(jan(14, 16), 0)).toBe(jan(16));
  for (let boundary = 0; boundary < 1440; boundary += 30) {
    const length = dayEndOf(jan(15, 7.5), boundary) - jan(15, 7.5);
    expect(length).toBeGreaterThanOrEqual(DAY_MS);
    expect(length).toBeLessThan(2 * DAY_MS);
  }
});

test('moving the boundary again and again never ends the running day early', () => {
  // Begun at 00:00 UTC; each half hour somebody moves the boundary to the next one.
  for (let now = jan(15); now < jan(16); now += HOUR_MS / 2) {
    const dayBoundary = ((now - jan(15)) / MINUTE_MS + 30) % 1440;
    expect(runningDay({ day: jan(15), dayBoundary }, now).start).toBe(jan(15));
  }
});

test('a day that is over, or was never begun, is the one that the boundary says', () => {
  expect(runningDay({ day: jan(13), dayBoundary: 0 }, jan(15, 3))).toEqual({ start: jan(15), end: jan(16) });
  expect(runningDay({ day: null, dayBoundary: 960 }, jan(15, 3))).toEqual({ start: jan(14, 16), end: jan(15, 16) });
  // Moved to 16:00 within the 15th: it ends on the 16th at 16:00, and the next one has 24 hours again.
  expect(runningDay({ day: jan(15), dayBoundary: 960 }, jan(16, 15.9))).toEqual({ start: jan(15), end: jan(16, 16) });
  expect(runningDay({ day: jan(15), dayBoundary: 960 }, jan(16, 16))).toEqual({ start: jan(16, 16), end: jan(17, 16) });
});
