import { folderKillSoak } from '../support/folderKillSoak';
import { killSoak } from '../support/killSoak';
import startPostgres from '../support/postgresSetup.mjs';
import { shareOf } from '../support/shareOf';
import type { TradingProof } from '../support/tradingProof';
import type { Figure } from './figure';

const SHARED = { kills: 20, users: 6, pairs: 3, seconds: [0.2, 3] as [number, number] };
const FOLDER = { kills: 10, users: 3, pairs: 3, seconds: [2, 8] as [number, number] };
const GOAL_MS = 10_000;

/**
 * Two servers on one PostgreSQL, the one that trades killed twenty times; then one server on a data folder, killed
 * and started again. How it goes is told on the standard error. Ratios to the goal of ten seconds.
 */
export async function killFigures(): Promise<Figure[]> {
  const say = (line: string) => void process.stderr.write(`${line}\n`);
  await startPostgres();
  const shared = await killSoak({ ...SHARED, say });
  for (const line of shared.timelines) say(line);
  const folder = await folderKillSoak({ ...FOLDER, say });
  return [
    ...delays(
      'kills.shared.takeover',
      shared.kills.map(({ takeoverMs }) => takeoverMs),
    ),
    ...delays(
      'kills.shared.leases',
      shared.kills.map(({ leaseMs }) => leaseMs),
    ),
    ...counts('kills.shared', shared.kills.length, shared.isAuditClean, shared),
    ...delays('kills.folder.tradesAgain', folder.tradedAfterMs),
    ...counts('kills.folder', folder.kills, folder.isAuditClean, folder),
  ];
}

function delays(name: string, given: (number | null)[]): Figure[] {
  const values = given.map((value) => value ?? Number.POSITIVE_INFINITY);
  return (['p50', 'p95', 'max'] as const).map((word, i) => {
    const value = shareOf(values, [0.5, 0.95, 1][i]!);
    return { name: `${name}.${word}`, value, unit: 'ms', ratio: Math.round((value / GOAL_MS) * 100) / 100 };
  });
}

function counts(name: string, kills: number, isAuditClean: boolean, proof: TradingProof): Figure[] {
  return [
    { name: `${name}.kills`, value: kills, unit: 'kills' },
    { name: `${name}.hedges`, value: proof.hedges, unit: 'hedges' },
    { name: `${name}.orders`, value: proof.orders, unit: 'orders' },
    { name: `${name}.fills`, value: proof.fills, unit: 'fills' },
    { name: `${name}.doubled`, value: proof.doubled.length, unit: 'hedges' },
    { name: `${name}.lostFills`, value: proof.lostFills.length, unit: 'fills' },
    { name: `${name}.unsettled`, value: proof.unsettled.length, unit: 'hedges' },
    { name: `${name}.forgotten`, value: proof.forgotten.length, unit: 'writes' },
    { name: `${name}.naked`, value: proof.naked, unit: 'USDT s' },
    { name: `${name}.auditFindings`, value: isAuditClean ? 0 : 1, unit: 'audits with findings' },
  ];
}
