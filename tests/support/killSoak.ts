import { setTimeout as sleep } from 'node:timers/promises';
import type { HedgeSettings } from '#contract/kinds/hedge/config';
import { openDatabase } from '#server/base/db/connection/openDatabase';
import { HedgeTraffic } from './hedgeTraffic';
import { postgresDatabase } from './postgresDatabase';
import { ServerFleet } from './serverFleet';
import { runToEnd, startProgram } from './serverProcess';
import { signedInUser } from './signedInUser';
import { temporaryFolder } from './temporaryFolder';
import { hedgeTimeline, type TradingProof, tradingProof } from './tradingProof';
import { isEngineWrite, type Write, WriteLog } from './writeLog';

export interface KillSoakOptions {
  kills: number;
  users: number;
  pairs: number;
  /** Trading between two kills: at least and at most so many seconds, both servers alive. */
  seconds: [number, number];
  settings?: Partial<HedgeSettings>;
  /** Told how it goes. */
  say?: (line: string) => void;
}

/** When a server dies: right after it committed an order, right after its venue did it, or whenever. */
const MOMENTS = ['registered', 'done', 'between'] as const;
type Moment = (typeof MOMENTS)[number];

interface Kill {
  moment: Moment;
  /** UTC ms. */
  at: number;
  name: string;
  /** Whose books it held. */
  users: Set<string>;
  /** Milliseconds until another server held the last of these books; null when none did. */
  leaseMs: number | null;
  /** Milliseconds until another server's engine wrote into one of them; null when none did. */
  takeoverMs: number | null;
}

export interface KillSoakReport extends TradingProof {
  kills: Kill[];
  seconds: number;
  /** What the audit of the program itself printed. */
  audit: string;
  isAuditClean: boolean;
  /** Answers that were neither success nor a refusal. */
  failures: [string, number][];
  /** Timelines of the first hedges that went wrong. */
  timelines: string[];
  /** Warnings of the servers, by text. */
  warnings: [string, number][];
}

const MOMENT_MS = 15_000;
const TAKEOVER_MS = 60_000;
const SETTLE_MS = 90_000;

/**
 * Two servers on one database trade; again and again the one that trades is killed, the other takes over, and the
 * killed one starts again. What the database and the venue hold afterwards is recomputed from the venue's events.
 */
export async function killSoak(options: KillSoakOptions): Promise<KillSoakReport> {
  const { kills, users, pairs, settings = {}, say = () => {} } = options;
  const began = performance.now();
  const database = await postgresDatabase();
  const db = await openDatabase({ kind: 'url', url: database.url });
  const fleet = new ServerFleet(database.url);
  const log = await WriteLog.open(database.url);
  try {
    const traders = await Promise.all(Array.from({ length: users }, (_, i) => signedInUser(db, `soak-${i}`)));
    await Promise.all([fleet.start('a'), fleet.start('b')]);
    const traffic = new HedgeTraffic({
      traders,
      urls: () => fleet.living.map(({ server }) => server.url),
      pairs,
      settings,
    });
    await traffic.begin();
    const done: Kill[] = [];
    for (let i = 0; i < kills; i += 1) {
      done.push(await killOnce(fleet, log, MOMENTS[i % MOMENTS.length]!, options));
      say(`kill ${i + 1} of ${kills}: ${sentenceOf(done.at(-1)!)}`);
    }
    await traffic.settle(SETTLE_MS);
    await fleet.stop();
    const proof = await tradingProof(db, traffic.done);
    const wrong = [...new Set(proof.doubled.map(({ dealId }) => dealId))].filter((id) => id !== '').slice(0, 5);
    const timelines: string[] = [];
    for (const id of wrong) timelines.push(`hedge ${id}`, ...withKills(await hedgeTimeline(db, id), done));
    const audited = await runToEnd(
      startProgram('start/cli/audit.ts', [], { DATABASE_URL: database.url, DATA_DIR: temporaryFolder() }),
    );
    return {
      ...proof,
      kills: done,
      seconds: Math.round((performance.now() - began) / 1000),
      audit: audited.stdout + audited.stderr,
      isAuditClean: audited.code === 0,
      failures: [...traffic.failures],
      timelines,
      warnings: warningsOf(fleet),
    };
  } finally {
    await Promise.all(fleet.living.map((member) => fleet.kill(member)));
    await log.close();
    await db.close();
    await database.drop();
  }
}

async function killOnce(fleet: ServerFleet, log: WriteLog, moment: Moment, options: KillSoakOptions): Promise<Kill> {
  const [least, most] = options.seconds;
  await sleep(1000 * (least + (most - least) * Math.random()));
  const member = await victim(fleet, log, moment);
  const { name } = member;
  const users = new Set([...log.holders].filter(([, holder]) => holder === name).map(([userId]) => userId));
  const at = Date.now();
  const seen = log.writes.length;
  await fleet.kill(member);
  // Whoever watches a server starts it again at once.
  const started = fleet.start(member.slot);
  /** What others did since with the books it held. */
  const since = () =>
    log.writes.slice(seen).filter((write) => write.process !== name && write.at >= at && users.has(write.userId ?? ''));
  const look = () => {
    const writes = since();
    const first = writes.find(isEngineWrite);
    const leases = [...users].map((id) => writes.find(({ kind, userId }) => kind === 'lease' && userId === id)?.at);
    return { first, last: leases.includes(undefined) ? undefined : Math.max(...leases.map((each) => each!)) };
  };
  let seenNow = look();
  while (Date.now() < at + TAKEOVER_MS && !(seenNow.first && seenNow.last)) {
    await sleep(50);
    seenNow = look();
  }
  await started;
  const { first, last } = seenNow;
  const msTo = (instant: number | undefined) => (instant === undefined ? null : Math.round(instant - at));
  return { moment, at, name, users, leaseMs: msTo(last), takeoverMs: msTo(first?.at) };
}

/** The server that is to die, at the moment it is to die. */
async function victim(fleet: ServerFleet, log: WriteLog, moment: Moment) {
  const isHere = ({ process }: Write) => fleet.named(process) !== undefined;
  const found =
    moment === 'between'
      ? undefined
      : await log.next(
          (write) =>
            write.kind === 'insert' &&
            write.table === (moment === 'done' ? 'paper_order' : 'trade_order') &&
            // A venue also writes down that an order will never come.
            write.state !== null &&
            isHere(write),
          MOMENT_MS,
        );
  const counts = new Map<string, number>();
  for (const holder of log.holders.values()) counts.set(holder, (counts.get(holder) ?? 0) + 1);
  const [most] = [...counts].filter(([name]) => fleet.named(name)).sort((a, b) => b[1] - a[1]);
  return fleet.named(found?.process ?? '') ?? fleet.named(most?.[0] ?? '') ?? fleet.living[0]!;
}

const sentenceOf = ({ name, moment, users, leaseMs, takeoverMs }: Kill): string =>
  `${name} (${moment}) held ${users.size} books; held again after ${leaseMs ?? 'never'} ms, traded after ${takeoverMs ?? 'never'} ms`;

/** A timeline with the kills of its time in it. */
function withKills(lines: string[], kills: readonly Kill[]): string[] {
  const timeOf = (line: string) => Number(line.split(' ')[0]);
  const [from, to] = [timeOf(lines[0] ?? ''), timeOf(lines.at(-1) ?? '')];
  const own = kills.filter(({ at }) => at >= from && at <= to).map(({ at, name }) => `${at} kill of ${name}`);
  return [...lines, ...own].sort();
}

/** How often the servers logged what. */
function warningsOf({ ended }: ServerFleet): [string, number][] {
  const counts = new Map<string, number>();
  for (const { server } of ended) {
    for (const line of `${server.stdout()}\n${server.stderr()}`.split('\n')) {
      if (line === '' || line.startsWith('已启动')) continue;
      const text = textOf(line);
      counts.set(text, (counts.get(text) ?? 0) + 1);
    }
  }
  return [...counts];
}

function textOf(line: string): string {
  try {
    const { msg, what, name } = JSON.parse(line) as { msg?: string; what?: string; name?: string };
    return [msg, what, name].filter(Boolean).join(': ');
  } catch {
    return line;
  }
}
