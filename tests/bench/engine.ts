import { DAY_MS } from '#contract/duration';
import { DEFAULT_SETTINGS } from '#contract/hedgeConfig';
import type { Database } from '#server/db/client';
import { audit } from '#server/engine/audit';
import { addBook, addPair } from '../support/bookRows';
import { benchDatabase } from './benchDatabase';
import { benchDesk, START, share } from './benchDesk';
import type { Figure } from './figure';

const SOAK = { users: 200, pairs: 5, ticks: 2000 };

/** So many users with so many pairs each. */
async function deskOf(db: Database, users: number, pairs: number) {
  const desk = benchDesk(db);
  const { markets, venue, clock } = desk;
  const symbols = (await (await markets.get('simulated'))!.instruments())
    .filter(({ listedAt }) => listedAt < START - 60 * DAY_MS)
    .map(({ symbol }) => symbol);
  const settings = { ...DEFAULT_SETTINGS, legNotional: 500, maxHedges: pairs, dailyLossLimit: null, stopLoss: null };
  for (let i = 0; i < users; i += 1) {
    const userId = await desk.addUser(`bench-${users}-${pairs}-${i}`);
    await addBook(db, userId, { enabled: true }, { settings });
    for (let p = 0; p < pairs; p += 1) {
      const long = symbols[(i * 7 + p * 2) % symbols.length]!;
      const short = symbols[(i * 7 + p * 2 + 1) % symbols.length]!;
      await addPair(db, { userId, long, short, createdAt: clock(), armedAt: clock() });
    }
    await venue.open(userId, '100000');
  }
  return desk;
}

/** Tick time with so many open hedges, when nothing but prices moves. */
async function tickFigures(users: number, pairs: number): Promise<Figure[]> {
  const db = await benchDatabase();
  const desk = await deskOf(db, users, pairs);
  // Twenty hedges are begun in a tick; what is measured is the ticks after that.
  await desk.run(5 + Math.ceil((users * pairs) / 20));
  const took = await desk.run(120);
  await desk.engine.stop();
  await db.close();
  const name = `engine.tick.${users * pairs}`;
  return [
    { name: `${name}.p50`, value: share(took, 0.5), unit: 'ms' },
    { name: `${name}.p99`, value: share(took, 0.99), unit: 'ms' },
  ];
}

/** 200 users with 5 pairs for 2,000 ticks, and whether the books agree afterwards. */
async function soakFigures(): Promise<Figure[]> {
  const db = await benchDatabase();
  const { users, pairs, ticks } = SOAK;
  const desk = await deskOf(db, users, pairs);
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

export async function engineFigures(): Promise<Figure[]> {
  return [
    ...(await tickFigures(1, 1)),
    ...(await tickFigures(20, 5)),
    ...(await tickFigures(200, 5)),
    ...(await soakFigures()),
  ];
}
