import { killSoak } from '../../support/killSoak';
import { shareOf } from '../../support/shareOf';

const MOST_MS = 30_000;

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
