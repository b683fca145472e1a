import type { Ticker as CcxtTicker, Exchange } from 'ccxt';
import { createClient, type LiveExchange } from '#server/market/live/exchangeClass';
import { tellPlainTickers, tickerHeard } from '#server/market/live/heard';

type Raw = Record<string, unknown>;

/** As they are published, and those of a market in which nobody is. */
const TICKERS: readonly [LiveExchange, string, Raw][] = [
  [
    'okx',
    'perpetual',
    {
      ...{ instType: 'SWAP', instId: 'BTC-USDT-SWAP', last: '91234.5', lastSz: '1', askPx: '91234.6', askSz: '11' },
      ...{ bidPx: '91234.5', bidSz: '5', open24h: '90000', high24h: '92000', low24h: '89500.1' },
      ...{ volCcy24h: '2222', vol24h: '222200', ts: '1764400000000' },
    },
  ],
  [
    'okx',
    'nobody there',
    {
      ...{ instType: 'SPOT', instId: 'NEW-USDT', last: '', lastSz: '0', askPx: '', askSz: '', bidPx: '', bidSz: '' },
      ...{ open24h: '0', high24h: '0', low24h: '0', volCcy24h: '0', vol24h: '0', ts: '1764400000000' },
    },
  ],
  [
    'bybit',
    'perpetual',
    {
      ...{ symbol: 'BTCUSDT', price24hPcnt: '-0.012345', lastPrice: '17216.00', prevPrice24h: '17431.19' },
      ...{ highPrice24h: '17481.50', lowPrice24h: '16915.00', markPrice: '17217.33', indexPrice: '17227.36' },
      ...{ openInterest: '68744.761', openInterestValue: '1183601235.91', turnover24h: '1570383121.943499' },
      ...{ volume24h: '91705.276', nextFundingTime: '1673280000000', fundingRate: '-0.000212' },
      ...{ bid1Price: '17215.50', bid1Size: '84.489', ask1Price: '17216.00', ask1Size: '83.020' },
    },
  ],
  [
    'bybit',
    'a day without change',
    {
      ...{ symbol: 'BTCUSDT', lastPrice: '21109.77', highPrice24h: '21426.99', lowPrice24h: '20575' },
      ...{ prevPrice24h: '21109.77', volume24h: '6780.866843', turnover24h: '141946527.22907118', price24hPcnt: '0' },
    },
  ],
  [
    'gate',
    'perpetual',
    {
      ...{ contract: 'BTC_USDT', last: '6432', low_24h: '6278', high_24h: '6790', change_percentage: '4.43' },
      ...{ total_size: '32323904', volume_24h: '184040233284', volume_24h_base: '28613220' },
      ...{ volume_24h_quote: '184040233284', mark_price: '6534', funding_rate: '0.0001', index_price: '6531' },
      ...{ lowest_ask: '6432.1', highest_bid: '0' },
    },
  ],
  [
    'gate',
    'spot',
    {
      ...{ currency_pair: 'KFC_USDT', last: '7.255', lowest_ask: '7.298', highest_bid: '7.218' },
      ...{ change_percentage: '-1.18', base_volume: '1219.053687865', quote_volume: '8807.40299875455' },
      ...{ high_24h: '7.262', low_24h: '7.095' },
    },
  ],
  [
    'binance',
    'perpetual',
    {
      ...{ symbol: 'BTCUSDT', priceChange: '-94.9', priceChangePercent: '-0.209', weightedAvgPrice: '45100.5' },
      ...{ lastPrice: '45312.4', openPrice: '45407.3', highPrice: '46000', lowPrice: '44000.1', volume: '8913.3' },
      ...{ quoteVolume: '401234567.1', openTime: 1_499_783_499_040, closeTime: 1_499_869_899_040 },
    },
  ],
];

const parsedBy = (client: object, raw: Raw) => (client as Exchange).parseTicker(raw) as CcxtTicker;

test.each(TICKERS)(
  'a ticker of %s that is told plainly reads as the library reads it: %s',
  async (name, _what, raw) => {
    const [usual, plain] = [await createClient(name), await createClient(name)];
    tellPlainTickers(plain as unknown as Exchange);
    const expected = tickerHeard(parsedBy(usual, { ...raw }));
    const heard = tickerHeard(parsedBy(plain, { ...raw }));
    expect(heard).toEqual({
      ...expected,
      change24h: expected.change24h === undefined ? undefined : expect.closeTo(expected.change24h, 10),
    });
  },
);
