import { LRUCache } from 'lru-cache';
import { keyOfAccount } from '../base/db/accounts/apiKey';
import { accountById } from '../base/db/accounts/venueAccount';
import type { Database } from '../base/db/client';
import { Refusal } from '../base/http/refusal';
import type { Vault } from '../base/secret/vault';
import { noteHealth } from '../desk/account/health';
import type { Clock } from '../market/exchange';
import type { LiveMarket } from '../market/live/liveMarket';
import { LiveVenue } from '../market/live/liveVenue';
import { BinanceLine } from '../market/live/orders/binanceLine';
import { ownClient } from '../market/live/ownClient';
import { VenueRefused } from '../market/venue';
import { credentialsOf } from '../people/apiKey/keyVault';

const ACCOUNTS_KEPT = 10_000;

export interface RealOptions {
  db: Database;
  clock: Clock;
  vault: Vault;
  /** Where real orders go; absent where all trading is on paper. */
  real?: {
    market: LiveMarket;
    /** Called instead of the exchange's own address. */
    url: string | undefined;
    /** USDT an account. */
    maxNotional: number;
  };
}

interface Heard {
  /** Something happened to an account of the user's. */
  onFound(userId: string): void;
  /** Something is wrong with one, or nothing is any more. */
  onHealth(userId: string): void;
  onTrouble(what: string): void;
}

/** Trades users' accounts at the exchange itself, each by the key that it has; null where all trading is on paper. */
export function createReal({ db, clock, vault, real }: RealOptions, { onFound, onHealth, onTrouble }: Heard) {
  if (real === undefined) return null;
  const { market, url, maxNotional } = real;
  const { source } = market;
  // Neither ever changes.
  const known = new LRUCache<string, { userId: string; isLive: boolean }>({ max: ACCOUNTS_KEPT });

  async function accountOf(id: string) {
    const kept = known.get(id);
    if (kept !== undefined) return kept;
    const row = await accountById(db, id);
    if (row === undefined) return undefined;
    const account = { userId: row.userId, isLive: row.mode === 'live' };
    known.set(id, account);
    return account;
  }

  const venue = new LiveVenue({
    ...{ db, clock, source, maxNotional: String(maxNotional), onTrouble },
    markOf: (symbol) => market.listed(symbol)?.ticker.price ?? null,
    keyOf: async (account) => {
      const key = await keyOfAccount(db, account);
      if (key === null || key?.enabled === false) throw new VenueRefused('noKey');
      return key;
    },
    uidOf: async (account) => (await accountById(db, account))?.exchangeUid ?? null,
    lineOf: async (key, signal) => {
      const credentials = await credentialsOf(vault, db, key).catch((error: unknown) => {
        // Whoever cannot open the key has sent nothing.
        throw error instanceof Refusal ? new VenueRefused('noKey') : error;
      });
      const { rest } = market.feed;
      // Its requests are signed by a time of their own: they cannot wait.
      const client = await ownClient(credentials, { clock, url, isPaced: false });
      rest.listen(client as never);
      return new BinanceLine({ client, ask: (question) => rest.ask(client as never, question), signal });
    },
    onHealth: async (id, illness) => {
      const account = await accountById(db, id);
      // Of one that is only looked at nobody has to know.
      if (account === undefined) return;
      await noteHealth(db, account, illness, clock());
      onHealth(account.userId);
    },
    onFound: (account) =>
      void accountOf(account).then(
        (row) => row && onFound(row.userId),
        () => undefined,
      ),
  });
  return { venue, isLive: async (account: string) => (await accountOf(account))?.isLive ?? venue.isOpening(account) };
}
