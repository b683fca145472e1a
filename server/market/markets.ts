import type { Queries } from '../base/db/client';
import { listSources, type SourceRow } from '../base/db/markets/instrument';
import type { Clock, Market, Markets } from './exchange';
import { createCandleCache, ImportedMarket } from './imported';
import { createSimulatedVenues } from './simulated';

export interface MarketsOptions {
  db: Queries;
  clock: Clock;
  /** Chooses the simulated history. */
  seed?: number;
}

/**
 * The venues of the simulated market and every imported exchange; the main simulated venue stands for its sisters where
 * sources are listed to choose from. `list` and `get` look up what was imported since,
 * also by another process, and move the market's `version` on.
 */
export function createMarkets({ db, clock, seed }: MarketsOptions): Markets {
  const simulated = createSimulatedVenues({ clock, ...(seed === undefined ? {} : { seed }) });
  const cache = createCandleCache();
  const imported = new Map<string, ImportedMarket>();

  function current({ source, stamp }: SourceRow): Market {
    let market = imported.get(source);
    if (!market) {
      market = new ImportedMarket(source, { db, clock, cache });
      imported.set(source, market);
    }
    market.moveTo(stamp);
    return market;
  }

  return {
    list: async () => [simulated[0]!, ...(await listSources(db)).map(current)],
    get: async (source) => {
      const venue = simulated.find((market) => market.source === source);
      if (venue) return venue;
      const [row] = await listSources(db, source);
      return row && current(row);
    },
  };
}
