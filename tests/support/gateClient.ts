import { pointAt } from '#server/market/live/address';
import { type Client, createClient } from '#server/market/live/exchangeClass';
import type { ApiKey } from '../standin/core/keys';
import type { StandIn } from '../standin/standIn';
import { customerAt } from './askedClient';

/** A client of a stand-in that has the true time. @param key whose key it has */
export async function gateClientOf(
  { url, exchange }: StandIn,
  { key, secret, account }: Pick<ApiKey, 'key' | 'secret' | 'account'>,
): Promise<Client<'gate'>> {
  const settled = { fetchMarkets: { settlementCurrencies: ['usdt'] } };
  const client = await createClient('gate', {
    ...{ apiKey: key, secret, uid: String(exchange('gate').trading.account(account).uid), enableRateLimit: false },
    options: {
      ...{ fetchMarkets: { types: ['spot', 'swap', 'future'] }, swap: settled, future: settled },
      // It would tell what is held instead of subscribing at first.
      watchPositions: { fetchPositionsSnapshot: false },
    },
  });
  client.has.fetchCurrencies = false;
  client.milliseconds = () => exchange('gate').trueNow();
  client.seconds = () => Math.floor(client.milliseconds() / 1000);
  // By the name of the host: behind another it would take perpetuals for spot.
  client.getMarketTypeByUrl = (address) => (address.endsWith('/v4/ws/usdt') ? 'swap' : 'spot');
  client.nonce = () => client.milliseconds();
  await pointAt(client, url);
  await client.loadMarkets();
  return client;
}

/** A customer of Gate with 50,000 USDT in the wallets of spot and of perpetuals, and a client that has a key of theirs. */
export const gateCustomer = (clock: () => number) => customerAt('gate', clock, gateClientOf, ['spot', 'derivatives']);
