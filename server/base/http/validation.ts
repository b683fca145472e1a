import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { FastifySchemaValidationError } from 'fastify';
import { decimalsOf } from '#contract/decimal';
import type { FieldErrors } from '#contract/envelope';

const shared = { allErrors: true, useDefaults: true, verbose: true, strict: false } as const;

/** Query values arrive as text and are turned into what the schema says; a JSON body has its types already. */
const forText = new Ajv({ ...shared, coerceTypes: true });
const forBody = new Ajv({ ...shared, removeAdditional: true });
for (const ajv of [forText, forBody]) {
  ajv.addKeyword({
    keyword: 'decimals',
    type: 'number',
    schemaType: 'number',
    validate: (limit: number, value: number) => decimalsOf(value) <= limit,
  });
}

/**
 * Fastify's validator compiler: one Ajv for bodies, one for query strings. A schema is compiled when its route is first
 * called: together they are a third of what a start takes, and most are not called for long.
 */
export function compileValidator({ schema, httpPart }: { schema: unknown; httpPart?: string }) {
  let compiled: ValidateFunction | undefined;
  const validate = (data: unknown): boolean => {
    compiled ??= (httpPart === 'body' ? forBody : forText).compile(schema as object);
    const isValid = compiled(data);
    validate.errors = compiled.errors;
    return isValid;
  };
  validate.errors = null as ValidateFunction['errors'];
  return validate;
}

const NAME_SHOWN = 64;

function labelOf(error: ErrorObject): string {
  const schema = error.parentSchema as { title?: string; properties?: Record<string, { title?: string }> } | undefined;
  if (error.keyword === 'required') {
    const missing = String(error.params.missingProperty);
    return schema?.properties?.[missing]?.title ?? missing;
  }
  return schema?.title ?? fieldOf(error);
}

/** The name that a schema does not know, cut where nobody would read on. */
const unknownOf = ({ params }: ErrorObject): string => String(params.additionalProperty).slice(0, NAME_SHOWN);

function fieldOf(error: ErrorObject): string {
  const path = error.instancePath.replace(/^\//, '').replaceAll('/', '.');
  if (error.keyword === 'additionalProperties') return path === '' ? unknownOf(error) : `${path}.${unknownOf(error)}`;
  if (error.keyword !== 'required') return path;
  const missing = String(error.params.missingProperty);
  return path === '' ? missing : `${path}.${missing}`;
}

const COMPARISON: Record<string, string> = { '>=': '不能小于', '<=': '不能大于', '>': '必须大于', '<': '必须小于' };

/** A bound as the schema has it, and in percent where that is what screens show of it. */
function boundOf({ params: { limit }, parentSchema }: ErrorObject): string {
  const isFraction = String(parentSchema?.description ?? '').includes('分数');
  return isFraction ? `${limit}（即 ${Number((Number(limit) * 100).toPrecision(12))}%）` : `${limit}`;
}

/** A sentence a trader understands, in place of the schema's own words. */
function sentenceOf(error: ErrorObject): string {
  const label = labelOf(error);
  const params = error.params as Record<string, unknown>;
  switch (error.keyword) {
    case 'required':
      return `请输入${label}`;
    case 'minLength':
      return error.data === '' ? `请输入${label}` : `${label}至少 ${params.limit} 个字符`;
    case 'maxLength':
      return `${label}最多 ${params.limit} 个字符`;
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return `${label}${COMPARISON[String(params.comparison)] ?? '超出范围'} ${boundOf(error)}`;
    case 'multipleOf':
      return `${label}必须是 ${params.multipleOf} 的整数倍`;
    case 'decimals':
      return `${label}最多 ${error.schema} 位小数`;
    case 'additionalProperties':
      return `没有这个参数：${unknownOf(error)}`;
    case 'enum':
      return `${label}只能是 ${(params.allowedValues as unknown[]).filter((word) => word !== null).join('、')} 之一`;
    case 'type':
      return `${label}的格式不正确，应为${TYPE_LABEL[String(params.type)] ?? String(params.type)}`;
    default:
      return `${label}的格式不正确`;
  }
}

const TYPE_LABEL: Record<string, string> = {
  number: '数字',
  integer: '整数',
  boolean: 'true 或 false',
  string: '文字',
  object: '对象',
  array: '列表',
};

/** Ajv's findings as one message a field, the first finding of each. */
export function fieldErrorsOf(errors: FastifySchemaValidationError[]): FieldErrors {
  const first = new Map<string, string>();
  for (const error of errors as unknown as ErrorObject[]) {
    const field = fieldOf(error);
    if (!first.has(field)) first.set(field, sentenceOf(error));
  }
  return { fields: [...first].map(([field, message]) => ({ field, message })) };
}

/** Checks a value that arrived inside a body by a schema of its own. Extra fields are dropped, defaults filled in. */
export function errorsOf(schema: object, value: unknown, under: string): FieldErrors['fields'] {
  let validate = compiled.get(schema);
  if (validate === undefined) {
    validate = forBody.compile(schema);
    compiled.set(schema, validate);
  }
  if (validate(value)) return [];
  const { fields } = fieldErrorsOf((validate.errors ?? []) as unknown as FastifySchemaValidationError[]);
  return fields.map(({ field, message }) => ({ field: field === '' ? under : `${under}.${field}`, message }));
}

const compiled = new WeakMap<object, ValidateFunction>();
