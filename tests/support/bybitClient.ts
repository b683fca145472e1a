import { pointAt } from '#server/market/live/address';
import { type Client, createClient } from '#server/market/live/exchangeClass';
import type { ApiKey } from '../standin/core/keys';
import type { StandIn } from '../standin/standIn';
import { customerAt } from './askedClient';

/** A client of a stand-in that has the true time. @param key whose key it has */
export async function bybitClientOf(
  { url, exchange }: StandIn,
  { key, secret }: Pick<ApiKey, 'key' | 'secret'>,
): Promise<Client<'bybit'>> {
  const client = await createClient('bybit', {
    ...{ apiKey: key, secret, enableRateLimit: false },
    options: { fetchMarkets: { types: ['spot', 'linear'] } },
  });
  client.has.fetchCurrencies = false;
  client.milliseconds = () => exchange('bybit').trueNow();
  await pointAt(client, url);
  await client.loadMarkets();
  return client;
}

/** A customer of Bybit with 50,000 USDT, and a client that has a key of theirs. */
export const bybitCustomer = (clock: () => number) => customerAt('bybit', clock, bybitClientOf);
