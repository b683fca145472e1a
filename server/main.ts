import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildApp } from './app';
import { readConfig } from './config';
import { PairModels } from './engine/pairModel';
import { createMarkets } from './exchange/markets';
import { createPaperVenue } from './exchange/paper/paperVenue';
import { runProgram } from './runProgram';
import { serve } from './serve';

/** The built console, beside the built server or, for the sources, in the project's dist folder. */
const CONSOLE_FOLDERS = ['../console', '../dist/console'].map((place) =>
  fileURLToPath(new URL(place, import.meta.url)),
);

await runProgram(async () => {
  const config = readConfig();
  const clock = Date.now;
  const folder = CONSOLE_FOLDERS.find((place) => existsSync(`${place}/index.html`));
  await serve({
    config,
    clock,
    build: (db) => {
      const markets = createMarkets({ db, clock });
      return buildApp({
        db,
        clock,
        markets,
        desk: { wake: async () => {} },
        venue: createPaperVenue({ db, clock, markets }),
        pairModels: new PairModels(),
        config: config.app,
        ...(folder ? { console: folder } : {}),
      });
    },
  });
});
