import fc from 'fast-check';
import { isOtherSpread } from '#contract/kinds/hedge/config';
import { pastOf, zAndPercentile } from '#server/base/maths/pair';
import { ratioBy } from '#server/engine/pairModel';
import {
  adfTest,
  basketIndex,
  halfLife,
  logSpread,
  mackinnonP,
  pairFacts,
  zScores,
} from '../../../server/base/maths/pair';

const column = (...values: number[]) => Float64Array.from(values);

/** Annual flow of the Nile at Aswan, 1871-1970, 10^8 m3 (Durbin & Koopman 2001). */
const NILE = column(
  ...[1120, 1160, 963, 1210, 1160, 1160, 813, 1230, 1370, 1140, 995, 935, 1110, 994, 1020, 960, 1180, 799, 958, 1140],
  ...[1100, 1210, 1150, 1250, 1260, 1220, 1030, 1100, 774, 840, 874, 694, 940, 833, 701, 916, 692, 1020, 1050, 969],
  ...[831, 726, 456, 824, 702, 1120, 1100, 832, 764, 821, 768, 845, 864, 862, 698, 845, 744, 796, 1040, 759],
  ...[781, 865, 845, 944, 984, 897, 822, 1010, 771, 676, 649, 846, 812, 742, 801, 1040, 860, 874, 848, 890],
  ...[744, 749, 838, 1050, 918, 986, 797, 923, 975, 815, 1020, 906, 901, 1170, 912, 746, 919, 718, 714, 740],
);

describe('log spread (F13) and z (F14)', () => {
  test('a square law has slope 2 and R2 1', () => {
    const short = column(1, 2, 4, 8);
    const line = logSpread(
      short.map((price) => 3 * price ** 2),
      short,
    )!;
    expect(line.slope).toBeCloseTo(2, 13);
    expect(line.r2).toBeCloseTo(1, 13);
    for (const value of line.spread) expect(value).toBeCloseTo(Math.log(3), 13);
  });

  test('with slope 1 the spread is the log of the ratio', () => {
    const { slope, spread } = logSpread(column(6, 8), column(2, 2), 'one')!;
    expect(slope).toBe(1);
    expect(spread[0]).toBeCloseTo(Math.log(3), 14);
    expect(spread[1]).toBeCloseTo(Math.log(4), 14);
  });

  test('no spread without prices', () => {
    expect(logSpread(column(1, 0), column(1, 2))).toBeNull();
    expect(logSpread(column(1, 2), column(1, Number.NaN))).toBeNull();
    expect(logSpread(column(1, 2), column(3, 3))).toBeNull();
    expect(logSpread(column(1), column(1, 2))).toBeNull();
  });

  test('z of the newest value', () => {
    // 1, 2, 3, 6: mean 3, squares 4 + 1 + 0 + 9 = 14, sd = sqrt(14 / 3), z = 3 / sd.
    const { mean, sd, z } = zScores(column(1, 2, 3, 6))!;
    expect(mean).toBe(3);
    expect(sd).toBeCloseTo(Math.sqrt(14 / 3), 14);
    expect(z[3]).toBeCloseTo(3 / Math.sqrt(14 / 3), 14);
    expect(zScores(column(0.1, 0.1, 0.1))).toBeNull();
  });
});

describe('half-life (F15)', () => {
  test('a deviation that halves every bar has half-life 1, one that keeps 90 % has ln 2 / -ln 0.9', () => {
    expect(halfLife(column(16, 8, 4, 2, 1))).toBeCloseTo(1, 13);
    expect(halfLife(column(1, 0.9, 0.81, 0.729))).toBeCloseTo(Math.LN2 / -Math.log(0.9), 12);
  });

  test('no reversion is null', () => {
    expect(halfLife(column(1, 2, 4, 8))).toBeNull();
    expect(halfLife(column(1, 2, 3, 4))).toBeNull();
    expect(halfLife(column(1, -2, 4, -8))).toBeNull();
    expect(halfLife(column(1, 1, 1, 1))).toBeNull();
    expect(halfLife(column())).toBeNull();
  });
});

describe('ADF (F16)', () => {
  test('the surface meets the asymptotic critical values of MacKinnon (1994, 2010)', () => {
    expect(mackinnonP(-3.43)).toBeCloseTo(0.01, 3);
    expect(mackinnonP(-2.86)).toBeCloseTo(0.05, 3);
    expect(mackinnonP(-2.57)).toBeCloseTo(0.1, 2);
    expect(mackinnonP(-19)).toBe(0);
    expect(mackinnonP(3)).toBe(1);
  });

  test('p values as statsmodels 0.15 gives them', () => {
    const known = {
      '-6': 1.6661204834054382e-7,
      '-1.95': 0.3089171224629492,
      '-1': 0.7532643012005655,
      '2.7': 0.9990870192563208,
    };
    for (const [tau, p] of Object.entries(known)) expect(mackinnonP(Number(tau))).toBeCloseTo(p, 14);
  });

  test('the Nile as adfuller of statsmodels 0.15 judges it', () => {
    const chosen = adfTest(NILE)!;
    expect(chosen).toMatchObject({ lags: 1, observations: 98 });
    expect(chosen.statistic).toBeCloseTo(-4.048705096914342, 11);
    expect(chosen.pValue).toBeCloseTo(0.0011758879503871243, 13);
    const unlagged = adfTest(NILE, 0)!;
    expect(unlagged.observations).toBe(99);
    expect(unlagged.statistic).toBeCloseTo(-5.664609694969192, 11);
  });

  test('nothing to test', () => {
    expect(adfTest(NILE.subarray(0, 19))).toBeNull();
    expect(adfTest(new Float64Array(50).fill(3))).toBeNull();
    expect(adfTest(Float64Array.from({ length: 50 }, (_, i) => i))).toBeNull();
    expect(adfTest(NILE.map((value, i) => (i === 7 ? Number.NaN : value)))).toBeNull();
    expect(adfTest(NILE, 60)).toBeNull();
  });

  test('scale and level do not matter', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.01, max: 100, noNaN: true }),
        fc.double({ min: -100, max: 100, noNaN: true }),
        (scale, level) => {
          const moved = adfTest(NILE.map((value) => scale * value + level))!;
          expect(moved.statistic).toBeCloseTo(-4.048705096914342, 7);
        },
      ),
    );
  });
});

describe('pair facts', () => {
  test('a basket starts at 1 and holds equal money in each coin', () => {
    // First coin doubles, second loses half: (2 + 0.5) / 2.
    expect([...basketIndex([column(10, 20), column(4, 2)])]).toEqual([1, 1.25]);
    expect(basketIndex([])).toHaveLength(0);
  });

  test('all figures belong to the same window', () => {
    const short = NILE;
    const long = NILE.map((price, i) => price ** 1.5 * Math.exp(0.02 * Math.sin(i)));
    const facts = pairFacts(long, short);
    expect(facts.bars).toBe(100);
    expect(facts.hedgeRatio).toBeCloseTo(1.5, 1);
    expect(facts.rSquared).toBeGreaterThan(0.99);
    expect(facts.correlation).toBeGreaterThan(0.99);
    expect(facts.beta).toBeCloseTo(1.5, 1);
    expect(facts.zScores?.z).toHaveLength(100);
    expect(facts.adfP).toBe(adfTest(facts.spread!)!.pValue);
    expect(facts.halfLife).toBe(halfLife(facts.spread!));
  });

  test('a constant leg gives nulls, not numbers', () => {
    const facts = pairFacts(NILE, new Float64Array(100).fill(2));
    expect(facts).toEqual({
      bars: 100,
      correlation: null,
      beta: null,
      spread: null,
      hedgeRatio: null,
      rSquared: null,
      zScores: null,
      halfLife: null,
      adfP: null,
    });
  });
});

describe('the spread that is held', () => {
  const model = (hedgeRatio: number) => ({ hedgeRatio }) as Parameters<typeof ratioBy>[1];

  test('is that of z where the short side is b times the long one, within a fifth', () => {
    expect(ratioBy('spread', model(0.62))).toBe(0.62);
    expect(isOtherSpread(ratioBy('spread', model(0.62)), 0.62)).toBe(false);
    for (const [ratio, isOther] of [
      [0.745, true],
      [0.743, false],
      [0.497, false],
      [0.495, true],
    ] as const)
      expect([ratio, isOtherSpread(ratio, 0.62)]).toEqual([ratio, isOther]);
  });

  test('has no ratio where b is not positive or is not known, and keeps within five to one', () => {
    expect([ratioBy('spread', model(-0.3)), ratioBy('spread', null)]).toEqual([null, null]);
    expect([isOtherSpread(1, -0.3), isOtherSpread(1, null), isOtherSpread(null, 1)]).toEqual([false, false, false]);
    expect(ratioBy('spread', model(9))).toBe(5);
  });
});

describe('where a value stands in its past', () => {
  test('z (F14) and the share of the past that is not above it', () => {
    // Mean 2.5; squares 2.25 + 0.25 + 0.25 + 2.25 = 5 over 3.
    const past = pastOf(Float64Array.of(4, 1, 3, 2))!;
    const { z, percentile } = zAndPercentile(past, 3);
    expect(z).toBeCloseTo(0.5 / Math.sqrt(5 / 3), 14);
    expect(percentile).toBe(0.75);
    expect(zAndPercentile(past, 0.5).percentile).toBe(0);
    expect(zAndPercentile(past, 9).percentile).toBe(1);
  });

  test('nothing stands out from one value, or from constant ones', () => {
    expect(pastOf(Float64Array.of(1))).toBeNull();
    expect(pastOf(Float64Array.of(2, 2, 2))).toBeNull();
  });
});
