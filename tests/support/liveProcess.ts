import type { Database } from '#server/base/db/client';
import { audit } from '#server/engine/audit';
import { createLive } from '#server/market/live/live';
import { LiveVenue } from '#server/market/live/liveVenue';
import type { RealExchange } from '#server/market/live/orders/realExchange';
import { REAL_EXCHANGES } from '#server/market/live/orders/realExchanges';
import { createMarkets } from '#server/market/markets';
import { createPaperVenue } from '#server/market/paper/paperVenue';
import { venueByMode } from '#server/market/venueByMode';
import type { liveAccount } from './liveAccount';
import { tradingDesk } from './tradingDesk';
import { waitFor } from './waitFor';

const PATIENCE_MS = 60_000;

export interface LiveProcessOptions {
  maxNotional?: string;
  /** What the account was opened with at its exchange. */
  uid?: number;
}

/** One process: it follows the exchange at an address, and trades the account there. */
export async function liveProcess(
  db: Database,
  owner: Awaited<ReturnType<typeof liveAccount>>,
  url: string,
  { maxNotional = '100000', uid = owner.customer.uid }: LiveProcessOptions = {},
) {
  const { clock, account, userId } = owner;
  const ending = new AbortController();
  const live = createLive({
    ...{ db, clock, exchanges: [owner.name], urls: { [owner.name]: url }, onTrouble: () => undefined },
    times: { ping: 150, out: 900, silent: 2_000, stale: 2_500, poll: 300, again: 50, longest: 200, history: 0 },
    collectorTimes: { look: 100, lease: 1_500 },
  });
  live.start();
  const market = live.markets[0]!;
  const markets = createMarkets({ db, clock, live: live.markets });
  const troubles: string[] = [];
  const real = new LiveVenue({
    ...{ db, clock, source: owner.source, exchange: REAL_EXCHANGES[owner.name] as RealExchange, maxNotional },
    keyOf: () => owner.keyRecord(),
    uidOf: async () => String(uid),
    lineOf: (_key, signal) => owner.line({ signal: AbortSignal.any([ending.signal, signal]) }),
    markOf: (symbol) => market.listed(symbol)?.ticker.price ?? null,
    onTrouble: (what) => void troubles.push(what),
  });
  const paper = createPaperVenue({ db, clock, markets, shared: () => true });
  const venue = venueByMode(paper, async (id) => (id === account ? real : null));
  const moving = { markets, clock, wait: () => undefined };
  const desk = await tradingDesk(db, moving, {
    userId,
    isKept: true,
    venue: { shared: () => true },
    engine: { venue },
  });
  await waitFor('prices', PATIENCE_MS, async () => (await market.tickers()).length === 2);
  return {
    markets,
    ...{ desk, venue, real, troubles },
    until: (what: string, isSo: () => Promise<boolean> | boolean) =>
      waitFor(what, PATIENCE_MS, async () => {
        await desk.engine.tick();
        return isSo();
      }),
    findings: async () => (await audit(db, venue, [userId])).findings.map(({ what }) => what),
    end: async () => {
      await desk.retire();
      ending.abort();
      await real.idle();
      await live.stop();
      await db.execute('update book set lease_holder = null, lease_until = 0');
    },
  };
}
