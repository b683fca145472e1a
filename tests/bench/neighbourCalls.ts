import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** What the bench asks of the process that calls. */
export interface NeighbourCommand {
  origin: string;
  /** Whose small reads are timed: they take turns, so that none of them meets its limit of calls. */
  small: { url: string; cookies: string[] };
  /** What another has under way beside them, so many at a time; nothing when only the small reads go on. */
  heavy?: { urls: string[]; cookie: string; atOnce: number; most: number };
  seconds: number;
}

/** What each small read took, ms, and how the heavy ones were answered. */
export interface NeighbourCalls {
  took: number[];
  answered: number;
  refused: number;
}

const TOO_MANY = 429;
/** Between two small reads, and before somebody who was refused asks again. */
const PAUSE_MS = 15;
const REFUSED_PAUSE_MS = 100;

const agent = new Agent({ keepAlive: true });

const call = (url: string, cookie: string): Promise<number> =>
  new Promise((resolve, reject) => {
    request(url, { agent, headers: { cookie } }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    })
      .on('error', reject)
      .end();
  });

process.on('message', async ({ origin, small, heavy, seconds }: NeighbourCommand) => {
  const calls: NeighbourCalls = { took: [], answered: 0, refused: 0 };
  let [asked, isOver] = [0, false];
  const heavyCaller = async () => {
    while (!isOver && heavy && asked < heavy.most) {
      const status = await call(origin + heavy.urls[asked++ % heavy.urls.length]!, heavy.cookie);
      if (status === 200) calls.answered += 1;
      else if (status === TOO_MANY) calls.refused += 1;
      else throw new Error(`a heavy read was answered with ${status}`);
      if (status === TOO_MANY) await sleep(REFUSED_PAUSE_MS);
    }
  };
  const callers = Array.from({ length: heavy?.atOnce ?? 0 }, heavyCaller);
  const until = performance.now() + seconds * 1_000;
  // The first of the others are under way before anything is timed.
  if (heavy) await sleep(PAUSE_MS * 10);
  while (performance.now() < until && (!heavy || asked < heavy.most)) {
    const began = performance.now();
    const status = await call(origin + small.url, small.cookies[calls.took.length % small.cookies.length]!);
    if (status !== 200) throw new Error(`a small read was answered with ${status}`);
    calls.took.push(performance.now() - began);
    await sleep(PAUSE_MS);
  }
  isOver = true;
  await Promise.all(callers);
  process.send!(calls);
});
