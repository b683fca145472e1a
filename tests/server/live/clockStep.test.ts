import { LIVE_TIMES } from '#server/market/live/liveTimes';
import { Rest } from '#server/market/live/rest';

let now = Date.UTC(2026, 10, 30);
/** By how much the exchange's clock is ahead, and how long an answer takes. */
const exchange = { aheadMs: 0, delayMs: 0 };
const adapter = {
  time: async () => {
    now += exchange.delayMs / 2;
    const at = now + exchange.aheadMs;
    now += exchange.delayMs / 2;
    return at;
  },
};
const rest = new Rest(adapter as never, () => now, LIVE_TIMES, new AbortController().signal);

async function ping(aheadMs: number, delayMs: number): Promise<number | null> {
  Object.assign(exchange, { aheadMs, delayMs });
  now += 10_000;
  await rest.ping({} as never);
  return rest.aheadMs;
}

test('a clock that was set right counts from the next answer on, and one slow answer moves nothing', async () => {
  expect(await ping(40_000, 10)).toBe(40_000);
  expect(await ping(40_150, 400)).toBe(40_000);
  // Slower than the quickest before, and still of another clock for certain.
  expect(await ping(3, 20)).toBe(3);
  expect(await ping(150, 400)).toBe(3);
  expect(await ping(-40_000, 30)).toBe(-40_000);
});
