import { sql } from 'drizzle-orm';
import { market } from '#contract/market';
import { service } from '#contract/service';
import { testApp } from '../../support/app';
import { atEnd } from '../../support/atEnd';
import { CONNECTIONS } from '../../support/testDatabase';
import { waitFor } from '../../support/waitFor';

let engineIsLate = false;
const server = await testApp({
  engineIsLate: () => engineIsLate,
  markets: {
    get: async () => undefined,
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
    await waitFor('the locks', 10_000, () => taken === CONNECTIONS);
    expect(await Promise.all([health('visitor'), health('trader'), health('visitor')])).toEqual(
      Array(3).fill(NOT_READY),
    );
    unlock();
    await Promise.all(locks);
    expect((await health('trader')).body.data).toMatchObject({ ready: true, version: '9.9.9' });
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
    expect((await server.as('trader')(service.environment)).status).toBe(503);
  });
});
