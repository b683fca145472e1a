import { DAY_MS } from '#contract/duration';
import type { MidnightPoint, OpenedAccount } from '../../base/db/strategies/statistic';
import { beginningOf } from '../../base/maths/returns';

/** Columns over which accounts are added up for a day; USDT, changes within the day unless said otherwise. */
const SUMS = ['long', 'short', 'funding', 'fees', 'slippage', 'traded'] as const;
type SumName = (typeof SUMS)[number];

/** The chosen accounts together, one row a whole UTC day. Columns of equal length; money in USDT. */
export interface DailyRecord extends Record<SumName, Float64Array> {
  /** Start of each day, UTC ms. */
  day: Float64Array;
  /** What the day began with: equity at its midnight, and all that came to accounts that were opened in it. */
  base: Float64Array;
  /** At the end of the day. */
  equity: Float64Array;
  /** Moved in within the day, but for what accounts were opened with; not part of the result. */
  transfers: Float64Array;
  /** Signed and absolute value of the positions at the end of the day. */
  netExposure: Float64Array;
  gross: Float64Array;
  /** Of BTC over the day, weighted by the accounts' bases; NaN where nobody has a price at both ends. */
  btc: Float64Array;
  /** The bases that it is weighted by. */
  btcBase: Float64Array;
  /** Accounts that have no point within the day: what they had is carried over. */
  missing: Int32Array;
}

/** What an account has at one end of a day. */
type End = Pick<MidnightPoint, 'at' | 'equity' | 'transfers' | 'btc'> & Record<SumName, number>;

const endOf = ({ longPnl, shortPnl, ...point }: MidnightPoint): End => ({ ...point, long: longPnl, short: shortPnl });

const openingOf = ({ openedAt, capital }: OpenedAccount): End => {
  const nothing = { long: 0, short: 0, funding: 0, fees: 0, slippage: 0, traded: 0 };
  return { at: openedAt, equity: capital, transfers: capital, btc: null, ...nothing };
};

/**
 * Adds accounts up by UTC day. An account takes part from the day of its opening on; what came to it that day is what it
 * begins with. Without a point an account is as it was before.
 * @param points of the accounts at the midnights from `from` to `to`.
 * @param from, to midnights, UTC ms: the days between them.
 */
export function dailyRecord(
  accounts: readonly OpenedAccount[],
  points: readonly MidnightPoint[],
  { from, to }: { from: number; to: number },
): DailyRecord {
  const days = Math.max(0, Math.round((to - from) / DAY_MS));
  const column = () => new Float64Array(days);
  const sums = Object.fromEntries(SUMS.map((name) => [name, column()])) as Record<SumName, Float64Array>;
  const record: DailyRecord = {
    ...sums,
    day: column().map((_, i) => from + i * DAY_MS),
    ...{ base: column(), equity: column(), transfers: column(), netExposure: column(), gross: column() },
    ...{ btc: column(), btcBase: column() },
    missing: new Int32Array(days),
  };
  const found = new Map(points.map((point) => [`${point.userId} ${point.midnight}`, point]));
  for (let i = 0; i < days; i++) {
    for (const account of accounts) addAccount(record, i, account, found);
    record.btc[i] = record.btcBase[i]! > 0 ? record.btc[i]! / record.btcBase[i]! : Number.NaN;
  }
  return record;
}

function addAccount(
  record: DailyRecord,
  i: number,
  account: OpenedAccount,
  found: ReadonlyMap<string, MidnightPoint>,
): void {
  const start = record.day[i]!;
  if (account.openedAt >= start + DAY_MS) return;
  const first = found.get(`${account.userId} ${start}`);
  const isBegun = account.openedAt < start && first !== undefined;
  const before = isBegun ? endOf(first) : openingOf(account);
  const point = found.get(`${account.userId} ${start + DAY_MS}`);
  const after = point ? endOf(point) : before;
  if (point === undefined || point.at <= start) record.missing[i]!++;
  const begun = beginningOf(before.equity, after.transfers - before.transfers, !isBegun);
  record.base[i]! += begun.base;
  record.equity[i]! += after.equity;
  record.transfers[i]! += begun.transfers;
  record.netExposure[i]! += point?.net ?? 0;
  record.gross[i]! += point?.gross ?? 0;
  for (const name of SUMS) record[name][i]! += after[name] - before[name];
  if (before.btc !== null && after.btc !== null && before.btc > 0 && before.equity > 0) {
    record.btcBase[i]! += before.equity;
    record.btc[i]! += before.equity * (after.btc / before.btc - 1);
  }
}

/** Adds the record of other accounts to one whose days they lie within. */
export function addRecord(sum: DailyRecord, part: DailyRecord): void {
  const { day, btc, btcBase, ...columns } = part;
  const first = day.length === 0 ? 0 : Math.round((day[0]! - sum.day[0]!) / DAY_MS);
  for (const name of Object.keys(columns) as (keyof typeof columns)[]) {
    for (let i = 0; i < day.length; i++) sum[name][first + i]! += part[name][i]!;
  }
  for (let i = 0; i < day.length; i++) {
    if (btcBase[i] === 0) continue;
    const base = sum.btcBase[first + i]!;
    const moved = base > 0 ? base * sum.btc[first + i]! : 0;
    sum.btcBase[first + i] = base + btcBase[i]!;
    sum.btc[first + i] = (moved + btcBase[i]! * btc[i]!) / (base + btcBase[i]!);
  }
}

/**
 * Time-weighted return of each day (F18): (equity - transfers) / base - 1, a fraction; NaN for a day that began with
 * nothing.
 */
export function dailyReturns({ base, equity, transfers }: DailyRecord): Float64Array {
  return base.map((start, i) => (start > 0 ? (equity[i]! - transfers[i]!) / start - 1 : Number.NaN));
}

/** The accounts grown from 1 by their daily returns; a day without a return leaves it where it is. */
export function indexOf(returns: Float64Array): Float64Array {
  let value = 1;
  return returns.map((step) => {
    if (!Number.isNaN(step)) value *= 1 + step;
    return value;
  });
}
