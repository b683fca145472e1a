import { randomUUID } from 'node:crypto';
import { evaluate } from '#contract/evaluate';
import { DEFAULT_SETTINGS, hedgeConfig } from '#contract/kinds/hedge/config';
import { hedge } from '#contract/kinds/hedge/desk';
import { PAIR_WARNINGS } from '#contract/pair';
import { openDatabase } from '#server/base/db/connection/openDatabase';
import { callServer } from '../../support/callServer';
import { openedFolder } from '../../support/prepared';
import { type ServerProcess, startServer } from '../../support/serverProcess';
import { signedInUser } from '../../support/signedInUser';
import { waitFor } from '../../support/waitFor';

const WRITERS = 4;
const GOAL_MS = 8_000;

interface Writer {
  symbol: string;
  /** The last number that was answered 200. */
  acknowledged: number;
}

let cookie: string;

async function noted({ url }: ServerProcess) {
  const { body } = await callServer(url, cookie, evaluate.list, { query: { pageSize: 200 } });
  return body.data.list;
}

async function openHedges({ url }: ServerProcess) {
  const { body } = await callServer(url, cookie, hedge.list, { query: { state: 'running' } });
  return body.data.list.filter(({ state }) => state === 'open');
}

/** Writes numbered notes of one coin until the server is gone. */
async function writeUntilGone({ url }: ServerProcess, writer: Writer): Promise<void> {
  for (;;) {
    try {
      const input = { body: { symbol: writer.symbol, note: `第 ${writer.acknowledged + 1} 次` } };
      const { status, body } = await callServer(url, cookie, evaluate.note, input);
      if (status !== 200 || body.code !== 200) throw new Error(`refused: ${status} ${body.code}`);
      writer.acknowledged += 1;
    } catch {
      return;
    }
  }
}

test('a server that was killed trades again soon after it says its address, and every note that was answered 200 is there', async () => {
  const dataDir = await openedFolder();
  const db = await openDatabase({ kind: 'folder', path: dataDir });
  ({ cookie } = await signedInUser(db, 'again', 'editor'));
  await db.close();
  const env = { DEMO: '0' };

  const first = await startServer({ dataDir, env });
  const settings = { ...DEFAULT_SETTINGS, stopLoss: null, takeProfit: null, rebalance: null };
  await callServer(first.url, cookie, hedgeConfig.create, { body: settings });
  const sides = { long: 'ETHUSDT', short: 'SOLUSDT', accepts: [...PAIR_WARNINGS] };
  const { data } = (await callServer(first.url, cookie, hedgeConfig.addPair, { body: sides })).body;
  await callServer(first.url, cookie, hedgeConfig.enable, { body: { open: [data.pairId] } });
  await waitFor('the hedge stands', 60_000, async () => (await openHedges(first)).length === 1);
  const [row] = await openHedges(first);
  const coins = (await noted(first)).slice(0, WRITERS);
  const writers: Writer[] = coins.map(({ symbol }) => ({ symbol, acknowledged: 0 }));
  const writing = writers.map((writer) => writeUntilGone(first, writer));
  await waitFor('every writer is at it', 60_000, async () => writers.every(({ acknowledged }) => acknowledged > 3));
  await first.kill('SIGKILL');
  await Promise.all(writing);

  const second = await startServer({ dataDir, env });
  const startedAt = performance.now();
  try {
    await callServer(second.url, cookie, hedge.close, { query: { id: row!.id }, key: randomUUID() });
    await waitFor('the hedge is closed', 60_000, async () => (await openHedges(second)).length === 0);
    const tookMs = Math.round(performance.now() - startedAt);
    process.stdout.write(`killed and started again: the first hedge closed ${tookMs} ms after the address\n`);
    expect(tookMs).toBeLessThan(GOAL_MS);
    const rows = await noted(second);
    expect(writers).toHaveLength(WRITERS);
    for (const { symbol, acknowledged } of writers) {
      const kept = Number(/\d+/.exec(rows.find((one) => one.symbol === symbol)?.note ?? '')?.[0] ?? 0);
      // One more may have been committed whose answer the kill cut off.
      expect(kept - acknowledged).toBeGreaterThanOrEqual(0);
      expect(kept - acknowledged).toBeLessThanOrEqual(1);
    }
  } finally {
    await second.kill();
  }
});
