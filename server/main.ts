import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildApp } from './app';
import { readConfig } from './config';
import { createMarkets } from './exchange/markets';
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
    build: (db) =>
      buildApp({
        db,
        clock,
        markets: createMarkets({ db, clock }),
        config: config.app,
        ...(folder ? { console: folder } : {}),
      }),
  });
});
