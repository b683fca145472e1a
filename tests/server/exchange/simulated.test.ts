import { BAR_MS } from '#contract/candle';
import { DAY_MS, HOUR_MS } from '#contract/duration';
import type { Candles } from '#server/base/maths/candles';
import { createSimulatedMarket } from '#server/market/simulated';

/** A quarter past an hour, so that running bars exist. */
const NOW = Date.UTC(2026, 5, 17, 9, 15, 42);
const marketAt = (now: number, seed?: number) =>
  createSimulatedMarket({ clock: () => now, ...(seed === undefined ? {} : { seed }) });

const rowsOf = (candles: Candles) =>
  Array.from(candles.time, (time, i) => ({
    time,
    open: candles.open[i]!,
    high: candles.high[i]!,
    low: candles.low[i]!,
    close: candles.close[i]!,
    volume: candles.volume[i]!,
    turnover: candles.turnover[i]!,
  }));

/** Folds finer rows into bars of `barMs` that are complete. */
function folded(fine: ReturnType<typeof rowsOf>, fineMs: number, barMs: number) {
  const groups = new Map<number, typeof fine>();
  for (const row of fine) {
    const time = row.time - (row.time % barMs);
    groups.set(time, [...(groups.get(time) ?? []), row]);
  }
  return [...groups]
    .filter(([, rows]) => rows.length === barMs / fineMs)
    .map(([time, rows]) => ({
      time,
      open: rows[0]!.open,
      high: Math.max(...rows.map(({ high }) => high)),
      low: Math.min(...rows.map(({ low }) => low)),
      close: rows.at(-1)!.close,
      // Lots have at most three decimals; the sum of decimal fractions is rounded back to them.
      volume: Math.round(rows.reduce((sum, { volume }) => sum + volume, 0) * 1000) / 1000,
      turnover: rows.reduce((sum, { turnover }) => sum + turnover, 0),
    }));
}

describe('the list of coins', () => {
  test('has 120 perpetuals in USDT with steps, sectors and all three funding intervals', async () => {
    const instruments = await marketAt(NOW).instruments();
    expect(instruments).toHaveLength(120);
    const symbols = instruments.map(({ symbol }) => symbol);
    expect(symbols).toEqual([...symbols].sort((a, b) => (a < b ? -1 : 1)));
    expect(symbols).toEqual(expect.arrayContaining(['BTCUSDT', 'ETHUSDT', '1000PEPEUSDT', '我踏马来了USDT']));
    expect(new Set(instruments.map(({ fundingHours }) => fundingHours))).toEqual(new Set([1, 4, 8]));
    expect(new Set(instruments.map(({ sector }) => sector)).size).toBeGreaterThan(8);
    expect(instruments.find(({ symbol }) => symbol === 'BTCUSDT')).toMatchObject({
      base: 'BTC',
      quote: 'USDT',
      exchange: 'simulated',
      tickSize: '0.1',
      lotSize: '0.001',
      listedAt: NOW - (NOW % DAY_MS) - 730 * DAY_MS,
      lastAt: NOW - (NOW % DAY_MS) - DAY_MS,
      bars: ['1d', '4h', '1h'],
    });
  });

  test.each([2026, 2027, 2031])(
    'in %i too has a coin of under 31 days, some under 60, and one that stopped',
    async (year) => {
      const now = Date.UTC(year, 7, 3, 5);
      const instruments = await marketAt(now).instruments();
      const age = (listedAt: number) => (now - listedAt) / DAY_MS;
      expect(instruments).toHaveLength(120);
      expect(instruments.filter(({ listedAt }) => age(listedAt) < 31).length).toBeGreaterThanOrEqual(1);
      expect(instruments.filter(({ listedAt }) => age(listedAt) < 60).length).toBeGreaterThanOrEqual(2);
      const stopped = instruments.filter(({ lastAt }) => now - lastAt > 4 * DAY_MS);
      expect(stopped.length).toBeGreaterThanOrEqual(1);
      expect(stopped.length).toBeLessThanOrEqual(2);
    },
  );
});

describe('history', () => {
  test('is the same after a restart, and another one under another seed', async () => {
    const before = await marketAt(NOW).candles('SOLUSDT', '1d');
    const after = await marketAt(NOW).candles('SOLUSDT', '1d');
    expect(rowsOf(after!)).toEqual(rowsOf(before!));
    const other = await marketAt(NOW, 2).candles('SOLUSDT', '1d');
    expect(other!.close).not.toEqual(before!.close);
  });

  test('continues: bars that were closed stay as they were while time goes on', async () => {
    let now = NOW;
    const market = createSimulatedMarket({ clock: () => now });
    const version = market.version();
    const before = rowsOf((await market.candles('DOGEUSDT', '1h'))!);
    now += 30 * HOUR_MS;
    expect(market.version()).not.toBe(version);
    const after = rowsOf((await market.candles('DOGEUSDT', '1h'))!);
    expect(after.at(-1)!.time - before.at(-1)!.time).toBe(30 * HOUR_MS);
    const shared = new Map(after.map((row) => [row.time, row]));
    expect(before.slice(24).map(({ time }) => shared.get(time))).toEqual(before.slice(24));
  });

  test('offers two years of days and 90 days of hours, closed bars only', async () => {
    const market = marketAt(NOW);
    const days = (await market.candles('BTCUSDT', '1d'))!;
    expect(days.time).toHaveLength(730);
    expect(days.time.at(-1)).toBe(NOW - (NOW % DAY_MS) - DAY_MS);
    const hours = (await market.candles('BTCUSDT', '1h'))!;
    expect(hours.time[0]).toBe(NOW - (NOW % DAY_MS) - 90 * DAY_MS);
    expect(hours.time.at(-1)).toBe(NOW - (NOW % HOUR_MS) - HOUR_MS);
    expect(await market.candles('NOSUCHUSDT', '1d')).toBeNull();
  });

  test.each(['BTCUSDT', '1000PEPEUSDT', '我踏马来了USDT'])('%s: days and 4 h bars are their hours', async (symbol) => {
    const market = marketAt(NOW);
    const hours = rowsOf((await market.candles(symbol, '1h'))!);
    const [days, fourHours] = await Promise.all([
      market.candles(symbol, '1d', { start: hours[0]!.time }),
      market.candles(symbol, '4h'),
    ]);
    expect(days!.time.length).toBeGreaterThan(80);
    expect(rowsOf(days!)).toEqual(folded(hours, HOUR_MS, DAY_MS));
    expect(rowsOf(fourHours!)).toEqual(folded(hours, HOUR_MS, BAR_MS['4h']));
    for (const { open, high, low, close } of hours) {
      expect(Math.min(open, close)).toBeGreaterThanOrEqual(low);
      expect(Math.max(open, close)).toBeLessThanOrEqual(high);
    }
  });

  test('a range is half-open', async () => {
    const start = Date.UTC(2026, 2, 1);
    const part = await marketAt(NOW).candles('ETHUSDT', '1d', { start, end: start + 3 * DAY_MS });
    expect([...part!.time]).toEqual([start, start + DAY_MS, start + 2 * DAY_MS]);
  });

  test('coins move with bitcoin, have fat tails and stay within what a trader believes', async () => {
    const market = marketAt(NOW);
    const returnsOf = async (symbol: string) => {
      const { close } = (await market.candles(symbol, '1d'))!;
      return Array.from(close.subarray(1), (price, i) => Math.log(price / close[i]!));
    };
    const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    const moment = (values: number[], power: number) => mean(values.map((value) => (value - mean(values)) ** power));
    const bitcoin = await returnsOf('BTCUSDT');
    for (const symbol of ['ETHUSDT', 'SOLUSDT', 'LINKUSDT', '1000SHIBUSDT']) {
      const returns = await returnsOf(symbol);
      const both = returns.map((value, i) => (value - mean(returns)) * (bitcoin[i]! - mean(bitcoin)));
      const correlation = mean(both) / Math.sqrt(moment(returns, 2) * moment(bitcoin, 2));
      expect(correlation).toBeGreaterThan(0.35);
      expect(correlation).toBeLessThan(0.95);
      expect(moment(returns, 4) / moment(returns, 2) ** 2).toBeGreaterThan(3.3);
      const yearly = Math.sqrt(moment(returns, 2) * 365);
      expect(yearly).toBeGreaterThan(0.4);
      expect(yearly).toBeLessThan(1.6);
    }
    for (const { symbol } of await market.instruments()) {
      const { high, low } = (await market.candles(symbol, '1d'))!;
      expect(Math.max(...high) / Math.min(...low)).toBeLessThan(40);
    }
  });
});

describe('tickers', () => {
  test('at a close are the candles: price, change, extremes, volume and turnover of the day', async () => {
    const midnight = NOW - (NOW % DAY_MS);
    const market = marketAt(NOW);
    const tickers = await market.tickers(midnight);
    let compared = 0;
    for (const ticker of tickers) {
      const days = rowsOf((await market.candles(ticker.symbol, '1d'))!);
      const day = days.at(-1)!;
      if (day.time !== midnight - DAY_MS || days.length < 2) continue;
      compared += 1;
      expect(ticker).toMatchObject({
        at: midnight,
        price: day.close,
        high24h: day.high,
        low24h: day.low,
        volume24h: day.volume,
        turnover24h: day.turnover,
      });
      expect(ticker.change24h).toBeCloseTo(day.close / days.at(-2)!.close - 1, 12);
    }
    expect(compared).toBeGreaterThan(110);
  });

  test('tick every second inside the candle that the hour becomes', async () => {
    const start = NOW - (NOW % HOUR_MS);
    const later = marketAt(start + 2 * HOUR_MS);
    const candle = rowsOf((await later.candles('ETHUSDT', '1h', { start, end: start + HOUR_MS }))!)[0]!;
    const prices: number[] = [];
    for (let second = 0; second <= 3600; second += 40) {
      const ticker = (await later.tickers(start + second * 1000)).find(({ symbol }) => symbol === 'ETHUSDT')!;
      prices.push(ticker.price);
    }
    expect(prices[0]).toBe(candle.open);
    expect(Math.max(...prices)).toBeLessThanOrEqual(candle.high);
    expect(Math.min(...prices)).toBeGreaterThanOrEqual(candle.low);
    expect(new Set(prices).size).toBeGreaterThan(60);
  });

  test('the running hour opens where the last one closed and grows into the candle that it becomes', async () => {
    const start = NOW - (NOW % HOUR_MS);
    const parts = await Promise.all(
      [NOW, start + HOUR_MS - 1000].map((at) =>
        marketAt(at)
          .runningHour('BTCUSDT')
          .then((part) => part!),
      ),
    );
    const [early, late] = parts as [(typeof parts)[number], (typeof parts)[number]];
    const whole = rowsOf((await marketAt(start + HOUR_MS).candles('BTCUSDT', '1h', { start }))!)[0]!;
    const before = rowsOf((await marketAt(NOW).candles('BTCUSDT', '1h', { start: start - HOUR_MS }))!).at(-1)!;
    const ticker = (await marketAt(NOW).tickers()).find(({ symbol }) => symbol === 'BTCUSDT')!;
    expect(early).toMatchObject({ time: start, at: NOW, open: before.close, close: ticker.price });
    expect([early.open, late.open]).toEqual([whole.open, whole.open]);
    expect(late.high).toBeGreaterThanOrEqual(early.high);
    expect(late.high).toBeLessThanOrEqual(whole.high);
    expect(late.low).toBeLessThanOrEqual(early.low);
    expect(late.low).toBeGreaterThanOrEqual(whole.low);
    expect(early.volume).toBeLessThan(late.volume);
    expect(late.volume).toBeLessThanOrEqual(whole.volume);
    expect(await marketAt(start).runningHour('BTCUSDT')).toBeNull();
  });

  test('a past instant is answered as it was seen then, and the future is not told', async () => {
    const before = await marketAt(NOW - 15 * 60_000).tickers();
    const now = marketAt(NOW);
    expect(await now.tickers(NOW - 15 * 60_000)).toEqual(before);
    expect(await now.tickers(NOW + HOUR_MS)).toEqual(await now.tickers());
  });

  test('a coin that stopped shows its last price and nothing else', async () => {
    const market = marketAt(NOW);
    const stopped = (await market.instruments()).find(({ lastAt }) => NOW - lastAt > 4 * DAY_MS)!;
    const ticker = (await market.tickers()).find(({ symbol }) => symbol === stopped.symbol)!;
    expect(await market.runningHour(stopped.symbol)).toBeNull();
    const { close } = (await market.candles(stopped.symbol, '1d'))!;
    expect(ticker).toMatchObject({
      at: stopped.lastAt + DAY_MS,
      price: close.at(-1),
      change24h: null,
      fundingRate: null,
    });
  });
});

describe('funding', () => {
  test('settles on the coin’s own interval for two years', async () => {
    const market = marketAt(NOW);
    const instruments = await market.instruments();
    for (const hours of [1, 4, 8]) {
      const { symbol } = instruments.find(
        ({ fundingHours, listedAt }) => fundingHours === hours && NOW - listedAt > 729 * DAY_MS,
      )!;
      const { time, rate } = (await market.funding(symbol))!;
      expect(time.length).toBe(Math.floor((NOW - (time[0]! - hours * HOUR_MS)) / (hours * HOUR_MS)));
      expect(time.length).toBeGreaterThanOrEqual((730 * 24) / hours);
      expect(new Set(Array.from(time.subarray(1), (at, i) => at - time[i]!))).toEqual(new Set([hours * HOUR_MS]));
      expect(time.at(-1)! % (hours * HOUR_MS)).toBe(0);
      const yearly = (rate.reduce((sum, value) => sum + value, 0) / rate.length) * (8760 / hours);
      expect(Math.abs(yearly)).toBeLessThan(0.6);
    }
  });

  test('the rate shown last is the one that settles', async () => {
    const settlesAt = NOW - (NOW % (8 * HOUR_MS)) + 8 * HOUR_MS;
    const atSettlement = marketAt(settlesAt);
    const seen = (await marketAt(settlesAt - 1000).tickers()).find(({ symbol }) => symbol === 'BTCUSDT')!;
    expect(seen.nextFundingAt).toBe(settlesAt);
    const { time, rate } = (await atSettlement.funding('BTCUSDT'))!;
    expect(time.at(-1)).toBe(settlesAt);
    expect(seen.fundingRate).toBe(rate.at(-1));
    const next = (await atSettlement.tickers()).find(({ symbol }) => symbol === 'BTCUSDT')!;
    expect(next.nextFundingAt).toBe(settlesAt + 8 * HOUR_MS);
  });
});
