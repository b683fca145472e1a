import type { Database } from '../../base/db/client';
import { findSessions, type SessionHorizon } from '../../base/db/users/session';

/** How old the answer may be by which an event goes out. */
const LIFE_MS = 2_000;

/** The session of one stream, and what to do when it may not go on. */
export interface Watched {
  tokenHash: string;
  /** Whose events it brings, and in which role. */
  userId: string;
  role: string;
  end: (reason: 'session' | 'role') => void;
  /** Whether it is over for other reasons: it is forgotten then. */
  isOver: () => boolean;
}

interface WatchOptions {
  db: Database;
  /** Sessions opened or seen by these instants are over. */
  horizon: () => SessionHorizon;
  onFailure: (error: unknown) => void;
}

/** Ends the streams whose session is over, whose user is blocked or has another role now, and those of a master who has come to look on as another; asks for all of them at once. */
export class SessionWatch {
  readonly #options: WatchOptions;
  readonly #watched = new Set<Watched>();
  #askedAt = Number.NEGATIVE_INFINITY;
  #asking: Promise<boolean> | undefined;

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  add(watched: Watched): void {
    this.#watched.add(watched);
  }

  /** Whether the streams that are left may go on; false when that could not be found out. */
  readonly check = async (): Promise<boolean> => {
    if (this.#watched.size === 0 || performance.now() - this.#askedAt < LIFE_MS) return true;
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  };

  async #ask(): Promise<boolean> {
    const { db, horizon, onFailure } = this.#options;
    const askedAt = performance.now();
    for (const watched of this.#watched) if (watched.isOver()) this.#watched.delete(watched);
    const asked = [...this.#watched];
    try {
      const hashes = [...new Set(asked.map(({ tokenHash }) => tokenHash))];
      const found = new Map((await findSessions(db, hashes, horizon())).map((row) => [row.tokenHash, row]));
      for (const { tokenHash, userId, role, end } of asked) {
        const now = found.get(tokenHash);
        if (now === undefined || now.blocked) end('session');
        else if (now.role !== role || now.userId !== userId) end('role');
      }
    } catch (error) {
      onFailure(error);
      return false;
    }
    this.#askedAt = askedAt;
    return true;
  }
}
