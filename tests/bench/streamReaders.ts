import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { stream } from '#contract/stream';

/** What the bench asks of the process that reads. */
export type ReaderCommand =
  | { kind: 'open'; origin: string; cookies: string[]; streams: number }
  | { kind: 'report' }
  | { kind: 'await'; notices: number };

/** What was read since the last report: events in all, and the delay of each update of prices, ms. */
export interface Heard {
  events: number;
  delays: number[];
}

const INSTANT = /"at":(\d+)/;

let heard: Heard = { events: 0, delays: [] };
let awaited = Number.POSITIVE_INFINITY;

const report = () => {
  process.send!(heard);
  heard = { events: 0, delays: [] };
};

function take(event: string): void {
  heard.events += 1;
  if (event.startsWith('event: price')) heard.delays.push(Date.now() - Number(INSTANT.exec(event)?.[1]));
  if (!event.includes('event: notice')) return;
  awaited -= 1;
  if (awaited === 0) report();
}

async function read(origin: string, cookie: string): Promise<void> {
  const asking = request(`${origin}${stream.events.path}?topics=price:simulated,notice`, {
    agent: false,
    headers: { cookie },
  });
  asking.end();
  const [response] = (await once(asking, 'response')) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`a stream was answered with ${response.statusCode}`);
  let rest = '';
  response.setEncoding('utf8').on('data', (chunk: string) => {
    const events = (rest + chunk).split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) take(event);
  });
}

process.on('message', async (command: ReaderCommand) => {
  if (command.kind === 'await') awaited = command.notices;
  if (command.kind === 'open') {
    const { origin, cookies, streams } = command;
    await Promise.all(cookies.flatMap((cookie) => Array.from({ length: streams }, () => read(origin, cookie))));
  }
  if (command.kind !== 'await') report();
});
