import { DAY_MS, HOUR_MS } from '#contract/duration';
import { pairFacts } from '#server/base/maths/pair';
import { mean, quantile } from '#server/base/maths/statistics';
import type { FundingHistory, Market } from '#server/market/exchange';
import { createSimulatedMarket, createSimulatedVenues } from '#server/market/simulated';
import { MARKET_LAWS } from '#server/market/simulated/laws';
import { fundingFigures } from '../../bench/funding';

/** What the newest law of the simulated market is judged by: figures of real coins. */
const NOW = Date.UTC(2026, 10, 20, 9, 40, 3);
const [main] = createSimulatedVenues({ clock: () => NOW }) as unknown as [Market];
const { follows } = MARKET_LAWS[2];

const meanOf = (values: readonly number[]) => mean(Float64Array.from(values))!;
const medianOf = (values: readonly number[]) => quantile(Float64Array.from(values), 0.5)!;
const shareOf = <T>(all: readonly T[], holds: (one: T) => boolean) => all.filter(holds).length / all.length;
const between = (value: number, low: number, high: number) => {
  expect(value).toBeGreaterThanOrEqual(low);
  expect(value).toBeLessThanOrEqual(high);
};

describe('funding', () => {
  const histories = async () => {
    const coins = (await main.instruments()).filter(({ lastAt }) => NOW - lastAt < 2 * DAY_MS);
    return (await Promise.all(coins.map(({ symbol }) => main.funding(symbol)))).filter((one) => one !== null);
  };

  /** Mean rate of each whole day, for 8 h. */
  function daysOf({ time, rate, hours }: FundingHistory): number[] {
    const days = new Map<number, number[]>();
    for (const [i, at] of time.entries()) {
      const day = Math.ceil(at / DAY_MS);
      days.set(day, [...(days.get(day) ?? []), (rate[i]! * 8) / hours[i]!]);
    }
    return [...days.values()].filter(({ length }) => length === 24 / hours[0]!).map(meanOf);
  }

  test('is spread over coins and days as that of 94 real coins: usual, negative, large and very large', async () => {
    const days = (await histories()).flatMap(daysOf);
    expect(days.length).toBeGreaterThan(60_000);
    const beyond = (least: number) => shareOf(days, (rate) => Math.abs(rate) > least);
    // Real: 41 %, 17 %, 1.6 %, 0.5 %.
    between(
      shareOf(days, (rate) => Math.abs(rate - 0.0001) < 1e-9),
      0.37,
      0.45,
    );
    between(
      shareOf(days, (rate) => rate < 0),
      0.14,
      0.2,
    );
    between(beyond(0.0005), 0.011, 0.021);
    between(beyond(0.001), 0.003, 0.007);
  });

  test('stays for days and is forgotten within weeks, as that of bitcoin was at four exchanges', async () => {
    /** Of settlements every 8 h, where anything varies. */
    const kept = (await histories()).flatMap(({ rate, hours }) => {
      if (hours[0] !== 8) return [];
      const centre = mean(rate)!;
      const product = (lag: number) =>
        rate.subarray(lag).reduce((sum, one, i) => sum + (one - centre) * (rate[i]! - centre), 0);
      const all = product(0);
      return all === 0 ? [] : [{ next: product(1) / all, week: product(21) / all, months: product(270) / all }];
    });
    // Real: 0.53 to 0.82, 0.28 to 0.44.
    between(medianOf(kept.map(({ next }) => next)), 0.53, 0.82);
    between(medianOf(kept.map(({ week }) => week)), 0.2, 0.44);
    between(medianOf(kept.map(({ months }) => months)), -0.2, 0.2);
  });

  test('comes to what is expected of it (F29), coin by coin', async () => {
    const figures = (await fundingFigures()).filter(({ name }) => name.includes('F29'));
    const of = (name: string) => figures.find((figure) => figure.name.includes(name))!.value;
    // Real: 1.09, 0.68.
    between(of('promised by'), 0.85, 1.25);
    between(of('rank correlation'), 0.58, 0.8);
  });
});

test('bitcoin has days beyond 8 %, but less than one a quarter, whatever the seed', async () => {
  const found: number[] = [];
  for (const seed of [1, 2, 3, 4, 5]) {
    let beyond = 0;
    for (const year of [2024, 2026, 2028]) {
      const { open, close } = (await createSimulatedMarket({ seed, clock: () => Date.UTC(year, 0, 1) }).candles(
        'BTCUSDT',
        '1d',
      ))!;
      expect(close).toHaveLength(730);
      beyond += close.filter((price, i) => Math.abs(price / open[i]! - 1) > 0.08).length;
    }
    found.push(beyond / (3 * 8));
  }
  expect(Math.max(...found)).toBeLessThan(1);
  expect(Math.min(...found)).toBeGreaterThan(0);
});

describe('pairs of one sector', () => {
  const WINDOW = 180;
  /** The desk's own, in days. */
  const DESK_WINDOW = 90;
  const DATES = Array.from({ length: 12 }, (_, i) => Date.UTC(2026, 0, 3, 1) + i * 43 * DAY_MS);

  interface Facts {
    follows: number | null;
    symbols: string;
    long: ReturnType<typeof pairFacts>;
    desk: ReturnType<typeof pairFacts>;
  }

  /** Every pair that follows, and one in six of the others. */
  async function pairsAt(now: number): Promise<Facts[]> {
    const market = createSimulatedMarket({ clock: () => now });
    const coins = (await market.instruments()).filter(
      ({ listedAt, lastAt }) => now - listedAt > (WINDOW + 2) * DAY_MS && now - lastAt < 2 * DAY_MS,
    );
    const closes = await Promise.all(
      coins.map(async ({ symbol }) => (await market.candles(symbol, '1d'))!.close.slice(-WINDOW)),
    );
    return coins.flatMap((one, i) =>
      coins.flatMap((other, k) => {
        if (i === k || one.sector !== other.sector) return [];
        const following = follows.get(one.base);
        const isOne = following?.leader === other.base;
        if (!isOne && (i > k || (i + 3 * k) % 6 !== 0 || follows.get(other.base)?.leader === one.base)) return [];
        const [own, theirs] = [closes[i]!, closes[k]!];
        const desk = pairFacts(own.slice(-DESK_WINDOW), theirs.slice(-DESK_WINDOW));
        const symbols = `${one.base} ${other.base}`;
        return [{ follows: isOne ? following.halfLifeDays : null, symbols, long: pairFacts(own, theirs), desk }];
      }),
    );
  }

  test('are cointegrated by construction or, most of them, not', async () => {
    const all = (await Promise.all(DATES.map(pairsAt))).flat();
    const holds = ({ adfP }: Facts['long']) => (adfP ?? 1) <= 0.1;
    const [followers, others] = [all.filter((one) => one.follows !== null), all.filter((one) => one.follows === null)];
    expect(new Set(followers.map(({ symbols }) => symbols)).size).toBe(follows.size);
    expect(shareOf(followers, ({ long }) => holds(long))).toBeGreaterThan(0.9);
    expect(shareOf(followers, ({ desk }) => holds(desk))).toBeGreaterThan(0.75);
    expect(others.length).toBeGreaterThan(600);
    // By chance one in ten would pass, and with a slope that is fitted to the same days some more.
    expect(shareOf(others, ({ long }) => holds(long))).toBeLessThan(0.4);
    expect(shareOf(others, ({ long }) => (long.adfP ?? 1) <= 0.01)).toBeLessThan(0.1);

    // What a trader measures is near what they are made of, 1 to 10 days.
    for (const symbols of new Set(followers.map((one) => one.symbols))) {
      const own = followers.filter((one) => one.symbols === symbols);
      const made = own[0]!.follows!;
      between(made, 1, 10);
      between(medianOf(own.map(({ long }) => long.halfLife ?? Number.POSITIVE_INFINITY)), made / 2.2, made * 1.6);
      for (const { long } of own) between(long.hedgeRatio!, 0.7, 1.4);
    }
  });

  test('come back to each other within the hour too: minutes and seconds end where the hours say', async () => {
    const market = createSimulatedMarket({ clock: () => NOW });
    const hour = NOW - (NOW % HOUR_MS) - HOUR_MS;
    for (const base of ['APT', 'SUI']) {
      const { open, close } = (await market.candles(`${base}USDT`, '1h', { start: hour, end: hour + HOUR_MS }))!;
      const at = async (instant: number) =>
        (await market.tickers(instant)).find(({ symbol }) => symbol === `${base}USDT`)!.price;
      expect([await at(hour), await at(hour + HOUR_MS)]).toEqual([open[0], close[0]]);
    }
  });
});
