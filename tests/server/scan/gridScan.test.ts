import Big from 'big.js';
import { DAY_MS } from '#contract/duration';
import { gridPast } from '#server/kinds/grid/past';
import { gridCandidate } from '#server/kinds/grid/scan';
import type { Instrument, InstrumentTerms, Market, OrderBook, Ticker } from '#server/market/exchange';
import { Quoted } from '#server/market/scan/sight';

const NOW = Date.UTC(2026, 8, 1, 4, 30);

/** A price that goes up and down between two prices, `hours` long, half a day each way. */
function wave(hours: number, low: number, high: number) {
  const at = (i: number) => low + (high - low) * Math.abs(((i / 12) % 2) - 1);
  const close = Float64Array.from({ length: hours }, (_, i) => at(i));
  const from = Float64Array.from({ length: hours }, (_, i) => at(Math.max(0, i - 1)));
  return {
    close,
    high: close.map((one, i) => Math.max(one, from[i]!)),
    low: close.map((one, i) => Math.min(one, from[i]!)),
  };
}

test('the range of the days is replayed: each cell once up and once down a day', () => {
  const past = gridPast(wave(14 * 24, 100, 110), { days: 14, cells: 5, range: 'lowHigh' }, 0.1);
  expect(past).toMatchObject({ lower: 100, upper: 110, inRange: 1 });
  // Five cells, each bought on the way down and sold on the way up, once a day.
  expect((past as { dailyPairs: number }).dailyPairs).toBeGreaterThan(4.5);
  expect((past as { dailyPairs: number }).dailyPairs).toBeLessThanOrEqual(5);
  // Days span 10 each: three of them either way of the last close.
  const atr = gridPast(wave(14 * 24, 100, 110), { days: 14, cells: 5, range: 'atr' }, 0.1) as {
    lower: number;
    upper: number;
  };
  expect(atr.upper - atr.lower).toBeCloseTo(60, 6);
  expect(gridPast(wave(48, 100, 110), { days: 14, cells: 5, range: 'lowHigh' }, 0.1)).toBe('short');
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
  const past = { lower: 90, upper: 110, volatility: 0.4, dailyPairs: 10, inRange: 1 };
  const row = gridCandidate(place(), past, plan, NOW);
  // 90 x (110 / 90) ** (1 / 20) = 90.91 on ticks: 90.91 x 0.9998 - 90 x 1.0002 of 90.
  expect(row.profit).toBeCloseTo((90.91 * 0.9998 - 90 * 1.0002) / 90, 5);
  // 10,000 over 20 cells at 110: 4.54 coins each.
  expect(row.dailyNet).toBeGreaterThan(10 * 4.54 * 0.87);
  expect(row.dailyNet).toBeLessThan(10 * 4.54 * 1.06);
  expect(row.position).toBeCloseTo(0.5, 6);
  expect(row.gridApr).toBeCloseTo((row.dailyNet! * 365) / 10_000, 12);
  expect(row.obstacles).toEqual([]);
  const outside = { ...past, lower: 101 };
  expect(gridCandidate(place(), outside, plan, NOW).obstacles).toContain('outOfRange');
  // A range of two thousandths over 200 cells does not pay for both fees.
  const narrow = { ...past, lower: 99.9, upper: 100.1 };
  expect(gridCandidate(place(), narrow, { ...plan, cells: 200 }, NOW).obstacles).toContain('costs');
  expect(gridCandidate(place(), 'pending', plan, NOW)).toMatchObject({
    past: 'pending',
    gridApr: null,
    obstacles: ['incomplete'],
  });
});
