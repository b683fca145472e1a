import { setTimeout as sleep } from 'node:timers/promises';
import Big from 'big.js';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#contract/duration';
import type { ReconciledAccount } from '#contract/order';
import { noteReconciliation, reconciliationsOf, usersWithRealAccounts } from '../../base/db/accounts/reconciliation';
import { JobFailed, type Jobs } from '../../base/jobs/jobs';
import { plain } from '../../base/maths/decimal';
import type { DeskDeps } from '../deps';
import { inquiryOf } from './inquiry';
import { reconcileAccount } from './reconcile';

interface Needs extends Pick<DeskDeps, 'db' | 'venue' | 'clock'> {
  jobs: Jobs;
  /** After how long what differs is asked for once more, ms. */
  againMs?: number;
}

/** After a start the exchanges have to be heard first. */
const AFTER_START_MS = 5 * MINUTE_MS;
/** What was found out so lately is not asked again when an attempt is made anew. */
const LATELY_MS = 12 * HOUR_MS;
/** How often what differs is asked for once more, and after how long. */
const AGAIN = 2;
const AGAIN_MS = 15 * SECOND_MS;
/** How long one user's accounts are asked about. */
const PATIENCE_MS = MINUTE_MS;

/** Once a day, of whichever process comes first: real accounts are held against their exchange. What differs is told by the notifier. */
export class DailyReconcile {
  readonly #needs: Needs;

  constructor(needs: Needs) {
    this.#needs = needs;
    needs.jobs.work('reconcile', { atOnce: 1, run: ({ signal }) => this.#pass(signal) });
  }

  /** Only one waits: it is the next where there is one already. */
  start(): Promise<void> {
    return this.#next(AFTER_START_MS);
  }

  #next(waitMs: number): Promise<void> {
    const { db, jobs } = this.#needs;
    return jobs.add(db, 'reconcile', [{ data: {}, waitMs }]);
  }

  /** @throws JobFailed where an exchange could not be asked: it is tried again. */
  async #pass(signal: AbortSignal): Promise<void> {
    const { db, venue, clock, againMs = AGAIN_MS } = this.#needs;
    // First: should this one fail for good, there is another tomorrow.
    await this.#next(DAY_MS);
    const users = await usersWithRealAccounts(db);
    const known = await reconciliationsOf(
      db,
      users.map(({ userId }) => userId),
    );
    const isKnown = ({ userId }: { userId: string }) => {
      const last = known.get(userId);
      return last !== undefined && last.verdict !== 'unknown' && last.at > clock() - LATELY_MS;
    };
    const unanswered: string[] = [];
    for (const one of users.filter((each) => !isKnown(each))) {
      if (signal.aborted) return;
      const asked = () => reconcileAccount(inquiryOf(db, venue, one, performance.now() + PATIENCE_MS));
      let found = await asked();
      // What was filled just now is at the exchange before it is read: what differs is told once it stands.
      for (let again = 0; again < AGAIN && found.verdict === 'differs' && !signal.aborted; again += 1) {
        await sleep(againMs, undefined, { signal }).catch(() => undefined);
        found = await asked();
      }
      const { userId, user, verdict } = found;
      await noteReconciliation(db, { userId, at: clock(), verdict, said: saidOf(found) });
      if (verdict === 'unknown') unanswered.push(user);
    }
    if (unanswered.length > 0) throw new JobFailed(`未能确认：${unanswered.join('、')}`);
  }
}

const WHAT = { position: '持仓', wallet: '余额', fee: '手续费', funding: '资金费' } as const;

/** What the exchange has more, or less. */
function apart(ledger: string, venue: string): string {
  const more = new Big(venue).minus(ledger);
  return `${more.lt(0) ? '−' : '+'}${plain(more.abs())}`;
}

/** What differs, and what could not be asked, a line each. */
function saidOf({ positions, money, orders, findings, unknown }: ReconciledAccount): string[] {
  return [
    ...[...positions, ...money]
      .filter(({ agrees }) => !agrees)
      .map(
        ({ account, what, symbol, ledger, venue }) =>
          `${account} ${WHAT[what]} ${symbol} 账本 ${ledger} 交易所 ${venue}，差 ${apart(ledger, venue)}`,
      ),
    ...orders.filter(({ what }) => what !== 'unknown').map(({ symbol, text }) => `委托 ${symbol} ${text}`),
    ...findings.map((line) => `账目 ${line}`),
    ...unknown,
  ];
}
