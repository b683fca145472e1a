import { fork } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { backtest } from '#contract/backtest';
import { cexRateScan } from '#contract/kinds/cexRate/scan';
import { fundingScan } from '#contract/kinds/fundingRate/scan';
import { gridScan } from '#contract/kinds/grid/scan';
import { arbitrageScan } from '#contract/kinds/okx/scan';
import { spreadScan } from '#contract/kinds/spread/scan';
import { order } from '#contract/order';
import { pair } from '#contract/pair';
import { statistic } from '#contract/statistic';
import { symbol } from '#contract/symbol';
import { user } from '#contract/user';
import { openDatabase } from '#server/base/db/connection/openDatabase';
import { createMarkets } from '#server/market/markets';
import { START, testApp } from '../support/app';
import { manyRecords } from '../support/manyRecords';
import { ownedRecords } from '../support/ownedRecords';
import { signedInUser } from '../support/signedInUser';
import { temporaryFolder } from '../support/temporaryFolder';
import { storeWalks } from './backtestHttp';
import type { Figure } from './figure';
import type { NeighbourCalls, NeighbourCommand } from './neighbourCalls';
import { type LongestTurns, meterTurns } from './turnMeter';

const AT_ONCE = 8;
const SECONDS = 6;
/** Below what one user may ask for in a minute. */
const MOST_CALLS = 1_100;
const BUDGET = 4;
const RECORDS = { rows: 50_000, deals: 5_000 };
const SMALL_CALLERS = 6;
const MARK = 'many';

const queried = (url: string, query: Record<string, string | number> = {}) =>
  `${url}?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))}`;

/** What one user has eight of under way, a kind a row. */
function heavyReads(coins: string[]): Record<string, string[]> {
  const hours = { source: 'hours' };
  const sides = { long: coins.slice(0, 20).join(), short: coins.slice(20).join() };
  const scanners = [fundingScan.list, spreadScan.list, cexRateScan.list, arbitrageScan.list, gridScan.list];
  return {
    backtest: [queried(backtest.hedge.path, { ...hours, ...sides, rebalance: 24 })],
    candles: coins.map((coin) => queried(symbol.candle.path, { ...hours, symbol: coin, bar: '1h', limit: 5_000 })),
    'pair reads': [queried(pair.facts.path, { ...hours, ...sides, bar: '1h', bars: 1_500 })],
    // A size of its own each time: nothing is worked out yet.
    scans: Array.from({ length: 200 }, (_, i) =>
      queried(scanners[i % scanners.length]!.path, { size: 1_000 + i, pageSize: 200 }),
    ),
    statistics: [queried(statistic.all.path), queried(statistic.compare.path)],
    'order lists': [
      queried(order.list.path, { pageSize: 200, sort: '-filledNotional' }),
      queried(order.fills.path, { pageSize: 200, sort: 'user', current: 50 }),
    ],
  };
}

const firstOfEach = (urls: string[]) => new Map(urls.toReversed().map((url) => [url.split('?')[0], url])).values();

const share = (took: readonly number[], part: number) =>
  took.toSorted((a, b) => a - b)[Math.floor((took.length - 1) * part)]!;

/**
 * What one user's pile does to the others: `GET /api/user` while another has eight heavy reads of a kind under way,
 * over a socket, called by a process of its own; the ratio is to the same reads with nothing beside them, before and
 * after, in the same run, over the four times that they may be.
 */
export async function neighbourFigures(): Promise<Figure[]> {
  const folder = path.join(temporaryFolder(), 'data');
  const db = await openDatabase({ kind: 'folder', path: folder });
  const coins = await storeWalks(db, 'hours', '1h', 40, 17_520);
  const began = Date.now();
  const clock = () => START + Date.now() - began;
  const server = await testApp({ db, clock, markets: createMarkets({ db, clock }) });
  await ownedRecords(server, MARK, 'master');
  await manyRecords(db, MARK, RECORDS);
  await server.app.listen({ port: 0, host: '127.0.0.1' });
  const cookieOf = async (name: string) => (await signedInUser(db, name, 'master')).cookie;
  const small = {
    url: user.current.path,
    cookies: await Promise.all(Array.from({ length: SMALL_CALLERS }, (_, i) => cookieOf(`small-${i}`))),
  };
  const caller = fork(fileURLToPath(new URL('./neighbourCalls.ts', import.meta.url)), [], {
    execArgv: ['--import', 'tsx'],
  });
  const called = async (command: Omit<NeighbourCommand, 'origin' | 'small'>): Promise<NeighbourCalls> => {
    caller.send({ origin: server.app.listeningOrigin, small, ...command } satisfies NeighbourCommand);
    return (await once(caller, 'message'))[0] as NeighbourCalls;
  };
  const figures: Figure[] = [];
  await called({ seconds: SECONDS / 2 });
  for (const [kind, urls] of Object.entries(heavyReads(coins))) {
    const cookie = await cookieOf(`heavy-${kind}`);
    // A server that runs has compiled and read what the first such calls wait for.
    for (const url of firstOfEach(urls)) await server.app.inject({ url, headers: { cookie } });
    const before = await called({ seconds: SECONDS / 2 });
    const meter = meterTurns();
    const beside = await called({ heavy: { urls, cookie, atOnce: AT_ONCE, most: MOST_CALLS }, seconds: SECONDS });
    const longest = await meter.stop();
    const after = await called({ seconds: SECONDS / 2 });
    const idle = [...before.took, ...after.took];
    figures.push(...figuresOf(kind, idle, beside, longest));
  }
  caller.kill();
  await once(caller, 'exit');
  await server.close();
  await db.close();
  rmSync(folder, { recursive: true });
  return figures;
}

function figuresOf(
  kind: string,
  idle: number[],
  { took, answered, refused }: NeighbourCalls,
  longest: LongestTurns,
): Figure[] {
  const name = `neighbours, eight ${kind} at a time`;
  const rounded = (value: number) => Math.round(value * 100) / 100;
  const p50 = share(took, 0.5) / share(idle, 0.5);
  const p99 = share(took, 0.99) / share(idle, 0.99);
  return [
    { name: `${name}: another's p50`, value: rounded(p50), unit: 'x idle' },
    { name: `${name}: another's p99`, value: rounded(p99), unit: 'x idle', ratio: rounded(p99 / BUDGET) },
    { name: `${name}: another's p99`, value: rounded(share(took, 0.99)), unit: 'ms' },
    { name: `${name}: idle p99`, value: rounded(share(idle, 0.99)), unit: 'ms' },
    { name: `${name}: longest turn of the loop`, value: rounded(longest.byClock), unit: 'ms' },
    { name: `${name}: longest turn, worked`, value: rounded(longest.worked), unit: 'ms' },
    { name: `${name}: longest turn, worked without collection`, value: rounded(longest.uncollected), unit: 'ms' },
    { name: `${name}: answered`, value: answered, unit: 'reads' },
    { name: `${name}: refused`, value: refused, unit: 'reads' },
  ];
}
