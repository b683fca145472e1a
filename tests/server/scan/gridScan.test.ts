import Big from 'big.js';
import { DAY_MS, HOUR_MS } from '#contract/duration';
import { type GridPast, type GridWish, gridPast } from '#server/kinds/grid/past';
import { gridCandidate } from '#server/kinds/grid/scan';
import type { Instrument, InstrumentTerms, Market, OrderBook, Ticker } from '#server/market/exchange';
import { Quoted } from '#server/market/scan/sight';

const NOW = Date.UTC(2026, 8, 1, 4, 30);

const HOURS_OF_DAY = 24;
const FREE = {
  tick: 0.1,
  makerFee: 0,
  takerFee: 0,
  isSpot: false,
  settlements: { time: [] as number[], rate: [] as number[] },
};
const WISH = { days: 3, cells: 5, range: 'lowHigh' as const };

/** A price that goes from the high to the low and back, half a day each way, for each of the days. */
function waves(days: readonly [low: number, high: number][]) {
  const close = Float64Array.from({ length: days.length * HOURS_OF_DAY }, (_, i) => {
    const [low, high] = days[Math.floor(i / HOURS_OF_DAY)]!;
    return low + (high - low) * Math.abs(((i / 12) % 2) - 1);
  });
  const open = close.map((one, i) => close[i - 1] ?? one);
  return {
    ...{ close, open, time: close.map((_, i) => NOW + i * HOUR_MS) },
    high: close.map((one, i) => Math.max(one, open[i]!)),
    low: close.map((one, i) => Math.min(one, open[i]!)),
  };
}
const same = (days: number, low = 100, high = 110) =>
  Array.from({ length: days }, () => [low, high] as [number, number]);
const pastOf = (days: [number, number][], wish: GridWish = WISH, terms = FREE) => gridPast(waves(days), wish, terms);

test('a grid over days by hand: each cell once a day, and what is left is valued at the last close', () => {
  const past = pastOf(same(6)) as GridPast;
  // Levels 100, 101.9, 103.9, 105.9, 107.9 and 110; it begins below 110 with nothing. Three days of 10, but the cell
  // bought at 107.9 waits for 110 at the end, at 109.1666...
  expect(past.run).toMatchObject({ lower: 100, upper: 110, pairs: 14 });
  expect(past.run.gridProfit).toBeCloseTo(30 - 2.1, 9);
  expect(past.run.net).toBeCloseTo(30 - 2.1 + (100 + 55 / 6 - 107.9), 9);
  expect(past.inRange).toBe(1);
  // A thousandth of what is bought, 519.6 a day, and of what is sold, 529.6 a day.
  const paid = pastOf(same(6), WISH, { ...FREE, makerFee: 0.001 }) as GridPast;
  expect(past.run.net - paid.run.net).toBeCloseTo(0.001 * (3 * (519.6 + 529.6) - 110), 9);
  // The coin bought at 107.9 pays 1 % of 107.5, the close before.
  const settlements = { time: [NOW + 77 * HOUR_MS], rate: [0.01] };
  const funded = pastOf(same(6), WISH, { ...FREE, settlements }) as GridPast;
  expect(past.run.net - funded.run.net).toBeCloseTo(0.01 * 107.5, 9);
});

test('the range is that of the days before those that it is tried on', () => {
  const gone = pastOf([...same(3), ...same(3, 120, 126)]) as GridPast;
  expect(gone).toMatchObject({ inRange: 0, run: { lower: 100, upper: 110, net: 0, gridProfit: 0, pairs: 0 } });
  // Over 7 days by the 3 days before them, and over 30 by theirs, of which the first day lies lower.
  const { replays } = pastOf([[90, 95], ...same(32)]) as GridPast;
  expect(replays.week).toMatchObject({ lower: 100, upper: 110, pairs: 34 });
  expect(replays.month).toMatchObject({ lower: 90, upper: 110 });
  expect(pastOf(same(32))).toMatchObject({ replays: { month: null } });
  expect(pastOf(same(9))).toMatchObject({ replays: { week: null } });
  expect(pastOf(same(5))).toBe('short');
  // Days span 10 each: three of them either way of the last close before.
  const { run } = pastOf(same(6), { ...WISH, range: 'atr' }) as GridPast;
  expect(run.upper - run.lower).toBeCloseTo(60, 6);
});

/** A perpetual at 100 in steps of 0.01, with a maker fee of 2 bps. */
function place() {
  const steps = { tickSize: new Big('0.01'), lotSize: new Big('0.01') };
  const level = (price: number) => [{ ticks: price * 100, lots: 1_000_000 }];
  const book: OrderBook = { ...steps, bids: level(99.99), asks: level(100.01) };
  const terms = { takerFee: 0.0005, makerFee: 0.0002, adl: 1 } as InstrumentTerms;
  const market = { source: 'simulated', book: () => book, terms: () => terms } as unknown as Market;
  const instrument = {
    ...{ symbol: 'XUSDT', base: 'X', kind: 'perpetual', fundingHours: 8, tickSize: '0.01', lotSize: '0.01' },
    ...{ minNotional: '5', listedAt: NOW - 1_000 * DAY_MS },
  } as Instrument;
  const ticker = { price: 100, fundingRate: 0.0001 } as Ticker;
  return { source: 'simulated', isOut: false, quoted: new Quoted(market, instrument, ticker, NOW) };
}

test('a row tells F27 of its narrowest cell, and what stands in the way', () => {
  const plan = { size: 10_000, days: 14, cells: 20, range: 'lowHigh' as const };
  const run = { lower: 90, upper: 110, net: 5, gridProfit: 6, pairs: 140 };
  const lost = { lower: 90, upper: 100, net: -1, gridProfit: 2, pairs: 20 };
  const past = { volatility: 0.4, inRange: 1, run, replays: { week: lost, month: run } };
  const row = gridCandidate(place(), past, plan, NOW);
  // 90 x (110 / 90) ** (1 / 20) = 90.91 on ticks: 90.91 x 0.9998 - 90 x 1.0002 of 90.
  expect(row.profit).toBeCloseTo((90.91 * 0.9998 - 90 * 1.0002) / 90, 5);
  // 10,000 over 20 cells at 110: 4.54 coins each, and 5 where the range ends at 100.
  expect(row).toMatchObject({ dailyPairs: 10, replay7: -5 / 10_000 });
  expect(row.dailyNet!).toBeCloseTo((6 * 4.54) / 14, 12);
  expect(row.result!).toBeCloseTo((5 * 4.54) / 10_000, 12);
  expect(row.replay30!).toBeCloseTo((5 * 4.54) / 10_000, 12);
  expect(row.position).toBeCloseTo(0.5, 6);
  expect(row.obstacles).toEqual([]);
  const twice = { ...past, replays: { week: lost, month: lost } };
  expect(gridCandidate(place(), twice, plan, NOW).obstacles).toEqual(['lostBefore']);
  const outside = { ...past, run: { ...run, lower: 101 } };
  expect(gridCandidate(place(), outside, plan, NOW).obstacles).toContain('outOfRange');
  // A range of two thousandths over 200 cells does not pay for both fees.
  const narrow = { ...past, run: { ...run, lower: 99.9, upper: 100.1 } };
  expect(gridCandidate(place(), narrow, { ...plan, cells: 200 }, NOW).obstacles).toContain('costs');
  expect(gridCandidate(place(), 'pending', plan, NOW)).toMatchObject({
    past: 'pending',
    ...{ result: null, replay7: null, replay30: null },
    obstacles: [],
  });
});
