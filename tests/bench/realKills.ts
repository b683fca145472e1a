import { ORDER_EXCHANGES } from '#contract/candle';
import startPostgres from '../support/postgresSetup.mjs';
import { realKillSoak } from '../support/realKillSoak';
import type { Figure } from './figure';

const KILLS = 100;
/** In the midst of it. */
const SETTLES_AFTER_MS = 120_000;
const FILL_SHARE = 0.6;

/**
 * Two servers on one PostgreSQL trade real accounts at stand-ins of all exchanges that take orders, and whoever trades is
 * killed a hundred times, or REAL_KILLS times. How it goes, and what went wrong, is told on the standard error.
 */
export async function realKillFigures(): Promise<Figure[]> {
  const say = (line: string) => void process.stderr.write(`${line}\n`);
  await startPostgres();
  const report = await realKillSoak({
    ...{ exchanges: ORDER_EXCHANGES, kills: Number(process.env.REAL_KILLS ?? KILLS) },
    ...{ settlesAfterMs: SETTLES_AFTER_MS, fillShare: FILL_SHARE, say },
  });
  for (const line of [...report.doubled, ...report.lost, ...report.differences]) say(line);
  return Object.entries(report).map(([word, value]) => ({
    name: `realKills.${word}`,
    value: typeof value === 'number' ? value : value.length,
    unit: word,
  }));
}
