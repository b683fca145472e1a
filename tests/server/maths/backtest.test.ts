import fc from 'fast-check';
import { DAY_MS, HOUR_MS } from '#contract/duration';
import { type BacktestInput, type BacktestSymbol, runBacktest } from '../../../server/base/maths/backtest';
import type { Bars } from '../../../server/base/maths/closes';
import { legAt } from '../../../server/base/maths/legTable';
import { MathsRefusal } from '../../../server/base/maths/mathsRefusal';
import { pairFacts } from '../../../server/base/maths/pair';
import { nullable } from '../../../server/base/maths/statistics';

const START = Date.UTC(2024, 0, 1);

function barsOf(closes: number[], days = closes.map((_, i) => i), barMs = DAY_MS): Bars {
  const close = Float64Array.from(closes);
  return { time: Float64Array.from(days, (day) => START + day * barMs), open: close, high: close, low: close, close };
}

function coin(symbol: string, bars: Bars, settlements: [number, number][] | null = null, hours = 24): BacktestSymbol {
  const funding = settlements && {
    time: Float64Array.from(settlements, ([time]) => time),
    rate: Float64Array.from(settlements, ([, rate]) => rate),
  };
  return { symbol, bars, funding, fundingHours: hours };
}

function inputOf(long: BacktestSymbol[], short: BacktestSymbol[], changes: Partial<BacktestInput> = {}): BacktestInput {
  const costs = { fee: 0, slippage: 0, funding: false };
  return {
    long,
    short,
    barMs: DAY_MS,
    capital: 1000,
    leverage: 1,
    rebalance: 0,
    benchmark: null,
    ...costs,
    ...changes,
  };
}

function refusalOf(input: BacktestInput): { reason: string; field: string } | null {
  try {
    runBacktest(input);
    return null;
  } catch (error) {
    if (!(error instanceof MathsRefusal)) throw error;
    return { reason: error.reason, field: error.field };
  }
}

describe('3 bars, 2 symbols, by hand', () => {
  /*
   * Capital 1000, leverage 1, rebalance every bar, fee 0.005, slippage 0.00025: 0.00525 per traded notional.
   * Closes A 100, 125, 130 (long), B 50, 62.5, 60 (short). Bars open on days 0, 1, 2, so they close on days 1, 2, 3.
   *
   * Close 0: q(A) = 1000 / 2 / 100 = 5, q(B) = -1000 / 2 / 50 = -10. Traded 500 + 500, cost 1000 x 0.00525 = 5.25.
   *          E = 994.75.
   * Close 1: price 5 x 25 - 10 x 12.5 = 0. B settled 0.0084 within (close 0, close 1]: -(-10 x 62.5 x 0.0084) = +5.25.
   *          E = 994.75 + 0 + 5.25 = 1000. New q(A) = 500 / 125 = 4, q(B) = -500 / 62.5 = -8.
   *          Traded 1 x 125 + 2 x 62.5 = 250, cost 1.3125. E = 998.6875.
   * Close 2: price 4 x 5 - 8 x (-2.5) = 40. A settled 0.001: -(4 x 130 x 0.001) = -0.52. E = 1038.1675.
   *          Everything closed: traded 4 x 130 + 8 x 60 = 1000, cost 5.25. E = 1032.9175.
   * A settlement at the first close itself (rate 0.5) belongs to the time before the entry and is not charged.
   */
  const firstClose = START + DAY_MS;
  const a = coin('A', barsOf([100, 125, 130]), [
    [firstClose, 0.5],
    [firstClose + 2 * DAY_MS, 0.001],
  ]);
  const b = coin('B', barsOf([50, 62.5, 60]), [[firstClose + 1, 0.0084]]);
  const input = inputOf([a], [b], { rebalance: 1, fee: 0.005, slippage: 0.00025, funding: true });
  const result = runBacktest(input);

  test('equity, legs and drawdown', () => {
    expect([...result.time]).toEqual([START + DAY_MS, START + 2 * DAY_MS, START + 3 * DAY_MS]);
    const equity = [994.75, 998.6875, 1032.9175];
    // Long: -2.625; + 125 - 0.65625; + 20 - 0.52 - 520 x 0.00525. Short: -2.625; - 125 + 5.25 - 0.65625; + 20 - 2.52.
    const long = [-2.625, 121.71875, 138.46875];
    const short = [-2.625, -123.03125, -105.55125];
    const drawdown = [-0.00525, -0.0013125, 0];
    for (let i = 0; i < 3; i++) {
      expect(result.equity[i]).toBeCloseTo(equity[i]!, 10);
      expect(result.longLeg[i]).toBeCloseTo(long[i]!, 10);
      expect(result.shortLeg[i]).toBeCloseTo(short[i]!, 10);
      expect(result.drawdown[i]).toBeCloseTo(drawdown[i]!, 13);
    }
  });

  test('legs: one per holding period and symbol', () => {
    const legs = Array.from({ length: result.legs.length }, (_, i) => legAt(result.legs, i));
    expect(legs.map(({ symbol, side, bars, openAt }) => [symbol, side, bars, openAt])).toEqual([
      ['A', 'long', 1, START + DAY_MS],
      ['B', 'short', 1, START + DAY_MS],
      ['A', 'long', 1, START + 2 * DAY_MS],
      ['B', 'short', 1, START + 2 * DAY_MS],
    ]);
    // The cost of a rebalance belongs to the leg it opens, that of the exit to the last one.
    const net = [125 - 2.625, -125 + 5.25 - 2.625, 20 - 0.52 - 645 * 0.00525, 20 - 605 * 0.00525];
    for (const [i, leg] of legs.entries()) expect(leg.net).toBeCloseTo(net[i]!, 10);
    expect(legs[2]).toMatchObject({ quantity: 4, openPrice: 125, closePrice: 130, notional: 500, pricePnl: 20 });
    expect(legs[3]!.fees).toBeCloseTo(605 * 0.005, 10);
    expect(legs[3]!.slippage).toBeCloseTo(605 * 0.00025, 10);
    expect(legs[3]!.return).toBeCloseTo(net[3]! / 500, 12);
  });

  test('one trade: the hedge from entry to exit, the rebalance within it not counted', () => {
    expect(result.trades).toHaveLength(1);
    const [trade] = result.trades;
    expect(trade).toMatchObject({
      openAt: START + DAY_MS,
      closeAt: START + 3 * DAY_MS,
      bars: 2,
      notional: 1000,
      shortfall: 0,
    });
    const figures = { longPnl: 145, shortPnl: -105, funding: 4.73, fees: 11.25, slippage: 0.5625, net: 32.9175 };
    for (const [key, value] of Object.entries(figures)) expect(trade![key as 'net']).toBeCloseTo(value, 10);
    expect(trade!.return).toBeCloseTo(0.0329175, 12);
    // Equity 994.75, 998.6875, 1032.9175 against the capital of 1000.
    expect(trade!.mae).toBeCloseTo(-5.25, 10);
    expect(trade!.mfe).toBeCloseTo(32.9175, 10);
  });

  test('split, summary and months', () => {
    expect(result.split.price).toBeCloseTo(40, 10);
    expect(result.split.funding).toBeCloseTo(4.73, 10);
    expect(result.split.fees).toBeCloseTo(-2250 * 0.005, 10);
    expect(result.split.slippage).toBeCloseTo(-2250 * 0.00025, 10);
    expect(result.split.net).toBeCloseTo(32.9175, 10);
    const { summary } = result;
    expect(summary.finalEquity).toBeCloseTo(1032.9175, 10);
    expect(summary.totalReturn).toBeCloseTo(0.0329175, 13);
    expect(summary.longReturn).toBeCloseTo(0.13846875, 13);
    expect(summary.days).toBe(2);
    expect(summary.cagr).toBeCloseTo(1.0329175 ** (365 / 2) - 1, 8);
    // One hedge over two days: far too few for the figures of trades and days.
    expect(summary).toMatchObject({
      trades: 1,
      fewestTrades: 10,
      averageHoldDays: 2,
      fewestDays: 20,
      liquidated: false,
    });
    for (const key of [
      'winRate',
      'profitFactor',
      'payoff',
      'expectancy',
      'sqn',
      'sharpe',
      'sortino',
      'calmar',
    ] as const)
      expect(summary[key]).toBeNull();
    expect(summary.maxDrawdown).toBeCloseTo(-0.00525, 13);
    expect(summary.drawdownRecoveredAt).toBe(START + 3 * DAY_MS);
    const equityMean = (994.75 + 998.6875 + 1032.9175) / 3;
    expect(summary.turnover).toBeCloseTo(2250 / equityMean / 2, 12);
    expect(summary.costDrag).toBeCloseTo((2250 * 0.00525) / 44.73, 12);
    // Close 1: gross 625 + 625 over 998.6875, net 0. Close 2: gross 520 + 480 over 1032.9175, net 40.
    expect(summary.averageGross).toBeCloseTo((1250 / 998.6875 + 1000 / 1032.9175) / 2, 12);
    expect(summary.averageNet).toBeCloseTo((0 + 0.04) / 2, 12);
    expect(result.months.map(({ month }) => month)).toEqual(['2024-01']);
    expect(result.months[0]!.return).toBeCloseTo(0.0329175, 13);
  });

  test('honesty: settlements due by the interval, minus those stored', () => {
    // 24 h intervals: due at the 2nd and 3rd close. A has one of them; B's row lies off the beat but is one row of two.
    expect(result.honesty).toMatchObject({ barsUsed: 3, barsDropped: 0, fundingExpected: 4, fundingMissing: 2 });
    const unfunded = runBacktest({ ...input, long: [{ ...a, funding: null, fundingHours: null }] });
    // Unknown interval: 8 h assumed for the expectation, 6 in two days, none stored.
    expect(unfunded.honesty.symbols[0]).toMatchObject({ symbol: 'A', fundingExpected: 6, fundingMissing: 6 });
    expect(runBacktest({ ...input, funding: false }).honesty).toMatchObject({ fundingExpected: 0, fundingMissing: 0 });
  });
});

describe('time axis', () => {
  test('bars that a symbol lacks are left out and counted, the last duplicate wins', () => {
    const long = coin('A', barsOf([100, 101, 999, 102, 103, 104], [0, 1, 2, 2, 3, 5]));
    const short = coin('B', barsOf([50, 50, 50, 50, 50], [1, 2, 4, 5, 6]));
    const result = runBacktest(inputOf([long], [short]));
    // Common: days 1, 2, 5. Between them A alone has 3 and B alone has 4; day 0 and 6 lie outside the common history.
    expect([...result.time]).toEqual([2, 3, 6].map((day) => START + day * DAY_MS));
    expect(result.honesty).toMatchObject({ barsUsed: 3, barsDropped: 2 });
    expect(result.split.price).toBeCloseTo((500 / 101) * 3, 10);
    expect(result.honesty.symbols).toEqual([
      expect.objectContaining({
        symbol: 'A',
        firstAt: START + DAY_MS,
        lastAt: START + 6 * DAY_MS,
        bars: 5,
        unusable: 0,
      }),
      expect.objectContaining({ symbol: 'B', firstAt: START + 2 * DAY_MS, lastAt: START + 7 * DAY_MS, bars: 5 }),
    ]);
  });

  test('a bar with a price that is not positive and finite counts as lacking', () => {
    const dirty = barsOf([100, 101, 102, 103, 104, 105]);
    dirty.open = dirty.open.map((value, i) => (i === 0 ? 0 : value));
    dirty.low = dirty.low.map((value, i) => (i === 2 ? -1 : value));
    dirty.high = dirty.high.map((value, i) => (i === 3 ? Number.POSITIVE_INFINITY : i === 4 ? Number.NaN : value));
    const result = runBacktest(inputOf([coin('A', dirty)], [coin('B', barsOf([5, 5, 5, 5, 5, 5]))]));
    expect([...result.time]).toEqual([START + 2 * DAY_MS, START + 6 * DAY_MS]);
    expect(result.honesty).toMatchObject({ barsUsed: 2, barsDropped: 3 });
    expect(result.honesty.symbols[0]).toMatchObject({ bars: 2, unusable: 4 });
  });

  test('start and end bound the closes; bars missing in the window asked for are counted', () => {
    const long = coin('A', barsOf([1, 2, 3, 4, 5, 6]));
    const short = coin('B', barsOf([1, 1, 1, 1], [2, 3, 4, 5]));
    const result = runBacktest(inputOf([long], [short], { start: START + 2 * DAY_MS, end: START + 5 * DAY_MS }));
    expect([...result.time]).toEqual([3, 4, 5].map((day) => START + day * DAY_MS));
    expect(result.honesty.barsDropped).toBe(1);
  });

  test('rows in any order give the same run', () => {
    const order = [3, 0, 2, 1];
    const shuffled = barsOf(
      [110, 100, 105, 130].map((_, i) => [100, 130, 105, 110][order[i]!]!),
      order,
    );
    const sorted = inputOf([coin('A', barsOf([100, 130, 105, 110]))], [coin('B', barsOf([5, 6, 5, 7]))]);
    const mixed = inputOf([coin('A', shuffled)], sorted.short);
    expect(runBacktest(mixed).equity).toEqual(runBacktest(sorted).equity);
  });

  test('BTC is carried over its gaps and starts at the capital', () => {
    const input = inputOf([coin('A', barsOf([1, 1, 1]))], [coin('B', barsOf([1, 1, 1]))]);
    const gap = runBacktest({ ...input, benchmark: barsOf([200, 300], [0, 2]) });
    expect(nullable(gap.benchmark!)).toEqual([1000, 1000, 1500]);
    expect(gap.summary.btcReturn).toBeCloseTo(0.5, 14);
    const late = runBacktest({ ...input, benchmark: barsOf([200, 300], [1, 2]) });
    expect(nullable(late.benchmark!)).toEqual([null, 1000, 1500]);
    expect(late.summary.btcReturn).toBeNull();
    expect(runBacktest({ ...input, benchmark: barsOf([200], [9]) }).benchmark).toBeNull();
  });
});

describe('liquidation', () => {
  test('ends the run with what is left cut off at 0, and the split still adds up', () => {
    // Short 10 of B at 50: at 170 it has lost 1200 of 1000.
    const settled: [number, number][] = [3, 4, 5].map((day) => [START + day * DAY_MS, 0.01]);
    const input = inputOf(
      [coin('A', barsOf([100, 100, 100, 100, 100]))],
      [coin('B', barsOf([50, 60, 170, 20, 20]), settled)],
    );
    const result = runBacktest({ ...input, fee: 0.001, funding: true });
    expect(result.summary.liquidated).toBe(true);
    // Entry cost 1; -100; -1100 and funding received 10 x 170 x 0.01 = 17: -184. Closing 500 + 1700 costs 2.2: -186.2.
    expect([...result.equity]).toEqual([999, 899, 0]);
    expect(result.drawdown[2]).toBe(-1);
    expect(result.summary).toMatchObject({ finalEquity: 0, cagr: -1, calmar: null, trades: 1, maxDrawdown: -1 });
    const { price, funding, fees, slippage, shortfall, net } = result.split;
    for (const [value, wanted] of [
      [price, -1200],
      [funding, 17],
      [fees, -3.2],
      [slippage, 0],
      [shortfall, 186.2],
      [net, -1000],
    ] as const)
      expect(value).toBeCloseTo(wanted, 9);
    expect(result.trades[0]).toMatchObject({ liquidated: true, shortfall, net, mae: -1000 });
    // Nothing is due after the end: B has its one settlement of (close 0, close 2] short of two.
    expect(result.honesty.symbols[1]).toMatchObject({ fundingExpected: 2, fundingMissing: 1 });
    expect(result.honesty.maintenanceRate).toBe(0.005);
  });

  test('comes at the maintenance margin, before the equity is gone', () => {
    // 20 x 1000: 100 of A at 100, -200 of B at 50, entry cost 20.
    const runTo = (top: number) =>
      runBacktest(
        inputOf([coin('A', barsOf([100, 100, 100]))], [coin('B', barsOf([50, top, 50]))], { fee: 0.001, leverage: 20 }),
      );
    // At 54.3: 980 - 860 = 120 over 0.005 x 20860 = 104.3. It goes on to the last close and pays 20 there.
    const spared = runTo(54.3);
    expect(spared.summary.liquidated).toBe(false);
    expect(spared.equity[1]).toBeCloseTo(120, 9);
    expect(spared.equity[2]).toBeCloseTo(960, 9);
    // At 54.5: 980 - 900 = 80, not over 0.005 x 20900 = 104.5. Closing costs 20.9.
    const closed = runTo(54.5);
    expect(closed.summary.liquidated).toBe(true);
    expect(closed.equity).toHaveLength(2);
    expect(closed.equity[1]).toBeCloseTo(59.1, 9);
    expect(closed.split.shortfall).toBe(0);
  });

  test('costs alone can end it at the entry', () => {
    const input = inputOf([coin('A', barsOf([1, 1]))], [coin('B', barsOf([1, 1]))], { fee: 0.05, leverage: 20 });
    const result = runBacktest(input);
    expect([...result.equity]).toEqual([0]);
    expect(result.summary).toMatchObject({ liquidated: true, trades: 1, cagr: null, maxDrawdown: -1 });
    // 20 x 1000 bought and sold at once, 5 % each time.
    const lost = { price: 0, funding: 0, fees: -2000, slippage: 0, shortfall: 1000, net: -1000 };
    expect(result.split).toEqual(lost);
  });
});

describe('days', () => {
  const closes = (count: number) => Array.from({ length: count }, (_, i) => 100 + 3 * Math.sin(i));
  const run = (count: number, changes: Partial<BacktestInput> = {}) =>
    runBacktest(inputOf([coin('A', barsOf(closes(count)))], [coin('B', barsOf(Array(count).fill(10)))], changes));

  test('Sharpe, Sortino and Calmar want twenty of them', () => {
    expect(run(20).summary).toMatchObject({ days: 19, sharpe: null, sortino: null, calmar: null });
    const { equity, summary } = run(21);
    const returns = [...equity].map((value, i) => value / (i === 0 ? 1000 : equity[i - 1]!) - 1);
    const mean = returns.reduce((sum, value) => sum + value) / 21;
    const sd = Math.sqrt(returns.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 20);
    const down = Math.sqrt(returns.reduce((sum, value) => sum + Math.min(value, 0) ** 2, 0) / 21);
    expect(summary.days).toBe(20);
    expect(summary.sharpe).toBeCloseTo((mean / sd) * Math.sqrt(365), 9);
    expect(summary.sortino).toBeCloseTo((mean / down) * Math.sqrt(365), 9);
    const growth = (equity[20]! / 1000) ** (365 / 20) - 1;
    expect(summary.calmar).toBeCloseTo(growth / Math.abs(summary.maxDrawdown!), 9);
  });

  test('count back from the last close where neither start nor end is given', () => {
    const whole = run(100);
    const part = run(100, { days: 30 });
    expect(part.time).toHaveLength(31);
    expect(part.time[30]).toBe(whole.time[99]);
    expect(run(100, { days: 500 }).time).toHaveLength(100);
    expect(run(100, { days: 30, end: START + 50 * DAY_MS }).time).toHaveLength(50);
    expect(run(100, { days: 0 }).time).toHaveLength(100);
  });
});

describe('hourly bars', () => {
  test('feed the ratios with daily closes', () => {
    const price = Array.from({ length: 24 * 21 }, (_, i) => 100 + 3 * Math.sin(i));
    const flat = price.map(() => 10);
    const input = inputOf(
      [coin('A', barsOf(price, undefined, HOUR_MS))],
      [coin('B', barsOf(flat, undefined, HOUR_MS))],
      {
        barMs: HOUR_MS,
      },
    );
    const { equity, summary } = runBacktest(input);
    const daily = Array.from({ length: 21 }, (_, day) => equity[24 * day + 23]!);
    const returns = daily.map((value, i) => value / (daily[i - 1] ?? 1000) - 1);
    const mean = returns.reduce((sum, value) => sum + value) / 21;
    const sd = Math.sqrt(returns.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 20);
    expect(summary.sharpe).toBeCloseTo((mean / sd) * Math.sqrt(365), 9);
    expect(summary.maxDrawdown).toBeCloseTo(
      Math.min(...daily.map((v, i) => v / Math.max(1000, ...daily.slice(0, i + 1)) - 1)),
      12,
    );
  });
});

describe('refusals name the field', () => {
  const a = coin('A', barsOf([1, 2, 3]));
  const b = coin('B', barsOf([1, 2, 3]));
  const good = inputOf([a], [b]);
  test.each([
    ['empty side', { ...good, short: [] }, { reason: 'emptySide', field: 'short' }],
    ['both sides', { ...good, short: [b, a] }, { reason: 'duplicateSymbol', field: 'short' }],
    ['capital', { ...good, capital: 0 }, { reason: 'badNumber', field: 'capital' }],
    ['leverage', { ...good, leverage: Number.NaN }, { reason: 'badNumber', field: 'leverage' }],
    ['rebalance', { ...good, rebalance: 1.5 }, { reason: 'badNumber', field: 'rebalance' }],
    ['fee', { ...good, fee: -0.1 }, { reason: 'badNumber', field: 'fee' }],
    ['dates', { ...good, start: 2, end: 1 }, { reason: 'reversedDates', field: 'end' }],
    ['window', { ...good, start: START + 3 * DAY_MS }, { reason: 'noCommonHistory', field: 'long' }],
    ['history', { ...good, short: [coin('B', barsOf([1, 2], [7, 8]))] }, { reason: 'noCommonHistory', field: 'long' }],
    ['no bars', { ...good, short: [coin('B', barsOf([]))] }, { reason: 'noCommonHistory', field: 'long' }],
    [
      'times',
      { ...good, short: [coin('B', barsOf([1, 2], [0, Number.NaN]))] },
      { reason: 'badColumns', field: 'time' },
    ],
  ])('%s', (_, input, refusal) => expect(refusalOf(input)).toEqual(refusal));
});

/** Steps 1 to 4 once more, bar by bar with maps, as plainly as they can be written. */
function plainBacktest(input: BacktestInput): { time: number[]; equity: number[] } {
  const sides = [
    ...input.long.map((symbol) => ({ symbol, side: 1 })),
    ...input.short.map((symbol) => ({ symbol, side: -1 })),
  ];
  const closes = sides.map(({ symbol: { bars } }) => {
    const byTime = new Map<number, number>();
    bars.time.forEach((time, i) => {
      byTime.set(time + input.barMs, bars.close[i]!);
    });
    return byTime;
  });
  const time = [...closes[0]!.keys()].filter((at) => closes.every((one) => one.get(at)! > 0)).sort((x, y) => x - y);
  const price = (s: number, i: number) => closes[s]!.get(time[i]!)!;
  let equity = input.capital;
  let held = sides.map(() => 0);
  const change = (i: number, wanted: number[]) => {
    for (const [s, quantity] of wanted.entries()) {
      equity -= Math.abs(quantity - held[s]!) * price(s, i) * (input.fee + input.slippage);
    }
    held = wanted;
  };
  const targets = (i: number) =>
    sides.map(({ side }, s) => {
      const count = side > 0 ? input.long.length : input.short.length;
      return (side * equity * input.leverage) / 2 / count / price(s, i);
    });
  const flat = sides.map(() => 0);
  const curve: number[] = [];
  let gone = false;
  for (const i of time.keys()) {
    if (i === 0) change(0, targets(0));
    else {
      for (const [s, quantity] of held.entries()) equity += quantity * (price(s, i) - price(s, i - 1));
      for (const [s, { symbol }] of sides.entries()) {
        symbol.funding?.time.forEach((at, k) => {
          if (input.funding && at > time[i - 1]! && at <= time[i]!)
            equity -= held[s]! * price(s, i) * symbol.funding!.rate[k]!;
        });
      }
      const gross = held.reduce((sum, quantity, s) => sum + Math.abs(quantity) * price(s, i), 0);
      gone = equity <= 0.005 * gross;
      if (gone || i === time.length - 1) change(i, flat);
      else if (input.rebalance > 0 && i % input.rebalance === 0) change(i, targets(i));
    }
    if (equity <= 0) {
      gone = true;
      change(i, flat);
      equity = 0;
    }
    curve.push(equity);
    if (gone) break;
  }
  return { time: time.slice(0, curve.length), equity: curve };
}

describe('properties', () => {
  const price = (min: number, max: number) => fc.double({ min, max, noNaN: true });
  const column = (min: number, max: number) =>
    fc.array(fc.record({ day: fc.integer({ min: 0, max: 15 }), close: price(min, max) }), {
      minLength: 8,
      maxLength: 30,
    });
  const settlement = fc.tuple(fc.integer({ min: 0, max: 17 * 24 }), fc.double({ min: -0.01, max: 0.01, noNaN: true }));
  const symbols = (min: number, max: number, name: string) =>
    fc
      .array(fc.tuple(column(min, max), fc.uniqueArray(settlement, { selector: ([hour]) => hour, maxLength: 10 })), {
        minLength: 1,
        maxLength: 3,
      })
      .map((list) =>
        list.map(([rows, funding], i) => {
          const bars = barsOf(
            rows.map(({ close }) => close),
            rows.map(({ day }) => day),
          );
          const settlements = funding.map(([hour, rate]): [number, number] => [START + hour * HOUR_MS, rate]);
          return coin(`${name}${i}`, bars, settlements, 8);
        }),
      );
  const runs = fc
    .record({
      long: symbols(20, 200, 'L'),
      short: symbols(20, 200, 'S'),
      leverage: price(0.1, 5),
      rebalance: fc.integer({ min: 0, max: 4 }),
      fee: price(0, 0.01),
      slippage: price(0, 0.01),
      funding: fc.boolean(),
    })
    .map(({ long, short, ...changes }) => inputOf(long, short, changes))
    .filter((input) => plainBacktest(input).time.length >= 2);

  test('agrees with the plain version, dirt and liquidations included', () => {
    fc.assert(
      fc.property(runs, (input) => {
        const result = runBacktest(input);
        const plain = plainBacktest(input);
        expect([...result.time]).toEqual(plain.time);
        for (const [i, equity] of plain.equity.entries()) expect(result.equity[i]).toBeCloseTo(equity, 7);
      }),
    );
  });

  test('the split, the sides, the legs and the trade add up to the result', () => {
    fc.assert(
      fc.property(runs, (input) => {
        const result = runBacktest(input);
        const last = result.equity.length - 1;
        const net = result.equity[last]! - input.capital;
        const { price, funding, fees, slippage, shortfall } = result.split;
        expect(price + funding + fees + slippage + shortfall).toBeCloseTo(net, 7);
        expect(result.longLeg[last]! + result.shortLeg[last]! + shortfall).toBeCloseTo(net, 7);
        let legs = 0;
        for (let i = 0; i < result.legs.length; i++) legs += legAt(result.legs, i).net;
        expect(legs + shortfall).toBeCloseTo(net, 7);
        const [trade] = result.trades;
        expect(trade!.longPnl + trade!.shortPnl).toBeCloseTo(price, 7);
        expect(trade!.net).toBeCloseTo(net, 7);
        expect(Math.min(...result.equity)).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  test('no figure is NaN or infinite', () => {
    fc.assert(
      fc.property(runs, (input) => {
        for (const value of Object.values(runBacktest(input).summary)) {
          if (typeof value === 'number') expect(Number.isFinite(value)).toBe(true);
        }
      }),
    );
  });

  test('swapping long and short without costs, funding and rebalance negates the result at every close', () => {
    // Prices stay within +-20 %, so neither run can lose its equity.
    fc.assert(
      fc.property(symbols(90, 110, 'L'), symbols(90, 110, 'S'), (long, short) => {
        const input = inputOf(long, short);
        fc.pre(plainBacktest(input).time.length >= 2);
        const there = runBacktest(input);
        const back = runBacktest({ ...input, long: short, short: long });
        expect(back.equity).toHaveLength(there.equity.length);
        for (const [i, equity] of there.equity.entries()) {
          expect(equity - 1000 + (back.equity[i]! - 1000)).toBeCloseTo(0, 8);
        }
      }),
    );
  });
});

describe('by the rules of a desk', () => {
  const DAYS = 260;
  const RULE = { entryZ: 1.2, exitZ: 0.2, window: 40, stopLoss: null, takeProfit: null, maxHoldingMs: null };
  let state = 5;
  const draw = () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31 - 0.5;
  };
  let [level, distance] = [0, 0];
  const [ours, theirs] = [[] as number[], [] as number[]];
  for (let day = 0; day < DAYS; day += 1) {
    level += 0.06 * draw();
    distance = 0.8 * distance + 0.04 * draw();
    theirs.push(50 * Math.exp(level));
    ours.push(100 * Math.exp(level + distance));
  }
  const settled = Array.from({ length: DAYS }, (_, day): [number, number] => [START + day * DAY_MS, 0.001 * draw()]);
  const pair = [coin('A', barsOf(ours), settled), coin('B', barsOf(theirs), settled)] as const;
  const input = (changes: Partial<BacktestInput> = {}) =>
    inputOf([pair[0]], [pair[1]], {
      ...{ start: START + 60 * DAY_MS, fee: 0.0005, slippage: 0.0002, funding: true, rule: RULE },
      ...changes,
    });
  const zAt = (closeAt: number) => {
    const end = Math.round((closeAt - START) / DAY_MS);
    const columns = [ours, theirs].map((closes) => Float64Array.from(closes.slice(end - RULE.window, end)));
    return pairFacts(columns[0]!, columns[1]!).zScores!.z.at(-1)!;
  };

  test('goes in where z is low, by what had closed until then, and out where it has come back', () => {
    const { trades, time, equity, split, summary } = runBacktest(input());
    expect(trades.length).toBeGreaterThan(5);
    let free = time[0]!;
    for (const { openAt, closeAt, bars } of trades) {
      for (let at = free; at < openAt; at += DAY_MS) expect(zAt(at)).toBeGreaterThan(-RULE.entryZ);
      expect(zAt(openAt)).toBeLessThanOrEqual(-RULE.entryZ);
      for (let at = openAt + DAY_MS; at < closeAt; at += DAY_MS) expect(zAt(at)).toBeLessThan(-RULE.exitZ);
      if (closeAt < time.at(-1)!) expect(zAt(closeAt)).toBeGreaterThanOrEqual(-RULE.exitZ);
      expect(bars).toBe((closeAt - openAt) / DAY_MS);
      // Nothing is held in between.
      const [from, to] = [free, openAt].map((at) => time.indexOf(at));
      expect(new Set(equity.slice(from, to!)).size).toBeLessThanOrEqual(1);
      free = closeAt + DAY_MS;
    }
    const nets = trades.reduce((sum, { net }) => sum + net, 0);
    expect(nets).toBeCloseTo(split.net, 8);
    expect(split.price + split.funding + split.fees + split.slippage).toBeCloseTo(split.net, 8);
    expect(summary.trades).toBe(trades.length);
  });

  test.each([0, 3])(
    'makes of each hedge what holding it from there to there makes (rebalanced every %i)',
    (rebalance) => {
      const { trades, equity, time, legs } = runBacktest(input({ rebalance }));
      for (const trade of trades) {
        const before = time.indexOf(trade.openAt) - 1;
        const { rule: _, ...held } = input({ rebalance });
        const alone = runBacktest({
          ...held,
          ...{ start: trade.openAt, end: trade.closeAt, capital: before < 0 ? held.capital : equity[before]! },
        });
        for (const [key, value] of Object.entries(alone.trades[0]!)) {
          expect([key, trade[key as keyof typeof trade]]).toEqual([
            key,
            typeof value === 'number' ? expect.closeTo(value, 6) : value,
          ]);
        }
      }
      const rows = Array.from({ length: legs.length }, (_none, i) => legAt(legs, i));
      expect(rows.reduce((sum, { net }) => sum + net, 0)).toBeCloseTo(equity.at(-1)! - 1000, 6);
    },
  );

  test('goes out at its stop, its target or its time, and stays out where nothing calls it in', () => {
    const held = (rule: Partial<typeof RULE> | object) => runBacktest(input({ rule: { ...RULE, ...rule } })).trades;
    const [stopped, taken, timed] = [
      held({ stopLoss: 0.003 }),
      held({ takeProfit: 0.006 }),
      held({ maxHoldingMs: 2 * DAY_MS }),
    ];
    const worst = (trades: typeof stopped) => Math.min(...trades.map((one) => one.return!));
    expect(stopped.some((one) => one.return! < -0.003)).toBe(true);
    expect(worst(stopped)).toBeGreaterThanOrEqual(worst(held({})) - 0.02);
    expect(taken.some((one) => one.return! > 0.004)).toBe(true);
    expect(Math.max(...timed.map(({ bars }) => bars))).toBe(2);
    const never = runBacktest(input({ rule: { ...RULE, entryZ: 9 } }));
    expect([never.trades, never.legs.length, never.split.net]).toEqual([[], 0, 0]);
    expect(new Set(never.equity)).toEqual(new Set([1000]));
  });
});
