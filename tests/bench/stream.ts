import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { STREAMS_PER_USER } from '#contract/stream';
import { createStreamHub } from '../../server/api/stream/streamHub';
import { createMarkets } from '../../server/market/markets';
import { testApp } from '../support/app';
import { signedInUser } from '../support/signedInUser';
import { benchDatabase } from './benchDatabase';
import type { Figure } from './figure';
import type { Heard, ReaderCommand } from './streamReaders';

const CONNECTIONS = 500;
const SECONDS = 20;
const DELAY_BUDGET_MS = 250;
const CORE_BUDGET = 1;
const BURST = 500;
const BURST_STEP = 25;

/**
 * 500 streams of prices of the whole simulated market, one update a second, read by a process of its
 * own: delay from the publication to the complete event at the reader, and what the server
 * takes of a core; then how many events a second each stream can carry. Ratios to the budget.
 */
export async function streamFigures(): Promise<Figure[]> {
  const db = await benchDatabase();
  const hub = createStreamHub({ clock: Date.now });
  const server = await testApp({ db, hub, clock: Date.now, markets: createMarkets({ db, clock: Date.now }) });
  await server.app.listen({ port: 0, host: '127.0.0.1' });
  const cookies = await Promise.all(
    Array.from(
      { length: CONNECTIONS / STREAMS_PER_USER },
      async (_, i) => (await signedInUser(db, `bench-${i}`)).cookie,
    ),
  );
  const readers = fork(fileURLToPath(new URL('./streamReaders.ts', import.meta.url)), [], {
    execArgv: ['--import', 'tsx'],
  });
  const ask = async (command: ReaderCommand): Promise<Heard> => {
    readers.send(command);
    return (await once(readers, 'message'))[0] as Heard;
  };
  await ask({ kind: 'open', origin: server.app.listeningOrigin, cookies, streams: STREAMS_PER_USER });
  await sleep(3_000);
  await ask({ kind: 'report' });
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  await sleep(SECONDS * 1_000);
  const seconds = (performance.now() - startedAt) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  const { delays, events } = await ask({ kind: 'report' });
  const burst = await burstRate(hub, readers);
  await end(readers);
  await server.close();
  await db.close();
  const p99 = [...delays].sort((a, b) => a - b)[Math.floor((delays.length - 1) * 0.99)] ?? Number.NaN;
  const cores = (user + system) / 1e6 / seconds;
  const name = `stream, ${CONNECTIONS} connections`;
  return [
    { name: `${name}, one update a second, p99 delay`, value: p99, unit: 'ms', ratio: p99 / DELAY_BUDGET_MS },
    { name: `${name}, one update a second, server`, value: cores, unit: 'cores', ratio: cores / CORE_BUDGET },
    { name: `${name}, paced`, value: events / CONNECTIONS / seconds, unit: 'events/s per stream' },
    { name: `${name}, as many as go through`, value: burst, unit: 'events/s per stream' },
  ];
}

/** Events that may not be lost, to every stream, until the last reader has the last of them. */
async function burstRate(hub: ReturnType<typeof createStreamHub>, readers: ChildProcess): Promise<number> {
  readers.send({ kind: 'await', notices: BURST * CONNECTIONS } satisfies ReaderCommand);
  const done = once(readers, 'message');
  const startedAt = performance.now();
  for (let i = 0; i < BURST; i += 1) {
    const data = { level: 'info' as const, text: `event ${i}`, at: Date.now() };
    hub.publish({ topic: 'notice', userId: null, type: 'notice', data });
    if (i % BURST_STEP === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  await done;
  return BURST / ((performance.now() - startedAt) / 1_000);
}

async function end(readers: ChildProcess): Promise<void> {
  const ended = once(readers, 'exit');
  readers.kill();
  await ended;
}
