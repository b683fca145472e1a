import Big from 'big.js';
import { DAY_MS } from '#contract/duration';
import type { Instrument, Market, Ticker } from '#server/market/exchange';
import { pricesBefore, replayObstacles, replaysOf } from '#server/market/scan/replay';
import { Quoted } from '#server/market/scan/sight';

const NOW = Date.UTC(2026, 0, 31);
const BEFORE = {
  long: { week: { bid: 99, ask: 100 }, month: { bid: 79, ask: 80 } },
  short: { week: { bid: 101, ask: 102 }, month: { bid: 80.4, ask: 80.8 } },
};
const TRIP = { leaveAt: 0.004, fees: 0.002, borrowApr: null };

test('two legs by hand: entered at the prices of then, left at those of now, paid as settled', () => {
  const long = { before: BEFORE.long, settled: { week: 0.001, month: 0.005 } };
  const short = { before: BEFORE.short, settled: { week: 0.003, month: 0.012 } };
  const { replay7, replay30 } = replaysOf({ long, short, ...TRIP });
  // 101 / 100 - 1 - 0.004 - 0.002 + 0.003 - 0.001, and 80.4 / 80 - 1 = 0.005 in place of 0.01.
  expect(replay7!).toBeCloseTo(0.006, 12);
  expect(replay30!).toBeCloseTo(0.006, 12);
  // Interest of 36.5 % a year is 0.7 % in a week and 3 % in a month.
  const borrowed = replaysOf({ long, short, ...TRIP, borrowApr: 0.365 });
  expect(borrowed.replay7!).toBeCloseTo(0.006 - 0.007, 12);
  expect(borrowed.replay30!).toBeCloseTo(0.006 - 0.03, 12);
});

test('what settles nothing adds nothing, and what is not known leaves the span without a figure', () => {
  const [long, short] = [{ before: BEFORE.long }, { before: BEFORE.short }];
  expect(replaysOf({ long, short, ...TRIP }).replay7!).toBeCloseTo(0.004, 12);
  const gap = { ...short, settled: { week: 0.001, month: null } };
  expect(replaysOf({ long, short: gap, ...TRIP })).toEqual({ replay7: expect.closeTo(0.005, 12), replay30: null });
  const unread = replaysOf({ long, short: { before: undefined }, ...TRIP });
  // What is still being read is told apart from what is not known.
  expect(unread).toEqual({ replay7: null, replay30: null, replaying: true });
  const young = { before: { ...BEFORE.short, month: null } };
  expect(replaysOf({ long, short: young, ...TRIP }).replay30).toBeNull();
});

test.each([
  [-0.001, -0.002, ['lostBefore']],
  [-0.001, 0.002, []],
  [0.001, -0.002, []],
  [-0.001, null, []],
  [0, 0, []],
])('what made %p in 7 days and %p in 30 is kept from opening by %j', (replay7, replay30, obstacles) => {
  expect(replayObstacles({ replay7, replay30 })).toEqual(obstacles);
});

test('prices of then are those of the size in the books of then, read anew with new history', () => {
  const asked: number[] = [];
  let version = '1';
  const book = (_symbol: string, at: number) => {
    asked.push(at);
    // A middle of 100 a week ago and of 50 a month ago; one coin at the best price, the rest a step away.
    const middle = at === NOW - 7 * DAY_MS ? 1_000 : 500;
    const side = (sign: 1 | -1) => [
      { ticks: middle + sign, lots: 100 },
      { ticks: middle + 2 * sign, lots: 900 },
    ];
    return { tickSize: new Big('0.1'), lotSize: new Big('0.01'), bids: side(-1), asks: side(1) };
  };
  const market = { source: 'simulated', version: () => version, book } as unknown as Market;
  const quotedSince = (days: number) =>
    new Quoted(
      market,
      { symbol: `X ${days}`, listedAt: NOW - days * DAY_MS } as Instrument,
      { price: 100 } as Ticker,
      NOW,
    );
  const old = quotedSince(90);
  const prices = pricesBefore(old, 200, NOW);
  // 200 USDT are two coins at 100, half of them a step farther, and four at 50, three of them.
  expect(prices.week!.ask).toBeCloseTo((100.1 + 100.2) / 2, 10);
  expect(prices.week!.bid).toBeCloseTo((99.9 + 99.8) / 2, 10);
  expect(prices.month!.ask).toBeCloseTo((50.1 + 3 * 50.2) / 4, 10);
  expect(asked).toEqual([NOW - 7 * DAY_MS, NOW - 30 * DAY_MS]);
  expect(pricesBefore(old, 200, NOW + 1_000)).toBe(prices);
  version = '2';
  expect(pricesBefore(old, 200, NOW)).not.toBe(prices);
  // Ten coins are all there are.
  expect(pricesBefore(old, 1_001, NOW).week).toBeNull();
  expect(pricesBefore(quotedSince(20), 200, NOW).month).toBeNull();
});
