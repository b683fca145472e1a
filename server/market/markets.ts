import { SIMULATED } from '#contract/candle';
import type { Queries } from '../base/db/client';
import { listSources, type SourceRow } from '../base/db/markets/instrument';
import { simulatedLawOf } from '../base/db/markets/simulatedLaw';
import type { Clock, Market, Markets } from './exchange';
import { createCandleCache, ImportedMarket } from './imported';
import type { LiveMarket } from './live/liveMarket';
import { createSimulatedVenues } from './simulated';
import { type LawNumber, MARKET_LAWS } from './simulated/laws';

export interface MarketsOptions {
  db: Queries;
  clock: Clock;
  /** Chooses the simulated history. */
  seed?: number;
  /** What the simulated prices follow (`marketLawOf`); the newest law where none is given. */
  law?: LawNumber;
  /** Whether there is a simulated market; unless told there is. */
  isSimulated?: boolean;
  /** Exchanges that are followed. */
  live?: readonly LiveMarket[];
}

/** What the simulated market of a database follows, ever since it was made. */
export async function marketLawOf(db: Queries): Promise<LawNumber> {
  const law = await simulatedLawOf(db);
  if (!(law in MARKET_LAWS)) throw new Error(`no law ${law} of the simulated market`);
  return law as LawNumber;
}

/**
 * The venues of the simulated market, the exchanges that are followed and every imported exchange; the main simulated venue stands for its sisters where
 * sources are listed to choose from. `list` and `get` look up what was imported since,
 * also by another process, and move the market's `version` on.
 */
export function createMarkets({ db, clock, isSimulated = true, live = [], ...chosen }: MarketsOptions): Markets {
  const simulated = isSimulated ? createSimulatedVenues({ clock, ...chosen }) : [];
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

  /** Of what is stored of the exchanges that are followed. */
  function follow(rows: readonly SourceRow[]): void {
    for (const market of live) market.moveTo(rows.find(({ source }) => source === market.source)?.stamp ?? '');
  }

  return {
    home: simulated[0]?.source ?? live[0]?.source ?? SIMULATED,
    list: async () => {
      const rows = await listSources(db);
      follow(rows);
      const others = rows.filter(({ source }) => !live.some((market) => market.source === source));
      return [...simulated.slice(0, 1), ...live, ...others.map(current)];
    },
    get: async (source) => {
      const venue = simulated.find((market) => market.source === source);
      if (venue) return venue;
      const rows = await listSources(db, source);
      const followed = live.find((market) => market.source === source);
      followed?.moveTo(rows[0]?.stamp ?? '');
      return followed ?? (rows[0] && current(rows[0]));
    },
    traded: () => [...simulated, ...live],
  };
}
