import { AUDIT_ROWS, type AuditResult, type AuditRow, type audit } from '#contract/audit';
import type { DataOf, QueryOf } from '#contract/endpoint';
import { endpoints } from '#contract/index';
import { countAudits, findAudits } from '../db/auditTrail';
import type { Deps } from '../deps';
import { byTime, listPage } from './listPage';

type Found = Awaited<ReturnType<typeof findAudits>>[number];

/** The first clause of what the contract says of a call; the method and path of one that it knows no more. */
const titles = new Map(
  endpoints.map(({ method, path, summary }) => [`${method} ${path}`, summary.split(/[；。：]/)[0] ?? summary]),
);

/** What is done by a command on the machine itself. */
const COMMANDS: Record<string, string> = {
  'user add': '命令行：创建用户',
  'user passwd': '命令行：重置密码',
  'user factor-off': '命令行：关闭两步验证',
};

/** What the contract calls the fields of a call. */
const labels = new Map(
  endpoints.map(({ method, path, query, body }) => {
    const fields = Object.entries({ ...query?.properties, ...body?.properties }) as [string, { title?: string }][];
    return [`${method} ${path}`, new Map(fields.map(([field, { title }]) => [field, title ?? field]))];
  }),
);

/** A page of the audit log, of as many rows as are counted. @throws 400 at `sort`. */
export async function auditListing(
  { db }: Pick<Deps, 'db'>,
  query: QueryOf<typeof audit.list>,
): Promise<DataOf<typeof audit.list>> {
  const { actorId, action, object, result, start, end } = query;
  const filter = { actorId, action, object: object?.trim(), result, start, end };
  const { offset, limit, ...page } = listPage(query, '-at', byTime);
  const [rows, counted] = await Promise.all([
    findAudits(db, filter, { ...page, offset, limit: Math.max(0, Math.min(limit, AUDIT_ROWS - offset)) }),
    countAudits(db, filter, AUDIT_ROWS + 1),
  ]);
  return { list: rows.map(auditRow), total: Math.min(counted, AUDIT_ROWS), more: counted > AUDIT_ROWS };
}

function auditRow({ audit: row, result, objectName }: Found): AuditRow {
  const { id, at, actorId, actor, role, action, object, address, requestId } = row;
  const outcome = resultOf(result?.code);
  return {
    ...{ id: String(id), at, actorId, actor, role, action, address, requestId },
    title: titles.get(action) ?? COMMANDS[action] ?? action,
    object: objectName ?? object,
    result: outcome,
    code: result?.code ?? null,
    message: outcome === 'done' ? null : (result?.message ?? null),
    changes: (outcome === 'done' && result?.after
      ? changesOf(result.before, result.after)
      : changesOf(null, row.input)
    ).map(({ field, ...change }) => ({ field: labels.get(action)?.get(field) ?? field, ...change })),
  };
}

function resultOf(code: number | undefined): AuditResult {
  if (code === undefined) return 'unknown';
  if (code < 300) return 'done';
  return code >= 500 && code < 1000 ? 'failed' : 'refused';
}

type Values = Record<string, unknown> | null;

const textOf = (value: unknown): string | null =>
  value === undefined || value === null ? null : typeof value === 'string' ? value : JSON.stringify(value);

/** What differs; of a call that told no state before, all that it asked for. */
function changesOf(before: Values, after: Values): AuditRow['changes'] {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return fields
    .map((field) => ({ field, before: textOf(before?.[field]), after: textOf(after?.[field]) }))
    .filter((change) => before === null || change.before !== change.after);
}
