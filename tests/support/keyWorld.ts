import type { OrderExchange } from '#contract/candle';
import type { Database } from '#server/base/db/client';
import { createLive } from '#server/market/live/live';
import { liveKeyCheck } from '#server/market/live/liveKeyCheck';
import type { ApiKey } from '../standin/core/keys';
import { QUIET_START, steeredClock } from './clockFrom';
import { fundedCustomer } from './fundedCustomer';

type Secrets = Pick<ApiKey, 'key' | 'secret' | 'passphrase'>;

/** A customer of an exchange's stand-in, and whoever asks it about keys. */
export async function keyWorld(db: Database, name: OrderExchange) {
  const { clock, wait, still } = steeredClock(QUIET_START);
  const { standIn, exchange, customer } = await fundedCustomer(clock, name);
  const urls = { [name]: standIn.url };
  const anew = () => {
    const { markets } = createLive({ ...{ db, clock, urls, exchanges: [name] }, onTrouble: () => undefined });
    return liveKeyCheck({ clock, markets, urls });
  };
  const words = { key: 'owner-key', secret: 'owner-secret', passphrase: 'owner words', account: 'owner' };
  const credentialsOf = ({ key, secret, passphrase }: Secrets) =>
    ({ exchange: name, key, secret, passphrase, subAccount: null }) as const;
  return {
    ...{ standIn, exchange, customer },
    known: (more: Partial<ApiKey> = {}) => exchange.keys.add({ ...words, addresses: ['127.0.0.1'], ...more }),
    told: (key: Secrets) => anew().check(credentialsOf(key), clock()),
    /** Equity and positions are two questions: prices stand still between them. */
    holdings: (key: Secrets) => still(() => anew().holdings(credentialsOf(key), clock())),
    wait,
  };
}
