import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { hedgeConfig } from '#contract/kinds/hedge/config';
import { hedge as hedgeApi } from '#contract/kinds/hedge/desk';
import { PAIR_WARNINGS } from '#contract/pair';
import { sharedTrading } from '../../support/sharedTrading';
import { hedgeTimeline, tradingProof } from '../../support/tradingProof';
import { waitFor } from '../../support/waitFor';
import { isEngineWrite } from '../../support/writeLog';

let desk: Awaited<ReturnType<typeof sharedTrading>>;
let pairId: string;
beforeEach(async () => {
  desk = await sharedTrading();
  ({ pairId } = await desk.a.call(hedgeConfig.addPair, {
    body: { long: 'ETHUSDT', short: 'SOLUSDT', accepts: [...PAIR_WARNINGS] },
  }));
});
afterEach(() => desk.close());

/** The other server goes on with the hedge until it is open. */
async function takenOver(): Promise<void> {
  const { log, trader, b, hedges } = desk;
  const tookMs = await waitFor('the other server takes the book over', 60_000, () =>
    log.writes.some((write) => isEngineWrite(write) && write.process === b.name && write.userId === trader.userId),
  );
  await waitFor('the hedge stands', 60_000, async () => (await hedges()).at(-1)?.state === 'open');
  process.stdout.write(`paused holder: taken over after ${tookMs} ms\n`);
}

/** The first server goes on where it stood, finds that the book is another's and writes nothing into it. */
async function wakesUpQuietly(): Promise<void> {
  const { db, log, a, b, hedges } = desk;
  const before = log.writes.length;
  a.server.child.kill('SIGCONT');
  await sleep(8_000);
  const late = log.writes.slice(before).filter((write) => isEngineWrite(write) && write.process === a.name);
  const [row] = await hedges();
  if (late.length > 0) process.stdout.write(`${(await hedgeTimeline(db, row!.id)).join('\n')}\n`);
  expect(late.map(({ table, kind, state }) => [table, kind, state])).toEqual([]);
  expect(a.server.child.exitCode).toBeNull();

  const closed = await b.call(hedgeApi.close, { query: { id: row!.id }, key: randomUUID() });
  expect(closed).toMatchObject({ state: 'closed', flat: true });
  const proof = await tradingProof(db);
  expect({ doubled: proof.doubled, lostFills: proof.lostFills, hedges: proof.hedges }).toEqual({
    doubled: [],
    lostFills: [],
    hedges: 1,
  });
  const { rows } = await db.execute(sql`select * from paper_position`);
  expect(rows).toEqual([]);
}

describe('a server that stands still for longer than its lease', () => {
  test('right after it committed an order: the order goes out once', async () => {
    const { a, log } = desk;
    const registered = log.next(({ table, kind }) => table === 'trade_order' && kind === 'insert', 60_000);
    void a.call(hedgeConfig.enable, { body: { open: [pairId] } }).catch(() => {});
    expect((await registered)?.process).toBe(a.name);
    a.server.child.kill('SIGSTOP');
    await takenOver();
    await wakesUpQuietly();
  });

  test('right after its venue did the order: what it did is found, and done once', async () => {
    const { a, log } = desk;
    const done = log.next(({ table, kind }) => table === 'paper_order' && kind === 'insert', 60_000);
    void a.call(hedgeConfig.enable, { body: { open: [pairId] } }).catch(() => {});
    expect((await done)?.process).toBe(a.name);
    a.server.child.kill('SIGSTOP');
    await takenOver();
    await wakesUpQuietly();
  });

  test('in the middle of a transaction: nobody waits for it for ever', async () => {
    const { a, db } = desk;
    // The first one's order takes a second to be written, so that it can be stopped before it commits.
    await db.execute(sql`
      create function slow() returns trigger language plpgsql as $$
        begin
          if current_setting('application_name') like 'a-%' then perform pg_sleep(1); end if;
          return new;
        end $$`);
    await db.execute(sql`create trigger slow before insert on trade_order for each row execute function slow()`);
    void a.call(hedgeConfig.enable, { body: { open: [pairId] } }).catch(() => {});
    await waitFor('the order is being written', 60_000, async () => {
      const { rows } = await db.execute(sql`
        select 1 from pg_stat_activity where application_name = ${a.name} and wait_event = 'PgSleep'`);
      return rows.length > 0;
    });
    a.server.child.kill('SIGSTOP');
    await takenOver();
    await wakesUpQuietly();
  });
});
