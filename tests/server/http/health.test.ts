import { sql } from 'drizzle-orm';
import { SIMULATED } from '#contract/candle';
import { market } from '#contract/market';
import { service } from '#contract/service';
import { testApp } from '../../support/app';
import { atEnd } from '../../support/atEnd';
import { CONNECTIONS } from '../../support/testDatabase';
import { waitFor } from '../../support/waitFor';

let engineIsLate = false;
let isPreparing = false;
const server = await testApp({
  engineIsLate: () => engineIsLate,
  preparing: () => isPreparing,
  storyProgress: async () => ({ day: 3, days: 60 }),
  markets: {
    home: SIMULATED,
    get: async () => undefined,
    traded: () => [],
    list: async () => {
      throw Object.assign(new Error('Failed query: select'), { cause: lost });
    },
  },
});
atEnd(() => server.app.close());

let lost: Error = new Error();
const health = async (who: 'visitor' | 'trader') => {
  const { status, body } = await server.as(who)(service.health);
  return { status, body };
};
const readiness = async () => {
  const { status, body } = await server.as('visitor')(service.ready);
  return { status, ...body };
};
const notReady = (reason: string) => ({ status: 503, code: 503, message: `尚未就绪：${reason}`, data: null });
const READY = { status: 200, code: 200, message: 'ok', data: { ready: true } };
const NO_ANSWER = notReady('数据库 1 秒内没有回答');
const NOT_READY = { status: 200, body: { code: 200, message: 'ok', data: { live: true, ready: false } } };

describe('GET /api/health', () => {
  test('is ready, and not while the engine is late', async () => {
    expect((await health('visitor')).body.data).toEqual({ live: true, ready: true });
    engineIsLate = true;
    expect(await health('visitor')).toEqual(NOT_READY);
    expect((await health('trader')).body.data).toEqual({ live: true, ready: false, version: '9.9.9' });
    engineIsLate = false;
  });

  test('answers while the database is locked, and again when it is not', async () => {
    await health('trader');
    let unlock = () => {};
    const held = new Promise<void>((resolve) => {
      unlock = resolve;
    });
    // On all its connections.
    let taken = 0;
    const locks = Array.from({ length: CONNECTIONS }, () =>
      server.db.transaction(async (tx) => {
        await tx.execute(sql`select 1`);
        taken += 1;
        await held;
      }),
    );
    await waitFor('the locks', 60_000, () => taken === CONNECTIONS);
    expect(await Promise.all([health('visitor'), health('trader'), health('visitor')])).toEqual(
      Array(3).fill(NOT_READY),
    );
    expect(await readiness()).toEqual(NO_ANSWER);
    unlock();
    await Promise.all(locks);
    expect(await readiness()).toEqual(READY);
    expect((await health('trader')).body.data).toMatchObject({ ready: true, version: '9.9.9' });
  });
});

describe('GET /api/health/ready', () => {
  test("is 503 with the reason while the engine is late, the past is in the making, or the schema is not this version's", async () => {
    expect(await readiness()).toEqual(READY);
    engineIsLate = true;
    expect(await readiness()).toEqual(notReady('交易引擎没有按时完成一轮'));
    isPreparing = true;
    expect(await readiness()).toEqual(notReady('演示历史正在生成，第 3 天 / 共 60 天'));
    expect((await health('visitor')).body.data.ready).toBe(false);
    [engineIsLate, isPreparing] = [false, false];

    const { rows } = await server.db.execute<{ id: number; hash: string; created_at: string }>(sql`
      delete from drizzle.__drizzle_migrations where id > (select max(id) - 2 from drizzle.__drizzle_migrations)
      returning id, hash, created_at`);
    expect(await readiness()).toEqual(notReady('数据库缺少本版本的 2 个迁移，重新启动会补上'));
    for (const { id, hash, created_at } of rows) {
      await server.db.execute(sql`insert into drizzle.__drizzle_migrations values (${id}, ${hash}, ${created_at})`);
    }
    // A server of a newer version has brought it further: this one goes on until it is replaced.
    await server.db.execute(sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('newer', 9e12)`);
    expect(await readiness()).toEqual(READY);
  });

  test('asks for no session, and a probe by HEAD has its status', async () => {
    const { app } = server;
    const head = () =>
      app.inject({ method: 'HEAD', url: service.ready.path, headers: { cookie: `session=${'x'.repeat(43)}` } });
    expect((await head()).statusCode).toBe(200);
    engineIsLate = true;
    expect((await head()).statusCode).toBe(503);
    engineIsLate = false;
  });
});

describe('a lost database', () => {
  test.each([
    Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }),
    Object.assign(new Error('terminating connection due to administrator command'), { code: '57P01' }),
    new Error('Connection terminated unexpectedly'),
    new Error('timeout exceeded when trying to connect'),
  ])('is told as 503: %s', async (cause) => {
    lost = cause;
    const { status, body } = await server.as('trader')(market.source);
    expect(status).toBe(503);
    expect(body).toMatchObject({ code: 503, data: null, message: expect.stringMatching(/^服务暂不可用/) });
  });

  test('leaves health its answer, with a session cookie too, and the calls a 503', async () => {
    await health('trader');
    await server.db.close();
    expect(await health('visitor')).toEqual(NOT_READY);
    expect(await health('trader')).toEqual(NOT_READY);
    expect(await readiness()).toEqual(NO_ANSWER);
    expect((await server.as('trader')(service.environment)).status).toBe(503);
  });
});
