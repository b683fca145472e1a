import { order } from '#contract/order';
import { user } from '#contract/user';
import { createUser, findUser } from '#server/base/db/users/user';
import { hashPassword } from '#server/people/auth/password';
import { fileApp, START, testApp, type Who } from '../../support/app';
import { addBook } from '../../support/bookRows';
import { waitFor } from '../../support/waitFor';

const TOKEN = 'a-token-that-nobody-would-guess';
const WAITING = 16;
/** Reads of the venue that are at work, and what lets them end. */
let reading = 0;
let most = 0;
let letGo = () => {};
let gate = Promise.resolve();

const positions = async () => {
  reading += 1;
  most = Math.max(most, reading);
  await gate;
  reading -= 1;
  return [];
};
const server = await fileApp({ config: { metricsToken: TOKEN } });
Object.assign(server.venue, { positions });
await addBook(server.db, (await findUser(server.db, 'trader'))!.id);

describe('GET /api/metrics', () => {
  const scrape = async (headers: Record<string, string> = {}) => {
    const answer = await server.app.inject({ url: '/api/metrics', headers: { host: 'localhost', ...headers } });
    return { status: answer.statusCode, text: answer.body, type: answer.headers['content-type'] };
  };
  const cookieOf = (who: Who) => server.signIn(who, `demo-${who}`);

  test('is for masters, and for who knows the token', async () => {
    expect(JSON.parse((await scrape()).text)).toEqual({ code: 401, message: '请先登录', data: null });
    for (const who of ['trader', 'editor'] as const)
      expect((await scrape({ cookie: await cookieOf(who) })).status).toBe(403);
    for (const wrong of [`Bearer ${TOKEN}x`, TOKEN, `bearer ${TOKEN}`, 'Bearer ', 'Bearer undefined', 'Bearer null']) {
      expect((await scrape({ authorization: wrong })).status).toBe(401);
    }
    expect((await scrape({ cookie: await cookieOf('master') })).status).toBe(200);
    expect(await scrape({ authorization: `Bearer ${TOKEN}` })).toMatchObject({
      status: 200,
      type: expect.stringMatching(/^text\/plain; version=/),
    });
  });

  test('without a token is for masters alone', async () => {
    const bare = await testApp({ db: server.db });
    for (const word of ['undefined', 'null', '']) {
      const headers = { authorization: `Bearer ${word}` };
      expect((await bare.app.inject({ url: '/api/metrics', headers })).statusCode).toBe(401);
    }
    await bare.close();
  });

  test('counts requests by route and status, whatever addresses somebody makes up, and what is open', async () => {
    await server.as('trader')(user.current);
    await server.as('visitor')(user.current);
    for (const made of ['a', 'b', 'c']) await server.app.inject(`/api/made-up-${made}`);
    const { text } = await scrape({ authorization: `Bearer ${TOKEN}` });
    const count = (status: number, route: string) =>
      Number(
        new RegExp(
          `^http_request_duration_seconds_count\\{method="GET",route="${route}",status="${status}"\\} (\\d+)$`,
          'm',
        ).exec(text)?.[1],
      );
    expect([count(200, '/api/user'), count(401, '/api/user'), count(404, 'none')]).toEqual([1, 1, 3]);
    expect(text).not.toContain('made-up');
    expect(text).toMatch(/^stream_readers 0$/m);
    for (const name of ['engine_tick_duration_seconds', 'venue_call_duration_seconds'])
      expect(text).toContain(`# TYPE ${name} histogram`);
  });

  test('of a server that listens tells how late its event loop is', async () => {
    const { text: before } = await scrape({ authorization: `Bearer ${TOKEN}` });
    expect(before).not.toContain('nodejs_eventloop_lag');
    await server.app.listen({ port: 0 });
    const { text } = await scrape({ authorization: `Bearer ${TOKEN}` });
    for (const name of ['nodejs_eventloop_lag_p99_seconds', 'process_resident_memory_bytes'])
      expect(text).toMatch(new RegExp(`^${name} [\\d.]+`, 'm'));
  });
});

describe('expensive reads', () => {
  const read = (who: Who) => server.as(who)(order.reconcile);

  test('of one person work two at a time; others wait, too many are told when to come again, and nobody else waits for them', async () => {
    const passwordHash = await hashPassword('demo-other-master');
    await createUser(server.db, { name: 'other-master', role: 'master', passwordHash, createdAt: START });
    await read('master');
    const cookie = await server.signIn('other-master', 'demo-other-master');
    most = 0;
    gate = new Promise((resolve) => {
      letGo = resolve;
    });
    const refused: Awaited<ReturnType<typeof read>>[] = [];
    const mine = Array.from({ length: 2 + WAITING + 3 }, async () => {
      const answer = await read('master');
      if (answer.status !== 200) refused.push(answer);
    });
    await waitFor('two at work', 60_000, () => reading === 2);
    await waitFor('the refusals', 60_000, () => refused.length === 3);
    for (const { status, body, headers } of refused) {
      expect([status, body.message, headers['retry-after']]).toEqual([429, '同时进行的大查询过多，请 2 秒后再试', '2']);
    }
    expect(most).toBe(2);
    const others = server.app.inject({ url: order.reconcile.path, headers: { cookie } });
    await waitFor('the other one at work', 60_000, () => reading === 3);
    letGo();
    expect((await others).statusCode).toBe(200);
    await Promise.all(mine);
    expect(refused).toHaveLength(3);
    expect(most).toBe(3);
    expect((await read('master')).status).toBe(200);
  });
});
