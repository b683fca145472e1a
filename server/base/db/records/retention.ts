import { sql } from 'drizzle-orm';
import { MINUTES_KEPT_MS } from '#contract/candle';
import { DAY_MS, HOUR_MS } from '#contract/duration';
import type { Queries } from '../client';
import { MINUTE } from '../markets/candle';

/** Rows that one statement takes away: others wait for it. */
export const BATCH = 1_000;

const POINTS_KEPT_MS = 90 * DAY_MS;

interface Kept {
  /** How long, ms. */
  keptMs: number;
  /** Takes a batch of what is older away. @param until UTC ms. @returns how many rows it took */
  drop(db: Queries, until: number): Promise<number>;
}

async function dropped(db: Queries, table: string, which: ReturnType<typeof sql>): Promise<number> {
  const name = sql.identifier(table);
  const { rows } = await db.execute(sql`
    delete from ${name} where ctid = any(array(select ctid from ${name} where ${which} limit ${BATCH})) returning 1`);
  return rows.length;
}

/**
 * What is not kept for ever. All else is: ledger, fills, orders, deals and what happened to them, the audit log, the
 * venue's events that the ledger is proven by.
 */
export const RETENTION = {
  /** Counts of failed logins; the longest window and the longest lock are an hour each. */
  login_failure: {
    keptMs: 2 * HOUR_MS,
    drop: (db, until) => dropped(db, 'login_failure', sql`greatest(first_at, locked_until) < ${until}::bigint`),
  },
  login_attempt: {
    keptMs: 180 * DAY_MS,
    drop: (db, until) => dropped(db, 'login_attempt', sql`at < ${until}::bigint`),
  },
  idempotency: {
    keptMs: DAY_MS,
    drop: (db, until) => dropped(db, 'idempotency', sql`created_at < ${until}::bigint`),
  },
  /**
   * Of each hour the first stays. A month goes whole, once it is over for so long, and those to come are made ready.
   * @see server/base/db/migrations/0043_monthly_points.sql
   */
  equity_point: {
    keptMs: POINTS_KEPT_MS,
    drop: async (db, until) => {
      await db.execute(sql`select equity_point_ahead(${until + POINTS_KEPT_MS}::bigint)`);
      const { rows } = await db.execute<{ taken: string }>(sql`select equity_point_thin(${until}::bigint) as taken`);
      return Number(rows[0]?.taken ?? 0);
    },
  },
  /** Minutes alone. */
  candle: {
    keptMs: MINUTES_KEPT_MS,
    drop: (db, until) => dropped(db, 'candle', sql`bar = ${MINUTE} and last_at < ${until}::bigint`),
  },
  market_sample: {
    keptMs: 90 * DAY_MS,
    drop: (db, until) => dropped(db, 'market_sample', sql`at < ${until}::bigint`),
  },
  /** Ended ones of the paper venue; the engine has its own orders for ever. */
  paper_order: {
    keptMs: 90 * DAY_MS,
    drop: (db, until) => dropped(db, 'paper_order', sql`not resting and (report ->> 'at')::bigint < ${until}::bigint`),
  },
} as const satisfies Record<string, Kept>;
