import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { hedgeConfig } from '#contract/kinds/hedge/config';
import { hedge as hedgeApi } from '#contract/kinds/hedge/desk';
import { HEDGE_ENDS } from '#contract/lifecycle';
import { PAIR_WARNINGS } from '#contract/pair';
import { atEnd } from '../../support/atEnd';
import { openStream } from '../../support/eventStream';
import { sharedTrading } from '../../support/sharedTrading';
import { tradingProof } from '../../support/tradingProof';
import { waitFor } from '../../support/waitFor';

const PAIRS = [
  ['ETHUSDT', 'SOLUSDT'],
  ['BNBUSDT', 'XRPUSDT'],
  ['DOGEUSDT', 'ADAUSDT'],
] as const;
/** Long enough for two ticks of whoever trades. */
const TICKS_MS = 2_200;
const ROUNDS = 3;

const pairIds: string[] = [];
const desk = await sharedTrading();
atEnd(() => desk.close());

/** Whoever does not trade: a machine that is busy may pass the lease on to the other. */
const standby = () => (desk.log.holders.get(desk.trader.userId) === desk.b.name ? desk.a : desk.b);
/** Calls whoever does not trade. */
const call: typeof desk.b.call = (endpoint, input) => standby().call(endpoint, input);
for (const [long, short] of PAIRS) {
  pairIds.push((await call(hedgeConfig.addPair, { body: { long, short, accepts: [...PAIR_WARNINGS] } })).pairId);
}

const running = async () => (await desk.hedges()).filter(({ state }) => !HEDGE_ENDS.includes(state as never));

/** Closes what runs, by the server that does not trade. */
async function closeAll(): Promise<void> {
  await waitFor('what opens has opened', 60_000, async () => (await running()).every(({ state }) => state === 'open'));
  const rows = await running();
  const closed = await Promise.all(rows.map(({ id }) => call(hedgeApi.close, { query: { id }, key: randomUUID() })));
  expect(closed.map(({ flat }) => flat)).toEqual(rows.map(() => true));
}

const armAll = () =>
  // Those that still wait for their entry are refused.
  Promise.all(pairIds.map((pairId) => call(hedgeConfig.armPair, { body: { pairId } }).catch(() => null)));

/** The newest intent that a server wrote into the book. A book's writes are numbered in the order in which their transactions held it. */
async function lastIntent(by: string): Promise<number> {
  const { rows } = await desk.db.execute<{ id: string }>(sql`
    select max(id) id from watched.write where "table" = 'book' and kind = 'update' and process = ${by}`);
  return Number(rows[0]!.id);
}

/** Hedges created by whom, after the intent of that number. */
async function createdAfter(intent: number): Promise<string[]> {
  const { rows } = await desk.db.execute<{ subject: string }>(sql`
    select subject from watched.write where "table" = 'deal' and kind = 'insert' and id > ${intent}`);
  return rows.map(({ subject }) => subject);
}

/** Something is armed and may enter at any moment; so many milliseconds later an intent is answered. */
async function rounds(ask: () => Promise<unknown>, undo: () => Promise<unknown>, check: () => Promise<void>) {
  for (let round = 0; round < ROUNDS; ) {
    await undo();
    await armAll();
    await sleep((1_200 * round) / ROUNDS);
    const asked = standby();
    await ask();
    const intent = await lastIntent(asked.name);
    await sleep(TICKS_MS);
    expect(await createdAfter(intent)).toEqual([]);
    await check();
    // A round in which the lease was passed on proves less: once more.
    if (asked === standby()) round += 1;
  }
}

/** Keeps everybody from the user's book until it is given free; who asked first has it first then. */
async function heldBook(): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: desk.url });
  await client.connect();
  await client.query('begin');
  await client.query('select 1 from book where user_id = $1 for update', [desk.trader.userId]);
  return async () => {
    await client.query('commit');
    await client.end();
  };
}

const isFlat = async () => (await running()).length === 0;
const resume = () => call(hedgeApi.resume, { body: { reason: 'again' } });

describe('answered by the server that does not trade', () => {
  test('a reader there hears what the other one does: each event once, in the order in which things happened', async () => {
    const { server } = standby();
    const stream = await openStream(server.url, { cookie: desk.trader.cookie, topics: 'hedge,order,account' });
    try {
      await call(hedgeConfig.enable, { body: { open: pairIds.slice(0, 1) } });
      await stream.until(() => stream.of('hedge').some(({ data }) => data.kind === 'opened'), 'the hedge opens');
      await stream.until(() => stream.of('account').length > 0, 'the account');
      const opened = stream.of('hedge').find(({ data }) => data.kind === 'opened')!.data;
      const filled = stream.of('order').filter(({ data }) => data.state === 'filled');
      expect(filled.map(({ data }) => [data.hedgeId, data.purpose])).toEqual([
        [opened.id, 'entry'],
        [opened.id, 'entry'],
      ]);

      await closeAll();
      await stream.until(() => stream.of('hedge').some(({ data }) => data.kind === 'closed'), 'the hedge closes');
      const states = stream.of('order').map(({ data }) => `${data.id} ${data.state}`);
      expect(states).toEqual([...new Set(states)]);
      const kinds = stream.of('hedge').map(({ data }) => data.kind);
      expect(kinds.indexOf('created')).toBe(0);
      expect(kinds.indexOf('closing')).toBeGreaterThan(kinds.indexOf('opened'));
      expect(kinds.at(-1)).toBe('closed');
    } finally {
      stream.close();
    }
  });

  test('停用 lets nothing in any more, and what stands goes on', async () => {
    await rounds(
      () => call(hedgeConfig.disable),
      () => call(hedgeConfig.enable),
      closeAll,
    );
    await call(hedgeConfig.enable);
    await waitFor('a pair enters again', 60_000, async () => {
      await armAll();
      return (await running()).length > 0;
    });
    await closeAll();
  });

  test('暂停开仓 lets nothing in any more', async () => {
    await call(hedgeConfig.enable);
    await rounds(
      () => call(hedgeApi.pause, { body: {} }),
      () => resume().catch(() => null),
      closeAll,
    );
    await resume();
  });

  test('全部平仓 ends everything and lets nothing in any more', async () => {
    await call(hedgeConfig.enable);
    await rounds(
      () => call(hedgeApi.flatten, { key: randomUUID() }),
      () => resume().catch(() => null),
      () => waitFor('everything is flat', 60_000, isFlat).then(() => undefined),
    );
    await resume();
  });

  test('平仓 ends a hedge, and nothing follows it', async () => {
    await call(hedgeConfig.enable);
    for (let round = 0; round < 3; round += 1) {
      await armAll();
      await waitFor('a pair enters', 60_000, async () => (await running()).length === PAIRS.length);
      const [row] = await running();
      const asked = standby();
      const closed = await call(hedgeApi.close, { query: { id: row!.id }, key: randomUUID() });
      expect(closed.flat).toBe(true);
      const intent = await lastIntent(asked.name);
      await sleep(TICKS_MS);
      expect(await createdAfter(intent)).toEqual([]);
      // Whoever trades has read it, and says so.
      const told = async () =>
        (await call(hedgeConfig.desk)).pairs.find(({ pairId }) => pairId === row!.pairId) ?? null;
      await waitFor('the desk says why', 60_000, async () => (await told())?.block === 'closedByHand');
      expect((await told())?.held).toMatchObject({ hold: 'closed', by: desk.trader.name });
      await closeAll();
    }
  });

  test('a pair that was removed does not enter any more', async () => {
    const { hedges } = desk;
    await call(hedgeConfig.enable);
    for (let round = 0; round < ROUNDS; round += 1) {
      await closeAll();
      const { pairId } = await call(hedgeConfig.addPair, {
        body: { long: 'SUIUSDT', short: 'AVAXUSDT', accepts: [...PAIR_WARNINGS] },
      });
      await sleep((1_200 * round) / ROUNDS);
      const removed = await call(hedgeConfig.removePair, { body: { pairId } }).catch(() => null);
      if (removed === null) {
        // It was faster and stands: the pair stays until it has ended.
        await waitFor('the pair has entered', 60_000, async () =>
          (await running()).some((row) => row.pairId === pairId),
        );
        await closeAll();
        await call(hedgeConfig.removePair, { body: { pairId } });
        continue;
      }
      await sleep(TICKS_MS);
      expect((await hedges()).filter((row) => row.pairId === pairId)).toEqual([]);
    }
  });

  test('an entry that was decided before, and would be written after, is not made', async () => {
    const removed = new Set<string>();
    const intents: [string, () => Promise<unknown>][] = [
      ['disable', () => call(hedgeConfig.disable)],
      ['pause', () => call(hedgeApi.pause, { body: {} })],
      ['flatten', () => call(hedgeApi.flatten, { key: randomUUID() })],
      [
        'removePair',
        () =>
          Promise.all(
            pairIds.map((pairId) =>
              call(hedgeConfig.removePair, { body: { pairId } }).then(
                () => removed.add(pairId),
                () => null,
              ),
            ),
          ),
      ],
    ];
    const followed: Record<string, number> = {};
    for (const [name, ask] of intents) {
      for (let round = 0; round < 2; round += 1) {
        await call(hedgeConfig.enable);
        await resume().catch(() => null);
        await closeAll();
        await armAll();
        const giveFree = await heldBook();
        const { name: by } = standby();
        const asked = ask();
        // Whoever trades decides meanwhile by what it read before, and waits for the book behind the call.
        await sleep(1_300);
        await giveFree();
        await asked;
        const intent = await lastIntent(by);
        await sleep(TICKS_MS);
        const created = await createdAfter(intent);
        const late = (await desk.hedges()).filter(
          ({ id, pairId }) => created.includes(id) && (name !== 'removePair' || removed.has(pairId)),
        );
        followed[name] = (followed[name] ?? 0) + late.length;
      }
    }
    expect(followed).toEqual({ disable: 0, pause: 0, flatten: 0, removePair: 0 });
    await closeAll();
  });

  test('and all of it is done once', async () => {
    const { doubled, lostFills, unsettled } = await tradingProof(desk.db);
    expect({ doubled, lostFills, unsettled }).toEqual({ doubled: [], lostFills: [], unsettled: [] });
  });
});
