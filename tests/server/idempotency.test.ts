import { eq } from 'drizzle-orm';
import { HOUR_MS } from '#contract/duration';
import { hedgeConfig as api, DEFAULT_SETTINGS } from '#contract/kinds/hedge/config';
import { hedge as hedgeApi } from '#contract/kinds/hedge/desk';
import { book, idempotency, user } from '#server/base/db/schema';
import { fileApp, testApp, type Who } from '../support/app';
import { pairsOf } from '../support/bookRows';
import { movingMarket } from '../support/paperDesk';

const market = movingMarket({ AAAUSDT: { price: 100 }, BBBUSDT: { price: 50 }, CCCUSDT: { price: 20 } });

const app = await fileApp({ markets: market.markets, clock: market.clock });
for (const who of ['trader', 'editor'] as const) {
  await app.as(who)(api.create, { body: { ...DEFAULT_SETTINGS, zBar: '1d' } });
}

const named = (key: string) => ({ 'idempotency-key': key });
const addPair = (key: string, short = 'BBBUSDT', who: Who = 'trader', on = app) =>
  on.as(who)(api.addPair, { body: { long: 'AAAUSDT', short }, headers: named(key) });
const revisionOf = async (name: string) => {
  const [row] = await app.db
    .select({ revision: book.revision })
    .from(book)
    .innerJoin(user, eq(user.id, book.userId))
    .where(eq(user.name, name));
  return row!.revision;
};

test('the same key and body get the same answer, byte for byte, and the work is done once', async () => {
  const before = await revisionOf('trader');
  const first = await addPair('k-1');
  expect(first.body.code).toBe(200);
  const again = await addPair('k-1');
  expect(again.raw.rawPayload.equals(first.raw.rawPayload)).toBe(true);
  expect(await revisionOf('trader')).toBe(before + 1);
  expect(await pairsOf(app.db)).toHaveLength(1);
});

test('a body that names the same fields in another order is the same body', async () => {
  const body = { short: 'BBBUSDT', long: 'AAAUSDT' };
  const again = await app.as('trader')(api.addPair, { body, headers: named('k-1') });
  expect(again.raw.rawPayload.equals((await addPair('k-1')).raw.rawPayload)).toBe(true);
});

test('another body under the same key is refused', async () => {
  expect((await addPair('k-1', 'CCCUSDT')).body.code).toBe(1101);
  expect(await pairsOf(app.db)).toHaveLength(1);
});

test('a key belongs to one user and one call', async () => {
  expect((await addPair('k-1', 'BBBUSDT', 'editor')).body.code).toBe(200);
  const enabled = await app.as('trader')(api.enable, { headers: named('k-1') });
  expect(enabled.body).toMatchObject({ code: 200, data: { enabled: true } });
});

test('a refusal is an answer: the same key gets it again, whatever changed since', async () => {
  const first = await addPair('k-2');
  expect(first.body.code).toBe(5012);
  const { pairId } = (await addPair('k-1')).body.data;
  await app.as('trader')(api.removePair, { body: { pairId }, headers: named('k-3') });
  const again = await addPair('k-2');
  expect(again.raw.rawPayload.equals(first.raw.rawPayload)).toBe(true);
  expect((await addPair('k-4')).body.code).toBe(200);
});

test('what the form of a request refuses takes no key', async () => {
  expect((await addPair('k-5', '')).status).toBe(400);
  expect((await addPair('k-5', 'CCCUSDT')).body.code).toBe(200);
});

test('of two at once with one key the second waits and gets the same answer', async () => {
  await app.as('trader')(api.disable);
  const before = await revisionOf('trader');
  const call = () => app.as('trader')(api.enable, { headers: named('k-6') });
  const answers = await Promise.all([call(), call(), call()]);
  expect(new Set(answers.map(({ raw }) => raw.payload)).size).toBe(1);
  expect(answers[0]!.body.code).toBe(200);
  expect(await revisionOf('trader')).toBe(before + 1);
});

test('another server on the database, as after a restart, answers the same', async () => {
  const first = await addPair('k-4');
  const restarted = await testApp({ markets: market.markets, clock: market.clock, db: app.db });
  const again = await addPair('k-4', 'BBBUSDT', 'trader', restarted);
  expect(again.raw.rawPayload.equals(first.raw.rawPayload)).toBe(true);
  expect((await addPair('k-4', 'CCCUSDT', 'trader', restarted)).body.code).toBe(1101);
  await restarted.close();
});

test('what failed without a reason is no answer: the same key may try again', async () => {
  const fragile = await testApp({
    markets: { ...market.markets, get: () => Promise.reject(new Error('away')) },
    clock: market.clock,
    db: app.db,
  });
  const before = await pairsOf(app.db);
  const failed = await addPair('k-7', 'CCCUSDT', 'editor', fragile);
  expect(failed.status).toBe(500);
  expect(failed.raw.payload).not.toContain('away');
  await fragile.close();
  expect(await pairsOf(app.db)).toHaveLength(before.length);
  expect((await addPair('k-7', 'CCCUSDT', 'editor')).body.code).toBe(200);
});

test('a key is remembered for 24 hours', async () => {
  const call = () => app.as('trader')(api.disable, { headers: named('k-8') });
  const first = await call();
  // A session that is not used for twelve hours is over, so every person is seen in between.
  for (const hours of [11, 11, 1.99]) {
    market.wait(hours * HOUR_MS);
    await app.as('trader')(api.enable);
    await app.as('master')(api.desk);
    expect((await call()).raw.payload).toBe(first.raw.payload);
  }
  market.wait(0.01 * HOUR_MS);
  const before = await revisionOf('trader');
  expect((await call()).body.code).toBe(200);
  expect(await revisionOf('trader')).toBe(before + 1);
  const kept = await app.db.select().from(idempotency).where(eq(idempotency.key, 'k-8'));
  expect(kept).toHaveLength(1);
});

test('calls that close everything are refused without a key; the one that names a hedge works by its id alone', async () => {
  expect((await app.as('trader')(hedgeApi.close, { query: { id: 'x' } })).status).toBe(404);
  const calls = [
    app.as('trader')(hedgeApi.flatten),
    app.as('master')(hedgeApi.switchAll, { body: { action: 'pause', reason: '演练' } }),
  ];
  for (const { status, body } of await Promise.all(calls)) {
    expect(status).toBe(400);
    expect(body.data).toMatchObject({ fields: [{ field: 'Idempotency-Key' }] });
  }
  const odd = await app.as('trader')(hedgeApi.flatten, { headers: named('含中文') });
  expect(odd.status).toBe(400);
  const long = await app.as('trader')(hedgeApi.flatten, { headers: named('k'.repeat(201)) });
  expect(long.status).toBe(400);
});
