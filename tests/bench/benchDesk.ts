import type { Database } from '#server/db/client';
import { user } from '#server/db/schema';
import { Engine } from '#server/engine/engine';
import { PairModels } from '#server/engine/pairModel';
import { createMarkets } from '#server/exchange/markets';
import { createPaperVenue } from '#server/exchange/paper/paperVenue';

export const START = Date.UTC(2026, 0, 15, 6, 30);

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

export const share = (took: Float64Array, part: number): number =>
  Math.round([...took].sort((a, b) => a - b)[Math.floor((took.length - 1) * part)]! * 100) / 100;
