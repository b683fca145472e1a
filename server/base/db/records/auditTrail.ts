import { and, desc, eq, gte, isNull, like, lte, or, type SQL, sql } from 'drizzle-orm';
import type { AuditResult } from '#contract/audit';
import type { Queries } from '../client';
import { isId } from '../hedges/hedge';
import { apiKey, audit, auditResult, strategy, user } from '../schema';

export type NewAudit = Omit<typeof audit.$inferInsert, 'id'>;
export type Outcome = Omit<typeof auditResult.$inferInsert, 'auditId'>;

/** Adds what is about to be done; answers the row's id. */
export async function beginAudit(db: Queries, row: NewAudit): Promise<number> {
  const [made] = await db.insert(audit).values(row).returning({ id: audit.id });
  if (made === undefined) throw new Error('an inserted audit row came back without its id');
  return made.id;
}

/** Adds what came of it. */
export async function endAudit(db: Queries, auditId: number, outcome: Outcome): Promise<void> {
  await db.insert(auditResult).values({ auditId, ...outcome });
}

export interface AuditFilter {
  actorId?: string;
  /** Method and path. */
  action?: string;
  /** How the object's id or name begins. */
  object?: string;
  result?: AuditResult;
  /** UTC ms. */
  start?: number;
  end?: number;
}

const RESULTS: Record<AuditResult, SQL> = {
  done: sql`${auditResult.code} < 300`,
  refused: sql`(${auditResult.code} >= 1000 or ${auditResult.code} between 300 and 499)`,
  failed: sql`${auditResult.code} between 500 and 999`,
  unknown: isNull(auditResult.auditId),
};

/** `%` and `_` of a text stand for themselves. */
const literal = (text: string) => text.replace(/[\\%_]/g, '\\$&');

function chosen({ actorId, action, object, result, start, end }: AuditFilter): SQL | undefined {
  const named =
    object &&
    sql`${audit.object} in (
      select id::text from app_user where lower(name) = lower(${object})
      union all select id::text from api_key where lower(name) = lower(${object})
      union all select id::text from strategy where lower(name) = lower(${object})
      union all select deal_id::text from deal_leg where symbol like ${`${literal(object.toUpperCase())}%`}
      union all select id::text from target
        where exists (select 1 from jsonb_array_elements(legs) leg
          where leg ->> 'symbol' like ${`${literal(object.toUpperCase())}%`}))`;
  return and(
    actorId === undefined ? undefined : isId(actorId) ? eq(audit.actorId, actorId) : sql`false`,
    action === undefined ? undefined : eq(audit.action, action),
    object === undefined
      ? undefined
      : or(...[object, object.toUpperCase()].map((text) => like(audit.object, `${literal(text)}%`)), named as SQL),
    result && RESULTS[result],
    start === undefined ? undefined : gte(audit.at, Math.ceil(start)),
    end === undefined ? undefined : lte(audit.at, Math.floor(end)),
  );
}

interface Page {
  descending: boolean;
  offset: number;
  limit: number;
}

/** Rows of the filter in order of time, each with its outcome and the name of its object: a user, a key, a strategy. */
export async function findAudits(db: Queries, filter: AuditFilter, { descending, offset, limit }: Page) {
  const objectName = sql<string | null>`coalesce(${user.name}, ${apiKey.name}, ${strategy.name})`;
  const order = descending ? [desc(audit.at), desc(audit.id)] : [audit.at, audit.id];
  // A deep page walks over many rows: only those on it are joined.
  const page = db
    .select({ id: audit.id })
    .from(audit)
    .leftJoin(auditResult, eq(auditResult.auditId, audit.id))
    .where(chosen(filter))
    .orderBy(...order)
    .limit(limit)
    .offset(offset)
    .as('page');
  return db
    .select({ audit, result: auditResult, objectName })
    .from(page)
    .innerJoin(audit, eq(audit.id, page.id))
    .leftJoin(auditResult, eq(auditResult.auditId, audit.id))
    .leftJoin(user, eq(sql`${user.id}::text`, audit.object))
    .leftJoin(apiKey, eq(sql`${apiKey.id}::text`, audit.object))
    .leftJoin(strategy, eq(sql`${strategy.id}::text`, audit.object))
    .orderBy(...order);
}

/** How many rows the filter has; it is not counted beyond `most`. */
export async function countAudits(db: Queries, filter: AuditFilter, most: number): Promise<number> {
  const some = db
    .select({ one: sql`1`.as('one') })
    .from(audit)
    .leftJoin(auditResult, eq(auditResult.auditId, audit.id))
    .where(chosen(filter))
    .limit(most)
    .as('some');
  const [row] = await db.select({ count: sql<number>`count(*)::int` }).from(some);
  return row?.count ?? 0;
}

/** What the chain of a log shows to be wrong, in words for people; and how many rows it has. */
export interface ChainCheck {
  rows: number;
  problems: string[];
}

const LOGS = [
  ['audit', '操作记录'],
  ['audit_result', '操作结果'],
] as const;
/** Of what is wrong so many are named. */
const MOST_NAMED = 10;

/** Follows both chains from their first row to their end: a row that is gone, was changed or was put in shows. */
export async function checkChains(db: Queries): Promise<ChainCheck> {
  const found: ChainCheck = { rows: 0, problems: [] };
  for (const [log, title] of LOGS) {
    const wrong = await db.execute<{ position: string; missing: string }>(sql`
      select position::text, (position - before - 1)::text as missing
      from (
        select position, hash, chained_hash(lag(hash, 1, '') over walk, to_jsonb(entry)) as right_hash,
          lag(position, 1, 0::bigint) over walk as before
        from ${sql.identifier(log)} entry window walk as (order by position)
      ) walked
      where position <> before + 1 or hash <> right_hash
      order by position limit ${MOST_NAMED}`);
    for (const { position, missing } of wrong.rows) {
      found.problems.push(
        missing === '0' ? `${title}第 ${position} 行与写入时不符` : `${title}第 ${position} 行之前缺 ${missing} 行`,
      );
    }
    const [end] = (
      await db.execute<{ rows: string; lost: string; changed: boolean | null }>(sql`
        select count(entry.position)::text as rows,
          (max(tip.position) - coalesce(max(entry.position), 0))::text as lost,
          bool_or(entry.position = tip.position and entry.hash <> tip.hash) as changed
        from audit_chain tip left join ${sql.identifier(log)} entry on true where tip.log = ${log}`)
    ).rows;
    const lost = Number(end?.lost ?? 0);
    if (lost !== 0) found.problems.push(`${title}末尾${lost > 0 ? '缺' : '多'} ${Math.abs(lost)} 行`);
    // Who writes all that follows anew, each row to fit the one before it, does not meet the end that was noted.
    else if (end?.changed) found.problems.push(`${title}末尾与写入时不符`);
    found.rows += Number(end?.rows ?? 0);
  }
  return found;
}
