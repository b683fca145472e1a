import Big from 'big.js';
import { DAY_MS, HOUR_MS } from '#contract/duration';
import type { Endpoint } from '#contract/endpoint';
import { evaluate } from '#contract/evaluate';
import { symbol as api, type CandleColumns, type SymbolDetail } from '#contract/symbol';
import { fileApp, testApp, type Who } from '../../support/app';
import { handMarket, handMarkets } from '../../support/handMarket';

const DAYS = 100;
const START = Date.UTC(2025, 0, 1);
const NOW = START + DAYS * DAY_MS;

const wave = (n: number, size: number, phase: number) =>
  Array.from(
    { length: n },
    (_, i) => 100 * Math.exp(size * Math.sin(i * 0.7 + phase) + size * Math.cos(i * 1.9) * 0.5),
  );
const bitcoin = wave(DAYS, 0.05, 0);
const ether = wave(DAYS, 0.07, 0.5);
const odd = wave(DAYS, 0.1, 1);

/** Settlements every 8 hours up to now, of which the newest but two is missing; every third one is negative. */
const times = Array.from({ length: 120 }, (_, i) => NOW - (119 - i) * 8 * HOUR_MS).filter((_, i) => i !== 117);
const rates = times.map((_, i) => (i % 3 === 0 ? -0.0001 : 0.0003));

const ODD = 'A%2FB/我.踏马来了USDT:USDT';
const simulated = handMarket('simulated', {
  BTCUSDT: { start: START, closes: { '1d': bitcoin, '1h': wave(60, 0.01, 0) } },
  ETHUSDT: { start: START, closes: { '1d': ether } },
  [ODD]: {
    base: 'A',
    start: START,
    closes: { '1d': odd },
    funding: { time: times, rate: rates },
    instrument: { fundingHours: 8, tickSize: '0.01', listedAt: START },
    ticker: { mark: 101, index: 100, fundingRate: 0.0002, nextFundingAt: NOW + HOUR_MS },
  },
  SHORTUSDT: { start: NOW - 5 * DAY_MS, closes: { '1d': [1, 2, 1, 3, 2] } },
  ZIGUSDT: { start: NOW - 40 * DAY_MS, closes: { '1d': wave(40, 0.1, 2).map((v, i) => (i === 20 ? null : v)) } },
});
/** Middle 100; bids 1 at 99.9 and 4 at 99, asks 2 at 100.1 and 8 at 101: a tick is 0.1, a lot 0.5. */
simulated.book = (symbol) =>
  symbol === 'ETHUSDT'
    ? null
    : {
        tickSize: new Big('0.1'),
        lotSize: new Big('0.5'),
        bids: [
          { ticks: 999, lots: 2 },
          { ticks: 990, lots: 8 },
        ],
        asks: [
          { ticks: 1001, lots: 4 },
          { ticks: 1010, lots: 16 },
        ],
      };
simulated.terms = () => ({
  ...{ makerFee: 0.0002, takerFee: 0.0005, deliveryFee: null, fundingCap: null },
  ...{ collateralRatio: 1, borrowApr: 0, adl: null },
});
const imported = handMarket('bybit', { XUSDT: { start: START, closes: { '1d': odd } } });
const markets = handMarkets(simulated, imported);

const app = await fileApp({ markets });
await app.as('editor')(evaluate.note, { body: { symbol: ODD, note: '强势' } });

async function ask<T>(path: keyof typeof api, query: Record<string, string>, who: Who = 'trader') {
  const { status, body } = await app.as(who)(api[path] as unknown as Endpoint, { query });
  return { status, ...body } as { status: number; code: number; message: string; data: T };
}
interface Fields {
  fields: { field: string; message: string }[];
}

// Written apart from the product's formulas, in plain arrays.
const logs = (values: number[]) => values.slice(1).map((value, i) => Math.log(value / values[i]!));
const average = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const covariance = (x: number[], y: number[]) =>
  x.reduce((sum, value, i) => sum + (value - average(x)) * (y[i]! - average(y)), 0) / (x.length - 1);
const pearson = (x: number[], y: number[]) => covariance(x, y) / Math.sqrt(covariance(x, x) * covariance(y, y));

describe('GET /api/symbol/detail', () => {
  test('a symbol with every kind of character: header, premium, funding, evaluation and neighbours', async () => {
    const { code, data } = await ask<SymbolDetail>('detail', { symbol: ODD });
    expect(code).toBe(200);
    expect(data).toMatchObject({
      symbol: ODD,
      source: 'simulated',
      kind: 'simulated',
      tickSize: '0.01',
      maxLeverage: null,
      openInterest: null,
      mark: 101,
      note: '强势',
      noteBy: 'editor',
      updatedAt: app.now(),
      direction: null,
      previous: null,
      next: 'BTCUSDT',
    });
    expect(data.price).toBeCloseTo(odd[DAYS - 1]!, 12);
    expect(data.priceAt).toBe(NOW);
    expect(data.premium).toBeCloseTo(0.01, 12);
    expect(data.fundingApr).toBeCloseTo(0.219, 12);
    // BTC, ETH, this one and ZIG have 31 closes or more.
    expect(data.ranked).toBe(4);
    expect(data.rank).toBeGreaterThanOrEqual(1);
    expect(data.suggestion).toBe('neutral');
  });

  test('statistics of 30 days by hand', async () => {
    const { data } = await ask<SymbolDetail>('detail', { symbol: ODD });
    const [own, btc, eth] = [odd, bitcoin, ether].map((values) => logs(values.slice(-31))) as [
      number[],
      number[],
      number[],
    ];
    const month = data.statistics[0]!;
    expect(data.statistics.map(({ days }) => days)).toEqual([30, 90, 99]);
    expect(month.volatility).toBeCloseTo(Math.sqrt(covariance(own, own) * 365), 10);
    expect(month.betaBtc).toBeCloseTo(covariance(own, btc) / covariance(btc, btc), 8);
    expect(month.correlationBtc).toBeCloseTo(pearson(own, btc), 10);
    expect(month.correlationEth).toBeCloseTo(pearson(own, eth), 10);
    expect(month.return).toBeCloseTo(odd[99]! / odd[69]! - 1, 12);
  });

  test('the deepest drawdown by hand, with its days', async () => {
    const { data } = await ask<SymbolDetail>('detail', { symbol: 'SHORTUSDT' });
    const first = NOW - 5 * DAY_MS;
    // 1 2 1 3 2: from 2 to 1 is -50 %, healed by the 3; now 2 of 3.
    expect(data.drawdown.max).toBe(-0.5);
    expect(data.drawdown.peakAt).toBe(first + DAY_MS);
    expect(data.drawdown.troughAt).toBe(first + 2 * DAY_MS);
    expect(data.drawdown.recoveredAt).toBe(first + 3 * DAY_MS);
    expect(data.drawdown.current).toBeCloseTo(-1 / 3, 12);
    // Four returns are no month: nothing is said, and it is not ranked.
    expect(data.statistics[0]).toMatchObject({
      days: 30,
      volatility: null,
      betaBtc: null,
      maxDrawdown: null,
      return: null,
    });
    expect(data.statistics[2]).toMatchObject({ days: 4, return: 1 });
    expect(data).toMatchObject({ rank: null, score: null, suggestion: null, next: 'ZIGUSDT' });
  });

  test('funding of the last 7 days: mean APR, positive share and what is missing', async () => {
    const { data } = await ask<SymbolDetail>('detail', { symbol: ODD });
    const week = rates.slice(-20);
    expect(data.fundingSummary.map(({ days }) => days)).toEqual([7, 30, 90]);
    expect(data.fundingSummary[0]).toMatchObject({ settlements: 20, missing: 1 });
    expect(data.fundingSummary[0]!.meanApr).toBeCloseTo((average(week) * 8760) / 8, 12);
    expect(data.fundingSummary[0]!.positiveShare).toBeCloseTo(week.filter((rate) => rate > 0).length / 20, 12);
    // 40 days of settlements in a window of 90: 270 were due.
    expect(data.fundingSummary[2]).toMatchObject({ settlements: 119, missing: 151 });
  });

  test('a source without funding says nothing of it; one without BTC has no beta', async () => {
    const { data } = await ask<SymbolDetail>('detail', { symbol: 'XUSDT', source: 'bybit' });
    expect(data.kind).toBe('imported');
    expect(data.fundingSummary).toEqual([]);
    expect(data.statistics[0]).toMatchObject({ betaBtc: null, correlationBtc: null, correlationEth: null });
    expect(data).toMatchObject({ previous: null, next: null, premium: null, fundingApr: null });
  });

  test('unknown symbol and source are refusals that name their field; a missing symbol is a 400', async () => {
    const unknown = await ask<Fields>('detail', { symbol: 'NOSUCH' });
    expect(unknown).toMatchObject({ status: 200, code: 2002 });
    expect(unknown.message).toContain('NOSUCH');
    expect(unknown.data.fields[0]!.field).toBe('symbol');
    expect(await ask('detail', { symbol: ODD, source: 'nowhere' })).toMatchObject({ code: 2001 });
    expect(await ask('detail', {})).toMatchObject({ status: 400, message: '请输入币种' });
  });
});

describe('GET /api/symbol/candle', () => {
  test('averages and bands stand on bars before the first one shown', async () => {
    const { data } = await ask<CandleColumns>('candle', { symbol: ODD, limit: '10' });
    expect(data.time).toHaveLength(10);
    expect(data.time[0]).toBe(START + 90 * DAY_MS);
    expect(data.ma7[0]).toBeCloseTo(average(odd.slice(84, 91)), 10);
    expect(data.ma25[0]).toBeCloseTo(average(odd.slice(66, 91)), 10);
    const window = odd.slice(71, 91);
    const deviation = Math.sqrt(average(window.map((value) => (value - average(window)) ** 2)));
    expect(data.bollMiddle[0]).toBeCloseTo(average(window), 10);
    expect(data.bollUpper[0]).toBeCloseTo(average(window) + 2 * deviation, 10);
    expect(data.bollLower[0]).toBeCloseTo(average(window) - 2 * deviation, 10);
    expect(data.compare).toBeNull();
  });

  test('ends in the bar that has not closed: from the finer bars of its period, or the price alone', async () => {
    const at = NOW + 2.5 * HOUR_MS;
    const price = (instant: number) => 100 + (instant - NOW) / HOUR_MS;
    const coin = (closes: Parameters<typeof handMarket>[1][string]['closes']) => ({
      start: NOW - 4 * HOUR_MS,
      closes,
      price,
    });
    const live = await testApp({
      markets: handMarkets(
        handMarket('simulated', { AUSDT: { ...coin({ '1h': [1, 2, 3, 4, 99, 101] }) } }, () => at),
        handMarket(
          'bybit',
          { AUSDT: { ...coin({ '4h': [50], '1h': [1, 2, 3, 4, 99, 101] }), price: undefined } },
          () => at,
        ),
      ),
    });
    const candles = async (query: Record<string, string>) =>
      (await live.as('trader')(api.candle, { query: { symbol: 'AUSDT', ...query } })).body.data;
    const hour = await candles({ bar: '1h' });
    expect(hour.formingAt).toBe(at);
    expect(hour.time.slice(-2)).toEqual([NOW + HOUR_MS, NOW + 2 * HOUR_MS]);
    expect([hour.open, hour.high, hour.low, hour.close].map((column) => column.at(-1))).toEqual([
      102, 102.5, 102, 102.5,
    ]);
    expect(hour.ma7.at(-1)).toBeCloseTo((1 + 2 + 3 + 4 + 99 + 101 + 102.5) / 7, 10);
    // Imported: no price after the newest hour, whose four are of the running bar of four hours.
    const four = await candles({ bar: '4h', source: 'bybit' });
    expect(four.time).toEqual([NOW - 4 * HOUR_MS, NOW]);
    expect(four.formingAt).toBe(NOW + 2 * HOUR_MS);
    expect([four.open, four.high, four.low, four.close].map((column) => column.at(-1))).toEqual([
      99, 102.01, 98.01, 101,
    ]);
    expect((await candles({ bar: '1h', source: 'bybit' })).formingAt).toBeNull();
    // What ends before it has no part of it.
    expect((await candles({ bar: '1h', end: String(NOW + 2 * HOUR_MS) })).formingAt).toBeNull();
    await live.close();
  });

  test('the first bars of all have no average yet', async () => {
    const { data } = await ask<CandleColumns>('candle', { symbol: ODD });
    expect(data.time).toHaveLength(DAYS);
    expect(data.ma7.slice(0, 7)).toEqual([null, null, null, null, null, null, expect.any(Number)]);
    expect(data.ma25.findIndex((value) => value !== null)).toBe(24);
  });

  test('a range holds the bars that open within it', async () => {
    const range = { start: String(START + 10 * DAY_MS), end: String(START + 20 * DAY_MS) };
    const { data } = await ask<CandleColumns>('candle', { symbol: ODD, ...range });
    expect(data.time[0]).toBe(START + 10 * DAY_MS);
    expect(data.time.at(-1)).toBe(START + 19 * DAY_MS);
    const empty = { start: String(NOW + DAY_MS), end: String(NOW + 2 * DAY_MS) };
    expect((await ask<CandleColumns>('candle', { symbol: ODD, ...empty })).data.time).toEqual([]);
  });

  test('compared with a younger coin both start at 0 on its first day, and its missing day is a gap', async () => {
    const { data } = await ask<CandleColumns>('candle', { symbol: 'BTCUSDT', compare: 'ZIGUSDT' });
    const { own, other } = data.compare!;
    expect([other[59], other[60], own[60]]).toEqual([null, 0, 0]);
    expect(own[59]).toBeCloseTo(bitcoin[59]! / bitcoin[60]! - 1, 12);
    expect(other[80]).toBeNull();
    expect(other[81]).toBeCloseTo(wave(40, 0.1, 2)[21]! / wave(40, 0.1, 2)[0]! - 1, 12);
  });

  test.each([
    ['unknown symbol', { symbol: 'NOSUCH' }, 2002, 'symbol'],
    ['unknown coin to compare', { symbol: ODD, compare: 'NOSUCH' }, 2002, 'compare'],
    ['a bar that is not stored', { symbol: ODD, bar: '1h' }, 2003, 'bar'],
    ['a bar that the other lacks', { symbol: 'BTCUSDT', bar: '1h', compare: 'ETHUSDT' }, 2003, 'compare'],
    ['itself', { symbol: ODD, compare: ODD }, 400, 'compare'],
    ['reversed dates', { symbol: ODD, start: '2000', end: '1000' }, 400, 'end'],
    ['an absurd count', { symbol: ODD, limit: '1e9' }, 400, 'limit'],
  ])('refuses %s', async (_what, query, code, field) => {
    const answer = await ask<Fields>('candle', query as Record<string, string>);
    expect(answer.code).toBe(code);
    expect(answer.data.fields[0]!.field).toBe(field);
  });
});

describe('GET /api/symbol/funding', () => {
  test('the newest settlements, ascending, with their APR', async () => {
    const { data } = await ask<{ time: number[]; rate: number[]; apr: number[]; hours: number }>('funding', {
      symbol: ODD,
      limit: '3',
    });
    expect(data.hours).toBe(8);
    expect(data.time).toEqual(times.slice(-3));
    expect(data.rate).toEqual(rates.slice(-3));
    expect(data.apr[0]).toBeCloseTo((rates.at(-3)! * 8760) / 8, 12);
  });

  test('a source without funding has empty columns', async () => {
    const { data } = await ask('funding', { symbol: 'XUSDT', source: 'bybit' });
    expect(data).toEqual({ symbol: 'XUSDT', hours: null, time: [], rate: [], apr: [] });
  });
});

describe('GET /api/symbol/depth', () => {
  const depthOf = async (size: number, symbol = 'BTCUSDT', source = 'simulated') =>
    (await app.as('trader')(api.depth, { query: { source, symbol, size } })).body.data.depth!;

  test('what a size costs on either side, by hand', async () => {
    const { mid, bid, ask, spreadBps, list } = await depthOf(420);
    expect([mid, bid, ask].map((price) => price.toFixed(6))).toEqual(['100.000000', '99.900000', '100.100000']);
    expect(spreadBps).toBeCloseTo(20, 8);
    const [buy, sell] = list;
    // 4.2 in whole lots are 4: two at 100.1 and two at 101.
    expect(buy).toMatchObject({ side: 'buy', quantity: '4', held: 1 });
    expect(buy!.price).toBeCloseTo(100.55, 10);
    expect(buy!.slippageBps).toBeCloseTo(55, 8);
    expect(buy!.slippage).toBeCloseTo(2.2, 10);
    expect(buy!.fee).toBeCloseTo(4 * 100.55 * 0.0005, 10);
    expect(buy!.cost).toBeCloseTo(2.2 + 0.2011, 10);
    expect(buy!.costBps).toBeCloseTo((2.4011 / 400) * 10_000, 8);
    expect(buy!.depth).toBeCloseTo(2 * 100.1 + 8 * 101, 8);
    // 101 lies 0.9 % above the best ask.
    expect(buy!.within.map((usdt) => usdt.toFixed(2))).toEqual(['200.20', '200.20', '1008.20']);
    // One at 99.9 and three at 99.
    expect(sell).toMatchObject({ side: 'sell', quantity: '4', held: 1 });
    expect(sell!.price).toBeCloseTo(99.225, 10);
    expect(sell!.slippageBps).toBeCloseTo(77.5, 8);
  });

  test('a side that holds less than the size has no price, and says how much of it there is', async () => {
    const [buy, sell] = (await depthOf(1_000)).list;
    expect(buy).toMatchObject({ quantity: '10', held: 1 });
    expect(sell).toMatchObject({ quantity: '10', held: 0.5, price: null, slippageBps: null, fee: null, cost: null });
  });

  test('nothing is said of a size below a lot, and of a coin without a book', async () => {
    const [buy] = (await depthOf(10)).list;
    expect(buy).toMatchObject({ quantity: '0', price: null, cost: null, held: null });
    expect(await depthOf(100, 'ETHUSDT')).toBeNull();
    expect(await depthOf(100, 'XUSDT', 'bybit')).toBeNull();
  });
});
