import { eq, sql } from 'drizzle-orm';
import { connectTo } from '#server/base/db/connection/openUrl';
import { together } from '#server/base/db/connection/statements';
import { star, user } from '#server/base/db/schema';
import { atEnd } from '../../support/atEnd';
import { testDatabase } from '../../support/testDatabase';

const plain = await testDatabase();
const db = connectTo(plain.url, { connections: 1, isShared: false, isTelling: true });
atEnd(async () => {
  await db.close();
  await plain.close();
});

const put = (name: string) => ({ name, role: 'user' as const, passwordHash: 'none', createdAt: 1 });
const namesIn = async () => (await plain.select({ name: user.name }).from(user)).map(({ name }) => name).sort();

test('what a transaction begins with is gone with it when it fails, and kept when it does not', async () => {
  const failing = db.transaction(async (tx) => {
    await tx.insert(user).values(put('first'));
    throw new Error('changed its mind');
  });
  await expect(failing).rejects.toThrow('changed its mind');
  expect(await namesIn()).toEqual([]);

  // Refused by the database, the first of what goes out together.
  const refused = db.transaction((tx) =>
    together(
      tx.insert(star).values({ userId: '00000000-0000-4000-8000-000000000000', coin: 'A' }),
      tx.insert(user).values(put('second')),
    ),
  );
  await expect(refused).rejects.toThrow();
  expect(await namesIn()).toEqual([]);

  await db.transaction(async (tx) => {
    await tx.insert(user).values(put('kept'));
    // Nobody sees it before its end.
    expect(await namesIn()).toEqual([]);
  });
  expect(await namesIn()).toEqual(['kept']);
});

test('a transaction that has asked nothing yet holds what it asks later', async () => {
  const failing = db.transaction(async (tx) => {
    await namesIn();
    await tx.update(user).set({ name: 'changed' }).where(eq(user.name, 'kept'));
    throw new Error('changed its mind');
  });
  await expect(failing).rejects.toThrow('changed its mind');
  expect(await namesIn()).toEqual(['kept']);
});

test('a statement asked again and again answers for what it is asked with', async () => {
  for (let i = 0; i < 8; i += 1) {
    const { rows } = await db.execute<{ twice: number }>(sql`select ${i}::int * 2 as twice`);
    expect(rows).toEqual([{ twice: i * 2 }]);
    await expect(db.execute(sql`select 1 / ${i - i}::int`)).rejects.toThrow();
  }
});

test('a connection that is cut within a transaction keeps nothing of it, and the next one works', async () => {
  const cut = db.transaction(async (tx) => {
    const { rows } = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
    await tx.insert(user).values(put('cut'));
    await plain.execute(sql`select pg_terminate_backend(${rows[0]?.pid}::int, 5000)`);
    await tx.insert(user).values(put('late'));
  });
  await expect(cut).rejects.toThrow();
  await db.transaction((tx) => tx.insert(user).values(put('next')));
  expect(await namesIn()).toEqual(['kept', 'next']);
});
