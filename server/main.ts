import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { buildApp } from './api/app';
import { endLeases } from './base/db/books/lease';
import { StartRefusal } from './base/startRefusal';
import { createMarkets } from './market/markets';
import { simulatedKeyCheck } from './market/simulated/keyCheck';
import { readConfig } from './start/config';
import { runProgram } from './start/runProgram';
import { serve } from './start/serve';
import { createTrading } from './start/trading';

/** The built console, beside the built server or, for the sources, in the project's dist folder. */
const CONSOLE_FOLDERS = ['../console', '../dist/console'].map((place) =>
  fileURLToPath(new URL(place, import.meta.url)),
);

// What is left of a second's work is little: waking four threads to collect it takes a quarter of the time at rest.
setFlagsFromString('--no-parallel-scavenge');
// The whole heap is gone through when it has grown by half, not by a tenth: what is at rest grows slowly and is all alive.
setFlagsFromString('--heap-growing-percent=50');

await runProgram(async () => {
  const config = readConfig();
  if (config.trading === 'live') throw new StartRefusal('实盘交易尚未接入，请用 TRADING=paper（模拟盘）');
  const clock = Date.now;
  const folder = CONSOLE_FOLDERS.find((place) => existsSync(`${place}/index.html`));
  await serve({
    config,
    clock,
    build: async (db, vault) => {
      const markets = createMarkets({ db, clock });
      const shared = config.database.kind === 'url';
      // Who has the folder is alone with it: an earlier process that held leases is gone.
      if (!shared) await endLeases(db);
      // Real exchanges are not connected yet: without the demo there is nobody to ask.
      const keyCheck = config.demo ? simulatedKeyCheck(clock) : null;
      const trading = createTrading({ db, clock, markets, vault, keyCheck, story: config.demoStory, shared });
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
      const begin = trading.attach(app);
      // Whoever starts the product sees it first.
      app.addHook('onListen', async () => begin());
      return app;
    },
  });
});
