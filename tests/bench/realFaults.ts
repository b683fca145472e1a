import startPostgres from '../support/postgresSetup.mjs';
import { REAL_FAULTS, realFaultSoak, TRADED } from '../support/realFaultSoak';
import type { Figure } from './figure';

/** So many stand-ins, each with a server, work beside each other. */
const BESIDE = 3;

/**
 * Every kind that may be real at stand-ins of all exchanges that take orders, through every fault; of kinds, exchanges
 * and faults those that REAL_FAULTS names (`cexRate okx late`). How it goes, and what went wrong, is told on the standard
 * error.
 */
export async function realFaultFigures(): Promise<Figure[]> {
  const say = (line: string) => void process.stderr.write(`${line}\n`);
  await startPostgres();
  const words = (process.env.REAL_FAULTS ?? '').split(' ').filter((word) => word !== '');
  const faults = words.filter((word) => REAL_FAULTS.includes(word));
  const places = words.filter((word) => !REAL_FAULTS.includes(word));
  const left = TRADED.filter(({ kind, at }) => places.every((word) => [kind, ...at].some((one) => one === word)));
  const reports: Awaited<ReturnType<typeof realFaultSoak>>[] = [];
  const work = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift())
      reports.push(await realFaultSoak(next, faults.length > 0 ? faults : REAL_FAULTS, say));
  };
  await Promise.all(Array.from({ length: BESIDE }, work));
  for (const line of reports.flatMap(({ findings }) => findings)) say(line);
  const sum = (of: (report: (typeof reports)[number]) => number) => reports.reduce((all, one) => all + of(one), 0);
  return [
    { name: 'realFaults.deals', value: sum(({ deals }) => deals), unit: 'deals' },
    { name: 'realFaults.orders', value: sum(({ orders }) => orders), unit: 'orders' },
    { name: 'realFaults.findings', value: sum(({ findings }) => findings.length), unit: 'findings' },
  ];
}
