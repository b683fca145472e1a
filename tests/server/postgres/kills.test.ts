import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { flatten } from '#contract/flatten';
import { hedgeConfig } from '#contract/kinds/hedge/config';
import { hedge as hedgeApi } from '#contract/kinds/hedge/desk';
import { PAIR_WARNINGS } from '#contract/pair';
import { killSoak } from '../../support/killSoak';
import { sharedTrading } from '../../support/sharedTrading';
import { shareOf } from '../../support/shareOf';
import { tradingProof } from '../../support/tradingProof';
import { waitFor } from '../../support/waitFor';

const MOST_MS = 30_000;
const PAIRS = [
  ['ETHUSDT', 'SOLUSDT'],
  ['BNBUSDT', 'XRPUSDT'],
  ['DOGEUSDT', 'ADAUSDT'],
] as const;
/** Some looks of whoever trades. */
const LOOKS_MS = 3_000;

test('six times the server that trades is killed: nothing is done twice, nothing is lost', async () => {
  const report = await killSoak({ kills: 6, users: 6, pairs: 3, seconds: [0.3, 2] });
  const { kills, hedges, orders, fills, doubled, lostFills, unsettled, forgotten, naked, seconds } = report;
  const takeovers = kills.map(({ takeoverMs }) => takeoverMs ?? Number.POSITIVE_INFINITY);
  const leases = kills.map(({ leaseMs }) => leaseMs ?? Number.POSITIVE_INFINITY);
  const lines = [
    `kills: ${kills.length} in ${seconds} s, ${hedges} hedges, ${orders} orders, ${fills} fills`,
    `takeover: p50 ${shareOf(takeovers, 0.5)} ms, p95 ${shareOf(takeovers, 0.95)} ms (goal 10000)`,
    `all books held again: p50 ${shareOf(leases, 0.5)} ms, p95 ${shareOf(leases, 0.95)} ms`,
    `naked exposure: ${naked} USDT s`,
    ...report.failures.map(([what, times]) => `failed answers: ${times} x ${what}`),
    ...report.warnings.map(([what, times]) => `warnings: ${times} x ${what}`),
    ...report.timelines,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);

  expect({ doubled, lostFills, unsettled, forgotten }).toEqual({
    doubled: [],
    lostFills: [],
    unsettled: [],
    forgotten: [],
  });
  expect(report.audit).toContain('一致');
  expect(report.isAuditClean).toBe(true);
  // Enough went on for the kills to have met something, each moment twice.
  expect(hedges).toBeGreaterThan(15);
  for (const takeover of takeovers) expect(takeover).toBeLessThan(MOST_MS);
}, 900_000);

test.each([
  ['committed its first exit', 'trade_order', 1],
  ['had its venue do the third', 'paper_order', 3],
] as const)(
  'everything is closed once, with a full report, where who trades is killed when it has %s',
  async (_when, table, nth) => {
    const desk = await sharedTrading();
    try {
      const { a, b, log, hedges } = desk;
      const pairIds: string[] = [];
      for (const [long, short] of PAIRS) {
        pairIds.push(
          (await b.call(hedgeConfig.addPair, { body: { long, short, accepts: [...PAIR_WARNINGS] } })).pairId,
        );
      }
      await b.call(hedgeConfig.enable);
      for (const pairId of pairIds) await b.call(hedgeConfig.armPair, { body: { pairId } }).catch(() => null);
      await waitFor('all of them stand', 60_000, async () => {
        const states = (await hedges()).map(({ state }) => state);
        return states.length === PAIRS.length && states.every((state) => state === 'open');
      });

      let left: number = nth;
      const midway = log.next((write) => {
        if (write.table === table && write.kind === 'insert' && write.state !== null) left -= 1;
        return left === 0;
      }, 60_000);
      const key = randomUUID();
      const asked = b.call(flatten.ask, { body: {}, key });
      expect((await midway)?.process).toBe(a.name);
      await a.server.kill('SIGKILL');
      const { id, deals } = await asked;
      expect(deals).toBe(PAIRS.length);
      const read = () => b.call(flatten.report, { query: { id: id! } });
      expect((await read()).left).toBeGreaterThan(0);
      const tookMs = await waitFor('the report is complete', 90_000, async () => (await read()).left === 0);
      process.stdout.write(`flatten: complete ${tookMs} ms after the kill\n`);

      const report = await read();
      expect(report).toMatchObject({ deals: PAIRS.length, closed: PAIRS.length, net: expect.any(Number) });
      expect(report.doneAt).toBeGreaterThanOrEqual(report.at);
      const legs = report.list.flatMap((deal) => {
        expect(deal).toMatchObject({ state: 'closed', closeReason: 'flatten', why: null });
        return deal.legs;
      });
      expect(legs).toHaveLength(2 * PAIRS.length);
      for (const leg of legs) {
        expect(leg.quantity + leg.dust).toBeCloseTo(Math.abs(Number(leg.asked)), 8);
        expect(leg).toMatchObject({ left: '0', dust: 0, price: expect.any(Number), slippage: expect.any(Number) });
      }
      const proofNow = async () => {
        const { doubled, lostFills, unsettled, hedges: opened } = await tradingProof(desk.db);
        const { rows } = await desk.db.execute(sql`select * from paper_position`);
        return { doubled, lostFills, unsettled, opened, positions: rows };
      };
      const nothing = { doubled: [], lostFills: [], unsettled: [], opened: PAIRS.length, positions: [] };
      expect(await proofNow()).toEqual(nothing);

      // Asked again by the same name it is the same one; and nothing opens again, also when entries are let in.
      expect(await b.call(flatten.ask, { body: {}, key })).toEqual({ id, deals });
      expect((await b.call(flatten.list)).total).toBe(1);
      await b.call(hedgeApi.resume, { body: { reason: 'again' } });
      await sleep(LOOKS_MS);
      expect(await proofNow()).toEqual(nothing);
      const { pairs } = await b.call(hedgeConfig.desk);
      expect(pairs.map(({ block }) => block)).toEqual(PAIRS.map(() => 'closedByHand'));
      expect(await read()).toMatchObject({ list: report.list });
    } finally {
      await desk.close();
    }
  },
);
