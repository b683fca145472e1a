import { MINUTE_MS } from '#contract/duration';
import type { AccountTrouble } from '#contract/lifecycle';
import type { Clock } from '../exchange';
import type { VenueRefusalReason } from '../venue';

/** An account of which all has not been read for so long is traded blindly. */
const BEHIND_MS = MINUTE_MS;

/** What is wrong with an account, and why where its exchange said so. */
export interface Illness {
  what: AccountTrouble;
  /** Of a clock by how many ms that of the exchange is ahead of ours. */
  reason: VenueRefusalReason | `${number}` | null;
}

interface HealthOptions {
  clock: Clock;
  /** Told what is wrong with an account, or that nothing is; again until it succeeds. */
  tell(account: string, illness: Illness | null): Promise<void>;
}

interface State {
  illness: Illness | null;
  /** When all of it was last read. */
  readAt: number | null;
  /** Since when reading fails; null while it does not. */
  failingSince: number | null;
  /** What was told last; undefined before anything was. */
  told: AccountTrouble | null | undefined;
  isTelling: boolean;
}

const BEHIND: Illness = { what: 'journalBehind', reason: null };

/** Whether accounts at an exchange may be added to, by what its answers say of the key, the clock and the journal. */
export class AccountHealth {
  readonly #options: HealthOptions;
  readonly #states = new Map<string, State>();

  constructor(options: HealthOptions) {
    this.#options = options;
  }

  /** Why nothing is to be opened in an account now: also before this process has read all of it. */
  of(account: string): AccountTrouble | null {
    const { illness, readAt } = this.#stateOf(account);
    const isBehind = readAt === null || this.#options.clock() - readAt > BEHIND_MS;
    return illness?.what ?? (isBehind ? BEHIND.what : null);
  }

  /** All of an account was read. @param illness what is wrong with it all the same */
  read(account: string, illness: Illness | null): void {
    Object.assign(this.#stateOf(account), { readAt: this.#options.clock(), failingSince: null, illness });
    this.#tell(account);
  }

  /** An account could not be read. @param illness why, where that is known; it stays what it was else */
  failed(account: string, illness: Illness | null): void {
    const state = this.#stateOf(account);
    state.failingSince ??= this.#options.clock();
    state.illness = illness ?? state.illness;
    this.#tell(account);
  }

  #stateOf(account: string): State {
    const fresh = { illness: null, readAt: null, failingSince: null, told: undefined, isTelling: false };
    const state = this.#states.get(account) ?? fresh;
    this.#states.set(account, state);
    return state;
  }

  #tell(account: string): void {
    const { clock, tell } = this.#options;
    const state = this.#stateOf(account);
    const { failingSince, illness } = state;
    const isBehind = failingSince !== null && clock() - failingSince > BEHIND_MS;
    // While reading has begun to fail nothing is known anew.
    if (illness === null && failingSince !== null && !isBehind) return;
    const now = illness ?? (isBehind ? BEHIND : null);
    const what = now?.what ?? null;
    if (state.isTelling || state.told === what) return;
    state.isTelling = true;
    tell(account, now)
      .then(
        () => {
          state.told = what;
        },
        // It is told with the next look.
        () => undefined,
      )
      .finally(() => {
        state.isTelling = false;
      });
  }
}
