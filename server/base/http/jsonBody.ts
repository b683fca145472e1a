import Big from 'big.js';
import writerOf from 'fast-json-stringify';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { TObject } from 'typebox';
import type { FieldErrors } from '#contract/envelope';
import { Refusal } from './refusal';

/** Fastify's serializer compiler: what writes a route's answers is compiled for the first of them. */
export function compileSerializer({ schema }: { schema: unknown }): (data: unknown) => string {
  let write: ((data: unknown) => string) | undefined;
  return (data) => {
    write ??= writerOf(schema as Parameters<typeof writerOf>[0]);
    return write(data);
  };
}

/** No call asks for more; what nests deeper would overflow whoever walks through it. */
const LEVELS = 16;

const malformed = (message: string) => new Refusal(400, 400, message);
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((part) => isDeeperThan(levels - 1, part));
}

function decoded(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    // Read leniently, a text would be kept with other characters than were sent.
    throw malformed('请求体不是正确的 UTF-8 文字');
  }
}

/** @param what is wrong with them, said after their names. */
function refuseFields(fields: string[], schema: TObject | undefined, what: string): void {
  if (fields.length === 0) return;
  const titleOf = (field: string) => {
    const [name = ''] = field.split('.');
    return (schema?.properties[name] as { title?: string } | undefined)?.title ?? field;
  };
  const data: FieldErrors = {
    fields: [...new Set(fields)].map((field) => ({ field, message: `${titleOf(field)}${what}` })),
  };
  throw new Refusal(400, 400, data.fields.map(({ message }) => message).join('；'), data);
}

const refuseInexact = (fields: string[], schema: TObject | undefined) =>
  refuseFields(fields, schema, '的位数过多，超出能够保留的精度');
const refuseUnstorable = (values: unknown, schema: TObject | undefined) =>
  refuseFields(unstorableTexts(values), schema, '的格式不正确');

/** Numbers of the query, before they are read as such. */
function inexactIn({ query, routeOptions }: FastifyRequest): string[] {
  const fields = Object.entries(routeOptions.config.endpoint?.query?.properties ?? {}) as [string, { type?: string }][];
  const given = query as Record<string, unknown>;
  return fields
    .filter(([name, { type }]) => {
      const written = given[name];
      const isNumber = (type === 'number' || type === 'integer') && typeof written === 'string';
      return isNumber && /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(written) && isInexact(written);
    })
    .map(([name]) => name);
}

function isEmpty(body: unknown): boolean {
  return body === undefined || body === null || (typeof body === 'object' && Object.keys(body).length === 0);
}

/** Fastify's own parser, which refuses what would reach a prototype. */
function parserOf(app: FastifyInstance) {
  const parse = app.getDefaultJsonParser('error', 'error');
  return (request: FastifyRequest, text: string): unknown => {
    let result: unknown;
    parse(request, text, (error, body) => {
      result = error ? malformed('请求体不是正确的 JSON') : body;
    });
    if (result instanceof Refusal) throw result;
    return result;
  };
}

/**
 * Bodies are JSON and nothing else. An empty one is no body, also when a client names a type for it;
 * where the contract wants a body it then reads as `{}`, so that the answer names the missing fields.
 * Where it wants none, one that says something is refused: its sender believes that it has an effect.
 */
export function acceptJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const parse = parserOf(app);
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, bytes: Buffer) => {
      if (bytes.length === 0) return undefined;
      const text = decoded(bytes);
      const body = parse(request, text);
      if (isDeeperThan(LEVELS, body)) throw malformed(`请求体嵌套过深，最多 ${LEVELS} 层`);
      refuseInexact(inexactNumbers(text), request.routeOptions.config.endpoint?.body);
      return body;
    },
  );
  app.addHook('preValidation', async (request) => {
    const { endpoint } = request.routeOptions.config;
    if (endpoint === undefined) return;
    refuseInexact(inexactIn(request), endpoint.query);
    refuseUnstorable(request.query, endpoint.query);
    refuseUnstorable(request.body, endpoint.body);
    if (endpoint.body !== undefined) request.body ??= {};
    else if (!isEmpty(request.body)) throw malformed('这个请求不需要请求体');
  });
}

/** A text of JSON, which may look like anything inside, or a number. */
const TEXT_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
/** Up to so many digits every number is kept; most end here. */
const ALWAYS_KEPT = 15;

/** Whether a written number becomes another one when it is read: it has more digits than are kept. */
function isInexact(written: string): boolean {
  if (written.startsWith('"') || (written.length <= ALWAYS_KEPT && !/e/i.test(written))) return false;
  const read = Number(written);
  // What is beyond all bounds is refused by them.
  return Number.isFinite(read) && !new Big(written).eq(read);
}

/** Where in a text of JSON, which was read before, numbers are that are not kept as they are written: `a.b.0`. */
function inexactNumbers(text: string): string[] {
  // No text of a caller can be this one.
  const mark = crypto.randomUUID();
  const marked = text.replace(TEXT_OR_NUMBER, (part) => (isInexact(part) ? `"${mark}"` : part));
  if (marked === text) return [];
  const places: string[] = [];
  const look = (value: unknown, place: string[]): void => {
    if (value === mark) places.push(place.join('.'));
    if (typeof value !== 'object' || value === null) return;
    for (const [name, part] of Object.entries(value)) look(part, [...place, name]);
  };
  look(JSON.parse(marked), []);
  return places;
}

/** JSON allows it, PostgreSQL keeps it in no text: U+0000, and a surrogate that stands alone. */
const UNSTORABLE = /[\0\p{Surrogate}]/u;

/** Where in what was sent texts are that cannot be kept: `a.b.0`; of a field with such a name, where it stands. */
function unstorableTexts(value: unknown, place: readonly string[] = []): string[] {
  if (typeof value === 'string') return UNSTORABLE.test(value) ? [place.join('.')] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) =>
    UNSTORABLE.test(name) ? [place.join('.')] : unstorableTexts(part, [...place, name]),
  );
}
