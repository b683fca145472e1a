import { randomUUID } from 'node:crypto';
import { hedge } from '#contract/hedge';
import { DEFAULT_SETTINGS, hedgeConfig } from '#contract/hedgeConfig';
import { openDatabase } from '#server/db/openDatabase';
import { callServer } from '../../support/callServer';
import { openedFolder } from '../../support/prepared';
import { type ServerProcess, startServer } from '../../support/serverProcess';
import { signedInUser } from '../../support/signedInUser';
import { waitFor } from '../../support/waitFor';

const GOAL_MS = 8_000;

test('a server that was killed trades again soon after it says its address', async () => {
  const dataDir = await openedFolder();
  const db = await openDatabase({ kind: 'folder', path: dataDir });
  const { cookie } = await signedInUser(db, 'again');
  await db.close();
  const env = { DEMO: '0' };
  const openHedges = async ({ url }: ServerProcess) => {
    const { body } = await callServer(url, cookie, hedge.list, { query: { state: 'running' } });
    return body.data.list.filter(({ state }) => state === 'open');
  };

  const first = await startServer({ dataDir, env });
  const settings = { ...DEFAULT_SETTINGS, stopLoss: null, takeProfit: null, rebalance: null };
  await callServer(first.url, cookie, hedgeConfig.create, { body: settings });
  await callServer(first.url, cookie, hedgeConfig.addPair, { body: { long: 'ETHUSDT', short: 'SOLUSDT' } });
  await callServer(first.url, cookie, hedgeConfig.enable);
  await waitFor('the hedge stands', 30_000, async () => (await openHedges(first)).length === 1);
  const [row] = await openHedges(first);
  await first.kill('SIGKILL');

  const second = await startServer({ dataDir, env });
  const startedAt = performance.now();
  try {
    await callServer(second.url, cookie, hedge.close, { query: { id: row!.id }, key: randomUUID() });
    await waitFor('the hedge is closed', 60_000, async () => (await openHedges(second)).length === 0);
    const tookMs = Math.round(performance.now() - startedAt);
    process.stdout.write(`killed and started again: the first hedge closed ${tookMs} ms after the address\n`);
    expect(tookMs).toBeLessThan(GOAL_MS);
  } finally {
    await second.kill();
  }
}, 150_000);
