import Big from 'big.js';
import fc from 'fast-check';
import type { Instrument, Ticker } from '#server/market/exchange';
import { tradingTerms } from '#server/market/paper/marketFeed';
import { average, depthWithin, orderBook, takeFromBook } from '#server/market/paper/orderBook';
import { termsOf } from '../../support/paperDesk';

const TERMS = termsOf('AAAUSDT');
const plain = (taken: { price: Big; quantity: Big }[]) =>
  taken.map(({ price, quantity }) => [price.toFixed(), quantity.toFixed()]);

describe('the book around 100 USDT with 210 million of turnover', () => {
  // Half-spread 0.0002 * sqrt(1 / 2.1) = 1.38 bps: 99.986 and 100.014, on the grid 99.98 and 100.02.
  // Levels 5 bps apart = 5 ticks. One side holds 1,050,000 USDT in 210 parts: 5,000, 10,000, 15,000 ...
  const book = orderBook(100, 210e6, TERMS);

  test('stands at the steps worked out by hand', () => {
    expect(book.bids.slice(0, 2)).toEqual([
      { ticks: 9998, lots: 5001 },
      { ticks: 9993, lots: 10007 },
    ]);
    expect(book.asks.slice(0, 4)).toEqual([
      { ticks: 10002, lots: 4999 },
      { ticks: 10007, lots: 9993 },
      { ticks: 10012, lots: 14982 },
      { ticks: 10017, lots: 19966 },
    ]);
    expect([book.bids.length, book.asks.length]).toEqual([20, 20]);
  });

  test('gives the best price to who takes little', () => {
    expect(plain(takeFromBook(book, 'buy', new Big('1.5')))).toEqual([['100.02', '1.5']]);
    expect(plain(takeFromBook(book, 'sell', new Big('1.5')))).toEqual([['99.98', '1.5']]);
  });

  test('is walked level by level, what lies behind the second at one price against the taker', () => {
    // 49.99 at 100.02, 99.93 at 100.07, then 149.82 at 100.12 and 0.26 at 100.17: 100.1200866 rounds up to 100.13.
    expect(plain(takeFromBook(book, 'buy', new Big('300')))).toEqual([
      ['100.02', '49.99'],
      ['100.07', '99.93'],
      ['100.13', '150.08'],
    ]);
  });

  test('is walked up to the limit', () => {
    expect(plain(takeFromBook(book, 'buy', new Big('300'), new Big('100.08')))).toEqual([
      ['100.02', '49.99'],
      ['100.07', '99.93'],
    ]);
    expect(takeFromBook(book, 'buy', new Big('300'), new Big('100.01'))).toEqual([]);
    expect(depthWithin(book, 'buy', new Big('100.07')).toFixed()).toBe('149.92');
    expect(depthWithin(book, 'sell', new Big('99.98')).toFixed()).toBe('50.01');
  });

  test('has the average price of F9', () => {
    const { price, quantity } = average(takeFromBook(book, 'buy', new Big('100')));
    // (49.99 * 100.02 + 50.01 * 100.07) / 100
    expect([price.toFixed(), quantity.toFixed()]).toEqual(['100.045005', '100']);
  });

  test('is wider and thinner for a coin with less turnover', () => {
    const thin = orderBook(100, 1e6, TERMS);
    expect(thin.asks[0]!.ticks).toBe(10020);
    expect(thin.asks[0]!.lots).toBeLessThan(book.asks[0]!.lots / 100);
  });
});

test('any walk stays on the grid, within the limit and never gets better by taking more', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -5000, max: 5176 }).map((exponent) => 10 ** (exponent / 1000)),
      fc.integer({ min: 0, max: 10_301 }).map((exponent) => 10 ** (exponent / 1000)),
      fc.integer({ min: -6000, max: 301 }).map((exponent) => 10 ** (exponent / 1000)),
      fc.constantFrom('buy' as const, 'sell' as const),
      (price, turnover24h, share, side) => {
        const instrument = { symbol: 'XUSDT', tickSize: null, lotSize: null } as Instrument;
        const terms = tradingTerms('files', instrument, { price, turnover24h } as Ticker, null);
        const book = orderBook(price, turnover24h, terms);
        const lots = Math.max(1, Math.floor((turnover24h * 0.005 * share) / price / Number(terms.lotSize)));
        const asked = new Big(terms.lotSize).times(lots);
        const taken = takeFromBook(book, side, asked);
        const prices = taken.map((one) => Number(one.price));
        const got = taken.reduce((sum, one) => sum.plus(one.quantity), new Big(0));
        expect(taken.length).toBeLessThanOrEqual(3);
        expect(taken.every((one) => one.price.mod(terms.tickSize).eq(0) && one.price.gt(0))).toBe(true);
        expect(taken.every((one) => one.quantity.mod(terms.lotSize).eq(0) && one.quantity.gt(0))).toBe(true);
        expect(got.lte(asked)).toBe(true);
        expect(prices).toEqual([...prices].sort((a, b) => (side === 'buy' ? a - b : b - a)));
        expect(prices.every((one) => (side === 'buy' ? one > price * (1 - 1e-9) : one < price * (1 + 1e-9)))).toBe(
          true,
        );
      },
    ),
    { numRuns: 500 },
  );
});

test('steps that a source does not tell follow from the price', () => {
  const at = (price: number) => {
    const { tickSize, lotSize, minNotional, maxLeverage, maintenanceRate } = tradingTerms(
      'files',
      { symbol: 'XUSDT', tickSize: null, lotSize: null, minNotional: null, maxLeverage: null } as Instrument,
      { price, turnover24h: 6e7 } as Ticker,
      null,
    );
    return [tickSize, lotSize, minNotional, maxLeverage, maintenanceRate];
  };
  expect(at(92_345.6)).toEqual(['1', '0.00001', '5', 20, 0.015]);
  expect(at(1.2345)).toEqual(['0.0001', '1', '5', 20, 0.015]);
  expect(at(0.0000123)).toEqual(['0.000000001', '100000', '5', 20, 0.015]);
});
