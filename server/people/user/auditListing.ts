import { AUDIT_ROWS, type AuditResult, type AuditRow, type audit } from '#contract/audit';
import type { DataOf, QueryOf } from '#contract/endpoint';
import { endpoints } from '#contract/index';
import { PARAMS, STRATEGY_KINDS, type StrategyKind } from '#contract/strategy';
import { isId } from '../../base/db/hedges/hedge';
import { countAudits, findAudits } from '../../base/db/records/auditTrail';
import { byTime, listPage } from '../../base/http/listPage';
import type { PeopleDeps } from '../deps';

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

interface Described {
  title?: string;
  properties?: Record<string, Described>;
}
type Fields = Record<string, Described>;

/** What the contract calls the fields of a call. */
const fields = new Map<string, Fields>(
  endpoints.map(({ method, path, query, body }) => [
    `${method} ${path}`,
    { ...query?.properties, ...body?.properties } as Fields,
  ]),
);

/** What handlers tell beside the fields of their calls, and fields that have no name of their own there. */
const TOLD: Record<string, string> = {
  enabled: '启用',
  exchange: '交易所',
  filter: '筛选',
  id: '编号',
  limits: '限额',
  maskedKey: 'Key',
  name: '名称',
  note: '备注',
  rotatedAt: '更换时间',
  secondFactor: '两步验证',
  subAccount: '子账户',
  viewing: '查看的用户',
};

/** A page of the audit log, of as many rows as are counted. @throws 400 at `sort`. */
export async function auditListing(
  { db }: Pick<PeopleDeps, 'db'>,
  query: QueryOf<typeof audit.list>,
): Promise<DataOf<typeof audit.list>> {
  const { actorId, action, object, result, start, end } = query;
  const filter = { actorId, action, object: object?.trim() || undefined, result, start, end };
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
  const told = outcome === 'done' && result !== null && (result.before !== null || result.after !== null);
  const shown = (told && nameIn(result)) || objectName || object;
  const changes = told
    ? changesOf(action, result.before ?? {}, result.after ?? {})
    : changesOf(action, null, row.input ?? {});
  return {
    ...{ id: String(id), at, actorId, actor, role, action, address, requestId },
    title: titles.get(action) ?? COMMANDS[action] ?? action,
    object: shown,
    result: outcome,
    code: result?.code ?? null,
    message: outcome === 'done' ? null : (result?.message ?? null),
    // The id of the object, which has its name beside it, says nothing more.
    changes: changes.filter(({ after }) => after === null || !isId(after) || (after !== shown && after !== object)),
  };
}

function resultOf(code: number | undefined): AuditResult {
  if (code === undefined) return 'unknown';
  if (code < 300) return 'done';
  return code >= 500 && code < 1000 ? 'failed' : 'refused';
}

type Values = Record<string, unknown>;

/** What the object was called, by what was told of it: it may be gone. */
function nameIn({ before, after }: NonNullable<Found['result']>): string | null {
  const name = (after ?? before)?.name;
  return typeof name === 'string' ? name : null;
}

/** In words: yes and no, a list with its parts side by side; null for nothing. */
function textOf(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value === 'boolean') return value ? '是' : '否';
  if (!Array.isArray(value)) return typeof value === 'string' ? value : JSON.stringify(value);
  return value.length === 0 ? '无' : value.map((one) => textOf(one) ?? '空').join('、');
}

/** The values by their paths, what lies within others by its own name. */
function flat(values: Values, described: Fields, path = ''): [path: string, field: string, text: string | null][] {
  return Object.entries(values).flatMap(([name, value]) => {
    const { title, properties } = described[name] ?? {};
    const isNested = properties !== undefined && typeof value === 'object' && value !== null && !Array.isArray(value);
    if (isNested) return flat(value as Values, properties, `${path}${name}.`);
    return [[path + name, title ?? TOLD[name] ?? name, textOf(value)] as [string, string, string | null]];
  });
}

/** What differs; of a call that told no state before, all that it asked for. */
function changesOf(action: string, before: Values | null, after: Values): AuditRow['changes'] {
  const described = describedBy(action, after.kind);
  const was = new Map(flat(before ?? {}, described).map(([path, field, text]) => [path, { field, text }]));
  const is = new Map(flat(after, described).map(([path, field, text]) => [path, { field, text }]));
  return [...new Set([...was.keys(), ...is.keys()])]
    .map((path) => ({
      field: (was.get(path) ?? is.get(path))!.field,
      before: was.get(path)?.text ?? null,
      after: is.get(path)?.text ?? null,
    }))
    .filter((change) => before === null || change.before !== change.after);
}

/** The fields of a call; the params of a strategy are those of its kind. */
function describedBy(action: string, kind: unknown): Fields {
  const own = fields.get(action) ?? {};
  if (own.params === undefined || !STRATEGY_KINDS.some((known) => known === kind)) return own;
  return { ...own, params: PARAMS[kind as StrategyKind].schema as unknown as Described };
}
