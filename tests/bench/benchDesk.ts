import '#server/kinds/kinds';
import { DAY_MS } from '#contract/duration';
import { DEFAULT_SETTINGS } from '#contract/kinds/hedge/config';
import type { Database } from '#server/base/db/client';
import { user } from '#server/base/db/schema';
import { Engine } from '#server/engine/engine';
import { PairModels } from '#server/engine/pairModel';
import { createMarkets } from '#server/market/markets';
import { createPaperVenue } from '#server/market/paper/paperVenue';
import { addBook, addPair } from '../support/bookRows';

const START = Date.UTC(2026, 0, 15, 6, 30);

/** An engine over the simulated market and a clock of our own. */
export function benchDesk(db: Database) {
  let now = START;
  const clock = () => now;
  const markets = createMarkets({ db, clock });
  const venue = createPaperVenue({ db, clock, markets });
  const troubles: string[] = [];
  const engine = new Engine({
    db,
    clock,
    markets,
    venue,
    pairModels: new PairModels(),
    onTrouble: (what) => void troubles.push(what),
  });
  return {
    clock,
    markets,
    venue,
    engine,
    troubles,
    addUser: async (name: string): Promise<string> => {
      const [row] = await db.insert(user).values({ name, role: 'user', passwordHash: '-', createdAt: now }).returning();
      return row!.id;
    },
    /** Milliseconds of each tick, one second of the market apart. */
    run: async (ticks: number): Promise<Float64Array> => {
      const took = new Float64Array(ticks);
      for (let i = 0; i < ticks; i += 1) {
        now += 1000;
        const began = performance.now();
        await engine.tick();
        took[i] = performance.now() - began;
      }
      return took;
    },
  };
}

interface Hedging {
  users: number;
  /** Of each user. */
  pairs: number;
  /** A z at which pairs are opened; at once without it. */
  entryZ?: number;
}

/** The same with users who hedge the coins of the simulated market in turn. */
export async function hedgingUsers(db: Database, { users, pairs, entryZ }: Hedging) {
  const desk = benchDesk(db);
  const { markets, venue, clock } = desk;
  const symbols = (await (await markets.get('simulated'))!.instruments())
    .filter(({ listedAt }) => listedAt < START - 60 * DAY_MS)
    .map(({ symbol }) => symbol);
  const entry = entryZ === undefined ? {} : { entry: 'z' as const, entryZ };
  const open = { legNotional: 500, maxHedges: pairs, dailyLossLimit: null, stopLoss: null };
  const userIds: string[] = [];
  for (let i = 0; i < users; i += 1) {
    const userId = await desk.addUser(`bench-${users}-${pairs}-${i}`);
    userIds.push(userId);
    await addBook(db, userId, { enabled: true }, { settings: { ...DEFAULT_SETTINGS, ...open, ...entry } });
    for (let p = 0; p < pairs; p += 1) {
      // After a round the partner is another one: no pair stands twice.
      const [at, round] = [i * 7 + p * 2, Math.floor((p * 2) / symbols.length)];
      const long = symbols[at % symbols.length]!;
      const short = symbols[(at + 1 + round) % symbols.length]!;
      await addPair(db, { userId, long, short, createdAt: clock(), armedAt: clock() });
    }
    await venue.open(userId, String(100_000 * Math.ceil(pairs / 50)));
  }
  return { ...desk, userIds };
}

export const share = (took: Float64Array, part: number): number =>
  Math.round([...took].sort((a, b) => a - b)[Math.floor((took.length - 1) * part)]! * 100) / 100;
