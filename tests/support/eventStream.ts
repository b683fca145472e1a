import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type StreamEventName, type StreamEvents, stream } from '#contract/stream';

export interface StreamEvent<E extends StreamEventName = StreamEventName> {
  id: string | undefined;
  name: E;
  data: StreamEvents[E];
}

interface Asked {
  cookie: string;
  topics: string;
  lastEventId?: string;
  /** The same by header, as a browser sends it when it tries again by itself. */
  lastEventIdHeader?: string;
}

const PATIENCE_MS = 60_000;

/** A stream over a connection of its own, read as a browser reads it. */
export async function openStream(origin: string, { cookie, topics, lastEventId, lastEventIdHeader }: Asked) {
  const query = new URLSearchParams({ topics, ...(lastEventId === undefined ? {} : { lastEventId }) });
  const asking = request(`${origin}${stream.events.path}?${query}`, {
    agent: false,
    headers: { cookie, ...(lastEventIdHeader === undefined ? {} : { 'last-event-id': lastEventIdHeader }) },
  });
  asking.end();
  const [response] = (await once(asking, 'response')) as [IncomingMessage];
  const events: StreamEvent[] = [];
  const arrivals: (() => void)[] = [];
  let text = '';
  let retryMs: number | undefined;
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => {
    text += chunk;
    if (!isStream) return;
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const fields = new Map(
        block.split('\n').map((line) => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)]),
      );
      if (fields.has('retry')) retryMs = Number(fields.get('retry'));
      const [id, name, data] = ['id', 'event', 'data'].map((field) => fields.get(field));
      if (data === undefined) continue;
      events.push({ id, name: name as StreamEventName, data: JSON.parse(data) });
    }
    for (const arrived of arrivals.splice(0)) arrived();
  });
  response.on('error', () => {});
  asking.on('error', () => {});
  const isStream = (response.headers['content-type'] ?? '').startsWith('text/event-stream');
  const closed = new Promise<void>((resolve) => response.once('close', resolve));

  /** The events of a name so far. */
  const of = <E extends StreamEventName>(name: E) => events.filter((event) => event.name === name) as StreamEvent<E>[];

  /** Waits until what is asked for is true of the events. @throws after a minute */
  async function until(isThere: () => boolean, what = 'what was waited for'): Promise<void> {
    const late = Date.now() + PATIENCE_MS;
    while (!isThere()) {
      if (Date.now() > late)
        throw new Error(`${what} did not come; there were ${events.map(({ name }) => name).join()}`);
      await Promise.race([
        new Promise<void>((resolve) => arrivals.push(resolve)),
        sleep(50, undefined, { ref: false }),
      ]);
    }
  }

  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    events,
    of,
    until,
    /** Waits for the first event of a name. */
    first: async <E extends StreamEventName>(name: E): Promise<StreamEvent<E>> => {
      await until(() => of(name).length > 0, name);
      return of(name)[0]!;
    },
    /** The body of an answer that is no stream. */
    body: async () => {
      await closed;
      return JSON.parse(text);
    },
    retryMs: () => retryMs,
    /** Stops reading, as a slow reader does. */
    pause: () => response.pause(),
    resume: () => response.resume(),
    close: () => asking.destroy(),
    closed,
  };
}

/** An entry that rests, as the stream tells of it. */
export const orderEvent = (userId: string, id: string, at: number): StreamEvents['order'] => ({
  ...{ id, userId, hedgeId: null, source: 'simulated', symbol: 'AAAUSDT', leg: 'long', side: 'buy', purpose: 'entry' },
  ...{ state: 'open', quantity: '1', filledQuantity: '0', at },
});
