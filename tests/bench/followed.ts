import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { LIVE_EXCHANGES, type LiveExchange } from '#contract/candle';
import { HOUR_MS, SECOND_MS } from '#contract/duration';
import { createLive } from '#server/market/live/live';
import type { LiveMarket } from '#server/market/live/liveMarket';
import { LIVE_TIMES } from '#server/market/live/liveTimes';
import { createMarkets } from '#server/market/markets';
import { testApp } from '../support/app';
import { shareOf } from '../support/shareOf';
import { benchDatabase } from './benchDatabase';
import { fastClock } from './fastClock';
import type { Figure } from './figure';
import { SCANNERS } from './scan';

const COINS = 500;
const SPEED = Number(process.env.FOLLOWED_SPEED ?? 10);
/** How long it runs, hours of the exchanges' time; a day takes 2.4 hours. */
const HOURS = Number(process.env.FOLLOWED_HOURS ?? 2);
/** What is read first takes time and memory once: what counts is the rest of the run. */
const SETTLED = 0.25;
/** To collect all that can be stands everything still for a moment. */
const HEAP_LOOKS = 8;
const LOOK_MS = 5 * SECOND_MS;
const LAG_BUDGET_MS = 250;
const SCAN_BUDGET_MS = 30;
const MB = 1_048_576;

const rounded = (value: number): number => Math.round(value * 10) / 10;

/** What the times of the feed are on a clock that goes faster: those that are counted by it, not waited for. */
const TIMES = Object.fromEntries(
  (['out', 'silent', 'stale', 'resync', 'idle'] as const).map((name) => [name, LIVE_TIMES[name] * SPEED]),
);

/** How old the newest word of each symbol was when it was heard, ms of the machine. */
function lagsOf(markets: readonly LiveMarket[], since: number): number[] {
  return markets.flatMap(({ feed }) =>
    [...feed.listings.keys()].flatMap((symbol) => {
      const told = feed.lastHeard(symbol);
      return told?.at !== undefined && told.heardAt > since ? [(told.heardAt - told.at) / SPEED] : [];
    }),
  );
}

/** Memory in use once all is collected that can be, MB: what is ours to hold. */
function heldMb(collect: () => void): number {
  collect();
  return process.memoryUsage().heapUsed / MB;
}

/**
 * Four exchanges that stand in, each with 500 coins, at ten times the speed: how old prices are when they are heard, how
 * long scanners take over them, and what memory does from the first quarter of the run to its end.
 */
export async function followedFigures(): Promise<Figure[]> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const beganAt = Date.now();
  const clock = fastClock(SPEED, beganAt);
  const exchanges = fork(
    fileURLToPath(new URL('./fastExchanges.ts', import.meta.url)),
    [COINS, SPEED, beganAt].map(String),
    // Thousands of messages a second that live for a moment.
    { execArgv: ['--import', 'tsx', '--max-semi-space-size=64'] },
  );
  const [url] = await once(exchanges, 'message');
  const names = Object.keys(LIVE_EXCHANGES) as LiveExchange[];
  const db = await benchDatabase();
  const troubles: string[] = [];
  const live = createLive({
    ...{ db, clock, exchanges: names, urls: Object.fromEntries(names.map((name) => [name, url])), times: TIMES },
    onTrouble: (what) => troubles.push(what),
  });
  const server = await testApp({
    db,
    clock,
    markets: createMarkets({ db, clock, isSimulated: false, live: live.markets }),
  });
  const cookie = await server.signIn('master', 'demo-master');
  live.start();
  for (const market of live.markets) while (!(await market.isHeard())) await pause(SECOND_MS);
  const usable = Date.now() - beganAt;

  const before = process.cpuUsage();
  const followedAt = Date.now();
  const lags: number[] = [];
  const scans: number[] = [];
  const held: number[] = [];
  const end = beganAt + (HOURS * HOUR_MS) / SPEED;
  let lookedAt = clock();
  while (Date.now() < end) {
    await pause(LOOK_MS);
    const part = (Date.now() - beganAt) / (end - beganAt);
    if (part > SETTLED) lags.push(...lagsOf(live.markets, lookedAt));
    for (const { path } of Object.values(SCANNERS)) {
      const began = performance.now();
      const { statusCode } = await server.app.inject({
        ...{ method: 'GET', url: path, headers: { host: 'localhost:8000', cookie }, query: { pageSize: '50' } },
      });
      if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}`);
      scans.push(performance.now() - began);
    }
    if (part > held.length / HEAP_LOOKS) held.push(heldMb(collect));
    // What was told meanwhile waits for no fault of its own.
    lookedAt = clock();
  }
  const { user, system } = process.cpuUsage(before);
  const core = (user + system) / 1_000 / (Date.now() - followedAt);
  const settled = held.slice(Math.floor(held.length * SETTLED));
  const growth = (settled.at(-1)! - settled[0]!) / settled[0]!;
  const symbols = live.markets.reduce((sum, { feed }) => sum + feed.listings.size, 0);
  const stale = live.markets.reduce((sum, { feed }) => sum + feed.stale, 0);
  await live.stop();
  await server.close();
  await db.close();
  exchanges.disconnect();
  const name = `followed.${names.length}x${COINS}.${HOURS}h.${SPEED}x`;
  const lag = shareOf(lags, 0.99);
  const scan = shareOf(scans, 0.5);
  return [
    { name: `${name}.symbols`, value: symbols, unit: '1' },
    { name: `${name}.stale`, value: stale, unit: '1' },
    { name: `${name}.troubles`, value: troubles.length, unit: '1' },
    { name: `${name}.usable`, value: usable, unit: 'ms' },
    { name: `${name}.core`, value: rounded(core * 100), unit: '%' },
    { name: `${name}.lag.p50`, value: rounded(shareOf(lags, 0.5)), unit: 'ms' },
    { name: `${name}.lag.p99`, value: rounded(lag), unit: 'ms', ratio: lag / LAG_BUDGET_MS },
    { name: `${name}.scan.p50`, value: rounded(scan), unit: 'ms', ratio: scan / SCAN_BUDGET_MS },
    { name: `${name}.held.settled`, value: rounded(settled[0]!), unit: 'MB' },
    { name: `${name}.held.end`, value: rounded(settled.at(-1)!), unit: 'MB', ratio: 1 + growth },
  ];
}
