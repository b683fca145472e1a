import { DAY_MS } from '#contract/duration';
import { market } from '#contract/market';
import { fileApp } from '../../support/app';
import { handMarket, handMarkets } from '../../support/handMarket';

const START = Date.UTC(2025, 0, 1);

const simulated = handMarket('simulated', {
  BTCUSDT: { start: START, closes: { '1d': [1, 2, 3], '1h': [3, 4] }, ticker: { turnover24h: 5, fundingRate: 0.0001 } },
  ETHUSDT: { start: START + DAY_MS, closes: { '1d': [1, 2, 4] } },
});
const bybit = handMarket('bybit', { 我踏马来了USDT: { start: START, closes: { '4h': [1, 2] } } });

const app = await fileApp({ markets: handMarkets(simulated, bybit) });

test('the sources tell their label, bars and span, to a visitor too', async () => {
  const { data } = (await app.as('visitor')(market.source)).body;
  expect(data).toEqual({
    total: 2,
    list: [
      {
        source: 'simulated',
        label: '模拟行情',
        kind: 'simulated',
        symbols: 2,
        bars: ['1d', '1h'],
        firstAt: START,
        lastAt: START + 3 * DAY_MS,
      },
      {
        source: 'bybit',
        label: '导入数据 · bybit',
        kind: 'imported',
        symbols: 1,
        bars: ['4h'],
        firstAt: START,
        lastAt: START + DAY_MS / 6,
      },
    ],
  });
});

test('the symbols of a source can be searched by who is signed in', async () => {
  const symbols = async (query: Record<string, string>) =>
    (await app.as('trader')(market.symbol, { query })).body.data.list.map(({ symbol }) => symbol);
  expect(await symbols({})).toEqual(['BTCUSDT', 'ETHUSDT']);
  expect(await symbols({ search: 'eth' })).toEqual(['ETHUSDT']);
  for (const name of ['以太坊', '以太', 'yitaifang', ' YTF '])
    expect(await symbols({ search: name })).toEqual(['ETHUSDT']);
  // In the middle of a pinyin, and its first letter alone, name nothing.
  for (const none of ['taifang', 'y']) expect(await symbols({ search: none })).toEqual([]);
  expect(await symbols({ source: 'bybit', search: '踏马' })).toEqual(['我踏马来了USDT']);
  expect((await app.as('trader')(market.symbol, { query: { source: 'none' } })).body.code).toBe(2001);
});

test('the tickers are those of now, all or one', async () => {
  const trader = app.as('trader');
  const all = (await trader(market.ticker)).body.data;
  expect(all).toMatchObject({ total: 2, delayed: false, at: app.now() });
  expect(all.list[0]).toEqual({
    symbol: 'BTCUSDT',
    at: START + 3 * DAY_MS,
    price: 3,
    change24h: null,
    turnover24h: 5,
    openInterest: null,
    fundingRate: 0.0001,
    nextFundingAt: null,
  });
  const one = (await trader(market.ticker, { query: { symbol: 'ETHUSDT' } })).body.data;
  expect(one.list.map(({ symbol }) => symbol)).toEqual(['ETHUSDT']);
  expect((await trader(market.ticker, { query: { symbol: 'NOSUCH' } })).body.code).toBe(2002);
  expect((await trader(market.ticker, { query: { source: 'none' } })).body.code).toBe(2001);
});

test('a source without a ranking shows a visitor no prices', async () => {
  expect((await app.as('visitor')(market.ticker)).body.data).toMatchObject({ list: [], total: 0, delayed: true });
});
