import type { Environment } from '#contract/service';
import type { Database } from '../base/db/client';
import type { Vault } from '../base/secret/vault';
import type { Clock } from '../market/exchange';
import type { KeyCheck } from '../market/keyCheck';

/** What is known of the demo's users. */
export interface PeopleConfig {
  environment: Omit<Environment, 'preparing' | 'told' | 'registration'>;
}

/** What every answer about users and their keys is made of. */
export interface PeopleDeps {
  db: Database;
  clock: Clock;
  /** Keeps what of users' keys only the server may read. */
  vault: Vault;
  /** Asks exchanges about users' keys; null where no exchange is followed. */
  keyCheck: KeyCheck | null;
  /** Waits so many milliseconds; by the real time unless told. */
  pause?: (ms: number) => Promise<unknown>;
  config: PeopleConfig;
}
