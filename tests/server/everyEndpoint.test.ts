import { createHash, randomBytes } from 'node:crypto';
import { eq, getTableName, inArray, is, isNotNull, type SQLChunk, sql } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import { accessOf, type Right, type Role } from '#contract/access';
import { apiKey } from '#contract/apiKey';
import type { Endpoint } from '#contract/endpoint';
import { evaluate } from '#contract/evaluate';
import { endpoints } from '#contract/index';
import { hedge } from '#contract/kinds/hedge/desk';
import { savedView } from '#contract/savedView';
import { strategies } from '#contract/strategies';
import { strategyOverview } from '#contract/strategyOverview';
import * as schema from '#server/base/db/schema';
import { hashPassword } from '#server/people/auth/password';
import { fileApp, ORIGIN, START } from '../support/app';
import { changeHedges } from '../support/bookRows';
import { callOn, idFields, nameOf } from '../support/contractCalls';
import { fuzz } from '../support/fuzz';
import { ownedMarkets } from '../support/ownedMarket';
import { ownedRecords } from '../support/ownedRecords';
import { signedInUser } from '../support/signedInUser';

/** Who tries; `blocked` has the session that a block left behind. */
const WALKERS = ['visitor', 'blocked', 'user', 'editor', 'master'] as const;
type Walker = (typeof WALKERS)[number];
type Fields = Record<string, unknown>;
const MARK = 'Zq7x';

/** A master's own calls, by which alone he changes what is another's. */
const MASTERS_WRITES = [
  'POST /api/user/view',
  ...['DELETE /api/user/session/all', 'DELETE /api/user/lock', 'POST /api/hedge/switch', 'POST /api/order/cancel'],
  ...['POST /api/flatten', 'POST /api/intervention', 'POST /api/job/retry', 'DELETE /api/job'],
  // From here on the owner can do no more.
  ...['PUT /api/user/hedging', 'PUT /api/user/role', 'PUT /api/user/status', 'POST /api/user/password/reset'],
];
/** What a master reads of others; all of it shows whose it is. */
const MASTERS_READS = [
  ...[
    'GET /api/user/list',
    'GET /api/user/session/all',
    'GET /api/user/loginAttempt',
    'GET /api/user/lock',
    'GET /api/audit',
    'GET /api/job',
  ],
  ...['GET /api/account/all', 'GET /api/strategy/running', 'GET /api/hedge/detail', 'GET /api/strategy/overview'],
  ...['GET /api/strategy/overview/deal', 'GET /api/strategy/overview/event', 'GET /api/order', 'GET /api/order/fill'],
  ...['GET /api/order/account', 'GET /api/order/reconcile', 'GET /api/hedge/statistic', 'GET /api/search'],
  ...['GET /api/hedge/close/quote', 'GET /api/hedge/statistic/compare', 'GET /api/strategy/overview/day'],
  ...['GET /api/flatten', 'GET /api/flatten/preview', 'GET /api/flatten/report'],
];
/** Those of them that name nobody, and nothing that could be told from anybody's. */
const MASTERS_FIGURES = ['GET /api/hedge/backtest'];
/** Takes ids of a list and passes over those that are not in it; a limit that is set and lifts nothing opens nothing. */
const PASSES_OVER = ['POST /api/notification/read', 'PUT /api/account/lossLimit'];
/** Changes what was counted of attempts, or gives what was there already. */
const KEPT_ELSEWHERE = ['DELETE /api/user/lock', 'PUT /api/user/role', 'PUT /api/user/hedging', 'PUT /api/user/status'];
/** Fields that no call may believe; each goes along with every body. */
const CLAIMS = { role: 'master', isMaster: true, blocked: false, createdAt: 1, passwordHash: 'x', ownerId: '' };

const people = new Map<Walker, string>();
const walked: { name: string; who: Walker; status: number; code: number; shows: boolean }[] = [];
/** Calls after which the owner's records were others. */
const changed: string[] = [];
let state = '';
/** Log lines of all that was called here, and the tokens of the sessions that called. */
const logged: string[] = [];
const tokens: string[] = [];
/** Header lines of every answer. */
const heads = new Set<string>();

const server = await fileApp({
  ...{ markets: ownedMarkets(), desk: { wake: closeWhatIsAsked }, config: { logLevel: 'info' } },
  log: { write: (line) => void logged.push(line) },
});
const owner = await ownedRecords(server, MARK, 'master');
const passwordHash = await hashPassword('nobody says this one');
beforeAll(async () => {
  for (const who of WALKERS.slice(1)) {
    const role: Role = who === 'blocked' ? 'master' : (who as Role);
    people.set(who, (await signedInUser(server.db, `walker-${who}`, role, passwordHash)).userId);
  }
  await server.db.update(schema.user).set({ blocked: true }).where(eq(schema.user.name, 'walker-blocked'));
  state = await stateOfOwner();
  for (const endpoint of endpoints) await walk(endpoint);
  expect(await stateOfOwner()).toBe(state);
});

/** An engine that closes what somebody asks it to close. */
async function closeWhatIsAsked(): Promise<void> {
  const asked = await server.db.select({ id: schema.deal.id }).from(schema.deal).where(sql`close_asked_at is not null`);
  const ids = asked.map(({ id }) => id);
  if (ids.length > 0) await changeHedges(server.db, ids, { state: 'closed', longQuantity: '0', shortQuantity: '0' });
}

/** As whom sessions look on, in place of their owners. */
let viewedUserId: string | null = null;

async function newCookie(userId: string): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  tokens.push(token);
  const tokenHash = createHash('sha256').update(token).digest('hex');
  const times = { createdAt: START, seenAt: START, provenAt: START };
  await server.db
    .insert(schema.session)
    .values({ tokenHash, userId, viewedUserId, ...times, address: '127.0.0.1', userAgent: 'test' });
  return `session=${token}`;
}

let calls = 0;
/** @param write what becomes of the body before it is sent */
async function call(
  endpoint: Endpoint,
  userId: string | undefined,
  write = JSON.stringify as (body: Fields) => string,
) {
  const { query, body } = callOn(endpoint, owner.ids);
  return send(endpoint, userId, query, body && write(body));
}

async function send(endpoint: Endpoint, userId: string | undefined, query: Fields, payload?: string) {
  calls += 1;
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  const cookie = userId === undefined ? undefined : await newCookie(userId);
  const response = await server.app.inject({
    method: endpoint.method,
    url: `${endpoint.path}?${search}`,
    // No test of how often somebody may call.
    remoteAddress: `192.0.2.${calls % 200}`,
    headers: {
      ...{ host: 'localhost:8000', origin: ORIGIN, 'idempotency-key': `k-${calls}` },
      ...(cookie ? { cookie } : {}),
      ...(payload ? { 'content-type': 'application/json' } : {}),
    },
    ...(payload ? { payload } : {}),
    payloadAsStream: true,
  });
  for (const [name, value] of Object.entries(response.headers)) heads.add(`${name}: ${value}`);
  const parts: Buffer[] = [];
  for await (const part of response.stream()) {
    parts.push(part as Buffer);
    // A stream of events has no end: what it begins with is enough.
    if (endpoint.streams && response.statusCode === 200) break;
  }
  const text = Buffer.concat(parts).toString();
  const body = endpoint.streams && response.statusCode === 200 ? { code: 200 } : JSON.parse(text);
  return { status: response.statusCode, code: body.code as number, data: body.data, text };
}

/** What the server writes down of who tried, and answers that it keeps: nothing of the owner's. */
const NOT_THEIRS = new Set(['audit', 'audit_result', 'idempotency', 'login_attempt', 'login_failure']);
const TABLES = Object.values(schema as Record<string, unknown>)
  .filter((one): one is PgTable => is(one, PgTable))
  .map(getTableName)
  .filter((name) => !NOT_THEIRS.has(name))
  .map((name) => sql.identifier(name) as SQLChunk)
  .concat(sql`pgboss.job`);

/** A sum over every row that is the owner's, or names one of the owner's records. */
async function stateOfOwner(): Promise<string> {
  const pattern = [...Object.values(owner.ids).filter((id) => id.length > 10), MARK].join('|');
  const parts = TABLES.map(
    (table, at) => sql`select ${at}::int as name, md5(string_agg(t::text, '|' order by t::text)) as sum
      from ${table} t where t::text ~ ${pattern}`,
  );
  const { rows } = (await server.db.execute(sql.join(parts, sql` union all `))) as unknown as { rows: object[] };
  return JSON.stringify(rows);
}

const shows = (text: string) =>
  [MARK, ...Object.values(owner.ids).filter((id) => id.length > 10)].some((one) => text.includes(one));

async function walk(endpoint: Endpoint): Promise<void> {
  const name = nameOf(endpoint);
  idFields(endpoint);
  const claims = { ...CLAIMS, ownerId: owner.userId, userId: owner.userId };
  for (const who of WALKERS) {
    // Last, when nothing else is compared any more.
    if (who === 'master' && MASTERS_WRITES.includes(name)) continue;
    const claim = (body: Fields) => JSON.stringify({ ...claims, ...body });
    const { status, code, text } = await call(endpoint, people.get(who), claim);
    walked.push({ name, who, status, code, shows: shows(text) });
  }
  if (endpoint.method === 'GET') return;
  const after = await stateOfOwner();
  if (after !== state) changed.push(name);
  state = after;
}

const rightOf = (name: string) => endpoints.find((endpoint) => nameOf(endpoint) === name)!.right;
const mayCall = (name: string, who: Walker) => {
  const role = who === 'visitor' || who === 'blocked' ? undefined : who;
  return accessOf(role)[rightOf(name)];
};
const named = endpoints.filter((endpoint) => idFields(endpoint).length > 0).map(nameOf);

test('every endpoint was called by everybody with the ids of somebody else', () => {
  const all = endpoints.length * WALKERS.length;
  expect(walked).toHaveLength(all - MASTERS_WRITES.length);
  expect(named.length).toBeGreaterThan(50);
  console.info(
    `${endpoints.length} endpoints x ${WALKERS.length} roles = ${all} calls, ${named.length} endpoints name records`,
  );
});

test('nobody changed anything of it, whatever else the body claimed', async () => {
  expect(changed).toEqual([]);
  const walkers = await server.db
    .select()
    .from(schema.user)
    .where(inArray(schema.user.id, [...people.values()]));
  expect(walkers.map(({ name, role, blocked }) => [name, role, blocked]).sort()).toEqual([
    ['walker-blocked', 'master', true],
    ['walker-editor', 'editor', false],
    ['walker-master', 'master', false],
    ['walker-user', 'user', false],
  ]);
});

test('nobody was shown anything of it, but a master by the calls that are for that', () => {
  const shown = walked.filter((one) => one.shows);
  expect(shown.filter(({ who }) => who !== 'master')).toEqual([]);
  expect(shown.map(({ name }) => name).sort()).toEqual([...MASTERS_READS].sort());
});

test('who has not the right is told so, before anything is looked up', () => {
  for (const { name, who, status } of walked.filter((one) => !mayCall(one.name, one.who))) {
    expect([name, who, status]).toEqual([name, who, who === 'visitor' || who === 'blocked' ? 401 : 403]);
  }
});

test('what a visitor may call is little, and what is for masters or for who edits is theirs alone', () => {
  const of = (right: Right) => endpoints.filter((endpoint) => endpoint.right === right).map(nameOf);
  expect(of('open').sort()).toEqual([
    ...['GET /api/environment', 'GET /api/health', 'GET /api/health/ready', 'GET /api/hedge/evaluate'],
    ...['GET /api/market/source', 'GET /api/market/ticker', 'GET /api/test/trial', 'POST /api/login'],
    ...['POST /api/logout', 'POST /api/register', 'POST /api/user/password/redeem'],
  ]);
  expect(of('evaluateEditable').sort()).toEqual(['PUT /api/hedge/evaluate/direction', 'PUT /api/hedge/evaluate/note']);
  const masters =
    /api\/(audit|job|dataSource|strategy(?!\/deal\/outlook)|order|intervention|account\/all|hedge\/(statistic|attention|switch)|user\/(list|role|hedging|status|lock)|market\/(fundingRate|cexRate|spread|arbitrage|grid))\b/;
  expect(endpoints.filter((endpoint) => masters.test(endpoint.path) && endpoint.right !== 'isMaster')).toEqual([]);
});

test('who has the right is told that there is no such record', () => {
  const writes = walked.filter(
    ({ name, who }) => named.includes(name) && !name.startsWith('GET') && mayCall(name, who),
  );
  for (const { name, who, status } of writes) {
    const expected = PASSES_OVER.includes(name) ? 200 : 404;
    expect([name, who, status]).toEqual([name, who, expected]);
  }
  expect(writes.length).toBeGreaterThan(30);
});

test('nothing failed, and the readings of a master are no mistakes', () => {
  expect(walked.filter(({ status }) => status >= 500)).toEqual([]);
  const read = walked.filter(
    ({ name, who }) => who === 'master' && [...MASTERS_READS, ...MASTERS_FIGURES].includes(name),
  );
  expect(read.filter(({ code }) => code !== 200)).toEqual([]);
});

describe('hostile input', () => {
  const BOTH = `'"><img src=x onerror=alert(1)>'); drop table app_user; --`;

  const textFields = (properties: object | undefined): string[] =>
    Object.entries((properties ?? {}) as Record<string, { type?: string }>)
      .filter(([, { type }]) => type === 'string')
      .map(([field]) => field);

  test('is a text like any other in every field, or refused', async () => {
    let fields = 0;
    const fails = async (endpoint: Endpoint, query: Fields, body?: Fields) => {
      fields += 1;
      return (await send(endpoint, owner.userId, query, body && JSON.stringify(body))).status >= 500;
    };
    const failed: string[] = [];
    for (const endpoint of endpoints) {
      const { query, body } = callOn(endpoint, owner.ids);
      for (const field of textFields(endpoint.query?.properties)) {
        if (await fails(endpoint, { ...query, [field]: BOTH }, body)) failed.push(`${nameOf(endpoint)} ${field}`);
      }
      for (const field of textFields(endpoint.body?.properties)) {
        if (await fails(endpoint, query, { ...body, [field]: BOTH })) failed.push(`${nameOf(endpoint)} ${field}`);
      }
    }
    expect(failed).toEqual([]);
    expect(fields).toBeGreaterThan(150);
    expect(await server.db.select().from(schema.user).where(eq(schema.user.id, owner.userId))).toHaveLength(1);
  });

  test.each(['{"__proto__":{"role":"master"},', '{"constructor":{"prototype":{"role":"master"}},'])(
    'reaches no prototype by any body: %s',
    async (start) => {
      for (const endpoint of endpoints.filter(({ body }) => body !== undefined)) {
        const { status } = await call(
          endpoint,
          owner.userId,
          (body) => start + JSON.stringify(body).slice(1).replace(/^}/, '"x":1}'),
        );
        expect([nameOf(endpoint), status]).toEqual([nameOf(endpoint), 400]);
      }
      expect(({} as { role?: string }).role).toBeUndefined();
    },
    60_000,
  );

  test.each(['\\u0000', 'a\\udfff'])(
    'that no database keeps is refused at its field, whatever the schema says: %s',
    async (text) => {
      for (const endpoint of [strategies.pause, strategies.remove, strategyOverview.limit]) {
        const { status, data } = await call(endpoint, owner.userId, (body) =>
          JSON.stringify(body).replace(owner.ids.strategyId, text),
        );
        expect([status, data]).toEqual([400, { fields: [{ field: 'id', message: '策略的格式不正确' }] }]);
      }
      const inside = await call(strategies.preview, owner.userId, (body) =>
        JSON.stringify(body).replace('"BTC"', `"${text}"`),
      );
      expect([inside.status, inside.data]).toEqual([
        400,
        { fields: [{ field: 'params.coins.0', message: '参数的格式不正确' }] },
      ]);
      const named = await call(strategies.preview, owner.userId, (body) =>
        JSON.stringify(body).replace('"coins"', `"${text}"`),
      );
      expect(named.status).toBe(400);
    },
  );

  test.each([`'); drop table app_user; --`, '"><script>alert(1)</script>', '<%= 7*7 %>{{7*7}}%_\\'])(
    'comes back as it went in: %s',
    async (text) => {
      const { hedgeId, keyId } = owner.ids;
      const write = async (endpoint: Endpoint, body: Fields) =>
        expect([nameOf(endpoint), (await send(endpoint, owner.userId, {}, JSON.stringify(body))).code]).toEqual([
          nameOf(endpoint),
          200,
        ]);
      const read = async (endpoint: Endpoint, query: Fields = {}) => (await send(endpoint, owner.userId, query)).data;
      await write(hedge.note, { id: hedgeId, note: text });
      await write(apiKey.edit, { id: keyId, name: text, note: text });
      await write(savedView.save, { screen: '/order', name: text, query: '' });
      await write(evaluate.note, { symbol: 'BTCUSDT', note: text });

      expect((await read(hedge.detail, { id: hedgeId })).hedge.note).toBe(text);
      expect((await read(apiKey.list)).list).toMatchObject([{ name: text, note: text }]);
      expect((await read(savedView.list, { screen: '/order' })).list).toContainEqual(
        expect.objectContaining({ name: text }),
      );
      expect((await read(evaluate.history, { symbol: 'BTCUSDT' })).list[0].after).toBe(text);
    },
  );
});

test('a master who looks on as its owner sees it, and changes nothing by any call', async () => {
  const before = await stateOfOwner();
  viewedUserId = owner.userId;
  const writes = endpoints.filter((endpoint) => endpoint.method !== 'GET' && endpoint.right !== 'open');
  const done: unknown[] = [];
  for (const endpoint of writes) {
    const { status } = await call(endpoint, people.get('master'));
    if (status !== 403) done.push([nameOf(endpoint), status]);
  }
  const seen = await call(hedge.detail, people.get('master'));
  viewedUserId = null;
  await server.db.delete(schema.session).where(isNotNull(schema.session.viewedUserId));
  expect(done).toEqual([['DELETE /api/user/view', 200]]);
  expect(shows(seen.text)).toBe(true);
  expect(await stateOfOwner()).toBe(before);
});

test('no header of an answer says what somebody has typed, and none names a file: the console names its CSV itself', () => {
  expect(heads.size).toBeGreaterThan(20);
  expect([...heads].filter((line) => /^content-disposition|onerror|drop table/.test(line) || shows(line))).toEqual([]);
});

test('for its owner every one of these records is there', async () => {
  const mine = endpoints.filter(
    (endpoint) => named.includes(nameOf(endpoint)) && !MASTERS_WRITES.includes(nameOf(endpoint)),
  );
  const order = [...mine].sort((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'));
  const missed: unknown[] = [];
  for (const endpoint of order) {
    const { status, text } = await call(endpoint, owner.userId);
    if (status !== 200) missed.push([nameOf(endpoint), text]);
  }
  expect(missed).toEqual([]);
});

test('a master changes it by the calls that are for that', async () => {
  for (const name of MASTERS_WRITES) {
    const endpoint = endpoints.find((one) => nameOf(one) === name)!;
    const before = await stateOfOwner();
    const { code, text } = await call(endpoint, people.get('master'));
    expect([name, code, text]).toEqual([name, 200, text]);
    if (!KEPT_ELSEWHERE.includes(name)) expect([name, await stateOfOwner()]).not.toEqual([name, before]);
  }
});

test('of all of this the log has no password, secret, code or session, and a request id in every line', () => {
  expect(logged.length).toBeGreaterThan(calls);
  for (const line of logged) expect(JSON.parse(line).reqId).toMatch(/^[0-9a-f-]{36}$/);
  const text = logged.join('');
  expect(text).toContain('/api/user/password');
  const said = [
    'a long enough passphrase',
    'another long passphrase',
    'a-secret-of-mine',
    'pass-phrase',
    'demo-trade-',
    'whsec_',
  ];
  for (const secret of [...said, `${MARK}-secret`, '"123456"', ...tokens]) expect(text.includes(secret)).toBe(false);
});

test('calls made up from the contract, right, nearly right and hostile, are answered as it says', async () => {
  const result = await fuzz(server, Object.values(owner.ids), { seed: 20_261_122, perEndpoint: 9, rounds: 1 });
  expect(result.faults).toEqual([]);
  expect(result).toMatchObject({ failed: 0, calls: endpoints.length * 9, hostile: endpoints.length * 6 });
  // Most of the right ones get through to their handlers.
  expect(result.byStatus[200]! / result.calls).toBeGreaterThan(0.3);
});
