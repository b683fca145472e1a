import { eq, getTableName, inArray, is } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import { type ApiKeyRow, apiKey as api } from '#contract/apiKey';
import { type AuditRow, audit } from '#contract/audit';
import * as REFUSALS from '#contract/codes';
import { DAY_MS } from '#contract/duration';
import { DEFAULT_CEX_RATE } from '#contract/kinds/cexRate/params';
import * as schema from '#server/base/db/schema';
import { newMasterKey } from '#server/base/secret/sealing';
import { rotateMaster, Vault } from '#server/base/secret/vault';
import { secretNews } from '#server/people/notification/notifier';
import { type Answer, fileApp, START, testApp, type Who } from '../support/app';
import { waitFor } from '../support/waitFor';

type App = Awaited<ReturnType<typeof testApp>>;

/** Everything that the server has written or said, to be searched for what it must not hold. */
const logged: string[] = [];
const replies: string[] = [];
const master = newMasterKey();

const app = await fileApp({
  vault: new Vault({ masters: [master] }),
  log: { write: (line) => void logged.push(line) },
  config: { logLevel: 'debug' },
});

/** Calls like the console, which names every write. */
function calls(who: Who): App['as'] extends (who: Who) => infer C ? C : never {
  return (async (endpoint: never, input: { headers?: object } = {}) => {
    const call = app.as(who);
    const headers = { 'idempotency-key': `k${replies.length}`, ...input.headers };
    const answer = await call(endpoint, { ...input, headers });
    replies.push(answer.raw.payload, JSON.stringify(answer.headers));
    return answer;
  }) as never;
}
const trader = calls('trader');
const editor = calls('editor');

let made = 0;
const typed = (key: string, more: object = {}) => {
  made += 1;
  return { exchange: 'binance', name: `键 ${made}`, key, secret: `typed-secret-${made}`, ...more } as const;
};
async function create(key: string, more: object = {}, by = trader): Promise<ApiKeyRow> {
  const { body } = await by(api.create, { body: typed(key, more) });
  expect(body.message).toBe('ok');
  return body.data;
}
const rowOf = async (id: string, by = trader) =>
  (await by(api.list)).body.data.list.find((row: ApiKeyRow) => row.id === id);
const codeOf = ({ body }: Answer) => body.code;
const fieldsOf = ({ body }: Answer) =>
  (body.data as { fields: { field: string; message: string }[] } | null)?.fields.map(({ field }) => field);
const now = (days: number) => new Date(START + days * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '');

test('a key is stored masked, with what its exchange says of it', async () => {
  const row = await create('demo-trade-until-20260125', {
    exchange: 'okx',
    passphrase: 'pass-phrase-1',
    subAccount: 'fund',
  });
  expect(row).toMatchObject({
    exchange: 'okx',
    maskedKey: '****0125',
    subAccount: 'fund',
    state: 'ready',
    daysLeft: 10,
    report: {
      simulated: true,
      outcome: 'accepted',
      rights: ['read', 'spot', 'derivative'],
      accountType: 'unified',
      ipList: ['203.0.113.10'],
      findings: [{ level: 'warning', text: '密钥还有 10 天到期' }],
    },
  });
  expect((await rowOf(row.id))?.maskedKey).toBe('****0125');
  const busy = await create('demo-busy-0001');
  expect(busy).toMatchObject({ state: 'ready', weightUsed: 0.86 });
  expect(busy.report?.findings).toEqual([
    { level: 'warning', name: '请求权重', text: '一分钟的请求权重已用 86 %：用完后交易所暂停应答' },
  ]);
  const { id } = await create(`demo-trade-until-${now(0)}`);
  expect(await rowOf(id)).toMatchObject({ state: 'ready', daysLeft: 0, report: { findings: [{ level: 'danger' }] } });
  // In two steps: a session that nobody uses ends.
  app.advance(0.3 * DAY_MS);
  await rowOf(id);
  app.advance(0.3 * DAY_MS);
  expect(await rowOf(id)).toMatchObject({ state: 'expired', daysLeft: -1 });
  app.advance(-0.6 * DAY_MS);
});

test.each([
  ['withdraws', 'demo-withdraw-0001', REFUSALS.keyWithdraws, ['key']],
  ['has expired', `demo-trade-until-${now(-1)}`, REFUSALS.keyExpired, ['key']],
  ['is wrong', 'demo-wrong-0001', REFUSALS.keyRejected, ['key']],
  ['is not for our address', 'demo-foreign-0001', REFUSALS.keyRejected, ['key']],
  ['nobody answers for', 'demo-away-0001', REFUSALS.keyUnanswered, undefined],
])('a key that %s is refused, at its field, and not stored', async (_what, key, { code }, fields) => {
  const before = (await trader(api.list)).body.data.total;
  const answer = await trader(api.create, { body: typed(key) });
  expect([codeOf(answer), fieldsOf(answer)]).toEqual([code, fields]);
  const seen = await trader(api.test, { body: { exchange: 'binance', key, secret: 'typed-secret-x' } });
  expect(seen.body.data.findings[0]?.level).toBe('danger');
  expect((await trader(api.list)).body.data.total).toBe(before);
});

test.each([
  ['a passphrase that OKX needs', typed('demo-trade-0002', { exchange: 'okx' }), ['passphrase']],
  ['a passphrase that others have not', typed('demo-trade-0002', { passphrase: 'pass-phrase-2' }), ['passphrase']],
  ['blanks', typed('demo trade 0002', { secret: 'typed secret of words' }), ['key', 'secret']],
  ['nothing', { exchange: 'kraken' }, ['name', 'key', 'secret', 'exchange']],
])('%s: 400 at the fields', async (_what, body, fields) => {
  const answer = await trader(api.create, { body });
  expect([answer.status, fieldsOf(answer)]).toEqual([400, fields]);
});

test('names are unique at an exchange, whatever their case; there another one may have it', async () => {
  await create('demo-trade-0003', { name: '主账户 A' });
  const twice = await trader(api.create, { body: typed('demo-trade-0004', { name: '主账户 a' }) });
  expect([codeOf(twice), fieldsOf(twice)]).toEqual([REFUSALS.keyNameTaken.code, ['name']]);
  const other = await create('demo-trade-0004', { name: '主账户 A', exchange: 'bybit' });
  await create('demo-trade-0005', { name: '备用', exchange: 'bybit' });
  const edited = await trader(api.edit, { body: { id: other.id, name: '备用', note: '' } });
  expect(codeOf(edited)).toBe(REFUSALS.keyNameTaken.code);
  const renamed = await trader(api.edit, { body: { id: other.id, name: '主账户 a', note: '周一更换' } });
  expect(renamed.body.data).toMatchObject({ name: '主账户 a', note: '周一更换' });
});

test('a stored key is tested, replaced, disabled and enabled', async () => {
  const { id } = await create('demo-open-0001');
  app.advance(1_000);
  const tested = await trader(api.test, { body: { id } });
  expect(tested.body.data.findings).toEqual([
    {
      level: 'warning',
      name: '没有 IP 白名单',
      text: '没有 IP 白名单：任何地址都能使用它，请在交易所限制为 203.0.113.10',
    },
  ]);
  expect(await rowOf(id)).toMatchObject({ usedAt: app.now() });
  const worse = { id, key: 'demo-withdraw-0002', secret: 'typed-secret-worse' };
  expect(codeOf(await trader(api.rotate, { body: worse }))).toBe(REFUSALS.keyWithdraws.code);
  const better = { id, key: 'demo-trade-9876', secret: 'typed-secret-better' };
  const rotated = (await trader(api.rotate, { body: better })).body.data;
  expect(rotated).toMatchObject({ id, maskedKey: '****9876', rotatedAt: app.now(), report: { findings: [] } });
  expect((await trader(api.test, { body: { id } })).body.data.findings).toEqual([]);
  const off = await trader(api.status, { body: { id, enabled: false } });
  expect(off.body.data.state).toBe('disabled');
  expect((await trader(api.status, { body: { id, enabled: true } })).body.data.state).toBe('ready');
});

test('what strategies need is held against what a key may, and a key in use is not deleted', async () => {
  const { id } = await create('demo-read-0001');
  const desk = (await trader(api.desk)).body.data;
  const [account] = desk.accounts;
  expect(desk).toMatchObject({ closed: null, exchange: { simulated: true, outboundIp: '203.0.113.10' } });
  const [user] = await app.db.select().from(schema.user).where(eq(schema.user.name, 'trader'));
  const base = { userId: user!.id, kind: 'hedge', mode: 'paper', createdAt: 1, updatedAt: 1, updatedBy: 'trader' };
  await app.db.delete(schema.strategy).where(eq(schema.strategy.userId, user!.id));
  await app.db.insert(schema.strategy).values([
    { ...base, name: '对冲甲', state: 'running' },
    { ...base, name: '对冲乙', state: 'stopped' },
  ]);
  expect(codeOf(await trader(api.account, { body: { accountId: account!.id, id } }))).toBe(200);
  const row = (await rowOf(id))!;
  expect(row.strategies).toBe(2);
  expect(
    row.needs.map(({ right, verdict, neededBy }: ApiKeyRow['needs'][number]) => [right, verdict, neededBy]),
  ).toEqual([
    ['read', 'fits', ['账户总览', '对冲乙', '对冲甲']],
    ['spot', 'absent', []],
    ['derivative', 'missing', ['对冲乙', '对冲甲']],
    ['transfer', 'absent', []],
    ['withdraw', 'absent', []],
  ]);
  const refusal = await trader(api.remove, { body: { id } });
  expect(codeOf(refusal)).toBe(REFUSALS.keyInUse.code);
  expect(refusal.body.message).toMatch(/对冲甲$/);
  // Taken from its account it would be as gone; another one may take its place.
  const taken = await trader(api.account, { body: { accountId: account!.id } });
  expect([codeOf(taken), taken.body.message]).toEqual([REFUSALS.keyInUse.code, expect.stringMatching(/对冲甲$/)]);
  const other = await create('demo-trade-0011');
  expect(codeOf(await trader(api.account, { body: { accountId: account!.id, id: other.id } }))).toBe(200);
  expect(codeOf(await trader(api.account, { body: { accountId: account!.id, id } }))).toBe(200);
  expect((await trader(api.remove, { body: { id: other.id } })).body.data).toEqual({ id: other.id });
  await app.db.update(schema.strategy).set({ state: 'stopped' }).where(eq(schema.strategy.userId, user!.id));
  expect((await trader(api.remove, { body: { id } })).body.data).toEqual({ id });
  expect((await trader(api.desk)).body.data.accounts[0]?.apiKeyId).toBeNull();
  expect(await app.db.select().from(schema.secret).where(eq(schema.secret.recordId, id))).toEqual([]);
});

test('only strategies that trade at its venue, and were not removed, use a key', async () => {
  const [user] = await app.db.select().from(schema.user).where(eq(schema.user.name, 'trader'));
  const row = { userId: user!.id, mode: 'paper', name: '', apiKeyId: null } as const;
  const at = async (venue: string) => {
    const [made] = await app.db
      .insert(schema.account)
      .values({ ...row, venue, name: venue })
      .returning();
    return made!.id;
  };
  const [okx, bybit] = [await at('simulated-okx'), await at('simulated-bybit')];
  const base = { userId: user!.id, mode: 'paper', createdAt: 1, updatedAt: 1, updatedBy: 'trader' };
  await app.db.delete(schema.strategy).where(eq(schema.strategy.userId, user!.id));
  const cross = { ...DEFAULT_CEX_RATE, long: 'simulated', short: 'simulated-okx' };
  await app.db.insert(schema.strategy).values([
    { ...base, kind: 'cexRate', name: '跨所甲', state: 'running', params: cross },
    {
      ...base,
      kind: 'okx',
      name: '套利乙',
      state: 'stopped',
      params: { one: 'simulated-okx', other: 'simulated-bybit' },
    },
    { ...base, kind: 'grid', name: '旧网格', state: 'stopped', params: { source: 'simulated-okx' }, removedAt: 1 },
  ]);
  const usedBy = async (accountId: string, id: string) => {
    expect(codeOf(await trader(api.account, { body: { accountId, id } }))).toBe(200);
    const found = (await rowOf(id))!;
    const needed = found.needs.filter(({ neededBy }) => neededBy.length > 0);
    return [found.strategies, ...needed.map(({ right, neededBy }) => `${right}: ${neededBy.join()}`)];
  };
  const okxKey = await create('demo-trade-0006', { exchange: 'okx', passphrase: 'phrase' });
  const bybitKey = await create('demo-trade-0012', { exchange: 'bybit' });
  expect(await usedBy(okx, okxKey.id)).toEqual([
    2,
    'read: 账户总览,套利乙,跨所甲',
    'spot: 套利乙',
    'derivative: 跨所甲',
  ]);
  expect(await usedBy(bybit, bybitKey.id)).toEqual([1, 'read: 账户总览,套利乙', 'spot: 套利乙']);
  // A key of one exchange opens nothing at another.
  const misfit = await trader(api.account, { body: { accountId: bybit, id: okxKey.id } });
  expect(misfit.body).toMatchObject({ code: REFUSALS.keyOtherVenue.code, data: { fields: [{ field: 'id' }] } });
  expect((await rowOf(bybitKey.id))!.uses).toHaveLength(1);
  // The one that runs does so elsewhere.
  expect((await trader(api.remove, { body: { id: bybitKey.id } })).body.data).toEqual({ id: bybitKey.id });
  await app.db.delete(schema.strategy).where(eq(schema.strategy.userId, user!.id));
  await app.db.delete(schema.account).where(inArray(schema.account.id, [okx, bybit]));
});

test('the audit log says which key was changed, and from what to what, also when it is gone', async () => {
  const { id, name } = await create('demo-trade-0007');
  await trader(api.rotate, { body: { id, key: 'demo-trade-0008', secret: 'typed-secret-new' } });
  await trader(api.status, { body: { id, enabled: false } });
  await trader(api.edit, { body: { id, name: '改过的', note: '给网格用' } });
  const { accounts } = (await trader(api.desk)).body.data;
  await trader(api.account, { body: { accountId: accounts[0]!.id, id } });
  await trader(api.account, { body: { accountId: accounts[0]!.id } });
  await trader(api.remove, { body: { id } });
  const changes = async () => {
    const { list } = (await app.as('master')(audit.list, { query: { pageSize: 7 } })).body.data;
    return list.map(({ object, result, changes: made }: AuditRow) => ({ object, result, changes: made }));
  };
  await waitFor('the outcome of all', 60_000, async () => (await changes()).every(({ result }) => result === 'done'));
  const changed = (field: string, before: string | null, after: string | null) => ({ field, before, after });
  const [removed, unassigned, assigned, edited, disabled, rotated, created] = await changes();
  expect(created).toMatchObject({
    object: name,
    changes: [changed('名称', null, name), changed('交易所', null, '币安'), changed('Key', null, '****0007')],
  });
  expect(rotated?.changes[0]).toEqual(changed('Key', '****0007', '****0008'));
  expect(disabled?.changes).toEqual([changed('启用', '是', '否')]);
  expect(edited?.changes).toEqual([changed('名称', name, '改过的'), changed('备注', null, '给网格用')]);
  expect(assigned?.changes).toEqual([changed('密钥', null, '改过的 ****0008')]);
  expect(unassigned?.changes).toEqual([changed('密钥', '改过的 ****0008', null)]);
  expect(removed).toMatchObject({
    object: '改过的',
    changes: [
      changed('名称', '改过的', null),
      changed('备注', '给网格用', null),
      changed('交易所', 'binance', null),
      changed('Key', '****0008', null),
    ],
  });
});

test('of another user a key is neither seen nor touched, nor is an account', async () => {
  const { id } = await create('demo-trade-0007');
  const [account] = (await trader(api.desk)).body.data.accounts;
  expect((await editor(api.list)).body.data.total).toBe(0);
  const credentials = { key: 'demo-trade-0008', secret: 'typed-secret-theirs' };
  const own = await create('demo-trade-0009', {}, editor);
  const answers = [
    await editor(api.test, { body: { id } }),
    await editor(api.edit, { body: { id, name: 'x', note: '' } }),
    await editor(api.rotate, { body: { id, ...credentials } }),
    await editor(api.status, { body: { id, enabled: false } }),
    await editor(api.remove, { body: { id } }),
    await editor(api.remove, { body: { id: "' or true --" } }),
    await editor(api.account, { body: { accountId: account!.id, id: own.id } }),
    await trader(api.account, { body: { accountId: account!.id, id: own.id } }),
  ];
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
});

test('a list is filtered, searched, ordered and paged', async () => {
  await create('demo-transfer-0001', { exchange: 'gate', name: '划转' });
  await create('demo-trade-5555', { exchange: 'gate', name: '纯交易' });
  const namesOf = async (query: object) =>
    (await trader(api.list, { query })).body.data.list.map(({ name }: ApiKeyRow) => name);
  expect(await namesOf({ exchange: 'gate', sort: 'name' })).toEqual(['划转', '纯交易']);
  expect(await namesOf({ keyRight: 'transfer' })).toEqual(['划转']);
  expect(await namesOf({ search: '5555' })).toEqual(['纯交易']);
  expect(await namesOf({ exchange: 'gate', sort: '-name', pageSize: 1, current: 2 })).toEqual(['划转']);
  expect((await trader(api.list, { query: { sort: 'secret' } })).status).toBe(400);
});

test('a secret opens for its own record and owner alone, and only unchanged', async () => {
  const [one, two] = [await create('demo-trade-0011'), await create('demo-trade-0012')];
  const swap = async (from: string, to: string) => {
    const [row] = await app.db.select().from(schema.secret).where(eq(schema.secret.recordId, from));
    const { wrappedKey, sealed } = row!;
    await app.db.update(schema.secret).set({ wrappedKey, sealed }).where(eq(schema.secret.recordId, to));
  };
  const testOf = async (id: string) => codeOf(await trader(api.test, { body: { id } }));
  expect(await testOf(two.id)).toBe(200);
  await swap(one.id, two.id);
  expect([await testOf(one.id), await testOf(two.id)]).toEqual([200, REFUSALS.keyDamaged.code]);
  expect([(await rowOf(one.id))?.state, (await rowOf(two.id))?.state]).toEqual(['ready', 'damaged']);
  const [told] = await secretNews(app.db, new Vault({ masters: [master] }), app.now());
  expect(told).toMatchObject({ title: '交易所密钥已损坏', link: expect.stringContaining('/user/apiKey?') });
  const [editorRow] = await app.db.select().from(schema.user).where(eq(schema.user.name, 'editor'));
  await app.db.update(schema.apiKey).set({ userId: editorRow!.id }).where(eq(schema.apiKey.id, one.id));
  expect(codeOf(await editor(api.test, { body: { id: one.id } }))).toBe(REFUSALS.keyDamaged.code);
  // What is damaged keeps nothing else from being wrapped anew.
  const vault = new Vault({ masters: [master] });
  expect(await vault.rotate(app.db)).toMatchObject({ locked: 1 });
  await app.db.delete(schema.secret).where(eq(schema.secret.recordId, two.id));
});

describe('wrapping all secrets anew', () => {
  test('moves them to the newest master key, and leaves those it cannot open', async () => {
    const { id } = await create('demo-trade-0013');
    const stranger = newMasterKey();
    const [row] = await app.db.select().from(schema.secret).where(eq(schema.secret.recordId, id));
    const next = newMasterKey();
    const all = (await app.db.select().from(schema.secret)).length;
    await app.db.update(schema.secret).set({ masterId: stranger.id }).where(eq(schema.secret.recordId, id));
    const vault = new Vault({ masters: [next, master] });
    expect(await vault.rotate(app.db)).toEqual({ masterId: next.id, count: all - 1, locked: 1 });
    expect(await rowOf(id)).toMatchObject({ state: 'locked' });
    const own = { ...row!, masterId: master.id };
    await app.db.update(schema.secret).set(own).where(eq(schema.secret.recordId, id));
    const back = new Vault({ masters: [master, next] });
    expect(await back.rotate(app.db)).toEqual({ masterId: master.id, count: all, locked: 0 });
    expect(codeOf(await trader(api.test, { body: { id } }))).toBe(200);
  });

  test('is refused where server and command are given different master keys', async () => {
    const other = newMasterKey();
    const given = new Vault({ masters: [other, master] });
    await expect(rotateMaster(given, app.db, { given: master.id })).rejects.toMatchObject({ status: 409 });
    await expect(rotateMaster(given, app.db, { given: null })).rejects.toMatchObject({ status: 409 });
    const own = new Vault({ masters: [master], save: () => {} });
    await expect(rotateMaster(own, app.db, { given: other.id })).rejects.toMatchObject({ status: 409 });
    await expect(rotateMaster(new Vault({ masters: [] }), app.db, { given: null })).rejects.toMatchObject({
      status: 409,
    });
  });

  test('a crash at any point leaves each secret with a master key that is on the disk', async () => {
    const { id } = await create('demo-trade-0014');
    const disk = { masters: [master] as readonly ReturnType<typeof newMasterKey>[], writes: 0 };
    const crashing = (at: number) =>
      new Vault({
        masters: disk.masters,
        save: (masters) => {
          disk.writes += 1;
          if (disk.writes === at) throw new Error('crash');
          disk.masters = masters;
        },
      });
    for (const at of [1, 2]) {
      disk.writes = 0;
      await expect(crashing(at).rotate(app.db)).rejects.toThrow('crash');
      expect(await new Vault({ masters: disk.masters }).locked(app.db)).toBe(0);
    }
    const vault = crashing(-1);
    await vault.rotate(app.db);
    expect(disk.masters.map((one) => one.id)).toEqual([expect.not.stringMatching(master.id)]);
    expect(await new Vault({ masters: disk.masters }).locked(app.db)).toBe(0);
    await new Vault({ masters: [master, ...disk.masters] }).rotate(app.db);
    expect(codeOf(await trader(api.test, { body: { id } }))).toBe(200);
  });
});

test('without a master key nothing is stored, and the desk says why', async () => {
  const closed = await testApp({
    db: app.db,
    vault: new Vault({ masters: [], closed: '请先设置 SECRET_KEY' }),
    keyCheck: null,
  });
  const call = closed.as('trader');
  const refusal = await call(api.create, { body: typed('demo-trade-0015') });
  expect(refusal.body).toMatchObject({
    code: REFUSALS.keyStoreClosed.code,
    message: expect.stringMatching(/SECRET_KEY$/),
  });
  expect((await call(api.desk)).body.data).toMatchObject({ closed: '请先设置 SECRET_KEY', exchange: null });
  await closed.close();
});

test('where no exchange is connected, a key is stored untested and says so', async () => {
  const alone = await testApp({ db: app.db, vault: new Vault({ masters: [master] }), keyCheck: null });
  const call = alone.as('trader');
  const seen = await call(api.test, { body: { exchange: 'gate', key: 'demo-withdraw-1', secret: 'typed-secret-y' } });
  expect(seen.body.data).toMatchObject({ simulated: false, outcome: 'unavailable', rights: null });
  const { body } = await call(api.create, { body: typed('a-real-key-of-somebody') });
  expect(body.data).toMatchObject({ state: 'untested', report: null });
  await alone.close();
});

/** Last: all of the above has been said and written by now. */
test('no key, secret or passphrase is in a reply, a log line or a row of the database', async () => {
  // A failure inside, too: what the database throws quotes the row.
  const { sealed } = (await app.db.select().from(schema.secret))[0]!;
  expect(sealed).not.toBe('');
  const broken = new Vault({ masters: [master] });
  broken.keep = async (_tx, _name, text) => {
    throw new Error(`could not keep ${text}`);
  };
  const failing = await testApp({
    db: app.db,
    vault: broken,
    log: { write: (line) => void logged.push(line) },
    config: { logLevel: 'debug' },
  });
  const failed = await failing.as('trader')(api.create, { body: typed('demo-trade-0016') });
  expect(failed.status).toBe(500);
  replies.push(failed.raw.payload);
  await failing.close();

  const tables = Object.values(schema as Record<string, unknown>).filter((one): one is PgTable => is(one, PgTable));
  const rows: string[] = [];
  for (const table of tables) {
    const found = await app.db.select().from(table);
    rows.push(`${getTableName(table)} ${JSON.stringify(found)}`);
  }
  // Searched in the right places: what may be there is there.
  expect(rows.join()).toContain('周一更换');
  expect(replies.join()).toContain('****9876');
  expect(logged.join()).toContain('/api/user/apiKey');
  const SECRET =
    /typed.secret|pass-phrase|"passphrase":"(?!\*{3}")|demo-(trade|read|open|transfer)-(?!0001"|(until|revoked|narrow|widen)-)|a-real-key/;
  for (const place of [replies, logged, rows]) expect(place.filter((text) => SECRET.test(text))).toEqual([]);
});
