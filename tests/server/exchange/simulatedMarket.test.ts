import type Big from 'big.js';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#contract/duration';
import { SymbolName } from '#contract/value';
import { correlation, mean as meanOf, quantile, standardDeviation } from '#server/base/maths/statistics';
import { INSTRUMENT_KINDS, type Instrument, type Market, type OrderBook } from '#server/market/exchange';
import { createSimulatedVenues } from '#server/market/simulated';
import { NEWEST_LAW } from '#server/market/simulated/laws';
import { VENUES } from '#server/market/simulated/venues';
import { World } from '#server/market/simulated/world';

/** The ranges in which the simulated market is judged, measured on the history of the default seed. */
const NOW = Date.UTC(2026, 10, 20, 9, 40, 3);
const venues = createSimulatedVenues({ clock: () => NOW });
const [main, okx, bybit] = venues as unknown as [Market, Market, Market];

const mean = (values: ArrayLike<number>) => meanOf(Float64Array.from(values))!;
const deviation = (values: ArrayLike<number>) => standardDeviation(Float64Array.from(values))!;
const correlated = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  correlation(Float64Array.from(a), Float64Array.from(b))!;
const median = (values: ArrayLike<number>) => quantile(Float64Array.from(values), 0.5)!;
const between = (value: number, low: number, high: number) => {
  expect(value).toBeGreaterThanOrEqual(low);
  expect(value).toBeLessThanOrEqual(high);
};

const all = async (market: Market) => market.instruments(INSTRUMENT_KINDS);
const bps = (fraction: number) => fraction * 1e4;
const best = (book: OrderBook) => {
  const price = (ticks: number) => Number(book.tickSize) * ticks;
  return { bid: price(book.bids[0]!.ticks), ask: price(book.asks[0]!.ticks) };
};
const middle = (book: OrderBook) => (book.bids[0]!.ticks + book.asks[0]!.ticks) / 2;
const touch = (book: OrderBook, side: 'bids' | 'asks') => {
  const { ticks, lots } = book[side][0]!;
  return Number((book.tickSize as Big).times(ticks).times(book.lotSize).times(lots));
};

/** The largest coins, and others that are traded since long. */
async function tiers(): Promise<Record<'majors' | 'others', Instrument[]>> {
  const old = (await main.instruments()).filter(
    ({ listedAt, lastAt }) => NOW - listedAt > 700 * DAY_MS && NOW - lastAt < 2 * DAY_MS,
  );
  const isMajor = ({ minNotional }: Instrument) => minNotional === '20';
  return { majors: old.filter(isMajor), others: old.filter((one) => !isMajor(one)) };
}

describe('what is listed', () => {
  test('is spot and perpetual of every coin and two quarterly futures of ten, under names that never collide', async () => {
    const pattern = new RegExp((SymbolName() as unknown as { pattern: string }).pattern, 'u');
    for (const market of venues) {
      const listed = await all(market);
      const names = listed.map(({ symbol }) => symbol);
      expect(new Set(names).size).toBe(names.length);
      expect(
        names.every(
          (name) =>
            pattern.test(name) &&
            encodeURIComponent(name)
              .replace(/%../g, '')
              .match(/^[\w-]*$/),
        ),
      ).toBe(true);
      const of = (kind: string) => listed.filter((one) => one.kind === kind);
      expect(of('spot').map(({ base }) => base)).toEqual(of('perpetual').map(({ base }) => base));
      expect(new Set(of('future').map(({ base }) => base)).size).toBe(10);
      expect(new Set(of('future').map(({ expiresAt }) => expiresAt))).toEqual(
        new Set([Date.UTC(2026, 11, 25, 8), Date.UTC(2027, 2, 26, 8)]),
      );
      expect(
        listed.every(
          ({ kind, expiresAt, settle }) => (kind === 'future') === (expiresAt !== null) && settle === 'USDT',
        ),
      ).toBe(true);
    }
    expect((await all(main)).map(({ symbol }) => symbol)).toEqual(
      expect.arrayContaining(['BTCUSDT', 'BTCUSDT_SPOT', 'BTCUSDT_261225', 'BTCUSDT_270326']),
    );
  });

  test('differs from venue to venue, in coins and in settlement hours', async () => {
    const [ours, theirs] = [await main.instruments(), await okx.instruments()];
    between(theirs.length / ours.length, 0.7, 0.95);
    const hours = new Map(ours.map(({ symbol, fundingHours }) => [symbol, fundingHours]));
    const others = theirs.filter(({ symbol, fundingHours }) => hours.get(symbol) !== fundingHours).length;
    between(others / theirs.length, 0.05, 0.4);
  });

  test('of the kinds beside perpetuals shows up only where it is asked for', async () => {
    const kinds = new Set((await main.instruments()).map(({ kind }) => kind));
    expect([...kinds]).toEqual(['perpetual']);
    const tickers = await main.tickers();
    expect(tickers.some(({ symbol }) => symbol.includes('_'))).toBe(false);
    expect((await main.tickers(NOW, ['future'])).map(({ symbol }) => symbol)).toContain('BTCUSDT_261225');
  });
});

describe('a history', () => {
  const seen = async (market: Market, at: number) => ({
    tickers: await market.tickers(at, INSTRUMENT_KINDS),
    books: ['BTCUSDT', 'LINKUSDT_SPOT', 'ETHUSDT_261225'].map((symbol) => market.book!(symbol, at)),
    conditions: [market.isOut(at), market.latencyMs(at), market.clockAheadMs(at)],
    terms: [market.wallet('BTC', at), market.terms('BTCUSDT', at)],
  });

  test('is the same for another server, in whatever order it is asked for', async () => {
    const instants = [NOW, NOW - 250, NOW - 40 * DAY_MS, NOW - 33_333, NOW - 3 * HOUR_MS];
    const again = createSimulatedVenues({ clock: () => NOW });
    for (const i of venues.keys()) {
      const forwards: unknown[] = [];
      for (const at of instants) forwards.push(await seen(venues[i]!, at));
      const backwards: unknown[] = [];
      for (const at of [...instants].reverse()) backwards.unshift(await seen(again[i]!, at));
      expect(backwards).toEqual(forwards);
    }
    expect(createSimulatedVenues({ clock: () => NOW, seed: 2 })[0]!.book!('BTCUSDT')).not.toEqual(
      main.book!('BTCUSDT'),
    );
  });

  test('of bitcoin has hours within 4 %, 99.9 of a hundred, and days as wild as they were', async () => {
    for (const [symbol, limit] of [
      ['BTCUSDT', 0.04],
      ['ETHUSDT', 0.055],
      ['1000PEPEUSDT', 0.08],
    ] as const) {
      const moves: number[] = [];
      for (let quarter = 0; quarter < 16; quarter += 1) {
        const at = NOW - quarter * 90 * DAY_MS;
        const [past] = createSimulatedVenues({ clock: () => at });
        const { open, close } = (await past!.candles(symbol, '1h'))!;
        for (const [i, price] of close.entries()) moves.push(Math.abs(Math.log(price / open[i]!)));
      }
      expect(quantile(Float64Array.from(moves), 0.999)!).toBeLessThan(limit);
      expect(Math.max(...moves)).toBeLessThan(2 * limit);
      const { open, close } = (await main.candles(symbol, '1d'))!;
      between(deviation(close.map((price, i) => Math.log(price / open[i]!))), 0.018, 0.06);
    }
  });
});

describe('funding', () => {
  test('follows the premium: taken back towards 1 bp, mostly exactly 1 bp on majors, 5 to 11 % a year', async () => {
    const { majors, others } = await tiers();
    const figures = async (coins: Instrument[]) => {
      const rows = [];
      for (const { symbol, fundingHours } of coins) {
        const { rate, hours } = (await main.funding(symbol))!;
        expect(new Set(hours)).toEqual(new Set([fundingHours]));
        const usual = Math.round((1e-4 * fundingHours! * 1e8) / 8) / 1e8;
        const cap = main.terms(symbol)!.fundingCap!;
        expect(Math.max(...rate.map(Math.abs))).toBeLessThanOrEqual(cap);
        rows.push({
          apr: mean(rate) * (8760 / fundingHours!),
          usual: mean(rate.map((one) => Number(one === usual))),
          cap,
        });
      }
      return {
        apr: mean(rows.map(({ apr }) => apr)),
        usual: mean(rows.map(({ usual }) => usual)),
        caps: new Set(rows.map(({ cap }) => cap)),
      };
    };
    const [large, small] = [await figures(majors), await figures(others)];
    between(large.apr, 0.05, 0.11);
    between(small.apr, 0.05, 0.11);
    between(large.usual, 0.6, 0.95);
    between(small.usual, 0.2, 0.6);
    expect([...large.caps, ...small.caps]).toEqual([0.003, 0.02]);
  });

  test('is F = [P + clamp(1 bp - P, +-5 bps)] x h / 8 over the hours of the interval', async () => {
    const spot = (await main.candles('XRPUSDT_SPOT', '1h'))!;
    const perpetual = (await main.candles('XRPUSDT', '1h'))!;
    const { time, rate } = (await main.funding('XRPUSDT', { start: spot.time[8]! + HOUR_MS, end: spot.time.at(-1)! }))!;
    const premium = new Map(Array.from(spot.time, (at, i) => [at, perpetual.open[i]! / spot.open[i]! - 1]));
    const expected = Array.from(time, (at) => {
      const p = mean(Array.from({ length: 8 }, (_, k) => premium.get(at - (k + 1) * HOUR_MS)!));
      return p + Math.max(-0.0005, Math.min(0.0005, 0.0001 - p));
    });
    expect(expected.length).toBeGreaterThan(250);
    expect(new Set(rate).size).toBeGreaterThan(20);
    // Prices are rounded to a tick of half a basis point.
    for (const [i, one] of expected.entries()) expect(Math.abs(rate[i]! - one)).toBeLessThan(3e-5);
  });

  test('has premiums that forget a fifth in 8 h and agree between venues', async () => {
    const { majors, others } = await tiers();
    const figures = async (coins: Instrument[]) => {
      const rows: { deviation: number; kept: number; shared: number[] }[] = [];
      for (const { symbol } of coins) {
        const spot = (await main.candles(`${symbol}_SPOT`, '4h'))!.close;
        const premiumAt = async (market: Market) =>
          (await market.candles(symbol, '4h'))?.close.map((price, i) => price / spot[i]! - 1);
        const own = (await premiumAt(main))!;
        const sister = await premiumAt(okx);
        rows.push({
          deviation: bps(deviation(own)),
          kept: correlated(own.slice(0, -2), own.slice(2)),
          shared: sister ? [correlated(own, sister)] : [],
        });
      }
      const of = (key: 'deviation' | 'kept') => mean(rows.map((row) => row[key]));
      return { deviation: of('deviation'), kept: of('kept'), shared: mean(rows.flatMap(({ shared }) => shared)) };
    };
    const large = await figures(majors);
    const small = await figures(others.slice(0, 40));
    between(large.kept, 0.75, 0.9);
    between(small.kept, 0.75, 0.9);
    // Funding as real leaves no more: beyond 0.05 % on 1.6 % of days.
    between(large.deviation, 2.2, 3.6);
    between(small.deviation, 3.2, 5.2);
    between(large.shared, 0.72, 0.92);
    between(small.shared, 0.4, 0.6);
  });

  test('tells what is predicted apart from what was settled last', async () => {
    const hour = NOW - (NOW % (8 * HOUR_MS)) + 7 * HOUR_MS - DAY_MS;
    const at = async (instant: number) => new Map((await main.tickers(instant)).map((one) => [one.symbol, one]));
    const [early, late, next] = [
      await at(hour - 6 * HOUR_MS),
      await at(hour + 59 * MINUTE_MS),
      await at(hour + HOUR_MS),
    ];
    const coins = (await main.instruments())
      .filter(({ fundingHours }) => fundingHours === 8)
      .map(({ symbol }) => symbol);
    const moved = coins.filter((symbol) => early.get(symbol)?.fundingRate !== late.get(symbol)?.fundingRate).length;
    expect(moved).toBeGreaterThan(coins.length / 4);
    for (const symbol of coins) expect(next.get(symbol)?.settledFundingRate).toBe(late.get(symbol)?.fundingRate);
  });
});

describe('quarterly futures', () => {
  test('stand 4 to 12 % a year above spot, the far one within 2 points of the near one', async () => {
    const futures = await main.instruments(['future']);
    const yearly = new Map<string, number[]>();
    for (const { symbol, base, expiresAt } of futures) {
      const { time, close } = (await main.candles(symbol, '4h'))!;
      const spot = (await main.candles(`${base}USDT_SPOT`, '4h', { start: time[0]! }))!.close;
      yearly.set(
        symbol,
        Array.from(
          close,
          (price, i) => (price / spot[i]! - 1) * ((365 * DAY_MS) / (expiresAt! - time[i]! - 4 * HOUR_MS)),
        ),
      );
    }
    for (const series of yearly.values()) {
      between(Math.min(...series), 0.038, 0.12);
      between(Math.max(...series), 0.04, 0.122);
    }
    for (const { symbol } of futures.filter(({ symbol: name }) => name.endsWith('_270326'))) {
      const [far, near] = [
        yearly.get(symbol)!,
        yearly.get(symbol.replace('_270326', '_261225'))!.slice(-yearly.get(symbol)!.length),
      ];
      for (const [i, one] of far.entries()) between(Math.abs(one - near[i]!), 0, 0.021);
    }
  });

  test('have a basis of which half is forgotten in 10 to 20 days', async () => {
    const [now, later] = [[] as number[], [] as number[]];
    for (const code of ['250328', '250627', '250926', '251226', '260327', '260626', '260925']) {
      for (const base of ['BTC', 'ETH', 'SOL', 'XRP', 'DOGE', 'BNB', 'SUI', 'ZEC']) {
        const end = Date.UTC(2000 + Number(code.slice(0, 2)), Number(code.slice(2, 4)) - 1, Number(code.slice(4)), 8);
        const { time, close } = (await main.candles(`${base}USDT_${code}`, '1d', { end: end - 10 * DAY_MS }))!;
        const spot = (await main.candles(`${base}USDT_SPOT`, '1d', { start: time[0]!, end: end - 10 * DAY_MS }))!.close;
        const yearly = Array.from(
          close,
          (price, i) => (price / spot[i]! - 1) * ((365 * DAY_MS) / (end - time[i]! - DAY_MS)) - 0.08,
        );
        now.push(...yearly.slice(0, -1));
        later.push(...yearly.slice(1));
      }
    }
    const products = now.reduce((sum, one, i) => sum + one * later[i]!, 0);
    const kept = products / now.reduce((sum, one) => sum + one * one, 0);
    between(-Math.LN2 / Math.log(kept), 10, 20);
  });

  test('end at 08:00 UTC on the mean index of half an hour; the next one is listed then, the old one keeps its price', async () => {
    const expiry = Date.UTC(2026, 8, 25, 8);
    let now = expiry - SECOND_MS;
    const [market] = createSimulatedVenues({ clock: () => now });
    const names = async () =>
      (await market!.instruments(['future'])).map(({ symbol }) => symbol).filter((name) => name.startsWith('BTC'));
    const symbol = 'BTCUSDT_260925';
    expect(await names()).toEqual([symbol, 'BTCUSDT_261225']);
    expect(market!.deliveryPrice(symbol)).toBeNull();
    const last = (await market!.tickers(now, ['future'])).find((one) => one.symbol === symbol)!;
    between(bps(Math.abs(last.price / last.index! - 1)), 0, 0.5);
    now = expiry;
    expect(await names()).toEqual(['BTCUSDT_261225', 'BTCUSDT_270326']);
    expect(market!.book!(symbol)).toBeNull();
    const indexes: number[] = [];
    for (let minute = 0; minute < 30; minute += 1) {
      indexes.push(
        (await market!.tickers(expiry - minute * MINUTE_MS)).find((one) => one.symbol === 'BTCUSDT')!.index!,
      );
    }
    between(bps(Math.abs(market!.deliveryPrice(symbol)! / mean(indexes) - 1)), 0, 3);
    now += 300 * DAY_MS;
    expect(market!.deliveryPrice(symbol)).toBe(main.deliveryPrice(symbol));
    expect(main.deliveryPrice('BTCUSDT_260924')).toBeNull();
  });
});

describe('quotes', () => {
  /** So many instants, a prime number of quarter seconds apart. */
  const instants = (count: number, every = 7919 * 250) => Array.from({ length: count }, (_, i) => NOW - i * every);

  test('never cross, lie inside the candle of their hour, and change every quarter of a second', async () => {
    const hour = NOW - (NOW % HOUR_MS) - HOUR_MS;
    for (const market of venues) {
      const listed = (await all(market)).filter(({ bars }, i) => i % 6 === 0 && bars.length === 3);
      const candles = await Promise.all(
        listed.map(({ symbol }) => market.candles(symbol, '1h', { start: hour, end: hour + HOUR_MS })),
      );
      for (let at = hour; at < hour + HOUR_MS; at += 48_250) {
        for (const [i, { symbol }] of listed.entries()) {
          const book = market.book!(symbol, at);
          if (book === null) continue;
          const { bid, ask } = best(book);
          if (!(bid < ask && bid >= candles[i]!.low[0]! * (1 - 1e-12) && ask <= candles[i]!.high[0]! * (1 + 1e-12))) {
            throw new Error(`${market.source} ${symbol} at ${at}: ${bid} ${ask}`);
          }
        }
      }
    }
    const quick = Array.from({ length: 40 }, (_, i) => JSON.stringify(main.book!('BTCUSDT', hour + i * 250)));
    expect(new Set(quick).size).toBe(40);
    expect(main.book!('BTCUSDT', hour + 249)).toEqual(main.book!('BTCUSDT', hour));
  });

  test.each([
    ['BTCUSDT', 200_000, 500_000],
    ['LINKUSDT', 20_000, 80_000],
    ['ALGOUSDT', 20_000, 80_000],
    ['STORJUSDT', 1_000, 5_000],
    ['COMPUSDT', 1_000, 5_000],
  ])('of %s show %i to %i USDT at the touch, 0.3 to 0.6 of it at the sisters, and reach 5 %', (symbol, least, most) => {
    const lot = 0.98;
    for (const at of instants(60)) {
      const book = main.book!(symbol, at);
      if (book === null) continue;
      for (const side of ['bids', 'asks'] as const) between(touch(book, side), least * lot, most);
      const far = book.asks.at(-1)!.ticks / book.asks[0]!.ticks - 1;
      between(far, 0.049, 0.051);
      expect(1 - book.bids.at(-1)!.ticks / book.bids[0]!.ticks).toBeCloseTo(far, 2);
    }
    for (const sister of [okx, bybit]) {
      const shares = instants(200).flatMap((at) => {
        const [ours, theirs] = [main.book!(symbol, at), sister.book!(symbol, at)];
        return ours && theirs ? [touch(theirs, 'asks') / touch(ours, 'asks')] : [];
      });
      if (shares.length > 0) between(median(shares), 0.28, 0.62);
    }
  });

  test.each([
    ['BTCUSDT', 1, 10],
    ['LINKUSDT', 3, 20],
    ['STORJUSDT', 8, 60],
  ])('of %s stray by %i bps a venue and forget it in %i s', (symbol, strays, seconds) => {
    const gaps = instants(3000, SECOND_MS).flatMap((at) => {
      const [ours, theirs] = [main.book!(symbol, at), bybit.book!(symbol, at)];
      return ours && theirs ? [Math.log(middle(theirs) / middle(ours))] : [];
    });
    expect(gaps.length).toBeGreaterThan(2900);
    // The premiums of two venues drift apart over hours: half an hour at a time.
    const stretches = [gaps.slice(0, 1450), gaps.slice(1450)];
    const deviations = stretches.map((stretch) => bps(deviation(stretch)) / Math.SQRT2);
    between(mean(deviations), strays * 0.75, strays * 1.3);
    between(
      mean(stretches.map((stretch) => correlated(stretch.slice(seconds), stretch.slice(0, -seconds)))),
      0.2,
      0.55,
    );
  });
});

test('an order that rests is met in the first second that comes to its price', () => {
  const symbol = 'SOLUSDT_SPOT';
  const [after, until] = [NOW - 2 * HOUR_MS, NOW - 5 * SECOND_MS];
  const asks = Array.from({ length: (until - after) / SECOND_MS - 4 }, (_, i) => {
    const at = Math.floor(after / SECOND_MS) * SECOND_MS + (i + 1) * SECOND_MS;
    return { at, ask: best(main.book!(symbol, at)!).ask };
  });
  const lowest = Math.min(...asks.map(({ ask }) => ask));
  for (const price of [lowest, lowest * 1.001]) {
    const tick = 0.01;
    const rounded = Math.round(price / tick) * tick;
    const first = asks.find(({ ask }) => ask <= rounded + tick / 2)!;
    expect(main.meetsAt!(symbol, 'buy', rounded, after, until)).toBe(first.at);
    // Looked at until just before, and from there on.
    expect(main.meetsAt!(symbol, 'buy', rounded, after, first.at - 1)).toBeNull();
    expect(main.meetsAt!(symbol, 'buy', rounded, first.at - 1, until)).toBe(first.at);
  }
  expect(main.meetsAt!(symbol, 'buy', lowest * 0.99, after, until)).toBeNull();
  expect(main.meetsAt!(symbol, 'sell', lowest * 1.2, after, until)).toBeNull();
});

describe('dislocations', () => {
  const DAYS = 60;
  const desks = new World(1, NEWEST_LAW)
    .listedAt(VENUES[0]!, NOW)
    .filter(
      ({ instrument: { kind }, stoppedAt, listedAt }) =>
        kind === 'spot' && stoppedAt === null && NOW - listedAt > DAYS * DAY_MS,
    )
    .map(({ instrument }) => instrument.desk);

  test.each([
    ['major', 8],
    ['middle', 15],
    ['small', 30],
  ])('of a %s coin open three to ten times a day, with a median peak of %i bps and short lives', (tier, peak) => {
    const ofTier = desks.filter(({ coin }) => coin.tier === tier).slice(0, 9);
    const days = ofTier.flatMap(({ dislocations }) =>
      Array.from({ length: DAYS }, (_, day) => dislocations.ofDay(NOW - (day + 1) * DAY_MS)),
    );
    for (const { length } of days) between(length, 3, 10);
    const events = days.flat();
    const lives = events.map(({ from, until }) => (until - from) / SECOND_MS);
    between(median(events.map((one) => bps(Math.abs(one.peak)))), peak * 0.9, peak * 1.1);
    between(median(lives), 5, 7);
    between(quantile(Float64Array.from(lives), 0.95)!, 50, 70);
    expect(new Set(events.map(({ source }) => source)).size).toBe(3);
  });

  test.each(['major', 'middle', 'small'])(
    'of a %s coin show in the books, and one in twenty to one in seven beats the costs',
    (tier) => {
      const shown: number[] = [];
      const net: number[] = [];
      for (const { coin, dislocations } of desks.filter((desk) => desk.coin.tier === tier).slice(0, 9)) {
        for (let day = 1; day <= 12; day += 1) {
          for (const { source, kind, from, until, peak } of dislocations.ofDay(NOW - day * DAY_MS)) {
            if (kind !== 'spot') continue;
            const symbol = `${coin.symbol}_SPOT`;
            const at = from + 0.3 * (until - from);
            const books = venues.flatMap((market) => {
              const book = market.book!(symbol, at);
              return book ? [{ source: market.source, ...best(book), fee: market.terms(symbol)!.takerFee }] : [];
            });
            const apart = books.find((one) => one.source === source);
            const others = books.filter((one) => one !== apart);
            if (!apart || others.length === 0) continue;
            shown.push(((apart.bid + apart.ask) / mean(others.map(({ bid, ask }) => (bid + ask) / 2)) / 2 - 1) / peak);
            const earned = others.map((one) => {
              const [dear, cheap] = peak > 0 ? [apart, one] : [one, apart];
              return (dear.bid * (1 - dear.fee)) / (cheap.ask * (1 + cheap.fee)) - 1;
            });
            net.push(Math.max(...earned));
          }
        }
      }
      expect(net.length).toBeGreaterThan(200);
      between(median(shown), 0.85, 1.15);
      between(mean(net.map((one) => Number(one > 0))), 0.05, 0.15);
    },
  );
});

describe('conditions of a venue', () => {
  test('take some tens of milliseconds for an order, 0.8 s for one in a hundred, over 3 s for one in a thousand', () => {
    const medians = venues.map((market) => {
      const taken = Float64Array.from({ length: 100_000 }, (_, i) => market.latencyMs(NOW - i * 3_330)!);
      between(quantile(taken, 0.99)!, 600, 1_000);
      between(mean(taken.map((ms) => Number(ms > 3_000))), 0.0005, 0.0015);
      return Math.round(median(taken));
    });
    expect(medians.map((ms) => Math.round(ms / 5) * 5)).toEqual([40, 60, 80]);
  });

  /** To the minute. */
  function outagesOf(market: Market) {
    const outages: { from: number; until: number }[] = [];
    for (let at = NOW - 400 * DAY_MS; at < NOW; at += MINUTE_MS) {
      if (!market.isOut(at)) continue;
      const last = outages.at(-1);
      if (last?.until === at) last.until = at + MINUTE_MS;
      else outages.push({ from: at, until: at + MINUTE_MS });
    }
    return outages;
  }

  test('are out for 2 to 20 minutes every 7 to 14 days, and then nothing new is told', async () => {
    for (const market of venues) {
      const outages = outagesOf(market);
      for (const [i, { from, until }] of outages.entries()) {
        between((until - from) / MINUTE_MS, 1, 21);
        if (i > 0) between((from - outages[i - 1]!.from) / DAY_MS, 6.9, 14.1);
      }
      expect(outages.length).toBeGreaterThan(30);
      const { from, until } = outages.at(-1)!;
      expect(market.book!('BTCUSDT', from)).toBeNull();
      // The last full minute of it.
      expect(await market.tickers(until - MINUTE_MS)).toEqual(await market.tickers(from));
      expect(market.book!('BTCUSDT', until + MINUTE_MS)).not.toBeNull();
    }
  });

  test('keep their clocks within a quarter of a second, but for an hour or so a week', () => {
    for (const market of venues) {
      const year = Array.from({ length: 365 * 24 * 6 }, (_, i) => market.clockAheadMs(NOW - i * 10 * MINUTE_MS)!);
      const skewed = year.filter((ms) => Math.abs(ms) > 1_000);
      expect(year.filter((ms) => Math.abs(ms) > 250 && Math.abs(ms) <= 1_000)).toEqual([]);
      // 20 to 90 minutes of each week, either way, and put right by at most four seconds.
      between(skewed.length / year.length, 20 / (7 * 24 * 60), 90 / (7 * 24 * 60));
      expect(new Set(skewed.map(Math.sign))).toEqual(new Set([-1, 1]));
      expect(Math.max(...skewed.map(Math.abs))).toBeLessThan(4_000);
      expect(new Set(year).size).toBeGreaterThan(100);
    }
  });

  test('shut deposits and withdrawals of coins 1 to 2 % of the time, of USDT never, and move money in minutes', () => {
    const assets = ['BTC', 'ETH', 'LINK', 'SOL'];
    const states = assets.flatMap((asset) => instantsOfYear().map((at) => okx.wallet(asset, at)!));
    between(mean(states.map(({ canDeposit }) => Number(!canDeposit))), 0.01, 0.02);
    between(mean(states.map(({ canWithdraw }) => Number(!canWithdraw))), 0.01, 0.02);
    for (const { transferMinutes, transferFee } of states) {
      between(transferMinutes, 2, 15);
      expect(transferFee).toBe(1);
    }
    const money = instantsOfYear().map((at) => okx.wallet('USDT', at)!);
    expect(money.every(({ canDeposit, canWithdraw }) => canDeposit && canWithdraw)).toBe(true);
    expect(okx.wallet('NOSUCH')).toBeNull();
  });

  test('ask the fees of the trade: spot 8 to 10 and 10 bps, derivatives 2 and 5 to 5.5, delivery 1 to 5', () => {
    for (const market of venues) {
      const [spot, perpetual, future] = ['BTCUSDT_SPOT', 'BTCUSDT', 'BTCUSDT_261225'].map(
        (name) => market.terms(name)!,
      );
      between(bps(spot!.makerFee), 8, 10);
      expect(bps(spot!.takerFee)).toBe(10);
      expect(bps(perpetual!.makerFee)).toBe(2);
      between(bps(perpetual!.takerFee), 5, 5.5);
      expect([spot!.deliveryFee, perpetual!.deliveryFee, spot!.fundingCap, spot!.adl]).toEqual([
        null,
        null,
        null,
        null,
      ]);
      between(bps(future!.deliveryFee!), 1, 5);
      between(perpetual!.adl!, 1, 5);
      between(spot!.collateralRatio, 0.9, 1);
      expect(market.terms('STORJUSDT')?.collateralRatio ?? 0.5).toBeLessThan(0.61);
    }
  });
});

function instantsOfYear(): number[] {
  return Array.from({ length: 4 * 365 }, (_, i) => NOW - i * 6 * HOUR_MS);
}
