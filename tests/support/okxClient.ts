import { pointAt } from '#server/market/live/address';
import { type Client, createClient } from '#server/market/live/exchangeClass';
import type { ApiKey } from '../standin/core/keys';
import type { StandIn } from '../standin/standIn';
import { customerAt } from './askedClient';

type Secrets = Pick<ApiKey, 'key' | 'secret' | 'passphrase'>;

/** A client of a stand-in that has the true time, and orders one by one. @param key whose key it has */
export async function okxClientOf(
  { url, exchange }: StandIn,
  { key, secret, passphrase }: Secrets,
): Promise<Client<'okx'>> {
  const client = await createClient('okx', {
    ...{ apiKey: key, secret, password: passphrase, enableRateLimit: false },
    options: { createOrder: 'privatePostTradeOrder', fetchMarkets: { types: ['spot', 'swap', 'future'] } },
  });
  client.has.fetchCurrencies = false;
  client.milliseconds = () => exchange('okx').trueNow();
  // Logins on connections are signed by it.
  client.seconds = () => Math.floor(client.milliseconds() / 1000);
  await pointAt(client, url);
  await client.loadMarkets();
  return client;
}

/** A customer of OKX with 50,000 USDT, and a client that has a key of theirs. */
export const okxCustomer = (clock: () => number) => customerAt('okx', clock, okxClientOf);
