import { randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { account } from '#contract/account';
import { service } from '#contract/service';
import type { Database } from '#server/base/db/client';
import { knownMigrations } from '#server/base/db/connection/migrate';
import { openDatabase } from '#server/base/db/connection/openDatabase';
import { ADVISORY_LOCKS } from '#server/base/db/connection/statements';
import { checkChains } from '#server/base/db/records/auditTrail';
import { StartRefusal } from '#server/base/startRefusal';
import { testApp } from '../../support/app';
import { atEnd } from '../../support/atEnd';
import { postgresDatabase } from '../../support/postgresDatabase';
import { waitFor } from '../../support/waitFor';

const database = await postgresDatabase('nothing');
atEnd(() => database.drop());

test('two servers that start at once on an empty database migrate it once', async () => {
  const [first, second] = await Promise.all([1, 2].map(() => openDatabase({ kind: 'url', url: database.url })));
  const applied = await first!.execute<{ hash: string }>(
    sql`select hash from drizzle.__drizzle_migrations order by id`,
  );
  expect(applied.rows.map(({ hash }) => hash)).toEqual(knownMigrations());
  await second!.close();
  await first!.close();
});

test('what has nothing to do with another waits for none of its locks', () => {
  const numbers = Object.values(ADVISORY_LOCKS);
  expect(new Set(numbers).size).toBe(numbers.length);
});

test('the ledger cannot be changed, not even by the owner of the tables', async () => {
  const db = await openDatabase({ kind: 'url', url: database.url });
  await expect(db.execute(sql`update ledger set amount = 0`)).rejects.toThrow();
  await expect(db.execute(sql`delete from ledger`)).rejects.toThrow();
  await db.close();
});

describe('where the tables belong to another role than the server', () => {
  /** What a statement of the server's role, or of an administrator, comes to. */
  const said = async (db: Database, statement: ReturnType<typeof sql>) =>
    db.execute(statement).then(
      () => 'done',
      (error: { cause?: Error }) => error.cause?.message,
    );

  test('the server works, and can neither change the audit log nor switch off what guards it', async () => {
    const own = await postgresDatabase();
    const administrator = await openDatabase({ kind: 'url', url: own.url });
    const role = `server_${Date.now().toString(36)}`;
    await administrator.execute(sql.raw(`create role ${role} login password 'of-the-test'`));
    const url = Object.assign(new URL(own.url), { username: role, password: 'of-the-test' }).href;
    const db = await openDatabase({ kind: 'url', url, ownerUrl: own.url });
    const server = await testApp({ db });
    for (const dayBoundary of [60, 120, 180, 240]) {
      expect((await server.as('trader')(account.dayBoundary, { body: { dayBoundary } })).status).toBeLessThan(500);
    }
    expect((await server.as('visitor')(service.ready)).status).toBe(200);
    const done: string[] = [];
    server.jobs.work('webhook', { atOnce: 1, run: async ({ data }) => void done.push(data.userId) });
    await server.jobs.add(db, 'webhook', [{ data: { userId: 'somebody', notificationId: 1 } }]);
    await server.jobs.runDue();
    expect(done).toEqual(['somebody']);
    const refused = [
      sql`update audit set actor = 'x'`,
      sql`delete from audit_result`,
      sql`update ledger set amount = 0`,
      sql`update audit_chain set position = 0`,
      sql`update ledger_total set amount = 0`,
      sql`delete from ledger_day`,
    ];
    for (const statement of refused) expect(await said(db, statement)).toMatch(/permission denied/);
    expect(await said(db, sql`alter table audit disable trigger all`)).toMatch(/must be owner/);
    // What came of a call is added after its answer.
    await waitFor('the last result', 60_000, async () => (await checkChains(db)).rows === 8);
    expect((await checkChains(db)).problems).toEqual([]);

    for (const log of ['audit', 'audit_result']) {
      await administrator.execute(sql.raw(`alter table ${log} disable trigger ${log}_only_grows`));
    }
    // A last row that fits the one before it is not what was written.
    await administrator.execute(sql`
      update audit set actor = 'nobody', hash = chained_hash(
        (select hash from audit where position = 3), to_jsonb(audit) || '{"actor": "nobody"}')
      where position = 4`);
    expect((await checkChains(db)).problems).toEqual(['操作记录末尾与写入时不符']);
    await administrator.execute(sql`update audit set actor = 'somebody else' where position = 2`);
    await administrator.execute(sql`delete from audit_result where position = 2`);
    await administrator.execute(
      sql`delete from audit_result where position = (select max(position) from audit_result)`,
    );
    expect((await checkChains(db)).problems).toEqual([
      '操作记录第 2 行与写入时不符',
      '操作记录末尾与写入时不符',
      '操作结果第 3 行之前缺 1 行',
      '操作结果末尾缺 1 行',
    ]);
    await server.close();
    await administrator.execute(sql.raw(`drop owned by ${role}; drop role ${role}`));
    await administrator.close();
    await own.drop();
  });

  test.each([
    { what: 'a superuser', options: 'superuser', after: [], why: /是超级用户/ },
    { what: 'a member of the owner', options: '', after: ['grant OWNER to ROLE'], why: /能以表的所有者 \S+ 行事/ },
    {
      what: 'the owner of a table',
      options: '',
      after: ['alter table audit owner to ROLE'],
      why: /能以表的所有者 \S+ 行事/,
    },
  ])('a server whose role is $what is refused at start, in one line, and is granted nothing', async (given) => {
    const own = await postgresDatabase();
    const administrator = await openDatabase({ kind: 'url', url: own.url });
    const [role, owner] = ['server', 'owner'].map((word) => `${word}_${randomBytes(6).toString('hex')}`);
    const run = (statement: string) =>
      administrator.execute(sql.raw(statement.replaceAll('ROLE', role!).replaceAll('OWNER', owner!)));
    await run(`create role ROLE login ${given.options} password 'of-the-test'`);
    await run(`create role OWNER login superuser password 'of-the-test'`);
    for (const statement of given.after) await run(statement);
    const urlOf = (username: string) => Object.assign(new URL(own.url), { username, password: 'of-the-test' }).href;
    const opened = openDatabase({ kind: 'url', url: urlOf(role!), ownerUrl: urlOf(owner!) });
    const refusal = await opened.then(
      (db) => db.close().then(() => null),
      (error: Error) => error,
    );
    expect(refusal).toBeInstanceOf(StartRefusal);
    expect(refusal!.message).toMatch(given.why);
    expect(refusal!.message).not.toMatch(/\n|of-the-test/);
    const granted = sql`select count(*)::int as n from information_schema.role_table_grants
      where grantee = ${role!} and table_name = 'strategy'`;
    expect((await administrator.execute<{ n: number }>(granted)).rows).toEqual([{ n: 0 }]);
    await administrator.close();
    await own.drop();
    const cleaner = await postgresDatabase('nothing');
    const clean = await openDatabase({ kind: 'url', url: cleaner.url });
    await clean.execute(sql.raw(`drop role ${role}; drop role ${owner}`));
    await clean.close();
    await cleaner.drop();
  });
});
