import { type AccountRow, accountsOf } from '../../base/db/accounts/venueAccount';
import type { Database } from '../../base/db/client';
import type { Told } from '../../engine/audit';
import type { Venue, VenueEvent } from '../../market/venue';

/** How long one question to the venue may take, ms. */
const PATIENCE_MS = 2_000;
const ATTEMPTS = 3;
const PAUSE_MS = 250;

/** One user's accounts under examination. */
export interface Inquiry {
  db: Database;
  venue: Venue;
  userId: string;
  user: string;
  /** What could not be found out, in Chinese. */
  unknown: string[];
  /** Asks the venue. @throws when it fails, or takes longer than there is time. */
  ask<T>(question: (venue: Venue) => Promise<T>): Promise<T>;
  /** What the venue says has happened, which is read once: it is asked again only for what may have come since. */
  told: Told;
  /**
   * What `look` sees while the engine books nothing; it is tried again when something was booked meanwhile, or when
   * `settled` says no.
   */
  still<T>(
    look: (accounts: readonly AccountRow[]) => Promise<T>,
    settled?: (seen: T) => boolean,
  ): Promise<{ seen: T; still: boolean }>;
}

/** How far the accounts' venues are booked. */
const bookedIn = (accounts: readonly AccountRow[]): string =>
  accounts.map(({ id, sequence }) => `${id} ${sequence}`).join();

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** @param until when no more questions are asked, on the monotonic clock, ms. */
export function inquiryOf(
  db: Database,
  venue: Venue,
  { userId, user }: { userId: string; user: string },
  until: number,
): Inquiry {
  const ask = <T>(question: (venue: Venue) => Promise<T>): Promise<T> => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      const patience = Math.max(50, Math.min(PATIENCE_MS, until - performance.now()));
      timer = setTimeout(() => reject(new Error('the venue did not answer in time')), patience);
    });
    // A question that fails at once ends the wait too.
    const asked = Promise.resolve(venue).then(question);
    return Promise.race([asked, late]).finally(() => clearTimeout(timer));
  };
  const still: Inquiry['still'] = async (look, settled = () => true) => {
    for (let attempt = 1; ; attempt += 1) {
      const before = await accountsOf(db, [userId]);
      const seen = await look(before);
      const stood = bookedIn(await accountsOf(db, [userId])) === bookedIn(before);
      if (stood && settled(seen)) return { seen, still: true };
      if (attempt === ATTEMPTS) return { seen, still: stood };
      await sleep(PAUSE_MS);
    }
  };
  return { db, venue, userId, user, unknown: [], ask, told: toldOnce(ask), still };
}

/** Events by account, ascending, all of them after a sequence. */
type Read = Map<string, { after: number; last: number; events: VenueEvent[] }>;

function toldOnce(ask: Inquiry['ask']): Told {
  const read: Read = new Map();
  return {
    async events(account, after, most) {
      const known = read.get(account) ?? { after, last: after, events: [] };
      // Further back than was read: of a long past, page by page.
      if (after < known.after) return ask((venue) => venue.events(account, after, most));
      const later = () => known.events.filter(({ sequence }) => sequence > after);
      if (later().length > 0) return later();
      const fresh = await ask((venue) => venue.events(account, known.last));
      known.events.push(...fresh);
      known.last = fresh.reduce((last, { sequence }) => Math.max(last, sequence), known.last);
      read.set(account, known);
      return later();
    },
  };
}
