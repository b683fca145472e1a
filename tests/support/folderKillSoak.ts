import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '#server/base/db/connection/openDatabase';
import { HedgeTraffic } from './hedgeTraffic';
import type { KillSoakOptions } from './killSoak';
import { openedFolder } from './prepared';
import { runToEnd, type ServerProcess, startProgram, startServer } from './serverProcess';
import { signedInUser } from './signedInUser';
import { type TradingProof, tradingProof } from './tradingProof';

export interface FolderKillSoakReport extends TradingProof {
  kills: number;
  seconds: number;
  /** From the address being printed to the first hedge that moved, ms; null when none did before the next kill. */
  tradedAfterMs: (number | null)[];
  isAuditClean: boolean;
  /** Answers that were neither success nor a refusal. */
  failures: [string, number][];
}

const MOVE_MS = 30_000;
const SETTLE_MS = 60_000;

/** One server on a data folder trades, is killed and started again, so many times. */
export async function folderKillSoak(options: KillSoakOptions): Promise<FolderKillSoakReport> {
  const { kills, users, pairs, seconds, settings = {}, say = () => {} } = options;
  const began = performance.now();
  const dataDir = await openedFolder();
  const traders = await inFolder(dataDir, (db) =>
    Promise.all(Array.from({ length: users }, (_, i) => signedInUser(db, `soak-${i}`))),
  );
  const env = { DEMO: '0', LOG_LEVEL: 'warn' };
  let server: ServerProcess | undefined = await startServer({ dataDir, env });
  try {
    const traffic = new HedgeTraffic({ traders, urls: () => (server ? [server.url] : []), pairs, settings });
    await traffic.begin();
    const tradedAfterMs: (number | null)[] = [];
    for (let i = 0; i < kills; i += 1) {
      await sleep(1000 * (seconds[0] + (seconds[1] - seconds[0]) * Math.random()));
      const dying: ServerProcess = server;
      server = undefined;
      await dying.kill('SIGKILL');
      server = await startServer({ dataDir, env });
      tradedAfterMs.push(await nextMove(traffic));
      say(`kill ${i + 1} of ${kills}: traded ${tradedAfterMs.at(-1) ?? 'never'} ms after the address`);
    }
    await traffic.settle(SETTLE_MS);
    await server.kill();
    server = undefined;
    const proof = await inFolder(dataDir, (db) => tradingProof(db, traffic.done));
    const { code } = await runToEnd(startProgram('start/cli/audit.ts', [], { DATA_DIR: dataDir }));
    const took = Math.round((performance.now() - began) / 1000);
    return { ...proof, kills, seconds: took, tradedAfterMs, isAuditClean: code === 0, failures: [...traffic.failures] };
  } finally {
    await server?.kill('SIGKILL');
  }
}

async function inFolder<T>(
  path: string,
  work: (db: Awaited<ReturnType<typeof openDatabase>>) => Promise<T>,
): Promise<T> {
  const db = await openDatabase({ kind: 'folder', path });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

/** Milliseconds until the users see a hedge in another state. */
async function nextMove({ movedAt }: HedgeTraffic): Promise<number | null> {
  const startedAt = Date.now();
  while (Date.now() - startedAt < MOVE_MS) {
    const at = movedAt.find((instant) => instant > startedAt);
    if (at !== undefined) return at - startedAt;
    await sleep(20);
  }
  return null;
}
