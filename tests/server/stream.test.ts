import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { eq, sql } from 'drizzle-orm';
import { session } from '#contract/session';
import { BEAT_MS, STALE_MS, STREAMS_PER_USER, type StreamEvents } from '#contract/stream';
import { userAdmin } from '#contract/userAdmin';
import { publishNotices } from '../../server/api/stream/publishNotices';
import { createStreamHub } from '../../server/api/stream/streamHub';
import { StreamRelay } from '../../server/api/stream/streamRelay';
import { user } from '../../server/base/db/schema';
import { changeSecurity } from '../../server/base/db/users/security';
import { findUser, setBlocked } from '../../server/base/db/users/user';
import { ZERO } from '../../server/base/maths/decimal';
import type { EngineNotice } from '../../server/engine/desk';
import type { BookOrder } from '../../server/engine/tradingBook';
import { fileApp, testApp } from '../support/app';
import { openStream, orderEvent } from '../support/eventStream';
import { type HandCoin, handMarket, handMarkets } from '../support/handMarket';

const AT = Date.UTC(2026, 0, 15);
const coins: Record<string, HandCoin> = {
  AAAUSDT: { start: AT, closes: { '1d': [1] }, ticker: { price: 10, mark: 10.5, change24h: 0.01 } },
  BBBUSDT: { start: AT, closes: { '1d': [1] }, ticker: { price: 20 } },
};
const simulated = handMarket('simulated', coins);
let priceReads = 0;
const watched = {
  ...simulated,
  tickers: async (at?: number) => {
    priceReads += 1;
    return simulated.tickers(at);
  },
};

const ids: Record<string, string> = {};
const cookies: Record<string, string> = {};
const open: Awaited<ReturnType<typeof openStream>>[] = [];

const hub = createStreamHub({ clock: () => AT, beatMs: 200, keptEvents: 50 });
const server = await fileApp({ hub, markets: handMarkets(watched) });
await server.app.listen({ port: 0, host: '127.0.0.1' });
const origin = server.app.listeningOrigin;
for (const who of ['master', 'editor', 'trader']) {
  cookies[who] = await server.signIn(who, `demo-${who}`);
  ids[who] = (await findUser(server.db, who))!.id;
}
afterEach(async () => {
  for (const stream of open.splice(0)) {
    stream.close();
    await stream.closed;
  }
  // The server hears of the end a moment later.
  for (let i = 0; i < 200 && hub.size > 0; i += 1) await sleep(10);
});

async function streamOf(who: string, topics: string, more: Partial<Parameters<typeof openStream>[1]> = {}) {
  const stream = await openStream(origin, { cookie: cookies[who] ?? '', topics, ...more });
  open.push(stream);
  return stream;
}

const orderOf = (who: string, id: string) => orderEvent(ids[who]!, id, AT);
const order = (who: string, id: string) =>
  hub.publish({ topic: 'order', userId: ids[who]!, type: 'order', data: orderOf(who, id) });
const orders = (stream: { of(name: 'order'): { data: StreamEvents['order'] }[] }) =>
  stream.of('order').map(({ data }) => data.id);
const account = (who: string, equity: number, padding = 0) =>
  hub.publish({
    topic: 'account',
    userId: ids[who]!,
    type: 'account',
    key: 'account',
    // Padding fills the connection's buffers.
    data: { userId: ids[who]! + ' '.repeat(padding), equity, available: 0, unrealised: 0, at: AT },
  });

describe('a stream', () => {
  test('is server-sent events that nothing keeps or holds back, begun by a hello', async () => {
    const stream = await streamOf('trader', 'order');
    expect(stream.status).toBe(200);
    expect(stream.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    });
    const hello = await stream.first('hello');
    expect(hello.data).toEqual({ userId: ids.trader, at: AT });
    expect(hello.id).toMatch(/^[0-9a-f]+-\d+$/);
    expect(stream.retryMs()).toBeGreaterThan(0);
  });

  test('brings events in the order in which they happened, each once', async () => {
    const stream = await streamOf('trader', 'order,hedge,notice');
    const wanted = Array.from({ length: 30 }, (_, i) => `in order ${i}`);
    for (const id of wanted) order('trader', id);
    await stream.until(() => stream.of('order').length >= wanted.length);
    expect(orders(stream)).toEqual(wanted);
    const numbers = stream.of('order').map(({ id }) => Number(id?.split('-')[1]));
    expect(numbers).toEqual(wanted.map((_, i) => numbers[0]! + i));
  });

  test('shows nobody the events of another, and everybody those of all', async () => {
    const trader = await streamOf('trader', 'order,hedge,account,notice');
    const editor = await streamOf('editor', 'order,hedge,account,notice');
    order('trader', "trader's");
    account('trader', 1);
    hub.publish({
      topic: 'notice',
      userId: ids.trader!,
      type: 'notice',
      data: { level: 'info', text: 'for the trader', at: AT },
    });
    hub.publish({ topic: 'notice', userId: null, type: 'notice', data: { level: 'info', text: 'for all', at: AT } });
    order('editor', "editor's");
    await trader.until(() => trader.of('notice').length === 2);
    await editor.until(() => editor.of('order').length === 1);
    await editor.until(() => editor.of('notice').length === 1);
    expect(orders(trader)).toEqual(["trader's"]);
    expect(trader.of('account')).toHaveLength(1);
    expect(orders(editor)).toEqual(["editor's"]);
    expect(editor.of('notice').map(({ data }) => data.text)).toEqual(['for all']);
    expect(editor.of('account')).toHaveLength(0);
  });

  test('brings only the topics asked for', async () => {
    const stream = await streamOf('trader', 'account');
    order('trader', 'not asked for');
    account('trader', 7);
    await stream.first('account');
    expect(orders(stream)).toEqual([]);
  });

  test("brings a master the orders of all users, each once, and the master's own by 'order'", async () => {
    const all = await streamOf('master', 'order,order:all');
    const own = await streamOf('master', 'order');
    order('trader', "trader's");
    order('master', "master's");
    await all.until(() => all.of('order').length >= 2);
    await own.first('order');
    await all.until(() => all.of('beat').length > 0);
    expect(orders(all)).toEqual(["trader's", "master's"]);
    expect(orders(own)).toEqual(["master's"]);
  });

  test('beats, more often than anybody takes it for stale', async () => {
    expect(BEAT_MS).toBeLessThanOrEqual(STALE_MS / 2);
    const stream = await streamOf('trader', 'order');
    await stream.until(() => stream.of('beat').length >= 3);
    expect(stream.of('beat')[0]!.data).toEqual({ at: AT });
  });
});

describe('what the engine tells', () => {
  const tell = (notice: EngineNotice) => publishNotices(hub, () => AT)(notice);
  const bookOrder = (id: string): BookOrder => ({
    id,
    accountId: 'a',
    dealId: null,
    source: 'simulated',
    symbol: 'AAAUSDT',
    leg: 'long',
    slot: null,
    side: 'buy',
    type: 'market',
    purpose: 'entry',
    reduceOnly: false,
    quantity: ZERO,
    limitPrice: ZERO,
    decisionMid: 1,
    state: 'open',
    filledQuantity: ZERO,
    filledNotional: ZERO,
    fee: ZERO,
    reportedQuantity: ZERO,
    reportedState: null,
    createdAt: AT,
    cancelAskedAt: null,
    endedAt: null,
  });
  const ordered = (who: string, id: string) => tell({ kind: 'order', userId: ids[who]!, order: bookOrder(id) });
  const alarm = (who: string, text: string) => tell({ kind: 'alarm', userId: ids[who]!, level: 'warning', text });
  type Stream = Awaited<ReturnType<typeof streamOf>>;
  const texts = (stream: Stream) => stream.of('notice').map(({ data }) => data.text);
  /** After the next beat everything has come that was published before. */
  const settled = async (...streams: Stream[]) => {
    for (const stream of streams) {
      const beats = stream.of('beat').length;
      await stream.until(() => stream.of('beat').length > beats + 1);
    }
  };

  test('of an order comes once to each reader, whatever it asked for', async () => {
    const readers = await Promise.all([
      streamOf('master', 'order:all'),
      streamOf('master', 'order,order:all'),
      streamOf('master', 'order'),
      streamOf('trader', 'order'),
      streamOf('editor', 'order'),
    ]);
    for (const reader of readers) await reader.first('hello');
    ordered('trader', "trader's");
    ordered('master', "master's");
    await settled(...readers);
    expect(readers.map(orders)).toEqual([
      ["trader's", "master's"],
      ["trader's", "master's"],
      ["master's"],
      ["trader's"],
      [],
    ]);
  });

  test.each(['order:all', 'order,order:all'])(
    'of an order comes again once to a reader of %s who missed it',
    async (topics) => {
      const before = await streamOf('master', topics);
      const { id } = await before.first('hello');
      before.close();
      ordered('trader', `${topics} missed`);
      ordered('master', `${topics} missed, its own`);
      const after = await streamOf('master', topics, { lastEventId: id! });
      await settled(after);
      expect(orders(after)).toEqual([`${topics} missed`, `${topics} missed, its own`]);
      expect(after.of('reset')).toEqual([]);
    },
  );

  test('as an alarm comes once to its user and to every master who asked for all', async () => {
    const readers = await Promise.all([
      streamOf('master', 'notice:all'),
      streamOf('master', 'notice,notice:all'),
      streamOf('master', 'notice'),
      streamOf('trader', 'notice'),
      streamOf('editor', 'notice'),
      streamOf('trader', 'order'),
    ]);
    const { id } = await readers[0]!.first('hello');
    for (const reader of readers) await reader.first('hello');
    alarm('trader', "trader's");
    alarm('master', "master's");
    hub.publish({
      topic: 'notice',
      userId: null,
      type: 'notice',
      data: { level: 'info', text: "everybody's", at: AT },
    });
    await settled(...readers);
    expect(readers.map(texts)).toEqual([
      ["trader's", "master's", "everybody's"],
      ["trader's", "master's", "everybody's"],
      ["master's", "everybody's"],
      ["trader's", "everybody's"],
      ["everybody's"],
      [],
    ]);
    expect(readers[3]!.of('notice')[0]!.data).toEqual({ level: 'warning', text: "trader's", at: AT });
    const again = await streamOf('master', 'notice,notice:all', { lastEventId: id! });
    await settled(again);
    expect(texts(again)).toEqual(["trader's", "master's", "everybody's"]);
  });

  test('when books were taken over has their readers and those of all read everything again, once', async () => {
    const readers = await Promise.all([
      streamOf('trader', 'order,notice'),
      streamOf('trader', 'account'),
      streamOf('master', 'order:all'),
      streamOf('master', 'notice,notice:all'),
      streamOf('trader', 'price:simulated'),
      streamOf('master', 'order,notice'),
    ]);
    const { id } = await readers[0]!.first('hello');
    const other = await streamOf('editor', 'order,notice');
    await other.first('hello');
    for (const reader of readers) await reader.first('hello');
    tell({ kind: 'takenOver', userId: ids.trader! });
    tell({ kind: 'takenOver', userId: ids.trader! });
    await readers[0]!.first('reset');
    order('trader', 'after the reset');
    await settled(...readers, other);
    expect(readers.map((reader) => reader.of('reset').length)).toEqual([1, 1, 1, 1, 0, 0]);
    expect(other.of('reset')).toEqual([]);
    expect(orders(readers[0]!)).toEqual(['after the reset']);
    // Who was away hears of it all the same.
    const again = await streamOf('trader', 'order', { lastEventId: id! });
    await again.first('hello');
    expect(again.events.map(({ name }) => name)).toEqual(['reset', 'order', 'hello']);
  });
});

test('a relay on the embedded database brings an event to each reader once, and tells nobody else', async () => {
  const relay = new StreamRelay({ db: server.db, hub });
  await relay.start();
  const stream = await streamOf('trader', 'order');
  await stream.first('hello');
  relay.publish({ topic: 'order', userId: ids.trader!, type: 'order', data: orderOf('trader', 'through the relay') });
  relay.missed([ids.trader!]);
  await stream.first('reset');
  expect(orders(stream)).toEqual(['through the relay']);
  await relay.close();
});

describe('a request for a stream', () => {
  test.each([
    ['by a visitor', 'visitor', 'order', 401],
    ['for the orders of all by somebody who is no master', 'trader', 'order:all', 403],
    ['for the orders of all among others', 'editor', 'order,order:all', 403],
    ['for the notices of all by somebody who is no master', 'trader', 'notice:all', 403],
    ['for the notices of all among others', 'editor', 'order,notice,notice:all', 403],
    ['for a topic of all that there is not', 'master', 'account:all', 400],
    ['without topics', 'trader', '', 400],
    ['for a topic that there is not', 'trader', 'order,secrets', 400],
    ['for a source with a strange name', 'trader', 'price:../x', 400],
  ])('%s is refused by an envelope', async (_title, who, topics, status) => {
    const stream = await streamOf(who, topics);
    expect(stream.status).toBe(status);
    expect(await stream.body()).toMatchObject({ code: status, message: expect.stringMatching(/[一-龥]/) });
  });

  test('has no head that would never end', async () => {
    const response = await fetch(`${origin}/api/stream?topics=order`, {
      method: 'HEAD',
      headers: { cookie: cookies.trader! },
    });
    expect(response.status).toBe(404);
  });

  test('beyond what one user may hold waits until another has ended', async () => {
    for (let i = 0; i < STREAMS_PER_USER; i += 1) expect((await streamOf('trader', 'order')).status).toBe(200);
    const refused = await streamOf('trader', 'order');
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await streamOf('editor', 'order')).status).toBe(200);
    open[0]!.close();
    await open[0]!.closed;
    while (hub.countOf(ids.trader!) === STREAMS_PER_USER) await sleep(10);
    expect((await streamOf('trader', 'order')).status).toBe(200);
  });

  test('by a master who looks on takes none of the places of the user looked at', async () => {
    const looking = await server.signIn('master', 'demo-master');
    await server.as('visitor')(userAdmin.view, { body: { userId: ids.trader! }, headers: { cookie: looking } });
    const seen = await streamOf('master', 'order', { cookie: looking });
    expect((await seen.first('hello')).data.userId).toBe(ids.trader);
    for (let i = 0; i < STREAMS_PER_USER; i += 1) expect((await streamOf('trader', 'order')).status).toBe(200);
    expect((await streamOf('master', 'order', { cookie: looking })).status).toBe(200);
    expect((await streamOf('trader', 'order')).status).toBe(429);
  });
});

describe('a browser that goes before its stream began', () => {
  /** Asks for streams over one connection, one after the other. */
  async function asked(count = 1): Promise<Socket> {
    const { hostname, port } = new URL(origin);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    const head = ['GET /api/stream?topics=order,price:simulated HTTP/1.1', `host: ${hostname}:${port}`];
    socket.write(`${[...head, `cookie: ${cookies.trader!}`].join('\r\n')}\r\n\r\n`.repeat(count));
    await new Promise((resolve) => socket.once('connect', resolve));
    return socket;
  }
  async function until(isSo: () => boolean | Promise<boolean>) {
    const late = Date.now() + 3_000;
    while (!(await isSo())) {
      if (Date.now() > late) throw new Error(`it did not come; there are ${hub.size} streams`);
      await sleep(5);
    }
  }
  const connections = () =>
    new Promise<number>((resolve) => server.app.server.getConnections((_error, count) => resolve(count)));
  const gone = async (sockets: Socket[]) => {
    for (const socket of sockets) socket.destroy();
    await until(async () => (await connections()) === 0);
  };

  test('holds no place, and nobody reads prices for it', async () => {
    await server.db.transaction(async (tx) => {
      // Whose session it is cannot be read meanwhile.
      await tx.execute(sql`lock table session in access exclusive mode`);
      const sockets: Socket[] = [];
      let requests = 0;
      server.app.server.on('request', () => (requests += 1));
      for (let i = 0; i < STREAMS_PER_USER; i += 1) sockets.push(await asked());
      await until(() => requests === STREAMS_PER_USER);
      await gone(sockets);
    });
    const stream = await streamOf('trader', 'order');
    expect(stream.status).toBe(200);
    await stream.first('hello');
    expect(hub.size).toBe(1);
    const before = priceReads;
    await sleep(1_200);
    expect(priceReads).toBe(before);
  });

  test('at any moment holds no place', async () => {
    await Promise.all(
      Array.from({ length: 60 }, async (_, i) => {
        const socket = await asked();
        await sleep(i % 12);
        socket.destroy();
      }),
    );
    await gone([]);
    expect((await streamOf('trader', 'order')).status).toBe(200);
    await until(() => hub.size === 1);
  });

  test('is given up by all of its requests that wait for one another on one connection', async () => {
    const socket = await asked(3);
    await until(() => hub.size === 3);
    await gone([socket]);
    await until(() => hub.size === 0);
  });
});

describe('a reader that comes again', () => {
  test.each(['lastEventId', 'lastEventIdHeader'] as const)('gets by %s what it missed, and no more', async (way) => {
    const before = await streamOf('trader', 'order,notice');
    order('trader', `${way} seen`);
    const { id } = await before.first('order');
    before.close();
    order('trader', `${way} missed 1`);
    order('editor', `${way} of another`);
    hub.publish({ topic: 'notice', userId: null, type: 'notice', data: { level: 'info', text: way, at: AT } });
    order('trader', `${way} missed 2`);
    const after = await streamOf('trader', 'order,notice', { [way]: id });
    await after.first('hello');
    expect(after.events.map(({ name }) => name)).toEqual(['order', 'notice', 'order', 'hello']);
    expect(orders(after)).toEqual([`${way} missed 1`, `${way} missed 2`]);
    order('trader', `${way} new`);
    await after.until(() => after.of('order').length >= 3);
    expect(orders(after).at(-1)).toBe(`${way} new`);
  });

  test('goes on from the id of a hello or a beat as well', async () => {
    const before = await streamOf('trader', 'order');
    const hello = await before.first('hello');
    order('trader', 'after the hello');
    await before.first('order');
    await before.until(() => before.of('beat').length > 0 && before.of('beat').at(-1)!.id !== hello.id);
    const again = await streamOf('trader', 'order', { lastEventId: hello.id! });
    await again.first('hello');
    expect(orders(again)).toEqual(['after the hello']);
    const later = await streamOf('trader', 'order', { lastEventId: before.of('beat').at(-1)!.id! });
    await later.first('hello');
    expect(later.events.map(({ name }) => name)).toEqual(['hello']);
  });

  test('is told to read everything again when it is gone', async () => {
    const before = await streamOf('trader', 'order');
    const { id } = await before.first('hello');
    before.close();
    for (let i = 0; i <= 50; i += 1) order('trader', `too many ${i}`);
    const after = await streamOf('trader', 'order', { lastEventId: id! });
    await after.first('hello');
    expect(after.events.map(({ name }) => name)).toEqual(['reset', 'hello']);
  });

  test.each([
    ['that nobody gave out', 'nonsense'],
    ['from the future', 'future'],
  ])('with an id %s is told to read everything again', async (_title, given) => {
    const hello = await (await streamOf('trader', 'order')).first('hello');
    const future = `${hello.id!.split('-')[0]}-999999`;
    const after = await streamOf('trader', 'order', { lastEventId: given === 'future' ? future : given });
    await after.first('hello');
    expect(after.events[0]!.name).toBe('reset');
  });
});

describe('a slow reader', () => {
  test('loses snapshots in between, but no order and not the newest', async () => {
    const stream = await streamOf('trader', 'order,account');
    const quick = await streamOf('trader', 'account');
    await stream.first('hello');
    stream.pause();
    const rounds = 120;
    for (let i = 1; i <= rounds; i += 1) {
      account('trader', i, 200_000);
      order('trader', `slow ${i}`);
      await quick.until(() => quick.of('account').at(-1)?.data.equity === i);
    }
    stream.resume();
    await stream.until(
      () => stream.of('account').at(-1)?.data.equity === rounds && stream.of('order').length >= rounds,
    );
    expect(orders(stream)).toEqual(Array.from({ length: rounds }, (_, i) => `slow ${i + 1}`));
    expect(stream.of('account').length).toBeLessThan(rounds);
    expect(quick.of('account')).toHaveLength(rounds);
  });

  test('gets everything that changed meanwhile, not only what changed last', async () => {
    const stream = await streamOf('trader', 'price:other');
    await stream.first('hello');
    const table = new Map<string, number>();
    const price = (symbol: string, value: number) => {
      table.set(symbol, value);
      const row = (name: string): StreamEvents['price']['rows'][number] => [name, table.get(name)!, null, null, AT];
      hub.publish({
        topic: 'price:other',
        userId: null,
        type: 'price',
        key: 'other',
        data: { source: 'other', at: AT, rows: [row(symbol)] },
        whole: () => ({ source: 'other', at: AT, rows: [...table.keys()].map(row) }),
      });
    };
    // Published in one turn: the second takes the place of the first before it was sent.
    price('AAAUSDT', 1);
    price('BBBUSDT', 2);
    const { data } = await stream.first('price');
    expect(data.rows.map(([symbol]) => symbol)).toEqual(['AAAUSDT', 'BBBUSDT']);
    price('AAAUSDT', 3);
    await stream.until(() => stream.of('price').length === 2);
    expect(stream.of('price')[1]!.data.rows).toEqual([['AAAUSDT', 3, null, null, AT]]);
    const late = await streamOf('editor', 'price:other');
    expect((await late.first('price')).data.rows).toHaveLength(2);
  });

  test('that takes nothing at all is closed, and resumes', async () => {
    const stream = await streamOf('trader', 'order,account');
    const quick = await streamOf('trader', 'account');
    const { id } = await stream.first('hello');
    stream.pause();
    for (let i = 1; i <= 60; i += 1) {
      account('trader', i, 200_000);
      await quick.until(() => quick.of('account').at(-1)?.data.equity === i);
    }
    for (let i = 0; i < 1_100; i += 1) order('trader', `never read ${i}`);
    while (hub.countOf(ids.trader!) > 1) await sleep(10);
    const after = await streamOf('trader', 'order', { lastEventId: id! });
    expect((await after.first('reset')).name).toBe('reset');
  });
});

describe('prices', () => {
  test('are read only while somebody watches, and only what changed is sent', async () => {
    coins.AAAUSDT!.ticker = { price: 10, mark: 10.5, change24h: 0.01 };
    const before = priceReads;
    await sleep(1_200);
    expect(priceReads).toBe(before);
    const stream = await streamOf('trader', 'price:simulated');
    const whole = await stream.first('price');
    expect(whole.id).toBeUndefined();
    expect(whole.data).toMatchObject({ source: 'simulated' });
    expect(whole.data.rows.map((row) => row.slice(0, 4))).toEqual([
      ['AAAUSDT', 10, 10.5, 0.01],
      ['BBBUSDT', 20, null, null],
    ]);
    coins.AAAUSDT!.ticker = { price: 11, mark: 10.5, change24h: 0.01 };
    await stream.until(() => stream.of('price').length >= 2);
    expect(stream.of('price')[1]!.data.rows.map(([symbol, price]) => [symbol, price])).toEqual([['AAAUSDT', 11]]);
    const late = await streamOf('editor', 'price:simulated');
    expect((await late.first('price')).data.rows).toHaveLength(2);
    stream.close();
    late.close();
    while (hub.countOf(ids.trader!) + hub.countOf(ids.editor!) > 0) await sleep(10);
    const after = priceReads;
    await sleep(1_200);
    expect(priceReads).toBe(after);
  });

  test('of a source that there is not are none, and the stream lives', async () => {
    const stream = await streamOf('trader', 'price:nowhere,order');
    await sleep(1_100);
    order('trader', 'lives');
    await stream.first('order');
    expect(stream.of('price')).toEqual([]);
  });
});

describe('who may no longer listen', () => {
  /** An event after the last check has aged reaches nobody who lost the right before. */
  async function endOf(stream: Awaited<ReturnType<typeof streamOf>>, who: string): Promise<string> {
    await sleep(2_100);
    order(who, 'secret');
    await stream.closed;
    expect(orders(stream)).not.toContain('secret');
    return (await stream.first('end')).data.reason;
  }

  test('a blocked user hears nothing more', async () => {
    const stream = await streamOf('editor', 'order');
    await stream.first('hello');
    await setBlocked(server.db, ids.editor!, true);
    expect(await endOf(stream, 'editor')).toBe('session');
    await setBlocked(server.db, ids.editor!, false);
    cookies.editor = await server.signIn('editor', 'demo-editor');
  });

  test('a master who is one no more hears nothing more of the others', async () => {
    const stream = await streamOf('master', 'order:all');
    const other = await streamOf('trader', 'order');
    await stream.first('hello');
    const setRole = (role: string) => server.db.update(user).set({ role }).where(eq(user.id, ids.master!));
    await setRole('user');
    expect(await endOf(stream, 'trader')).toBe('role');
    expect((await streamOf('master', 'order:all')).status).toBe(403);
    await setRole('master');
    await other.first('order');
    expect(orders(other)).toEqual(['secret']);
  });

  test('a master without the second factor that is demanded now hears nothing more', async () => {
    const stream = await streamOf('master', 'order:all');
    await stream.first('hello');
    await changeSecurity(server.db, { masterFactor: true });
    expect(await endOf(stream, 'trader')).toBe('role');
    expect((await streamOf('master', 'order')).headers['content-type']).toContain('application/json');
    await changeSecurity(server.db, { masterFactor: false });
  });

  test('a master who comes to look on as somebody hears that user, and in the own name nothing more', async () => {
    const stream = await streamOf('master', 'order:all');
    await stream.first('hello');
    const headers = { cookie: cookies.master! };
    await server.as('visitor')(userAdmin.view, { body: { userId: ids.trader! }, headers });
    expect(await endOf(stream, 'trader')).toBe('role');
    expect((await streamOf('master', 'order:all')).status).toBe(403);
    const seen = await streamOf('master', 'order');
    expect((await seen.first('hello')).data.userId).toBe(ids.trader);
    await server.as('visitor')(userAdmin.leaveView, { headers });
    expect(await endOf(seen, 'trader')).toBe('role');
  });

  test('a session that signed out ends, the other one of the same user goes on', async () => {
    const leaving = await server.signIn('trader', 'demo-trader');
    const stream = await streamOf('trader', 'order', { cookie: leaving });
    const staying = await streamOf('trader', 'order');
    await stream.first('hello');
    await server.as('visitor')(session.logout, { headers: { cookie: leaving } });
    expect(await endOf(stream, 'trader')).toBe('session');
    await staying.first('order');
    expect(orders(staying)).toEqual(['secret']);
  });
});

test('a server that closes ends its streams at once, and the next one does not know its ids', async () => {
  const own = createStreamHub({ clock: () => AT });
  const second = await testApp({ db: server.db, hub: own });
  await second.app.listen({ port: 0, host: '127.0.0.1' });
  const streams = await Promise.all(
    Array.from({ length: 5 }, () =>
      openStream(second.app.listeningOrigin, { cookie: cookies.trader!, topics: 'order' }),
    ),
  );
  const startedAt = Date.now();
  await second.close();
  await Promise.all(streams.map(({ closed }) => closed));
  // Far from what a client that reads on would hold it for.
  expect(Date.now() - startedAt).toBeLessThan(5_000);
  own.publish({ topic: 'order', userId: ids.trader!, type: 'order', data: orderOf('trader', 'too late') });
  for (const stream of streams) expect(orders(stream)).toEqual([]);
  const { id } = await streams[0]!.first('hello');
  const after = await streamOf('trader', 'order', { lastEventId: id! });
  expect((await after.first('reset')).name).toBe('reset');
});
