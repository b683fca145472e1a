import { DAY_MS, HOUR_MS } from '#contract/duration';
import type { DataOf } from '#contract/endpoint';
import { pair } from '#contract/pair';
import { fileApp, type Who } from '../../support/app';
import { handMarket, handMarkets } from '../../support/handMarket';

const START = Date.UTC(2025, 0, 1);

/** Prices without any pattern that a formula could profit from. */
const wave = (n: number, size: number, phase: number) =>
  Array.from(
    { length: n },
    (_, i) => 100 * Math.exp(size * Math.sin(i * 0.7 + phase) + size * Math.cos(i * 1.9) * 0.5),
  );

const bitcoin = wave(40, 0.05, 0);
const a = wave(40, 0.1, 1);
const b = wave(40, 0.08, 2);
const c = wave(40, 0.2, 0.3);
/** Every step is kept. */
let level = 0;
const walk = Array.from({ length: 40 }, (_, i) => {
  level += 0.02 * Math.sin(i * i) + 0.01;
  return 100 * Math.exp(level);
});

const market = handMarket('simulated', {
  BTCUSDT: { start: START, closes: { '1d': bitcoin } },
  AUSDT: {
    start: START,
    closes: { '1d': a, '1h': a },
    instrument: { fundingHours: 8 },
    ticker: { fundingRate: 0.0001, price: 130 },
  },
  'B/USDT:USDT': {
    start: START,
    closes: { '1d': b },
    instrument: { fundingHours: 4 },
    ticker: { fundingRate: 0.0002 },
  },
  C我USDT: { start: START, closes: { '1d': c.map((value, i) => (i === 7 ? null : value)) } },
  HOURLYUSDT: { start: START, closes: { '1h': a } },
  YOUNGUSDT: { start: START + 25 * DAY_MS, closes: { '1d': a.slice(0, 15) } },
  LIVEUSDT: {
    start: START,
    closes: { '1d': a },
    ticker: { at: START + 40 * DAY_MS + 5 * HOUR_MS, price: 120 },
  },
  MIRRORUSDT: { start: START, closes: { '1d': a.map((price) => 10_000 / price) } },
  WALKUSDT: { start: START, closes: { '1d': walk } },
  // A with a deviation of its own that comes back at once, and now far above it.
  DEARUSDT: {
    start: START,
    closes: { '1d': a.map((price, i) => price * Math.exp(0.01 * Math.sin(i * 2.3))) },
    ticker: { price: 160 },
  },
  FLATUSDT: { start: START, closes: { '1d': a.map(() => 5) } },
});

const app = await fileApp({ markets: handMarkets(market) });

type Facts = DataOf<typeof pair.facts>;

async function ask(query: Record<string, string>, who: Who = 'trader') {
  const { status, body } = await app.as(who)(pair.facts, { query });
  return { status, ...body } as {
    status: number;
    code: number;
    message: string;
    data: Facts & { fields: { field: string; message: string }[] };
  };
}

// Written apart from the product's formulas, in plain arrays.
const logs = (values: number[]) => values.slice(1).map((value, i) => Math.log(value / values[i]!));
const average = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const covariance = (x: number[], y: number[]) =>
  x.reduce((sum, value, i) => sum + (value - average(x)) * (y[i]! - average(y)), 0) / (x.length - 1);
const pearson = (x: number[], y: number[]) => covariance(x, y) / Math.sqrt(covariance(x, x) * covariance(y, y));

describe('GET /api/hedge/pair', () => {
  test('two coins: ratio, slope, spread, z, correlation, betas and funding by hand', async () => {
    const { code, data } = await ask({ long: 'AUSDT', short: 'B/USDT:USDT' });
    expect(code).toBe(200);
    expect(data).toMatchObject({ source: 'simulated', bar: '1d', bars: 40, long: ['AUSDT'], short: ['B/USDT:USDT'] });
    expect(data.time[0]).toBe(START + DAY_MS);

    const [x, y] = [b.map((value) => Math.log(value / b[0]!)), a.map((value) => Math.log(value / a[0]!))];
    const slope = covariance(x, y) / covariance(x, x);
    const spread = y.map((value, i) => value - slope * x[i]!);
    const deviation = Math.sqrt(covariance(spread, spread));
    expect(data.ratio[39]).toBeCloseTo(a[39]! / a[0]! / (b[39]! / b[0]!), 12);
    expect(data.ratio[0]).toBe(1);
    expect(data.hedgeRatio).toBeCloseTo(slope, 10);
    expect(data.rSquared).toBeCloseTo(pearson(x, y) ** 2, 10);
    expect(data.spread[17]).toBeCloseTo(spread[17]!, 10);
    expect(data.mean).toBeCloseTo(average(spread), 10);
    expect(data.sd).toBeCloseTo(deviation, 10);
    expect(data.z[3]).toBeCloseTo((spread[3]! - average(spread)) / deviation, 8);
    expect(data.currentZ).toBe(data.z[39]);
    // The present is A at 130 against the last close of B.
    const present = Math.log(130 / a[0]!) - slope * x[39]!;
    expect(data.presentZ).toBeCloseTo((present - average(spread)) / deviation, 8);
    expect(data.presentRatio).toBeCloseTo(130 / b[39]!, 12);
    expect(data.correlation).toBeCloseTo(pearson(logs(a), logs(b)), 10);
    expect(data.betaLong).toBeCloseTo(covariance(logs(a), logs(bitcoin)) / covariance(logs(bitcoin), logs(bitcoin)), 8);
    expect(data.betaShort).toBeCloseTo(
      covariance(logs(b), logs(bitcoin)) / covariance(logs(bitcoin), logs(bitcoin)),
      8,
    );
    // Short B: 0.0002 x 8760 / 4 = 0.438; long A: 0.0001 x 8760 / 8 = 0.1095.
    expect(data.fundingAprDifference).toBeCloseTo(0.3285, 10);
    expect(data.return30).toBeCloseTo(a[39]! / a[9]! / (b[39]! / b[9]!) - 1, 10);
    expect(data.return90).toBeNull();
  });

  test('a basket is the equal-weight index over the common bars; a window cuts them from the end', async () => {
    const { data } = await ask({ long: 'AUSDT, C我USDT', short: 'B/USDT:USDT', bars: '30' });
    // 39 common bars: C lacks the eighth. The newest 30 begin at the eleventh day.
    expect(data.bars).toBe(30);
    expect(data.time[0]).toBe(START + 11 * DAY_MS);
    const index = (a[39]! / a[10]! + c[39]! / c[10]!) / 2;
    expect(data.ratio[29]).toBeCloseTo(index / (b[39]! / b[10]!), 12);
    const present = (130 / a[10]! + c[39]! / c[10]!) / 2;
    const gap = Math.log(present) - data.hedgeRatio! * Math.log(b[39]! / b[10]!) - data.mean!;
    expect(data.presentZ).toBeCloseTo(gap / data.sd!, 10);
    expect(data.presentRatio).toBeNull();
    // C has no funding: the basket's is unknown, not that of the other coin.
    expect(data.fundingAprDifference).toBeNull();
  });

  test('ends in the present, which is a point of its own once it is newer than the closed bars', async () => {
    const { data } = await ask({ long: 'LIVEUSDT', short: 'BTCUSDT' });
    expect(data.formingAt).toBe(START + 40 * DAY_MS + 5 * HOUR_MS);
    expect(data.bars).toBe(40);
    expect([data.time, data.ratio, data.spread, data.z].map((column) => column.length)).toEqual([41, 41, 41, 41]);
    expect(data.time.at(-1)).toBe(data.formingAt);
    expect(data.z.at(-1)).toBe(data.presentZ);
    expect(data.z.at(-2)).toBe(data.currentZ);
    expect(data.ratio.at(-1)).toBeCloseTo(120 / a[0]! / (bitcoin[39]! / bitcoin[0]!), 12);
    expect((await ask({ long: 'AUSDT', short: 'BTCUSDT' })).data.formingAt).toBeNull();
  });

  test('warns of a relation that is none, and of going long what is dear', async () => {
    // A mirror of itself: b is -1, and nothing else is wrong with it.
    const mirror = (await ask({ long: 'MIRRORUSDT', short: 'AUSDT' })).data;
    expect(mirror.hedgeRatio).toBeCloseTo(-1, 10);
    expect(mirror.warnings).toContain('hedgeRatio');
    // Random walks apart: no fit, and no mean to come back to.
    const apart = (await ask({ long: 'WALKUSDT', short: 'AUSDT' })).data;
    expect(apart.rSquared).toBeLessThan(0.2);
    expect(apart.adfP).toBeGreaterThan(0.1);
    expect(apart.warnings).toEqual(expect.arrayContaining(['adf', 'fit']));
    const [dear, cheap] = [
      await ask({ long: 'DEARUSDT', short: 'AUSDT' }),
      await ask({ long: 'AUSDT', short: 'DEARUSDT' }),
    ];
    expect(dear.data.presentZ).toBeGreaterThan(0);
    expect(dear.data.warnings).toEqual(['againstZ']);
    expect(cheap.data.presentZ).toBeLessThan(0);
    expect(cheap.data.warnings).toEqual([]);
  });

  test('a side that never moves leaves slope and correlation undefined, not zero', async () => {
    const { data } = await ask({ long: 'AUSDT', short: 'FLATUSDT' });
    expect(data.hedgeRatio).toBeNull();
    expect(data.correlation).toBeNull();
    expect(data.betaShort).toBe(0);
    expect(data.spread[5]).toBeCloseTo(Math.log(a[5]! / a[0]!), 12);
    expect(data.z.every((value) => value === null)).toBe(true);
  });

  test.each([
    ['the same coin on both sides', { long: 'AUSDT,BTCUSDT', short: 'AUSDT' }, 4002, 'short'],
    ['an unknown long coin', { long: 'NOSUCH', short: 'AUSDT' }, 2002, 'long'],
    ['an unknown short coin', { long: 'AUSDT', short: 'NOSUCH' }, 2002, 'short'],
    ['an unknown source', { long: 'AUSDT', short: 'BTCUSDT', source: 'nowhere' }, 2001, 'source'],
    ['too few common bars', { long: 'YOUNGUSDT', short: 'AUSDT' }, 3001, 'short'],
    ['no common bar', { long: 'HOURLYUSDT', short: 'BTCUSDT' }, 4004, 'bar'],
    ['a bar that one lacks', { long: 'AUSDT', short: 'BTCUSDT', bar: '1h' }, 4004, 'bar'],
  ])('refuses %s', async (_what, query, code, field) => {
    const answer = await ask(query as Record<string, string>);
    expect(answer.status).toBe(200);
    expect(answer.code).toBe(code);
    expect(answer.data.fields.map((entry) => entry.field)).toEqual([field]);
  });

  test.each([
    ['no short side', { long: 'AUSDT' }, 'short'],
    ['a basket of blanks', { long: ' , ', short: 'AUSDT' }, 'long'],
    ['21 coins', { long: Array.from({ length: 21 }, (_, i) => `X${i}`).join(), short: 'AUSDT' }, 'long'],
    ['a window of 10', { long: 'AUSDT', short: 'BTCUSDT', bars: '10' }, 'bars'],
  ])('answers 400 to %s and names the field', async (_what, query, field) => {
    const answer = await ask(query as Record<string, string>);
    expect(answer.status).toBe(400);
    expect(answer.data.fields[0]!.field).toBe(field);
  });
});
