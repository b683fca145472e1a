import type { Ticker as CcxtTicker, Exchange } from 'ccxt';
import type { LiveExchange } from '#contract/candle';
import type { Adapter, Heard } from '#server/market/live/adapter';
import { binance } from '#server/market/live/binance';
import { bybit } from '#server/market/live/bybit';
import { createClient } from '#server/market/live/exchangeClass';
import { gate } from '#server/market/live/gate';
import { numberOf } from '#server/market/live/heard';
import { okx } from '#server/market/live/okx';

type Raw = Record<string, unknown>;

const AT = 1_764_400_000_000;
const ADAPTERS: Readonly<Record<LiveExchange, Adapter>> = { binance, bybit, gate, okx };
const PERPETUAL = { symbol: 'BTC/USDT:USDT', base: 'BTC', quote: 'USDT', settle: 'USDT', type: 'swap', swap: true };
const SPOT = { symbol: 'BTC/USDT', base: 'BTC', quote: 'USDT', type: 'spot', spot: true };

/** As they are published, and those of a market in which nobody is: whose, what, where it is told, and the message. */
const TICKERS: readonly [LiveExchange, string, { spot: string; id: string; url: string }, Raw, (raw: Raw) => object][] =
  [
    [
      'okx',
      'perpetual',
      { spot: 'BTC-USDT', id: 'BTC-USDT-SWAP', url: 'wss://ws.okx.com:8443/ws/v5/public' },
      {
        ...{ instType: 'SWAP', instId: 'BTC-USDT-SWAP', last: '91234.5', lastSz: '1', askPx: '91234.6', askSz: '11' },
        ...{ bidPx: '91234.5', bidSz: '5', open24h: '90000', high24h: '92000', low24h: '89500.1' },
        ...{ volCcy24h: '2222', vol24h: '222200', ts: String(AT) },
      },
      (raw) => ({ arg: { channel: 'tickers', instId: raw.instId }, data: [raw] }),
    ],
    [
      'okx',
      'spot with nobody there',
      { spot: 'BTC-USDT', id: 'BTC-USDT-SWAP', url: 'wss://ws.okx.com:8443/ws/v5/public' },
      {
        ...{ instType: 'SPOT', instId: 'BTC-USDT', last: '', lastSz: '0', askPx: '', askSz: '', bidPx: '', bidSz: '' },
        ...{ open24h: '0', high24h: '0', low24h: '0', volCcy24h: '0', vol24h: '0', ts: String(AT) },
      },
      (raw) => ({ arg: { channel: 'tickers', instId: raw.instId }, data: [raw] }),
    ],
    [
      'bybit',
      'perpetual',
      { spot: 'BTCUSDT', id: 'BTCUSDT', url: 'wss://stream.bybit.com/v5/public/linear' },
      {
        ...{ symbol: 'BTCUSDT', price24hPcnt: '-0.012345', lastPrice: '17216.00', prevPrice24h: '17431.19' },
        ...{ highPrice24h: '17481.50', lowPrice24h: '16915.00', markPrice: '17217.33', indexPrice: '17227.36' },
        ...{ openInterest: '68744.761', openInterestValue: '1183601235.91', turnover24h: '1570383121.943499' },
        ...{ volume24h: '91705.276', nextFundingTime: '1673280000000', fundingRate: '-0.000212' },
        ...{ bid1Price: '17215.50', bid1Size: '84.489', ask1Price: '17216.00', ask1Size: '83.020' },
      },
      (data) => ({ topic: 'tickers.BTCUSDT', type: 'snapshot', data, ts: AT }),
    ],
    [
      'bybit',
      'spot on a day without change',
      { spot: 'BTCUSDT', id: 'BTCUSDT', url: 'wss://stream.bybit.com/v5/public/spot' },
      {
        ...{ symbol: 'BTCUSDT', lastPrice: '21109.77', highPrice24h: '21426.99', lowPrice24h: '20575' },
        ...{ prevPrice24h: '21109.77', volume24h: '6780.866843', turnover24h: '141946527.22907118', price24hPcnt: '0' },
      },
      (data) => ({ topic: 'tickers.BTCUSDT', type: 'snapshot', data, ts: AT }),
    ],
    [
      'gate',
      'perpetual',
      { spot: 'BTC_USDT', id: 'BTC_USDT', url: 'wss://fx-ws.gateio.ws/v4/ws/usdt' },
      {
        ...{ contract: 'BTC_USDT', last: '6432', low_24h: '6278', high_24h: '6790', change_percentage: '4.43' },
        ...{ total_size: '32323904', volume_24h: '184040233284', volume_24h_base: '28613220' },
        ...{ volume_24h_quote: '184040233284', mark_price: '6534', funding_rate: '0.0001', index_price: '6531' },
        ...{ lowest_ask: '6432.1', highest_bid: '0' },
      },
      (raw) => ({ channel: 'futures.tickers', event: 'update', time_ms: AT, result: [raw] }),
    ],
    [
      'gate',
      'spot',
      { spot: 'BTC_USDT', id: 'BTC_USDT', url: 'wss://api.gateio.ws/ws/v4/' },
      {
        ...{ currency_pair: 'BTC_USDT', last: '7.255', lowest_ask: '7.298', highest_bid: '7.218' },
        ...{ change_percentage: '-1.18', base_volume: '1219.053687865', quote_volume: '8807.40299875455' },
        ...{ high_24h: '7.262', low_24h: '7.095' },
      },
      (result) => ({ channel: 'spot.tickers', event: 'update', time_ms: AT, result }),
    ],
    [
      'binance',
      'perpetual',
      { spot: 'BTCUSDT', id: 'BTCUSDT', url: 'wss://fstream.binance.com/ws/0' },
      {
        ...{ e: '24hrMiniTicker', E: AT, s: 'BTCUSDT', c: '45312.4', o: '45407.3', h: '46000', l: '44000.1' },
        ...{ v: '8913.3', q: '401234567.1' },
      },
      (raw) => [raw],
    ],
    [
      'binance',
      'spot',
      { spot: 'BTCUSDT', id: 'BTCUSDT', url: 'wss://stream.binance.com:9443/ws/0' },
      { e: '24hrMiniTicker', E: AT, s: 'BTCUSDT', c: '45312.4', o: '0', h: '0', l: '0', v: '0', q: '0' },
      (raw) => [raw],
    ],
  ];

/** What stands in every unified ticker. */
function figuresOf(ticker: CcxtTicker): Heard {
  const { last, bid, ask, high, low, percentage, baseVolume, quoteVolume, markPrice, indexPrice } = ticker;
  return {
    ...{ last: numberOf(last), bid: numberOf(bid), ask: numberOf(ask), high24h: numberOf(high), low24h: numberOf(low) },
    ...{ mark: numberOf(markPrice), index: numberOf(indexPrice), volume24h: numberOf(baseVolume) },
    change24h: percentage === undefined ? undefined : expect.closeTo(percentage / 100, 10),
    turnover24h: numberOf(quoteVolume),
  };
}

async function knowing(name: LiveExchange, { spot, id }: { spot: string; id: string }): Promise<Exchange> {
  const exchange = (await createClient(name)) as unknown as Exchange;
  exchange.setMarkets([
    { ...SPOT, id: spot, baseId: 'BTC', quoteId: 'USDT', active: true },
    { ...PERPETUAL, id, baseId: 'BTC', quoteId: 'USDT', settleId: 'USDT', active: true, linear: true, contractSize: 1 },
  ]);
  return exchange;
}

/** One of them has another way for messages of streams. */
const parsed = (exchange: Exchange & { parseWsTicker?(raw: Raw, type: string): CcxtTicker }, raw: Raw): CcxtTicker =>
  exchange.parseWsTicker?.(raw, 'contract') ?? (exchange.parseTicker(raw) as CcxtTicker);

test.each(TICKERS)('a message of %s reads as the library reads it: %s', async (name, what, names, raw, messageOf) => {
  const exchange = await knowing(name, names);
  const expected = figuresOf(parsed(exchange, { ...raw }));
  const { heard } = ADAPTERS[name].told(messageOf(raw), exchange, names.url)!;
  expect(heard).toHaveLength(1);
  const [symbol, figures] = heard[0]!;
  expect(symbol).toBe(what.startsWith('spot') ? 'BTC/USDT' : 'BTC/USDT:USDT');
  // Of contracts the library takes their number for the base volume, and knows no turnover.
  const own = raw.instType === 'SWAP' ? { volume24h: 2222, turnover24h: 2222 * 91_234.5 } : {};
  expect({ bid: undefined, ask: undefined, mark: undefined, index: undefined, ...figures }).toMatchObject({
    at: AT,
    ...expected,
    ...own,
  });
});
