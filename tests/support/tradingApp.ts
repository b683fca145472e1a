import type { Database } from '#server/base/db/client';
import { Engine } from '#server/engine/engine';
import { PairModels } from '#server/engine/pairModel';
import type { PaperFaults, PaperVenueOptions } from '#server/market/paper/paperVenue';
import { createPaperVenue } from '#server/market/paper/paperVenue';
import { fileApp } from './app';
import { atEnd } from './atEnd';
import type { movingMarket } from './paperDesk';
import { fileDatabase } from './testDatabase';

/**
 * A server and an engine over a moving market, for all tests of the file that asks for them as it is loaded.
 * @param own what is particular to its venue, and its database where there is one already
 */
export async function tradingApp(
  { clock, markets, wait }: Pick<ReturnType<typeof movingMarket>, 'clock' | 'markets' | 'wait'>,
  faults: PaperFaults = {},
  own: Omit<Partial<PaperVenueOptions>, 'db'> & { db?: Database } = {},
) {
  const db = own.db ?? (await fileDatabase());
  const venue = createPaperVenue({ ...own, db, clock, markets, faults });
  const pairModels = new PairModels();
  const engine = new Engine({ db, clock, markets, venue, pairModels });
  const app = await fileApp({ db, clock, markets, venue, pairModels, desk: engine });
  atEnd(() => engine.stop());
  /** Ticks once a second for so many seconds. */
  const pass = async (seconds: number) => {
    for (let i = 0; i < seconds; i += 1) {
      wait(1000);
      await engine.tick();
    }
  };
  return { db, app, engine, venue, pass };
}
