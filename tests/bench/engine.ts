import { audit } from '#server/engine/audit';
import { benchDatabase } from './benchDatabase';
import { hedgingUsers, share } from './benchDesk';
import type { Figure } from './figure';

const SOAK = { users: 200, pairs: 5, ticks: 2000 };

/** 200 users with 5 pairs for 2,000 ticks, and whether the books agree afterwards. */
export async function engineFigures(): Promise<Figure[]> {
  const db = await benchDatabase();
  const { users, pairs, ticks } = SOAK;
  const desk = await hedgingUsers(db, { users, pairs });
  const first = await desk.run(1);
  const took = await desk.run(ticks - 1);
  const { findings, deals, ledgerRows } = await audit(db, desk.venue);
  await desk.engine.stop();
  await db.close();
  return [
    { name: 'engine.soak.firstTick', value: share(first, 1), unit: 'ms' },
    { name: 'engine.soak.tick.p50', value: share(took, 0.5), unit: 'ms' },
    { name: 'engine.soak.tick.p99', value: share(took, 0.99), unit: 'ms' },
    { name: 'engine.soak.tick.max', value: share(took, 1), unit: 'ms' },
    { name: 'engine.soak.rss', value: Math.round(process.memoryUsage().rss / 1e6), unit: 'MB' },
    { name: 'engine.soak.hedges', value: deals, unit: 'hedges' },
    { name: 'engine.soak.ledgerRows', value: ledgerRows, unit: 'rows' },
    { name: 'engine.soak.auditFindings', value: findings.length, unit: 'findings' },
    { name: 'engine.soak.troubles', value: desk.troubles.length, unit: 'errors' },
    ...[...new Set(desk.troubles)].map((kind) => ({
      name: `engine.soak.troubles.${kind}`,
      value: desk.troubles.filter((what) => what === kind).length,
      unit: 'errors',
    })),
  ];
}
