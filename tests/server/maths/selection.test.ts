import fc from 'fast-check';
import { DAY_MS } from '#contract/duration';
import { MathsRefusal } from '../../../server/base/maths/mathsRefusal';
import { type SelectionCoin, selectCoins } from '../../../server/base/maths/selection';

const START = Date.UTC(2024, 0, 1);

/** Daily closes on consecutive days that end on day `lastDay`. */
function coin(
  symbol: string,
  closes: number[],
  changes: Partial<SelectionCoin> & { lastDay?: number } = {},
): SelectionCoin {
  const { lastDay = 100, ...rest } = changes;
  const first = lastDay - closes.length + 1;
  return {
    symbol,
    time: Float64Array.from(closes, (_, i) => START + (first + i) * DAY_MS),
    close: Float64Array.from(closes),
    turnover24h: null,
    fundingRate: null,
    fundingHours: null,
    ...rest,
  };
}

/** 31 closes that grow by `growth` a day, every second day by a bit more, which gives them a volatility. */
const growing = (growth: number, wiggle = 0.01, days = 31) => {
  const closes = [100];
  for (let i = 1; i < days; i++) closes.push(closes[i - 1]! * Math.exp(growth + (i % 2 === 0 ? wiggle : -wiggle)));
  return closes;
};

const rowOf = (symbol: string, coins: SelectionCoin[]) =>
  selectCoins(coins, 'BTC').rows.find((row) => row.symbol === symbol)!;

describe('figures of a coin', () => {
  test('returns count days, not rows', () => {
    const closes = Array.from({ length: 40 }, (_, i) => 100 + i);
    const row = rowOf('A', [coin('A', closes)]);
    expect(row.ret1).toBeCloseTo(139 / 138 - 1, 14);
    expect(row.ret7).toBeCloseTo(139 / 132 - 1, 14);
    expect(row.ret30).toBeCloseTo(139 / 109 - 1, 14);
    expect(row).toMatchObject({ close: 139, lastAt: START + 100 * DAY_MS });
  });

  test('a missing day is stood for by the newest close up to 3 days before it', () => {
    const full = coin(
      'A',
      Array.from({ length: 45 }, (_, i) => 100 + i),
    );
    const without = (days: number[]) => {
      const keep = [...full.time.keys()].filter((i) => !days.includes(44 - i));
      return {
        ...full,
        time: full.time.filter((_, i) => keep.includes(i)),
        close: full.close.filter((_, i) => keep.includes(i)),
      };
    };
    expect(rowOf('A', [without([7, 8])]).ret7).toBeCloseTo(144 / 135 - 1, 14);
    expect(rowOf('A', [without([7, 8, 9, 10])]).ret7).toBeNull();
  });

  test('volatility of the last 30 log returns', () => {
    // Log returns alternate 0.02 and 0: mean 0.01, every deviation 0.01; variance 30 x 0.0001 / 29.
    const row = rowOf('A', [coin('A', growing(0.01))]);
    expect(row.vol30).toBeCloseTo(Math.sqrt((30 * 0.0001) / 29) * Math.sqrt(365), 12);
  });

  test('beta, correlation and excess return against BTC', () => {
    const market = growing(0.002, 0.03);
    const btc = coin('BTC', market);
    const double = coin(
      'A',
      market.map((price) => price ** 2),
    );
    const row = rowOf('A', [btc, double]);
    expect(row.beta30).toBeCloseTo(2, 10);
    expect(row.corr30).toBeCloseTo(1, 12);
    const ret30 = market[30]! / market[0]! - 1;
    expect(row.excess30).toBeCloseTo((1 + ret30) ** 2 / (1 + ret30) - 1, 12);
    expect(rowOf('BTC', [btc, double])).toMatchObject({ beta30: 1, corr30: 1, excess30: 0 });
  });

  test('without BTC the figures against it are missing', () => {
    expect(rowOf('A', [coin('A', growing(0.01))])).toMatchObject({ beta30: null, corr30: null, excess30: null });
  });

  test('dirt: duplicates keep the last row, a close that is no price is a missing day', () => {
    const clean = coin('A', growing(0.01, 0.01, 40));
    const dirty = {
      ...clean,
      time: Float64Array.from([...clean.time.slice(0, 39), START + 99 * DAY_MS, clean.time[39]!, START + 101 * DAY_MS]),
      close: Float64Array.from([...clean.close.slice(0, 38), 7, clean.close[38]!, clean.close[39]!, 0]),
    };
    expect(rowOf('A', [dirty])).toEqual(rowOf('A', [clean]));
  });
});

describe('score', () => {
  test('weights, z and contributions by hand', () => {
    // ret7 and ret30 of three coins that only differ in growth; equal volatility has no z; funding of one is unknown.
    const coins = [
      coin('A', growing(0.001), { fundingRate: 0.0001, fundingHours: 8, turnover24h: 5 }),
      coin('B', growing(0.002), { fundingRate: 0.0003, fundingHours: 8, turnover24h: 9 }),
      coin('C', growing(0.004), { turnover24h: null }),
    ];
    const row = rowOf('B', coins);
    const byName = Object.fromEntries(row.factors.map((factor) => [factor.factor, factor]));
    const z = (values: number[], value: number) => {
      const mean = values.reduce((sum, one) => sum + one) / values.length;
      return (value - mean) / Math.sqrt(values.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (values.length - 1));
    };
    // Over 7 days four of the seven wiggles are upward (days 24, 26, 28, 30), over 30 days they cancel.
    const ret7 = [0.001, 0.002, 0.004].map((growth) => Math.exp(7 * growth + 0.01) - 1);
    const ret30 = [0.001, 0.002, 0.004].map((growth) => Math.exp(30 * growth) - 1);
    expect(byName.ret7!.value).toBeCloseTo(ret7[1]!, 12);
    expect(byName.ret7!.z).toBeCloseTo(z(ret7, ret7[1]!), 9);
    expect(byName.ret30!.contribution).toBeCloseTo(0.35 * z(ret30, ret30[1]!), 9);
    expect(byName.ret30!.percentile).toBe(0.5);
    expect(byName.fundingApr!.value).toBeCloseTo(0.3285, 12);
    // Two known APRs: z = +-1 / sqrt(2).
    expect(byName.fundingApr!.contribution).toBeCloseTo(-0.15 / Math.SQRT2, 12);
    expect(row.score).toBeCloseTo(
      row.factors.reduce((sum, { contribution }) => sum + contribution, 0),
      14,
    );
    expect(row.turnoverPercentile).toBe(1);
    const unknown = rowOf('C', coins).factors.find(({ factor }) => factor === 'fundingApr')!;
    expect(unknown).toEqual({
      factor: 'fundingApr',
      value: null,
      z: null,
      clipped: null,
      weight: -0.15,
      contribution: 0,
      percentile: null,
      missing: true,
    });
  });

  test('equal values have no z but are not missing', () => {
    const coins = ['A', 'B'].map((symbol) => coin(symbol, growing(0.001)));
    for (const { factors, score } of selectCoins(coins, 'BTC').rows) {
      expect(score).toBe(0);
      expect(factors[0]).toMatchObject({ z: null, contribution: 0, missing: false, percentile: 0.5 });
    }
  });

  test('an outlier is clipped', () => {
    const coins = Array.from({ length: 30 }, (_, i) => coin(`C${i}`, growing(0.0001 * i)));
    const [ret7] = rowOf('MOON', [...coins, coin('MOON', growing(0.1))]).factors;
    expect(ret7!.z).toBeGreaterThan(5);
    expect(ret7).toMatchObject({ clipped: 3, contribution: 0.35 * 3, percentile: 1 });
  });
});

describe('ranking', () => {
  test('停更 and short histories are listed apart', () => {
    const coins = [
      coin('NOW', growing(0.001)),
      coin('LATE', growing(0.001), { lastDay: 97 }),
      coin('STALE', growing(0.001), { lastDay: 96 }),
      coin('YOUNG', growing(0.001, 0.01, 30)),
      coin('EMPTY', []),
    ];
    const result = selectCoins(coins, 'BTC');
    expect(result.asOf).toBe(START + 100 * DAY_MS);
    expect(result.rows.map(({ symbol }) => symbol).sort()).toEqual(['LATE', 'NOW']);
    expect(result.stale).toEqual([{ symbol: 'STALE', lastAt: START + 96 * DAY_MS }]);
    expect(result.tooShort).toEqual([{ symbol: 'YOUNG', days: 30 }]);
    expect(selectCoins([coin('EMPTY', [])], 'BTC')).toEqual({ asOf: null, rows: [], stale: [], tooShort: [] });
  });

  test('rank change is the ranking with the newest day removed', () => {
    const rest = ['B', 'C', 'D', 'E'].map((symbol, i) => coin(symbol, growing(0.001 * (i + 1), 0.01, 40)));
    const jump = growing(0, 0.01, 40);
    const coins = [...rest, coin('A', [...jump.slice(0, 39), jump[38]! * 1.5])];
    const result = selectCoins(coins, 'BTC');
    const yesterday = selectCoins(
      coins.map((one) => ({ ...one, time: one.time.slice(0, -1), close: one.close.slice(0, -1) })),
      'BTC',
    );
    for (const { symbol, rank, rankChange } of result.rows) {
      expect(rankChange).toBe(yesterday.rows.find((row) => row.symbol === symbol)!.rank - rank);
    }
    expect(rowOf('A', coins)).toMatchObject({ rank: 1, rankChange: 4 });
    // 31 closes today were 30 yesterday: not ranked then.
    expect(rowOf('NEW', [...coins, coin('NEW', growing(0.001))]).rankChange).toBeNull();
  });

  test('refuses a symbol given twice and times that do not ascend', () => {
    const a = coin('A', growing(0.001));
    expect(() => selectCoins([a, a], 'BTC')).toThrow(MathsRefusal);
    expect(() => selectCoins([{ ...a, time: a.time.slice().reverse() }], 'BTC')).toThrow(MathsRefusal);
  });
});

describe('properties', () => {
  const growth = fc.double({ min: -0.05, max: 0.05, noNaN: true });
  const market = fc
    .array(fc.record({ growth, wiggle: growth, rate: fc.option(growth), stale: fc.boolean() }), { maxLength: 40 })
    .map((list) =>
      list.map(({ rate, stale, ...one }, i) =>
        coin(i === 0 ? 'BTC' : `C${i}`, growing(one.growth, one.wiggle, 33), {
          fundingRate: rate,
          fundingHours: 8,
          turnover24h: i,
          lastDay: stale && i % 3 === 1 ? 90 : 100,
        }),
      ),
    );

  test('the order of the coins does not matter', () => {
    fc.assert(
      fc.property(
        market.chain((coins) => fc.tuple(fc.constant(coins), fc.shuffledSubarray(coins, { minLength: coins.length }))),
        ([coins, shuffled]) => expect(selectCoins(shuffled, 'BTC')).toEqual(selectCoins(coins, 'BTC')),
      ),
    );
  });

  test('every coin is ranked once, by score, a fifth on each side', () => {
    fc.assert(
      fc.property(market, (coins) => {
        const { rows, stale, tooShort } = selectCoins(coins, 'BTC');
        expect(rows.length + stale.length + tooShort.length).toBe(coins.length);
        expect(rows.map(({ rank }) => rank)).toEqual(rows.map((_, i) => i + 1));
        const scores = rows.map(({ score }) => score);
        expect(scores).toEqual([...scores].sort((x, y) => y - x));
        for (const { clipped, percentile } of rows.flatMap(({ factors }) => factors)) {
          expect(Math.abs(clipped ?? 0)).toBeLessThanOrEqual(3);
          expect(Math.abs((percentile ?? 0.5) - 0.5)).toBeLessThanOrEqual(0.5);
        }
        const fifth = Math.floor(rows.length / 5);
        expect(rows.filter(({ suggestion }) => suggestion === 'long')).toEqual(rows.slice(0, fifth));
        expect(rows.filter(({ suggestion }) => suggestion === 'short')).toEqual(rows.slice(rows.length - fifth));
      }),
    );
  });
});
