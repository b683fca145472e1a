import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { hedgeConfig } from '#contract/kinds/hedge/config';
import { hedge as hedgeApi } from '#contract/kinds/hedge/desk';
import { PAIR_WARNINGS } from '#contract/pair';
import { startStandIn } from '../../standin/standIn';
import { atEnd } from '../../support/atEnd';
import { badLineTo, onlyBinance } from '../../support/badLine';
import { runToEnd, startProgram } from '../../support/serverProcess';
import { sharedTrading } from '../../support/sharedTrading';
import { temporaryFolder } from '../../support/temporaryFolder';
import { hedgeTimeline, tradingProof } from '../../support/tradingProof';
import { waitFor } from '../../support/waitFor';

/** A lease runs out, and the other one hears of the exchange and takes over. */
const TAKEOVER_MS = 90_000;
const MOMENT_MS = 60_000;

const standIn = await startStandIn({ dialects: ['binance'] });
atEnd(() => standIn.close());
const line = await badLineTo(standIn.url, onlyBinance('ETHUSDT', 'SOLUSDT'));
atEnd(() => line.close());

type Desk = Awaited<ReturnType<typeof sharedTrading>>;

/** Ends whoever next writes into a table for the first time. @returns the slot that it leaves. */
async function killAt(table: string, { log, beside, kill, said }: Desk, act: () => Promise<unknown>): Promise<string> {
  const next = log.next((write) => write.table === table && write.kind === 'insert', MOMENT_MS);
  await act();
  const write = await next;
  if (write === undefined) {
    const desk = await beside()
      .call(hedgeConfig.desk)
      .catch((error: Error) => error);
    throw new Error(`nothing was written into ${table}: ${JSON.stringify(desk)}\n${said().join('\n')}`);
  }
  await kill(write.process);
  return write.process.split('-')[0]!;
}

/** What is missing or too much, by the venue's own events. */
async function proofOf({ db }: Desk) {
  const { doubled, lostFills, unsettled, hedges } = await tradingProof(db);
  const { rows } = await db.execute(sql`select symbol, quantity from paper_position`);
  return { doubled, lostFills, unsettled, hedges, positions: rows };
}

test.each([
  ['has committed an order', 'trade_order'],
  ['has had an order done', 'paper_order'],
] as const)(
  'at an exchange that is followed: who trades is killed twice when it %s, in an entry and in a close, and another goes on',
  async (_when, table) => {
    const desk = await sharedTrading({ exchange: 'binance', url: line.url });
    try {
      const { beside, hedges, source } = desk;
      const state = async () => (await hedges()).at(-1)?.state;
      let pairId = '';
      await waitFor('the other one hears of the exchange and of both books', TAKEOVER_MS, async () => {
        const body = { long: 'ETHUSDT', short: 'SOLUSDT', accepts: [...PAIR_WARNINGS] };
        ({ pairId } = await beside()
          .call(hedgeConfig.addPair, { body })
          .catch(() => ({ pairId })));
        return pairId !== '';
      });
      const freed = await killAt(table, desk, () => beside().call(hedgeConfig.enable, { body: { open: [pairId] } }));
      expect(await state()).toBe('opening');
      const again = desk.again(freed);
      const openMs = await waitFor('another one has opened it', TAKEOVER_MS, async () => (await state()) === 'open');
      await again;

      const [held] = await hedges();
      await killAt(table, desk, async () => {
        // It answers when all is done, and is waited for no longer than that takes.
        void beside()
          .call(hedgeApi.close, { query: { id: held!.id }, key: randomUUID() })
          .catch(() => null);
      });
      expect(await state()).toBe('closing');
      const closedMs = await waitFor(
        'another one has closed it',
        TAKEOVER_MS,
        async () => (await state()) === 'closed',
      );
      process.stdout.write(`open ${openMs} ms and closed ${closedMs} ms after the kill\n`);

      const proof = await proofOf(desk);
      if (proof.doubled.length > 0) process.stdout.write(`${(await hedgeTimeline(desk.db, held!.id)).join('\n')}\n`);
      expect(proof).toEqual({ doubled: [], lostFills: [], unsettled: [], hedges: 1, positions: [] });
      const { rows } = await desk.db.execute(
        sql`select distinct event->>'source' as source from paper_event where event->>'kind' = 'fill'`,
      );
      expect(rows).toEqual([{ source }]);
      const audit = await runToEnd(
        startProgram('start/cli/audit.ts', [], { DATABASE_URL: desk.url, DATA_DIR: temporaryFolder() }),
      );
      expect(`${audit.stdout}${audit.stderr}`).toContain('账本、持仓、订单与交易所一致');
      expect(audit.code).toBe(0);
    } finally {
      await desk.close();
    }
  },
);
