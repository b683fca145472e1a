import type { LiveExchange } from '#contract/candle';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/duration';
import { listSeries } from '#server/base/db/markets/candle';
import { INSTRUMENT_KINDS } from '#server/market/exchange';
import { createLive } from '#server/market/live/live';
import { createMarkets } from '#server/market/markets';
import { createSimulatedVenues } from '#server/market/simulated';
import { bracketsOf } from '../../standin/core/brackets';
import { startStandIn } from '../../standin/standIn';
import { atEnd } from '../../support/atEnd';
import { badLineTo } from '../../support/badLine';
import { clockFrom, QUIET_START } from '../../support/clockFrom';
import { onlyBitcoin } from '../../support/followedMarket';
import { fileDatabase } from '../../support/testDatabase';
import { waitFor } from '../../support/waitFor';

/** How an exchange speaks of what the tests look at. */
interface Words {
  exchange: Exclude<LiveExchange, 'binance'>;
  /** Whose book a message is of, as we call it. @param path of the connection */
  bookOf: (message: never, path: string) => unknown;
  /** Maker and taker of the lowest tier, as they are published. */
  fees: Record<'contract' | 'spot', [maker: number, taker: number]>;
  /** A question for prices. */
  prices: RegExp;
  /** What it answers who asks too often, and how long they wait then, s. */
  tooOften: { status: number; body: unknown; wait: number };
}

const FUTURE = 'BTCUSDT_261225';
const SPOT = 'BTCUSDT_SPOT';
const SYMBOLS = ['BTCUSDT', FUTURE, SPOT];
const PATIENCE_MS = 60_000;
/** Of OKX. */
const NAMES: Readonly<Record<string, string>> = { 'BTC-USDT-SWAP': 'BTCUSDT', 'BTC-USDT': SPOT };

const EXCHANGES: Words[] = [
  {
    exchange: 'okx',
    bookOf: ({ arg, data }: { arg?: { channel: string; instId: string }; data?: object }) =>
      data && arg?.channel === 'books' ? NAMES[arg.instId] : null,
    fees: { contract: [0.0002, 0.0005], spot: [0.0008, 0.001] },
    prices: /market\/tickers$/,
    tooOften: { status: 429, body: { code: '50011', msg: 'Too Many Requests', data: [] }, wait: 2 },
  },
  {
    exchange: 'bybit',
    bookOf({ topic, data }: { topic?: string; data?: { s: string } }, path) {
      if (!topic?.startsWith('orderbook.') || data?.s !== 'BTCUSDT') return null;
      return path.endsWith('/spot') ? SPOT : 'BTCUSDT';
    },
    fees: { contract: [0.0002, 0.00055], spot: [0.001, 0.001] },
    prices: /market\/tickers$/,
    tooOften: { status: 403, body: 'access too frequent', wait: 600 },
  },
  {
    exchange: 'gate',
    bookOf: ({ channel, event, result }: { channel?: string; event?: string; result?: { s: string } }) => {
      if (event !== 'update') return null;
      if (channel === 'spot.obu') return result?.s === 'ob.BTC_USDT.50' ? SPOT : null;
      return channel === 'futures.order_book_update' && result?.s === 'BTC_USDT' ? 'BTCUSDT' : null;
    },
    fees: { contract: [0.0002, 0.0005], spot: [0.002, 0.002] },
    prices: /futures\/usdt\/tickers$/,
    tooOften: { status: 429, body: { label: 'TOO_MANY_REQUESTS', message: 'Request Rate limit Exceeded' }, wait: 10 },
  },
];

const SILENT_MS = 1_000;

const db = await fileDatabase();
const clock = clockFrom(QUIET_START);
const venues = createSimulatedVenues({ clock });

describe.each(EXCHANGES)('$exchange', ({ exchange: name, bookOf, fees, prices, tooOften }) => {
  const source = `${name}-live`;

  async function follow() {
    const standIn = await startStandIn({ dialects: [name], venues, clock });
    atEnd(() => standIn.close());
    const line = await badLineTo(standIn.url, onlyBitcoin(name));
    atEnd(() => line.close());
    const live = createLive({
      ...{ db, clock, exchanges: [name], urls: { [name]: line.url }, onTrouble: () => undefined },
      times: {
        announced: 5_000,
        ping: 500,
        silent: SILENT_MS,
        stale: 3_000,
        poll: 500,
        figures: 500,
        again: 50,
        longest: 200,
        history: 0,
      },
      collectorTimes: { look: 50, lease: 2_000 },
    });
    live.start();
    atEnd(() => live.stop());
    return {
      line,
      market: live.markets[0]!,
      theirs: standIn.exchange(name).market,
      faults: standIn.exchange(name).faults,
    };
  }

  let followed: Awaited<ReturnType<typeof follow>>;
  const priced = async () => {
    const [derivatives, spots] = [
      await followed.market.tickers(clock(), ['perpetual', 'future']),
      await followed.market.tickers(clock(), ['spot']),
    ];
    const isWhole = derivatives.every(({ index, mark }) => index !== null && mark !== null);
    return derivatives.length === 2 && isWhole && spots.length === 1 && spots[0]!.turnover24h !== null;
  };
  const isStreaming = () => {
    const { streams: known, adapter } = followed.market.feed;
    // Some have something to say only once in a while.
    const often = [...known].filter(([stream]) => adapter.streams[stream]!.everyMs <= 10_000).map(([, state]) => state);
    return often.length > 0 && often.every(({ heardAt, failure }) => heardAt !== null && failure === null);
  };
  const reopened = () => [...followed.market.feed.streams.values()].reduce((sum, one) => sum + one.reopened, 0);

  beforeAll(async () => {
    followed = await follow();
    await waitFor('the first prices of all streams', PATIENCE_MS, async () => (await priced()) && isStreaming());
  });
  afterEach(() => {
    followed.line.loses = () => false;
  });

  test('what it lists has steps in base currency, whatever a contract is', async () => {
    const { market, theirs } = followed;
    const listed = await market.instruments(INSTRUMENT_KINDS);
    expect(listed.map(({ symbol }) => symbol)).toEqual(SYMBOLS);
    for (const { symbol, tickSize, lotSize, contractSize, ...ours } of listed) {
      const { instrument } = theirs.listed(symbol)!;
      expect([tickSize, lotSize].map(Number)).toEqual([instrument.tickSize, instrument.lotSize].map(Number));
      const { kind, base, settle, fundingHours, expiresAt, maxLeverage } = instrument;
      expect(ours).toMatchObject({ kind, base, settle, fundingHours, expiresAt, maxLeverage, exchange: source });
      expect(Number(contractSize) === 1).toBe(name === 'bybit' || kind === 'spot');
    }
  });

  test('fees are those of the lowest tier', () => {
    for (const symbol of SYMBOLS) {
      const [makerFee, takerFee] = fees[symbol === SPOT ? 'spot' : 'contract'];
      const deliveryFee = symbol === FUTURE ? takerFee : null;
      expect(followed.market.terms(symbol)).toMatchObject({ makerFee, takerFee, deliveryFee });
    }
  });

  test('its present is that of the exchange, amounts in base and quote currency', async () => {
    const { market, theirs } = followed;
    for (const symbol of SYMBOLS) {
      const seconds = Array.from({ length: 5 }, (_, i) => theirs.listed(symbol, clock() - i * 1_000)!.ticker);
      const ours = market.listed(symbol)!.ticker;
      const check = (figure: keyof typeof ours, slack: number) => {
        const values = seconds.map((one) => one[figure] as number);
        const [low, high] = [Math.min(...values), Math.max(...values)];
        expect([figure, (ours[figure] as number) >= low - Math.abs(low) * slack]).toEqual([figure, true]);
        expect([figure, (ours[figure] as number) <= high + Math.abs(high) * slack]).toEqual([figure, true]);
      };
      const isSpot = symbol === SPOT;
      for (const figure of ['price', 'high24h', 'low24h'] as const) check(figure, 0.002);
      for (const figure of ['mark', 'index'] as const) if (!isSpot) check(figure, 0.002);
      check('volume24h', 0.02);
      check('turnover24h', 0.05);
      check('change24h', 0.05);
      expect(clock() - ours.at).toBeLessThan(5_000);
      if (symbol !== 'BTCUSDT') continue;
      check('fundingRate', 0.05);
      check('openInterest', 0.02);
      // In base currency too, where it is not asked for symbol by symbol.
      const { interest } = market.feed.present(symbol)!;
      expect(interest === undefined).toBe(market.feed.adapter.openInterest !== undefined);
      expect((interest ?? ours.openInterest! / ours.mark!) / (ours.openInterest! / ours.mark!)).toBeCloseTo(1, 2);
      expect(ours.nextFundingAt).toBe(seconds[0]!.nextFundingAt);
    }
    expect(market.isOut()).toBe(false);
    expect(Math.abs(market.clockAheadMs()!)).toBeLessThan(1_000);
  });

  test('what borrowing a coin costs a day is that of the exchange, where it tells who has no key', async () => {
    const { market, theirs } = followed;
    const { adapter } = market.feed;
    expect(adapter.borrowRates !== undefined).toBe(name !== 'gate');
    if (adapter.borrowRates === undefined) return;
    const rates = await market.feed.ask(adapter.borrowRates);
    const { borrowApr } = theirs.terms(SPOT)!;
    expect(borrowApr).toBeGreaterThan(0);
    expect((rates.get('BTC')! * 365) / borrowApr).toBeCloseTo(1, 1);
  });

  test.each([
    ['a perpetual', 'BTCUSDT'],
    ['spot', SPOT],
  ])('a book of %s counts in base currency, shows nothing after a gap, and is whole again', async (_, symbol) => {
    const { line, market, theirs } = followed;
    const isThere = () => market.book(symbol) !== null;
    /** Whether what is shown is what was there at an instant of the last second. */
    const isTheirs = () => {
      const best = (book: ReturnType<typeof market.book>) =>
        book && JSON.stringify([book.bids.slice(0, 5), book.asks.slice(0, 5)]);
      const shown = best(market.book(symbol));
      return Array.from({ length: 8 }, (_, i) => best(theirs.book(symbol, clock() - i * 125))).includes(shown);
    };
    await waitFor('the book', PATIENCE_MS, isThere);
    expect(market.book(symbol)!.lotSize.eq(theirs.listed(symbol)!.instrument.lotSize!)).toBe(true);
    await waitFor('it is theirs', PATIENCE_MS, isTheirs);
    let lost = 0;
    line.loses = (message, path) => bookOf(message as never, path) === symbol && lost++ === 2;
    await waitFor('nothing is shown', PATIENCE_MS, () => !isThere());
    await waitFor('it is whole', PATIENCE_MS, isThere);
    for (let i = 0; i < 3; i += 1) await waitFor('it is theirs again', PATIENCE_MS, isTheirs);
  });

  test('what larger positions take is told once a symbol is traded or held', async () => {
    const { market, theirs } = followed;
    expect(market.terms(FUTURE)?.brackets).toBeNull();
    await Promise.all(SYMBOLS.map((symbol) => market.prepare(symbol)));
    expect(market.terms(SPOT)?.brackets).toBeUndefined();
    for (const symbol of ['BTCUSDT', FUTURE]) {
      await waitFor('they are told', PATIENCE_MS, () => (market.terms(symbol)?.brackets ?? null) !== null);
      const due = bracketsOf(theirs.listed(symbol)!.instrument.maxLeverage!);
      const told = market.terms(symbol)!.brackets!;
      expect(told.map(({ maxLeverage }) => maxLeverage)).toEqual(due.map(({ maxLeverage }) => maxLeverage));
      for (const [i, { cap, maintenanceRate, deducted }] of told.entries()) {
        // Where they are told in contracts the price decides.
        expect(cap / due[i]!.cap).toBeCloseTo(1, 1);
        expect(maintenanceRate).toBeCloseTo(due[i]!.maintenance, 9);
        // Who takes nothing off has each rate of the whole position.
        expect(deducted).toBeCloseTo(name === 'okx' ? 0 : due[i]!.deducted, 2);
      }
    }
  });

  // Gate announces nothing.
  if (name !== 'gate')
    test('what it announces is known until it is over', async () => {
      const { market, faults } = followed;
      const [begin, end] = [clock() + HOUR_MS, clock() + 2 * HOUR_MS];
      faults.announced = [
        { begin: begin - DAY_MS, end: end - DAY_MS, title: 'Over', state: 'completed' },
        { begin, end, title: 'Upgrade', state: 'scheduled' },
      ];
      await waitFor('it is known', PATIENCE_MS, () => market.feed.maintenance.length > 0);
      expect(market.feed.maintenance).toEqual([{ from: begin, until: end, title: 'Upgrade' }]);
      faults.announced = [];
      await waitFor('it is over', PATIENCE_MS, () => market.feed.maintenance.length === 0);
    });

  test('streams that were cut or are silent are opened again, and prices asked for meanwhile', async () => {
    const { line } = followed;
    const before = reopened();
    line.cut();
    await waitFor('they fail', PATIENCE_MS, () => reopened() > before);
    await waitFor('they speak again', PATIENCE_MS, isStreaming);
    const [asked, lostAt] = [line.asked.length, clock()];
    line.loses = () => true;
    await waitFor('prices are asked for', PATIENCE_MS, () =>
      line.asked.slice(asked).some(({ path }) => prices.test(path)),
    );
    await waitFor('there are prices', PATIENCE_MS, priced);
    await waitFor('they are of then', PATIENCE_MS, async () =>
      (await followed.market.tickers(clock(), INSTRUMENT_KINDS)).every(({ at }) => at > lostAt + SILENT_MS),
    );
    line.loses = () => false;
    await waitFor('they speak again', PATIENCE_MS, isStreaming);
  });

  test('its past is stored as the exchange has it', async () => {
    const { market, theirs } = followed;
    const lastHour = Math.floor(clock() / HOUR_MS) * HOUR_MS - HOUR_MS;
    await waitFor('all is stored', PATIENCE_MS, async () => {
      const stored = await listSeries(db, source);
      const settled = await (await createMarkets({ db, clock, live: [market] }).get(source))!.funding('BTCUSDT');
      return stored.length === 6 && stored.every(({ bar, lastAt }) => bar !== '1h' || lastAt === lastHour) && !!settled;
    });
    for (const symbol of SYMBOLS) {
      for (const [bar, days] of [
        ['1h', 89],
        ['1d', 700],
      ] as const) {
        const range = { start: clock() - days * DAY_MS };
        const [ours, due] = [(await market.candles(symbol, bar, range))!, (await theirs.candles(symbol, bar, range))!];
        expect([...ours.time]).toEqual([...due.time]);
        for (const column of ['open', 'high', 'low', 'close', 'volume', 'turnover'] as const) {
          // Of a delivery future not every exchange tells it.
          const slack = column === 'turnover' && symbol === FUTURE ? 0.05 : 0.005;
          const wrong = [...ours[column]].filter((value, i) => Math.abs(value / due[column][i]! - 1) > slack);
          expect([column, wrong]).toEqual([column, []]);
        }
      }
    }
    const range = { start: clock() - 89 * DAY_MS, end: lastHour };
    const [paid, due] = [(await market.funding('BTCUSDT', range))!, (await theirs.funding('BTCUSDT', range))!];
    expect([...paid.time]).toEqual([...due.time]);
    for (const [i, rate] of paid.rate.entries()) expect(rate).toBeCloseTo(due.rate[i]!, 6);
    const running = (await market.runningHour('BTCUSDT'))!;
    expect(clock() - running.time).toBeLessThan(HOUR_MS + MINUTE_MS);
    expect(running.close / theirs.listed('BTCUSDT')!.ticker.price).toBeCloseTo(1, 2);
  });

  test('who asked too often waits as long as it counts, no longer', async () => {
    const { market, faults } = followed;
    const { wait, ...answer } = tooOften;
    faults.next(/time$/, { kind: 'answer', answer });
    const ask = () =>
      market.feed
        .askNow((asked) => market.feed.adapter.time(asked))
        .then(
          () => '',
          ({ message }: Error) => message,
        );
    await waitFor('it is refused', PATIENCE_MS, async () => (await ask()).startsWith('wait'));
    const seconds = Number((await ask()).split(' ')[1]);
    expect([wait - 1, wait]).toContain(seconds);
  });
});
