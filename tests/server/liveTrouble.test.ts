import { randomUUID } from 'node:crypto';
import { noteTrouble, troublesOf } from '#server/base/db/accounts/liveTrouble';
import { account, liveJournal, user } from '#server/base/db/schema';
import { fileDatabase } from '../support/testDatabase';

const db = await fileDatabase();
const [userId, one, other] = [randomUUID(), randomUUID(), randomUUID()];
const refused = { what: 'keyRefused', reason: 'notPermitted', lasts: true } as const;
const clockOff = { what: 'clockOff', reason: null, lasts: false } as const;
const wrong = async () => (await troublesOf(db, [userId])).map(({ id, what }) => [id, what]);

beforeAll(async () => {
  await db.insert(user).values({ id: userId, name: 'owner', role: 'user', passwordHash: '-', createdAt: 0 });
  await db.insert(account).values([
    { id: one, userId, venue: 'binance-live', mode: 'live', name: 'one' },
    { id: other, userId, venue: 'okx-live', mode: 'live', name: 'other' },
  ]);
  await db
    .insert(liveJournal)
    .values([one, other].map((accountId) => ({ accountId, since: 0, sequence: 0, cursors: {} })));
});

test('what is wrong with an account is noted of no other one, whatever was wrong with that', async () => {
  expect(await noteTrouble(db, other, clockOff, 1)).toBe(true);
  expect(await noteTrouble(db, one, refused, 2)).toBe(true);
  expect(await wrong()).toEqual([
    [one, 'keyRefused'],
    [other, 'clockOff'],
  ]);

  expect(await noteTrouble(db, other, null, 3)).toBe(true);
  expect(await noteTrouble(db, one, clockOff, 4)).toBe(true);
  expect(await noteTrouble(db, one, refused, 5)).toBe(true);
  expect(await noteTrouble(db, one, refused, 6)).toBe(false);
  expect(await wrong()).toEqual([[one, 'keyRefused']]);
});
