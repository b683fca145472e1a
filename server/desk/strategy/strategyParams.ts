import { DEAL_LIMITS, type DealLimit, type DealLimits, type LimitsChange } from '#contract/dealOutlook';
import type { FieldErrors } from '#contract/envelope';
import { PARAMS, type ParamsOf, type StrategyKind } from '#contract/strategy';
import { moveBook } from '../../base/db/books/book';
import type { Queries } from '../../base/db/client';
import { changeDeal, insertLines } from '../../base/db/strategies/deal';
import { conflict, Refusal, refused } from '../../base/http/refusal';
import { errorsOf } from '../../base/http/validation';
import { sourcesOf, targetsOf } from '../../engine/preview';
import type { Markets } from '../../market/exchange';
import { mustBeHeard } from '../symbol/marketOf';
import type { Asker } from './bookIntents';
import { mustBeIn, type Plan } from './strategyIntents';

const FIELD = 'params';

/** Params of a kind as the contract has them. @throws 400 at each field that is wrong. */
function checkedParams<K extends StrategyKind>(kind: K, given: unknown): ParamsOf<K> {
  const { schema, errors } = PARAMS[kind];
  const found = errorsOf(schema, given, FIELD);
  if (found.length === 0) {
    const across = (errors as (params: unknown) => typeof found)(given);
    found.push(...across.map(inParams));
  }
  if (found.length > 0) throw refusedAt(found);
  return given as ParamsOf<K>;
}

export const refusedAt = (fields: FieldErrors['fields']): Refusal =>
  new Refusal(400, 400, fields.map(({ message }) => message).join('；'), { fields });

const inParams = ({ field, message }: FieldErrors['fields'][number]) => ({ field: `${FIELD}.${field}`, message });

/**
 * What a strategy is to be saved with.
 * @throws 400 at the fields of params; `strategyCoin` for what the source does not list; `strategyHedge`.
 */
export async function checkedPlan(markets: Markets, kind: StrategyKind, name: string, given: unknown): Promise<Plan> {
  const params = checkedParams(kind, given);
  for (const source of sourcesOf(kind, params)) await mustBeHeard(await markets.get(source), FIELD);
  const { legs, missing, field, errors = [] } = await targetsOf(markets, kind, params);
  if (missing.length > 0) throw refused('strategyCoin', missing.join('、'), `${FIELD}.${field}`);
  if (errors.length > 0) throw refusedAt(errors.map(inParams));
  if (legs.length === 0) throw refused('strategyHedge');
  return { name, params, targets: legs };
}

/** Params of a deal with other limits. @throws 400 at each of them that is wrong; `dealLimitsNone` for one that its kind has not. */
function withLimits<K extends StrategyKind>(kind: K, params: object, limits: DealLimits): ParamsOf<K> {
  const keys = Object.keys(limits);
  if (!keys.every((key) => key in params)) throw refused('dealLimitsNone');
  const next = { ...params, ...limits };
  const { schema, errors } = PARAMS[kind];
  // One that was opened before a parameter came up has none of it.
  const ofLimits = ({ field }: FieldErrors['fields'][number]) => keys.includes(field.replace(/^.*\./, ''));
  const found = [
    ...errorsOf(schema, structuredClone(next), '').filter(ofLimits),
    ...(errors as (params: unknown) => FieldErrors['fields'])(next).filter(ofLimits),
  ];
  if (found.length > 0)
    throw refusedAt(found.map(({ field, message }) => ({ field: field.replace(/^.*\./, ''), message })));
  return next as ParamsOf<K>;
}

const WORDS: Record<DealLimit, [name: string, words: (value: number) => string]> = {
  stopLoss: ['止损', (value) => `${percentText(value)}%`],
  takeProfit: ['止盈', (value) => `${percentText(value)}%`],
  maxHoldingHours: ['最长持有', (value) => `${value} 小时`],
};
const percentText = (share: number): string => String(Number((share * 100).toFixed(8)));

/**
 * Moves stop, target and longest hold of a deal that is held; its strategy keeps its own.
 * @throws 404; `dealNotOpen`; 409 where one of them has moved since it was read; `dealLimitsNone`; 400 at a limit.
 */
export async function setLimits(tx: Queries, { user, now }: Asker, { id, limits, was }: LimitsChange) {
  const row = await mustBeIn(tx, user.id, id);
  const params = row.params as Record<string, unknown>;
  const keys = DEAL_LIMITS.filter((key) => limits[key] !== undefined);
  const next = withLimits(row.kind as StrategyKind, params, limits);
  const wordsOf = (key: DealLimit, value: unknown) => (value === null ? '无' : WORDS[key][1](value as number));
  const moved = keys.find((key) => params[key] !== was[key]);
  if (moved !== undefined) throw conflict(`${WORDS[moved][0]}刚刚已改为 ${wordsOf(moved, params[moved])}，请看过再改`);
  const changed = keys.filter((key) => limits[key] !== params[key]);
  if (changed.length === 0) return { id };
  const lines = changed.map((key) => `${WORDS[key][0]} ${wordsOf(key, params[key])} → ${wordsOf(key, limits[key])}`);
  await changeDeal(tx, row.id, { params: next });
  await insertLines(tx, [{ dealId: row.id, kind: 'limits', detail: `${lines.join('，')}，由 ${user.name}` }], now);
  await moveBook(tx, user.id);
  return { id };
}
