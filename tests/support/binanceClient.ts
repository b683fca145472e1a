import { WebSocket } from 'ws';
import { pointAt } from '#server/market/live/address';
import { type Client, createClient } from '#server/market/live/exchangeClass';
import { type StandIn, startStandIn } from '../standin/standIn';
import { clockFrom, QUIET_START } from './clockFrom';
import { waitFor } from './waitFor';

export type Binance = Client<'binance'>;

/** A client of a stand-in, as the product's, that has the true time. @param key whose key it has; none where it is not given */
export async function clientOf(
  { url, exchange }: StandIn,
  key?: { key: string; secret: string },
  options = {},
): Promise<Binance> {
  const client = await createClient('binance', {
    ...(key && { apiKey: key.key, secret: key.secret }),
    enableRateLimit: false,
    options: { fetchCurrencies: false, fetchMargins: false, fetchMarkets: { types: ['spot', 'linear'] } },
    ...options,
  });
  client.milliseconds = () => exchange('binance').trueNow();
  await pointAt(client, url);
  await client.loadMarkets();
  return client;
}

/** A customer of binance with money in both wallets, USDT, and a client that has a key of theirs. */
export async function customerOf(clock = clockFrom(QUIET_START)) {
  const standIn = await startStandIn({ dialects: ['binance'], clock });
  const exchange = standIn.exchange('binance');
  const account = exchange.trading.account('owner');
  account.deposit('spot', 'USDT', 50_000);
  account.deposit('derivatives', 'USDT', 50_000);
  const key = exchange.keys.add({ key: 'owner-key', secret: 'owner-secret', account: 'owner' });
  const client = await clientOf(standIn, key);
  return { standIn, exchange, account, key, client };
}

/** The addresses of open streams of a client's own account, of futures. */
export const ownStreams = ({ clients }: Binance): string[] =>
  Object.entries(clients)
    .filter(([url, { connection }]) => url.includes('/private/') && connection?.readyState === WebSocket.OPEN)
    .map(([url]) => url);

/** Until the exchange tells a client of its account, on another stream than these. */
export const listening = (client: Binance, others: string[] = []) =>
  waitFor('the stream of an account', 60_000, () => ownStreams(client).some((url) => !others.includes(url)));
