import { LRUCache } from 'lru-cache';
import { liveSource, type OrderExchange } from '#contract/candle';
import { type ApiKeyRecord, keyOfAccount } from '../base/db/accounts/apiKey';
import { accountById } from '../base/db/accounts/venueAccount';
import type { Database } from '../base/db/client';
import { Refusal } from '../base/http/refusal';
import type { Vault } from '../base/secret/vault';
import { noteHealth } from '../desk/account/health';
import type { Clock } from '../market/exchange';
import type { KeyCheck } from '../market/keyCheck';
import type { ExchangePlace } from '../market/live/address';
import type { LiveMarket } from '../market/live/liveMarket';
import { LiveVenue, type Opening } from '../market/live/liveVenue';
import { OwnLine } from '../market/live/orders/ownLine';
import type { RealExchange } from '../market/live/orders/realExchange';
import { REAL_EXCHANGES } from '../market/live/orders/realExchanges';
import { ownClient } from '../market/live/ownClient';
import { type AccountVenue, VenueRefused } from '../market/venue';
import { ABSENT } from '../market/venueByMode';
import { askAboutStored } from '../people/apiKey/changeKey';
import { credentialsOf } from '../people/apiKey/keyVault';

const ACCOUNTS_KEPT = 10_000;

export interface RealOptions {
  db: Database;
  clock: Clock;
  vault: Vault;
  keyCheck: KeyCheck | null;
  /** Where real orders go; absent where all trading is on paper. */
  real?: {
    places: readonly RealPlace[];
    /** USDT an account. */
    maxNotional: number;
  };
}

/** An exchange that takes real orders. */
export interface RealPlace extends ExchangePlace {
  exchange: OrderExchange;
  market: LiveMarket;
}

interface Heard {
  /** Something happened to an account of the user's. */
  onFound(userId: string): void;
  /** Something is wrong with one, or nothing is any more. */
  onHealth(userId: string): void;
  onTrouble(what: string): void;
}

/** Trades users' accounts at the exchange itself, each by the key that it has; where all trading is on paper, none. */
export function createReal({ db, clock, vault, keyCheck, real }: RealOptions, { onFound, onHealth, onTrouble }: Heard) {
  // Neither ever changes.
  const known = new LRUCache<string, { userId: string; venue: string; isLive: boolean }>({ max: ACCOUNTS_KEPT });

  async function accountOf(id: string) {
    const kept = known.get(id);
    if (kept !== undefined) return kept;
    const row = await accountById(db, id);
    if (row === undefined) return undefined;
    const account = { userId: row.userId, venue: row.venue, isLive: row.mode === 'live' };
    known.set(id, account);
    return account;
  }

  /** What the list of keys says of one goes by what its account has met. */
  async function askAboutKey(account: string): Promise<void> {
    if (keyCheck === null || keyCheck.simulated) return;
    const key = await keyOfAccount(db, account);
    // It is asked again with the next look at all keys.
    if (key != null) await askAboutStored({ db, clock, vault, keyCheck }, key, false).catch(() => undefined);
  }

  const venueAt = ({ exchange, market, url, isTestnet }: RealPlace) =>
    new LiveVenue({
      ...{ db, clock, source: market.source, exchange: REAL_EXCHANGES[exchange] as RealExchange },
      ...{ maxNotional: String(real?.maxNotional ?? 0), isTestnet, onTrouble },
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
        const own = REAL_EXCHANGES[exchange];
        const rest = own.countsByCustomer ? market.feed.rest.apart() : market.feed.rest;
        // Its requests are signed by a time of their own: they cannot wait.
        const client = await ownClient(exchange, credentials, { clock, url, isTestnet, isPaced: false });
        rest.listen(client as never);
        return new OwnLine({
          ...{ exchange: own as RealExchange, client, signal },
          ask: (question) => rest.ask(client as never, question),
          contractSizeOf: (symbol) => market.contractSizeOf(symbol),
        });
      },
      onHealth: async (id, illness) => {
        const account = await accountById(db, id);
        // Of one that is only looked at nobody has to know.
        if (account === undefined) return;
        if (await noteHealth(db, account, illness, clock())) await askAboutKey(id);
        onHealth(account.userId);
      },
      onFound: (account) =>
        void accountOf(account).then(
          (row) => row && onFound(row.userId),
          () => undefined,
        ),
    });

  const venues = new Map((real?.places ?? []).map((place) => [place.market.source, venueAt(place)]));
  return {
    /** Where an account is traded for real; null of one that is on paper. */
    async venueOf(account: string): Promise<AccountVenue | null> {
      const row = await accountOf(account);
      if (row !== undefined) return row.isLive ? (venues.get(row.venue) ?? ABSENT) : null;
      return [...venues.values()].find((venue) => venue.isOpening(account)) ?? null;
    },
    /** Looks at an account that nobody has yet, by a key. @throws VenueRefused, as where nothing is traded for real at that exchange */
    async opening(account: string, key: ApiKeyRecord): Promise<Opening> {
      const venue = venues.get(liveSource(key.exchange as OrderExchange));
      if (venue === undefined) throw new VenueRefused('unreachable');
      return venue.opening(account, key);
    },
    stop: async () => void (await Promise.all([...venues.values()].map((venue) => venue.stop()))),
  };
}
