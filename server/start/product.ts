import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { liveSource, ORDER_EXCHANGES } from '#contract/candle';
import { buildApp } from '../api/app';
import { endLeases } from '../base/db/books/lease';
import type { Database } from '../base/db/client';
import type { Vault } from '../base/secret/vault';
import type { Clock } from '../market/exchange';
import { createLive } from '../market/live/live';
import { liveKeyCheck } from '../market/live/liveKeyCheck';
import { createMarkets, marketLawOf } from '../market/markets';
import { simulatedKeyCheck } from '../market/simulated/keyCheck';
import type { Config } from './config';
import type { RealPlace } from './real';
import { createTrading } from './trading';

export { openControl } from './control';

/** The built console, beside the built server or, for the sources, in the project's dist folder. */
const CONSOLE_FOLDERS = ['../../console', '../../dist/console'].map((place) =>
  fileURLToPath(new URL(place, import.meta.url)),
);

interface ProductDeps {
  config: Config;
  clock: Clock;
  db: Database;
  vault: Vault;
}

/** Everything that trades and answers, on an open database; it trades once it listens. */
export async function buildProduct({ config, clock, db, vault }: ProductDeps): Promise<FastifyInstance> {
  let onTrouble = (_what: string) => {};
  const { exchanges, exchangeUrls } = config;
  const live = createLive({ db, clock, exchanges, urls: exchangeUrls, onTrouble: (what) => onTrouble(what) });
  const markets = createMarkets({
    ...{ db, clock, law: await marketLawOf(db) },
    ...{ isSimulated: config.simulated, live: live.markets },
  });
  const shared = config.database.kind === 'url';
  // Who has the folder is alone with it: an earlier process that held leases is gone.
  if (!shared) await endLeases(db);
  // Nobody's real key belongs in a demo: its exchange is made up.
  const asksExchanges =
    exchanges.length > 0 ? liveKeyCheck({ clock, markets: live.markets, urls: exchangeUrls }) : null;
  const keyCheck = config.demo ? simulatedKeyCheck(clock) : asksExchanges;
  const real = config.trading === 'live' && {
    places: ORDER_EXCHANGES.flatMap((exchange): RealPlace[] => {
      const market = live.markets.find(({ source }) => source === liveSource(exchange));
      return market ? [{ exchange, market, url: exchangeUrls[exchange] }] : [];
    }),
    maxNotional: config.liveMaxNotional,
  };
  const trading = createTrading({
    ...{ db, clock, markets, vault, keyCheck, shared, story: config.demoStory },
    ...(real && { real }),
  });
  const folder = CONSOLE_FOLDERS.find((place) => existsSync(`${place}/index.html`));
  const app = await buildApp({
    db,
    clock,
    markets,
    ...trading.deps,
    vault,
    keyCheck,
    config: config.app,
    ...(folder ? { console: folder } : {}),
  });
  onTrouble = (what) => app.log.warn({ what }, 'an exchange that is followed does not answer as it should');
  app.addHook('onClose', () => live.stop());
  const begin = trading.attach(app);
  // Whoever starts the product sees it first.
  app.addHook('onListen', async () => {
    live.start();
    begin();
  });
  return app;
}
