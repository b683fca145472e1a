import fc from 'fast-check';
import type { BacktestResult } from '#contract/backtest';
import { DAY_MS } from '#contract/duration';
import { curveCsv, legsCsv, tradesCsv } from '@/pages/test/hedge/backtestCsv';
import { type BacktestInputs, inputCodecs, toApi, toForm, toInputs } from '@/pages/test/hedge/backtestValues';

const basket = fc.uniqueArray(fc.constantFrom('BTCUSDT', 'BTC/USDT:USDT', '我踏马来了USDT', '1000PEPEUSDT'));
const instant = fc.option(fc.integer({ min: 0, max: 8.64e15 }));
/** Rates as a person types them: up to a thousandth of a basis point. */
const rate = fc.integer({ min: 0, max: 500_000 }).map((thousandths) => Number(`${thousandths}e-7`));

const inputs: fc.Arbitrary<BacktestInputs> = fc.record({
  source: fc.constantFrom('simulated', 'bybit'),
  long: basket,
  short: basket,
  bar: fc.constantFrom('1d' as const, '4h' as const, '1h' as const, null),
  start: instant,
  end: instant,
  days: fc.constantFrom(0, 30, 90, 365),
  capital: fc.integer({ min: 10, max: 1e12 }),
  leverage: fc.integer({ min: 1, max: 200 }).map((tenths) => tenths / 10),
  rebalance: fc.integer({ min: 0, max: 100_000 }),
  fee: rate,
  slippage: rate,
  funding: fc.boolean(),
  entryZ: fc.integer({ min: 0, max: 100 }).map((tenths) => tenths / 10),
  exitZ: fc.integer({ min: 0, max: 100 }).map((tenths) => tenths / 10),
  zWindow: fc.integer({ min: 30, max: 500 }),
  stopLoss: fc.integer({ min: 0, max: 90 }).map((percent) => Number(`${percent}e-2`)),
  takeProfit: fc.integer({ min: 0, max: 90 }).map((percent) => Number(`${percent}e-2`)),
  maxHoldingHours: fc.integer({ min: 0, max: 8760 }),
});

describe('inputs of a backtest', () => {
  test('survive the form unchanged', () => {
    fc.assert(fc.property(inputs, (given) => expect(toInputs(toForm(given))).toEqual(given)));
  });

  test('survive the address unchanged', () => {
    fc.assert(
      fc.property(inputs, (given) => {
        const params = new URLSearchParams();
        for (const [name, { write }] of Object.entries(inputCodecs)) {
          const text = (write as (value: unknown) => string | null)(given[name as keyof BacktestInputs]);
          if (text !== null) params.set(name, text);
        }
        const opened = new URLSearchParams(params.toString());
        const read = Object.entries(inputCodecs).map(([name, codec]) => [name, codec.read(opened.get(name))]);
        expect(Object.fromEntries(read)).toEqual(given);
      }),
    );
  });

  test('reach the call under its own names; what is open is left out', () => {
    const given = Object.fromEntries(
      Object.entries(inputCodecs).map(([name, { read }]) => [name, read(null)]),
    ) as unknown as BacktestInputs;
    expect(toApi({ ...given, long: ['A', 'B'], short: ['C'], start: 5 })).toEqual({
      source: 'simulated',
      long: 'A,B',
      short: 'C',
      start: 5,
      capital: 10_000,
      leverage: 1,
      rebalance: 0,
      fee: 0.0005,
      slippage: 0.0002,
      funding: true,
      ...{ entryZ: 0, exitZ: 0.5, zWindow: 90, stopLoss: 0, takeProfit: 0, maxHoldingHours: 0 },
    });
  });
});

describe('files of a backtest', () => {
  const result = {
    time: [0, DAY_MS],
    equity: [9993, 10_100.5],
    drawdown: [-0.0007, 0],
    longLeg: [-3.5, 1],
    shortLeg: [-3.5, 2],
    benchmark: [null, 10_000],
    trades: [
      {
        ...{ openAt: 0, closeAt: DAY_MS, bars: 1, notional: 6, longPnl: 1, shortPnl: -3, funding: 0, fees: 0.1 },
        ...{ slippage: 0.2, shortfall: 0, net: -2.3, return: null, mae: -2.3, mfe: 0, liquidated: true },
      },
    ],
    legs: [
      {
        symbol: '=HYPERLINK("x"),USDT',
        side: 'short',
        openAt: 0,
        closeAt: DAY_MS,
        openPrice: 1,
        closePrice: 2,
        quantity: 3,
        notional: 3,
        pricePnl: -3,
        funding: 0,
        fees: 0.1,
        slippage: 0.2,
        net: -3.3,
        return: null,
        bars: 1,
      },
    ],
  } as unknown as BacktestResult;

  test('open in Excel: byte order mark, header, one line per close, blanks for what is missing', () => {
    const lines = curveCsv(result).split('\r\n');
    expect(lines[0]).toBe('\uFEFF时间 UTC,权益 USDT,回撤 (%),多头腿 USDT,空头腿 USDT,BTC 基准 USDT');
    expect(lines[1]).toBe('1970-01-01 00:00:00,9993.00,-0.07,-3.50,-3.50,');
    expect(lines[2]).toBe('1970-01-02 00:00:00,10100.50,0.00,1.00,2.00,10000.00');
  });

  test('do not run what a symbol says, and keep losses as numbers', () => {
    const [, line] = legsCsv(result).split('\r\n');
    expect(line).toMatch(/^"'=HYPERLINK\(""x""\),USDT",空,/);
    expect(line).toMatch(/,-3\.30,$/);
    const hedge = '1970-01-01 00:00:00,1970-01-02 00:00:00,1,6.00,1.00,-3.00,0.00,0.10,0.20,0.00,-2.30,,-2.30,0.00,是';
    expect(tradesCsv(result).split('\r\n')[1]).toBe(hedge);
  });
});
