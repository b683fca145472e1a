import { Mutex } from 'async-mutex';
import type { Database } from '../../base/db/client';
import { grouped, type MidnightPoint, midnightPoints, type OpenedAccount } from '../../base/db/strategies/statistic';
import { drawdownSeries } from '../../base/maths/drawdown';
import { inSlices } from '../../base/work/loopTurns';
import { dailyFigures, grown } from '../statistic/dailyFigures';
import { addRecord, type DailyRecord, dailyRecord } from '../statistic/dailyRecord';
import { spanOf } from '../statistic/period';

/** What the whole days of an account came to (F17 to F20), and where its running day begins. */
export interface WholeDays {
  sharpe: number | null;
  betaBtc: number | null;
  /** It has grown to so much from 1, at most to `peak`, and has fallen from its peak by `maxDrawdown`. */
  index: number;
  peak: number;
  maxDrawdown: number;
  /** At the last midnight; absent before its first point. */
  last: MidnightPoint | undefined;
}

/** The whole days of some accounts together, between two midnights (UTC), and of each by its user. */
export interface Track {
  from: number;
  to: number;
  /** When the first of them was opened. */
  openedAt: number;
  record: DailyRecord;
  byUser: ReadonlyMap<string, WholeDays>;
}

interface Kept {
  /** What it was made for: the accounts, and the days. */
  key: string;
  record: DailyRecord;
  byUser: Map<string, WholeDays>;
}

/** Accounts whose points one statement reads. */
const AT_ONCE = 25;

const keyOf = ({ userId, openedAt, capital, parts }: OpenedAccount): string =>
  [userId, openedAt, capital, ...parts.map(({ id }) => id)].join(' ');

/**
 * Nothing changes any more in the days before a midnight that an account has its own point of: points come one after
 * the other. Those days are added up once.
 */
export class WholeDaysOfAll {
  readonly #db: Database;
  readonly #turns = new Mutex();
  #kept: Kept | undefined;

  constructor(db: Database) {
    this.#db = db;
  }

  /** One reading after the other: the first one works it out for those that wait. @param isAll whether it is everybody's: that is remembered. */
  of(accounts: readonly OpenedAccount[], now: number, isAll: boolean): Promise<Track> {
    return this.#turns.runExclusive(() => this.#read(accounts, now, isAll));
  }

  async #read(accounts: readonly OpenedAccount[], now: number, isAll: boolean): Promise<Track> {
    const openedAt = accounts.reduce((first, account) => Math.min(first, account.openedAt), now);
    const span = spanOf({}, openedAt, now);
    const key = [span.from, span.to, ...accounts.map(keyOf)].join('|');
    const nothing = (): Kept => ({ key, record: dailyRecord([], [], span), byUser: new Map() });
    const kept = isAll && this.#kept?.key === key ? this.#kept : nothing();
    if (isAll) this.#kept = kept;
    const rest = nothing();
    const open = accounts.filter(({ userId }) => !kept.byUser.has(userId));
    const { breathe } = inSlices();
    for (let from = 0; from < open.length; from += AT_ONCE) {
      const some = open.slice(from, from + AT_ONCE);
      const points = grouped(await midnightPoints(this.#db, some, span), ({ userId }) => userId);
      for (const account of some) {
        const own = points.get(account.userId) ?? [];
        const record = dailyRecord([account], own, spanOf({}, account.openedAt, now));
        const last = own.find(({ midnight }) => midnight === span.to);
        const into = account.openedAt >= span.to || last?.isExact ? kept : rest;
        addRecord(into.record, record);
        into.byUser.set(account.userId, wholeDays(record, account, last));
        await breathe();
      }
    }
    const record = dailyRecord([], [], span);
    for (const part of [kept, rest]) addRecord(record, part.record);
    return { ...span, openedAt, record, byUser: new Map([...kept.byUser, ...rest.byUser]) };
  }
}

function wholeDays(record: DailyRecord, { openedAt }: OpenedAccount, last: MidnightPoint | undefined): WholeDays {
  const whole = grown(record);
  const figures = dailyFigures(whole, openedAt);
  const { index } = whole;
  return {
    sharpe: figures?.sharpe ?? null,
    betaBtc: figures?.betaBtc ?? null,
    index: index.at(-1) ?? 1,
    peak: index.reduce((peak, value) => Math.max(peak, value), 1),
    maxDrawdown: drawdownSeries(index, 1).reduce((deepest, depth) => Math.min(deepest, depth), 0),
    last,
  };
}
