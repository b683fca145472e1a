import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { publishNotices } from '#server/api/stream/publishNotices';
import { createStreamHub } from '#server/api/stream/streamHub';
import { StreamRelay } from '#server/api/stream/streamRelay';
import type { Database } from '#server/base/db/client';
import { openDatabase } from '#server/base/db/connection/openDatabase';
import { findUser } from '#server/base/db/users/user';
import type { EngineNotice } from '#server/engine/desk';
import { testApp } from '../../support/app';
import { openStream, orderEvent } from '../../support/eventStream';
import { type PostgresDatabase, postgresDatabase } from '../../support/postgresDatabase';

const AT = Date.UTC(2026, 0, 15);
const clock = () => AT;

let database: PostgresDatabase;
let admin: pg.Client;
const ids: Record<string, string> = {};
type Server = Awaited<ReturnType<typeof openServer>>;
let a: Server;
let b: Server;
const open: Awaited<ReturnType<typeof openStream>>[] = [];

/** One process of several on the same database: its hub, its relay and its server. */
async function openServer() {
  const db: Database = await openDatabase({ kind: 'url', url: database.url });
  const hub = createStreamHub({ clock, beatMs: 200 });
  let losses = 0;
  const relay = new StreamRelay({
    db,
    hub,
    onLost: () => {
      losses += 1;
    },
  });
  const app = await testApp({ db, hub });
  const others = await backends();
  await relay.start();
  await app.app.listen({ port: 0, host: '127.0.0.1' });
  const cookies = new Map<string, Promise<string>>();
  const cookieOf = (who: string) => {
    const cookie = cookies.get(who) ?? app.signIn(who, `demo-${who}`);
    cookies.set(who, cookie);
    return cookie;
  };
  return {
    relay,
    losses: () => losses,
    /** Ends the relay's connection from the other side, and waits until the relay knows. Only of the one opened last. */
    cut: async () => {
      const before = losses;
      const asked = 'select pg_terminate_backend(pid) from unnest($1::int[]) pid';
      const own = async () => (await backends()).filter((pid) => !others.includes(pid));
      // It may be connecting still.
      while ((await admin.query(asked, [await own()])).rowCount === 0) await sleep(5);
      while (losses === before) await sleep(5);
    },
    stream: async (who: string, topics: string) => {
      const stream = await openStream(app.app.listeningOrigin, { cookie: await cookieOf(who), topics });
      open.push(stream);
      await stream.first('hello');
      return stream;
    },
    order: (who: string, id: string) =>
      relay.publish({ topic: 'order', userId: ids[who]!, type: 'order', data: orderOf(who, id) }),
    notice: (who: string | null, text: string) => {
      const data = { level: 'warning' as const, text, at: AT };
      relay.publish({ topic: 'notice', userId: who === null ? null : ids[who]!, type: 'notice', data });
    },
    tell: (notice: EngineNotice) => publishNotices(relay, clock)(notice),
    close: async () => {
      await relay.close();
      await app.close();
      await db.close();
    },
  };
}

/** The server's processes that relays talk to. */
async function backends(): Promise<number[]> {
  const asked = `select pid from pg_stat_activity
    where datname = current_database() and application_name = 'hedge-console hedge_console_stream'`;
  return (await admin.query<{ pid: number }>(asked)).rows.map(({ pid }) => pid);
}

type Stream = Awaited<ReturnType<Server['stream']>>;
const orders = (stream: Stream) => stream.of('order').map(({ data }) => data.id);
const texts = (stream: Stream) => stream.of('notice').map(({ data }) => data.text);
const resets = (stream: Stream) => stream.of('reset').length;
const orderOf = (who: string, id: string) => orderEvent(ids[who]!, id, AT);

/** A way to the database on which answers can get lost: those of the connections that there are then. */
async function lossyWay() {
  const { hostname, port, searchParams } = new URL(database.url);
  const socket = searchParams.get('host');
  const passages = new Set<{ isLossy: boolean }>();
  const way = createServer((near) => {
    const far = socket === null ? connect(Number(port), hostname) : connect(`${socket}/.s.PGSQL.${port}`);
    const passage = { isLossy: false };
    passages.add(passage);
    near.pipe(far);
    far.on('data', (answer) => passage.isLossy || near.write(answer));
    for (const [end, other] of [[near, far] as const, [far, near] as const]) {
      end.on('error', () => {});
      end.on('close', () => other.destroy());
    }
  }).listen(0, '127.0.0.1');
  await once(way, 'listening');
  const url = new URL(database.url);
  url.searchParams.delete('host');
  url.host = `127.0.0.1:${(way.address() as AddressInfo).port}`;
  return {
    url: url.href,
    lose: () => {
      for (const passage of passages) passage.isLossy = true;
    },
    close: () => way.close(),
  };
}

/** Everything that both published before has come to both: what is sent last comes last. */
async function settled(...streams: Stream[]): Promise<void> {
  marks += 1;
  const wanted = [`a ${marks}`, `b ${marks}`];
  a.notice(null, wanted[0]!);
  b.notice(null, wanted[1]!);
  const isIn = (stream: Stream) => wanted.every((text) => texts(stream).includes(text));
  for (const stream of streams) await stream.until(() => isIn(stream), wanted.join());
}
let marks = 0;

beforeAll(async () => {
  database = await postgresDatabase();
  admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  a = await openServer();
  b = await openServer();
  const db = await openDatabase({ kind: 'url', url: database.url });
  for (const who of ['master', 'editor', 'trader']) ids[who] = (await findUser(db, who))!.id;
  await db.close();
});
afterEach(() => {
  for (const stream of open.splice(0)) stream.close();
});
afterAll(async () => {
  await a?.close();
  await b?.close();
  await admin?.end();
  await database?.drop();
});

describe('what one process publishes', () => {
  test('reaches the readers of all, each that may see it, once and in order', async () => {
    const trader = await b.stream('trader', 'order,notice');
    const editor = await b.stream('editor', 'order,notice');
    const master = await b.stream('master', 'order,order:all,notice');
    const own = await a.stream('trader', 'order,notice');
    const wanted = Array.from({ length: 500 }, (_, i) => `order ${i}`);
    for (const id of wanted) a.order('trader', id);
    await settled(trader, editor, master, own);
    expect(orders(trader)).toEqual(wanted);
    expect(orders(master)).toEqual(wanted);
    expect(orders(own)).toEqual(wanted);
    expect(orders(editor)).toEqual([]);
    expect([trader, editor, master, own].map(resets)).toEqual([0, 0, 0, 0]);
  });

  test('is alike event for event, so nothing is taken for the same', async () => {
    const trader = await b.stream('trader', 'order,notice');
    for (let i = 0; i < 3; i += 1) {
      a.order('trader', 'the same');
      a.order('trader', 'the same');
      await new Promise((resolve) => setImmediate(resolve));
    }
    await settled(trader);
    expect(orders(trader)).toEqual(Array.from({ length: 6 }, () => 'the same'));
  });

  test('comes in any of the topics of the engine', async () => {
    const trader = await b.stream('trader', 'hedge,account,notice');
    const master = await b.stream('master', 'notice,notice:all');
    const userId = ids.trader!;
    a.tell({ kind: 'account', userId, equity: 3, available: 2, unrealised: 1 });
    a.tell({ kind: 'alarm', userId, level: 'error', text: 'trader：对冲单冻结' });
    const hedge = { id: 'h', userId, pairId: 'p', source: 'simulated', long: 'AAAUSDT', short: 'BBBUSDT' };
    const data = { ...hedge, state: 'open' as const, kind: 'opened' as const, at: AT };
    a.relay.publish({ topic: 'hedge', userId, type: 'hedge', data });
    await settled(trader, master);
    expect(trader.of('account').map((event) => event.data)).toEqual([
      { userId, equity: 3, available: 2, unrealised: 1, at: AT },
    ]);
    expect(trader.of('hedge').map((event) => event.data)).toEqual([data]);
    expect(texts(trader)).toContain('trader：对冲单冻结');
    expect(texts(master).filter((text) => text.startsWith('trader'))).toEqual(['trader：对冲单冻结']);
  });

  test('is read again by those it is for when it is too long for a note', async () => {
    const trader = await b.stream('trader', 'order,notice');
    const editor = await b.stream('editor', 'order,notice');
    const own = await a.stream('trader', 'order,notice');
    const long = '长'.repeat(3_000);
    a.notice('trader', long);
    await trader.first('reset');
    await settled(trader, editor, own);
    expect(texts(own)).toContain(long);
    expect([trader, editor, own].map(resets)).toEqual([1, 0, 0]);
  });

  test('is read again by the readers of a user whose books were taken over, and by those of all', async () => {
    const streams = [
      await a.stream('trader', 'order,notice'),
      await b.stream('trader', 'order,notice'),
      await a.stream('master', 'order:all,notice'),
      await b.stream('master', 'notice:all'),
      await b.stream('editor', 'order,notice'),
    ];
    a.tell({ kind: 'takenOver', userId: ids.trader! });
    for (const stream of streams.slice(0, 4)) await stream.first('reset');
    await settled(...streams);
    expect(streams.map(resets)).toEqual([1, 1, 1, 1, 0]);
  });
});

test('what somebody else puts into the channel is not told', async () => {
  const trader = await b.stream('trader', 'order,notice');
  const notes = [
    'nonsense',
    '{}',
    JSON.stringify({ boot: 'x', number: 1, items: [{ topic: 'price:simulated', userId: null, data: {} }, 7, null] }),
    JSON.stringify({ boot: 'x', number: 2, items: [{ topic: 'order', userId: ids.trader, data: { id: 'half' } }] }),
  ];
  for (const note of notes) await admin.query("select pg_notify('hedge_console_stream', $1)", [note]);
  await settled(trader);
  expect(orders(trader)).toEqual([]);
  expect(resets(trader)).toBe(0);
});

describe('a process whose connection broke', () => {
  test('has its readers read again, and hears and is heard as before', async () => {
    const trader = await b.stream('trader', 'order,notice');
    const prices = await b.stream('trader', 'price:simulated');
    const far = await a.stream('trader', 'order,notice');
    await b.cut();
    // What it publishes meanwhile waits; what the others publish may be lost to it.
    b.order('trader', 'sent when it is back');
    a.order('trader', 'hardly heard');
    await trader.first('reset');
    a.order('trader', 'heard again');
    await settled(trader, far);
    expect(orders(far).sort()).toEqual(['hardly heard', 'heard again', 'sent when it is back']);
    expect(orders(trader).filter((id) => id !== 'hardly heard')).toEqual(['sent when it is back', 'heard again']);
    expect([trader, far, prices].map(resets)).toEqual([1, 0, 0]);
  });

  test('while it published has what was on its way sent again, and nobody gets it twice', async () => {
    const far = await a.stream('trader', 'order,notice');
    const own = await b.stream('trader', 'order,notice');
    const wanted = Array.from({ length: 300 }, (_, i) => `under way ${i}`);
    for (const [i, id] of wanted.entries()) {
      b.order('trader', id);
      if (i % 100 === 50) await b.cut();
      else await sleep(1);
    }
    // Its own readers may have missed what the others publish to find that out.
    await settled(far);
    expect(orders(far)).toEqual(wanted);
    expect(orders(own)).toEqual(wanted);
    expect(resets(far)).toBe(0);
  });

  test('without a word is made anew, and what the others had got already they get no second time', async () => {
    const far = await a.stream('trader', 'order,notice');
    const way = await lossyWay();
    const db = await openDatabase({ kind: 'url', url: way.url });
    const hub = createStreamHub({ clock });
    const relay = new StreamRelay({ db, hub });
    await relay.start();
    const tell = (id: string) =>
      relay.publish({ topic: 'order', userId: ids.trader!, type: 'order', data: orderOf('trader', id) });
    tell('answered');
    await far.until(() => orders(far).length === 1);
    way.lose();
    tell('answer lost');
    await far.until(() => orders(far).length === 2);
    tell('after it');
    await far.until(() => orders(far).includes('after it'));
    await settled(far);
    expect(orders(far)).toEqual(['answered', 'answer lost', 'after it']);
    expect(resets(far)).toBe(0);
    await relay.close();
    hub.close();
    await db.close();
    way.close();
  });

  test('tells the others that they missed what it could not keep', async () => {
    const far = await a.stream('trader', 'order,notice');
    await b.cut();
    for (let i = 0; i < 10_500; i += 1) b.order('trader', `too many ${i}`);
    await far.first('reset');
    await settled(far);
    expect(orders(far).at(-1)).toBe('too many 10499');
    expect(orders(far).length).toBeLessThan(1_000);
    expect(resets(far)).toBe(1);
  });
});

test('a process that closes sends what it has published before', async () => {
  const trader = await b.stream('trader', 'order,notice');
  const leaving = await openServer();
  leaving.order('trader', 'the last');
  await leaving.close();
  leaving.order('trader', 'too late');
  await trader.first('order');
  await settled(trader);
  expect(orders(trader)).toEqual(['the last']);
});
