import { AUDIT_ROWS, type AuditResult, type AuditRow, type audit } from '#contract/audit';
import { venueName } from '#contract/candle';
import type { DataOf, QueryOf } from '#contract/endpoint';
import { endpoints } from '#contract/index';
import { PREFERENCE_LABELS } from '#contract/preferenceLabels';
import { PARAMS, STRATEGY_KINDS, type StrategyKind } from '#contract/strategy';
import { user } from '#contract/user';
import { countAudits, findAudits } from '../../base/db/records/auditTrail';
import { byTime, listPage } from '../../base/http/listPage';
import type { PeopleDeps } from '../deps';
import { auditMoney, type MoneyWords } from './auditMoney';

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
  description?: string;
  properties?: Record<string, Described>;
  /** Of a list. */
  items?: Described;
  /** What the words of a choice are called. */
  'x-labels'?: Record<string, string>;
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
  long: '多头',
  maskedKey: 'Key',
  name: '名称',
  note: '备注',
  rotatedAt: '更换时间',
  secondFactor: '两步验证',
  short: '空头',
  subAccount: '子账户',
  viewing: '查看的用户',
};

/** Fields that name what a row is about. */
const NAMES_OBJECT = new Set(['id', 'ids', 'pairId', 'strategyId', 'userId', 'pair']);
/** Accounts of a transfer, which are its object; the first one of a user has the id of the user. */
const ENDS = new Set(['from', 'to']);
/** What only the machinery of a call needs. */
const UNTOLD = new Set(['openSeen', 'held.long', 'held.short']);

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
  const words = await auditMoney(db, rows);
  const list = rows.map((row) => auditRow(row, words.wordsOf(row), words.nameOf));
  return { list, total: Math.min(counted, AUDIT_ROWS), more: counted > AUDIT_ROWS };
}

type NameOf = (id: string) => string | undefined;

function auditRow({ audit: row, result, objectName }: Found, words: MoneyWords, nameOf: NameOf): AuditRow {
  const { id, at, actorId, actor, role, action, object, address, requestId } = row;
  const outcome = resultOf(result?.code);
  const told = outcome === 'done' && result !== null && (result.before !== null || result.after !== null);
  const shown = words.object ?? ((told && nameIn(result)) || objectName || object);
  const [before, after] = told ? [result.before ?? {}, result.after ?? {}] : asked(row.input ?? {});
  return {
    ...{ id: String(id), at, actorId, actor, role, action, address, requestId },
    title: titles.get(action) ?? COMMANDS[action] ?? action,
    object: shown,
    amount: words.amount ?? null,
    result: outcome,
    code: result?.code ?? null,
    message: outcome === 'done' ? (words.outcome ?? null) : (result?.message ?? null),
    changes: changesOf(action, before, after, { nameOf, shown }),
  };
}

/** What was asked, and of a call that says what it found before that too. */
function asked({ was, limits, ...input }: Values): [before: Values | null, after: Values] {
  const isChange = typeof was === 'object' && was !== null && typeof limits === 'object' && limits !== null;
  return isChange ? [{ limits: was }, { limits }] : [null, limits === undefined ? input : { ...input, limits }];
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

/** The unit that a description begins with; a fraction is told in percent. */
function withUnit(value: number, description = ''): string {
  if (description.includes('分数')) return `${Number((value * 100).toPrecision(10))} %`;
  const [unit = ''] = /^(USDT|bps|小时|天|秒|倍|根)/.exec(description) ?? [];
  return unit === '' ? String(value) : `${value} ${unit}`;
}

/** In words: yes and no, choices by their labels, a list with its parts side by side, ids by what they are called; null for nothing. */
function textOf(value: unknown, nameOf: NameOf, described: Described = {}): string | null {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value === 'boolean') return value ? '是' : '否';
  if (typeof value === 'number') return withUnit(value, described.description);
  if (typeof value === 'string') return described['x-labels']?.[value] ?? nameOf(value) ?? venueName(value);
  if (!Array.isArray(value)) return JSON.stringify(value);
  return value.length === 0 ? '无' : value.map((one) => textOf(one, nameOf, described.items) ?? '空').join('、');
}

/** The values by their paths, what lies within others by its own name. */
function flat(
  values: Values,
  described: Fields,
  nameOf: NameOf,
  path = '',
): [path: string, field: string, text: string | null][] {
  return Object.entries(values).flatMap(([name, value]) => {
    const field = described[name] ?? {};
    const { title, properties } = field;
    const isNested = properties !== undefined && typeof value === 'object' && value !== null && !Array.isArray(value);
    if (isNested) return flat(value as Values, properties, nameOf, `${path}${name}.`);
    return [
      [path + name, title ?? TOLD[name] ?? name, textOf(value, nameOf, field)] as [string, string, string | null],
    ];
  });
}

/** How ids are called, and what the row names as its object already. */
interface Named {
  nameOf: NameOf;
  shown: string | null;
}

/** What differs; of a call that told no state before, all that it asked for. What the object says already is not said again. */
function changesOf(
  action: string,
  before: Values | null,
  after: Values,
  { nameOf, shown }: Named,
): AuditRow['changes'] {
  const described = describedBy(action, after.kind);
  const read = (values: Values) =>
    new Map(flat(values, described, nameOf).map(([path, field, text]) => [path, { field, text }]));
  const [was, is] = [read(before ?? {}), read(after)];
  const isNamed = (path: string) =>
    shown !== null && (ENDS.has(path) || (NAMES_OBJECT.has(path) && shown.includes(is.get(path)?.text ?? '')));
  return [...new Set([...was.keys(), ...is.keys()])]
    .filter((path) => !isNamed(path) && !UNTOLD.has(path))
    .map((path) => ({
      field: (was.get(path) ?? is.get(path))!.field,
      before: was.get(path)?.text ?? null,
      after: is.get(path)?.text ?? null,
    }))
    .filter((change) => before === null || change.before !== change.after);
}

const PREFERENCE = `${user.setPreference.method} ${user.setPreference.path}`;

/** The same with what the words of its choices are called. */
const labelled = (own: Fields, labels: Record<string, Record<string, string>>): Fields =>
  Object.fromEntries(Object.entries(own).map(([name, field]) => [name, { ...field, 'x-labels': labels[name] }]));

/** The fields of a call; the params of a strategy are those of its kind. */
function describedBy(action: string, kind: unknown): Fields {
  const own = fields.get(action) ?? {};
  if (action === PREFERENCE) return labelled(own, PREFERENCE_LABELS);
  if (own.params === undefined || !STRATEGY_KINDS.some((known) => known === kind)) return own;
  return { ...own, params: PARAMS[kind as StrategyKind].schema as unknown as Described };
}
