import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { liveSource, ORDER_EXCHANGES } from '#contract/candle';
import { buildApp } from '../api/app';
import { endLeases } from '../base/db/books/lease';
import type { Database } from '../base/db/client';
import { settleNetworks } from '../base/db/markets/collector';
import type { Vault } from '../base/secret/vault';
import { StartRefusal } from '../base/startRefusal';
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

/** Candles, accounts and orders of a test network are fiction at the exchange itself. @throws StartRefusal */
async function refuseOtherNetwork(db: Database, { exchanges, trading }: Config): Promise<void> {
  const isTestnet = trading === 'testnet';
  const others = await settleNetworks(db, exchanges.map(liveSource), isTestnet);
  if (others.length === 0) return;
  const [was, is] = isTestnet ? ['交易所本身', '测试网'] : ['测试网', '交易所本身'];
  throw new StartRefusal(
    `数据库里 ${others.join('、')} 的行情与账户来自${was}，TRADING=${trading} 要的是${is}：两者不能混在一起，请换一个 DATA_DIR 或 DATABASE_URL`,
  );
}

/** Everything that trades and answers, on an open database; it trades once it listens. */
export async function buildProduct({ config, clock, db, vault }: ProductDeps): Promise<FastifyInstance> {
  await refuseOtherNetwork(db, config);
  let onTrouble = (_what: string) => {};
  const { exchanges, exchangeUrls } = config;
  const isTestnet = config.trading === 'testnet';
  const live = createLive({
    db,
    clock,
    exchanges,
    urls: exchangeUrls,
    isTestnet,
    onTrouble: (what) => onTrouble(what),
  });
  const markets = createMarkets({
    ...{ db, clock, law: await marketLawOf(db) },
    ...{ isSimulated: config.simulated, live: live.markets },
  });
  const shared = config.database.kind === 'url';
  // Who has the folder is alone with it: an earlier process that held leases is gone.
  if (!shared) await endLeases(db);
  // Nobody's real key belongs in a demo: its exchange is made up.
  const asksExchanges =
    exchanges.length > 0 ? liveKeyCheck({ clock, markets: live.markets, urls: exchangeUrls, isTestnet }) : null;
  const keyCheck = config.demo ? simulatedKeyCheck(clock) : asksExchanges;
  const real = config.trading !== 'paper' && {
    places: ORDER_EXCHANGES.flatMap((exchange): RealPlace[] => {
      const market = live.markets.find(({ source }) => source === liveSource(exchange));
      return market ? [{ exchange, market, url: exchangeUrls[exchange], isTestnet }] : [];
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
