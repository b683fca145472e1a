import type { FieldErrors } from '#contract/envelope';
import { PARAMS, type ParamsOf, type StrategyKind } from '#contract/strategy';
import { Refusal, refused } from '../../base/http/refusal';
import { errorsOf } from '../../base/http/validation';
import { targetsOf } from '../../engine/preview';
import type { Markets } from '../../market/exchange';
import type { Plan } from './strategyIntents';

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
  const { legs, missing, field, errors = [] } = await targetsOf(markets, kind, params);
  if (missing.length > 0) throw refused('strategyCoin', missing.join('、'), `${FIELD}.${field}`);
  if (errors.length > 0) throw refusedAt(errors.map(inParams));
  if (legs.length === 0) throw refused('strategyHedge');
  return { name, params, targets: legs };
}
