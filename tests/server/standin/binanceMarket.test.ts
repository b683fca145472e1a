import { HOUR_MS, MINUTE_MS } from '#contract/duration';
import { pointAt } from '#server/market/live/address';
import { type Client, createClient } from '#server/market/live/exchangeClass';
import type { SimulatedMarket } from '#server/market/simulated';
import { type StandIn, startStandIn } from '../../standin/standIn';
import { clockFrom, QUIET_START } from '../../support/clockFrom';

const BTC = 'BTC/USDT:USDT';
const clock = clockFrom(QUIET_START);
let standIn: StandIn;
let market: SimulatedMarket;
let client: Client<'binance'>;

beforeAll(async () => {
  standIn = await startStandIn({ dialects: ['binance'], coins: 'all', clock });
  market = standIn.exchange('binance').market;
  client = await createClient('binance', {
    enableRateLimit: false,
    options: { fetchMarkets: { types: ['spot', 'linear'] } },
  });
  await pointAt(client, standIn.url);
  await client.loadMarkets();
});

afterAll(async () => {
  await client.close();
  await standIn.close();
});

/** Answers, and what the market said at some instant while it was asked. */
async function asked<T>(ask: () => Promise<T>) {
  const from = clock();
  const answer = await ask();
  const until = clock();
  /** Whether the market said so at a second in between. */
  const wasSaid = (isSo: (at: number) => boolean, stepMs: number) => {
    for (let at = Math.floor(from / stepMs) * stepMs; at <= until; at += stepMs) if (isSo(at)) return true;
    return false;
  };
  return { answer, wasSaid };
}

test('all that is listed is there, with its steps and limits', async () => {
  const listed = await market.instruments(['spot', 'perpetual', 'future']);
  expect(Object.keys(client.markets!)).toHaveLength(listed.length);
  const future = listed.find(({ kind, base }) => kind === 'future' && base === 'BTC')!;
  const [, code] = future.symbol.split('_');
  expect(client.market(`${BTC}-${code}`)).toMatchObject({ type: 'future', expiry: future.expiresAt });
  for (const symbol of ['BTC/USDT', BTC]) {
    const { tickSize, lotSize, minNotional } = market.listed(symbol === BTC ? 'BTCUSDT' : 'BTCUSDT_SPOT')!.instrument;
    expect(client.market(symbol)).toMatchObject({
      active: true,
      precision: { price: Number(tickSize), amount: Number(lotSize) },
      limits: { amount: { min: Number(lotSize) }, cost: { min: Number(minNotional) } },
    });
  }
});

test('tickers of both parts are the market’s', async () => {
  for (const [symbols, name] of [
    [[BTC], 'BTCUSDT'],
    [['BTC/USDT'], 'BTCUSDT_SPOT'],
  ] as const) {
    const { answer, wasSaid } = await asked(() => client.fetchTickers([...symbols]));
    const { last, high, low } = answer[symbols[0]]!;
    expect(
      wasSaid((at) => {
        const ticker = market.listed(name, at)!.ticker;
        return ticker.price === last && ticker.high24h === high && ticker.low24h === low;
      }, 1000),
    ).toBe(true);
  }
});

test('a book is the market’s, level by level', async () => {
  const { answer, wasSaid } = await asked(() => client.fetchOrderBook(BTC, 20));
  expect(answer.bids).toHaveLength(20);
  expect(
    wasSaid((at) => {
      const { asks, tickSize, lotSize } = market.book('BTCUSDT', at)!;
      const levels = asks
        .slice(0, 20)
        .map(({ ticks, lots }) => [tickSize.times(ticks), lotSize.times(lots)].map(Number));
      return JSON.stringify(levels) === JSON.stringify(answer.asks);
    }, 250),
  ).toBe(true);
});

test('hours and days are the market’s own, and minutes fit into hours', async () => {
  for (const bar of ['1h', '1d'] as const) {
    const own = (await market.candles('BTCUSDT', bar))!;
    const since = own.time.at(-5)!;
    const rows = await client.fetchOHLCV(BTC, bar, since, 5);
    expect(rows.map(([time, open, , , close]) => [time, open, close])).toEqual(
      [-5, -4, -3, -2, -1].map((i) => [own.time.at(i), own.open.at(i), own.close.at(i)]),
    );
  }
  const hour = Math.floor(clock() / HOUR_MS) * HOUR_MS - HOUR_MS;
  const [[, open, , , close] = []] = await client.fetchOHLCV(BTC, '1h', hour, 1);
  const minutes = await client.fetchOHLCV(BTC, '1m', hour, 60);
  expect([minutes.length, minutes[0]![1], minutes.at(-1)![4]]).toEqual([60, open, close]);
  expect(minutes.every(([time], i) => time === hour + i * MINUTE_MS)).toBe(true);
});

test('the newest candle is the one that runs', async () => {
  for (const bar of ['1m', '1h', '4h', '1d']) {
    const rows = await client.fetchOHLCV(BTC, bar, undefined, 3);
    const length = client.parseTimeframe(bar) * 1000;
    expect(rows).toHaveLength(3);
    expect(clock() - rows.at(-1)![0]!).toBeLessThan(length + MINUTE_MS);
  }
});

test('funding is what the market predicts and has settled', async () => {
  const { answer, wasSaid } = await asked(() => client.fetchFundingRates());
  const perpetuals = await market.instruments();
  expect(perpetuals.every(({ base }) => answer[`${base}/USDT:USDT`])).toBe(true);
  const { fundingRate, fundingTimestamp, markPrice } = answer[BTC]!;
  expect(
    wasSaid((at) => {
      const { ticker } = market.listed('BTCUSDT', at)!;
      return (
        ticker.fundingRate === fundingRate && ticker.nextFundingAt === fundingTimestamp && ticker.mark === markPrice
      );
    }, 1000),
  ).toBe(true);

  const own = (await market.funding('BTCUSDT'))!;
  const history = await client.fetchFundingRateHistory(BTC, own.time.at(-10), 10);
  expect(history.map(({ timestamp, fundingRate: rate }) => [timestamp, rate])).toEqual(
    Array.from(own.time.slice(-10), (time, i) => [time, Number(own.rate.at(i - 10)!.toFixed(8))]),
  );
});

test('intervals are told of what does not settle every eight hours', async () => {
  const told = await client.fetchFundingIntervals();
  const perpetuals = await market.instruments();
  const others = perpetuals.filter(({ fundingHours }) => fundingHours !== 8);
  expect(others.length).toBeGreaterThan(0);
  for (const { base, fundingHours } of others) expect(told[`${base}/USDT:USDT`]?.interval).toBe(`${fundingHours}h`);
});

test('open interest is counted in base', async () => {
  const { answer, wasSaid } = await asked(() => client.fetchOpenInterest(BTC));
  expect(
    wasSaid((at) => {
      const { openInterest, price } = market.listed('BTCUSDT', at)!.ticker;
      return Math.abs(openInterest! / price - answer.openInterestAmount!) < 0.001;
    }, 1000),
  ).toBe(true);
});

test('trades go on where the last ones ended', async () => {
  const first = await client.fetchTrades(BTC, clock() - 10_000, 5);
  expect(first).toHaveLength(5);
  const next = await client.fetchTrades(BTC, undefined, 3, { fromId: first.at(-1)!.id });
  expect(next[0]).toMatchObject({ id: first.at(-1)!.id, price: first.at(-1)!.price, amount: first.at(-1)!.amount });
});

test('a followed book stays the book that one asks for', async () => {
  let [book, told] = [await client.watchOrderBook(BTC), 0];
  const isAsAsked = async () => {
    const now = await client.fetchOrderBook(BTC, 100);
    const same = now.nonce === book.nonce;
    if (same)
      expect([book.bids.slice(0, 24), book.asks.slice(0, 24)]).toEqual(
        [now.bids, now.asks].map((side) => side.slice(0, 24)),
      );
    return same;
  };
  for (let looks = 0; looks < 12 && told < 3; looks += 1) {
    book = await client.watchOrderBook(BTC);
    if (await isAsAsked()) told += 1;
  }
  expect(told).toBe(3);
  const spot = await client.watchOrderBook('BTC/USDT');
  expect(spot.bids[0]![0]).toBeLessThan(spot.asks[0]![0]!);
});

test('prices, best prices and marks of all symbols are streamed', async () => {
  const perpetuals = await market.instruments();
  const [tickers, marks, best] = await Promise.all([
    client.watchTickers(undefined, { type: 'swap', subType: 'linear' }),
    client.watchMarkPrices(),
    client.watchBidsAsks([BTC, 'ETH/USDT:USDT']),
  ]);
  expect(perpetuals.every(({ base }) => tickers[`${base}/USDT:USDT`]?.last)).toBe(true);
  expect(perpetuals.every(({ base }) => marks[`${base}/USDT:USDT`]?.markPrice)).toBe(true);
  const [{ bid, ask } = { bid: 0, ask: 0 }] = Object.values(best);
  expect(bid).toBeLessThan(ask!);
});

test('minutes and trades are streamed', async () => {
  const [rows, trades] = await Promise.all([client.watchOHLCV(BTC, '1m'), client.watchTrades(BTC)]);
  expect(clock() - rows.at(-1)![0]!).toBeLessThan(2 * MINUTE_MS);
  expect(clock() - trades.at(-1)!.timestamp!).toBeLessThan(5000);
});

test('what is not listed, or no interval, is refused by its code', async () => {
  await expect(client.fapiPublicGetDepth({ symbol: 'NOSUCHUSDT' })).rejects.toThrow('-1121');
  await expect(client.publicGetKlines({ symbol: 'BTCUSDT', interval: '7m' })).rejects.toThrow('-1120');
  await expect(client.fapiPublicGetDepth({})).rejects.toThrow('-1102');
});

test('each answer says what weight was used', async () => {
  // A whole minute is left.
  standIn.exchange('binance').faults.clockAheadMs = MINUTE_MS - (clock() % MINUTE_MS);
  const used = () => Number((client.last_response_headers as Record<string, string>)['X-Mbx-Used-Weight-1m']);
  await client.fapiPublicGetPing();
  const before = used();
  await client.fapiPublicGetDepth({ symbol: 'BTCUSDT', limit: 1000 });
  expect(used() - before).toBe(20);
});
