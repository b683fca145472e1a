import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance, RouteOptions } from 'fastify';
import type { TSchema } from 'typebox';
import * as REFUSALS from '#contract/codes';
import type { Endpoint } from '#contract/endpoint';
import { EmptyAnswer, InvalidAnswer } from '#contract/envelope';
import { schemas } from '#contract/schemas';

const catalogue = Object.values(REFUSALS)
  .sort((a, b) => a.code - b.code)
  .map(({ code, message }) => `| ${code} | ${message} |`);
const DESCRIPTION = [
  '每个回答，包括错误，都是 `{ code, message, data }`。时间为 UTC 毫秒，费率为小数（0.0001），列表回答 `{ list, total }`。',
  '',
  '| code | 含义 |',
  '|---|---|',
  '| 200 | 成功 |',
  '| 201 | 完成，请继续前往下一页（登录、注册） |',
  '| 400 | 请求不正确，`data.fields` 指出字段 |',
  '| 401 | 未登录 |',
  '| 403 | 没有权限，或请求来源不是本站 |',
  '| 404 | 没有该记录或地址 |',
  '| 409 | 已被他人修改 |',
  '| 413、415 | 请求体过大，或不是 JSON |',
  '| 421 | 主机名不在允许的列表中 |',
  '| 429 | 过于频繁，`Retry-After` 与 message 给出秒数 |',
  '| 500、503 | 服务器错误，message 带请求编号 |',
  ...catalogue,
  '',
  '四位的 code 是业务拒绝，HTTP 状态为 200。写请求需要同源证明（`Origin` 或 `Sec-Fetch-Site`），请求体只接受 JSON。',
  '',
  '写请求可带 `Idempotency-Key` 请求头（1 到 200 个可见 ASCII 字符，24 小时内同一用户、同一接口有效）：相同的请求得到相同的回答且只执行一次，不同的请求以 1101 拒绝。平仓、全部平仓与全局开关必须携带。',
].join('\n');

const answerOf = (description: string, schema: unknown) => ({
  description,
  content: { 'application/json': { schema: JSON.parse(JSON.stringify(schema)) } },
});
const errorOf = (description: string, answer: TSchema = EmptyAnswer) => answerOf(description, answer);

/** Which refusals an endpoint can answer with beside its success. */
function refusalsOf({ right, query, body, method }: Endpoint): Json {
  return {
    ...(query || body ? { 400: errorOf('请求不正确', InvalidAnswer) } : {}),
    ...(right === 'open' ? {} : { 401: errorOf('未登录') }),
    ...(right === 'open' && method === 'GET' ? {} : { 403: errorOf('没有权限，或请求来源不是本站') }),
    429: errorOf('请求过于频繁'),
    500: errorOf('服务器内部错误'),
    503: errorOf('服务暂不可用，或尚未就绪'),
  };
}

/** What has a default may be left out. */
function withDefaults(schema: Json): Json {
  const properties = schema.properties as Record<string, Json>;
  const required = (schema.required as string[] | undefined)?.filter((name) => properties[name]?.default === undefined);
  return { ...schema, required };
}

/** What the document says of a route beyond its schemas: who may call it and how it refuses. */
function describe({ schema, route }: { schema: unknown; route: RouteOptions }): Json {
  const endpoint = route.config?.endpoint;
  if (endpoint === undefined) return { ...(schema as Json), hide: true };
  const { response, querystring, ...rest } = inOpenApi(schema) as Json & {
    response: { 200: Json };
    querystring?: Json;
  };
  return {
    ...rest,
    ...(querystring ? { querystring: withDefaults(querystring) } : {}),
    operationId: `${endpoint.method.toLowerCase()}${endpoint.path.replace('/api', '').replace(/\/(\w)/g, (_, c) => c.toUpperCase())}`,
    description: `权限：${endpoint.right}。${endpoint.streams ? '成功时为 text/event-stream。' : `成功时 code 为 ${endpoint.code}。`}`,
    'x-right': endpoint.right,
    'x-code': endpoint.code,
    security: endpoint.right === 'open' ? [] : [{ session: [] }],
    response: {
      200: endpoint.streams
        ? { description: '事件流：每个事件的名称与内容', ...response[200] }
        : answerOf('成功，或业务拒绝（四位 code）', response[200]),
      ...refusalsOf(endpoint),
    },
  };
}

/** The OpenAPI document, made from the routes' schemas, and a page to read it; both from our own origin. */
export async function documentation(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: '对冲交易控制台 API',
        version: '1',
        description: DESCRIPTION,
        license: { name: '保留所有权利', identifier: 'LicenseRef-Proprietary' },
      },
      servers: [{ url: '/' }],
      components: { securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: 'session' } } },
    },
    exposeHeadRoutes: false,
    transform: ({ schema, url, route }) => ({ schema: describe({ schema, route }) as never, url }),
    transformObject: (made) => withNamedSchemas(('openapiObject' in made ? made.openapiObject : {}) as Json),
  });
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    theme: { title: '对冲交易控制台 API' },
    // Reading only: the page is public, trying calls out belongs to tools that sign in.
    uiConfig: {
      docExpansion: 'list',
      defaultModelRendering: 'model',
      deepLinking: false,
      supportedSubmitMethods: [],
      layout: 'BaseLayout',
      defaultModelsExpandDepth: -1,
    },
  });
  app.get('/api/openapi.json', { schema: { hide: true } }, async () => app.swagger());
}

type Json = Record<string, unknown>;

/** Says in the words of OpenAPI 3.1 what may be null, how many decimals a number has, and what the parts of a tuple are. */
function inOpenApi(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(inOpenApi);
  if (typeof schema !== 'object' || schema === null) return schema;
  // What a list's columns and filters look like is told by the description as well.
  const { nullable, decimals, 'x-column': _column, 'x-filter': _filter, 'x-labels': _labels, ...rest } = schema as Json;
  const inner = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, inOpenApi(value)]));
  if (typeof decimals === 'number') inner.multipleOf = Number(`1e-${decimals}`);
  // What may be null is said beside it.
  if (nullable === true && Array.isArray(inner.enum)) inner.enum = inner.enum.filter((word) => word !== null);
  const written = Array.isArray(inner.items) ? tupleOf(inner) : inner;
  return nullable === true ? { anyOf: [written, { type: 'null' }] } : written;
}

function tupleOf({ items, additionalItems, ...rest }: Json): Json {
  return { ...rest, prefixItems: items, items: additionalItems };
}

/** The same text for the same schema, whatever the order of its keys. */
const contentOf = (schema: unknown): string =>
  JSON.stringify(schema, (_key, value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );

const plain = (schema: unknown): Json => inOpenApi(JSON.parse(JSON.stringify(schema))) as Json;

/** Writes each shape that the contract names once, under `components.schemas`, and refers to it wherever it is used. */
function withNamedSchemas({ paths, components, ...document }: Json): Json {
  const schemaOf = new Map(Object.entries(schemas).map(([name, schema]) => [name, plain(schema)]));
  const nameOf = new Map([...schemaOf].map(([name, schema]) => [contentOf(schema), name]));
  const used = new Map<string, unknown>();
  const inside = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(refer);
    if (typeof node !== 'object' || node === null) return node;
    return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, refer(value)]));
  };
  const refer = (node: unknown): unknown => {
    const name = typeof node === 'object' ? nameOf.get(contentOf(node)) : undefined;
    if (name === undefined) return inside(node);
    if (!used.has(name)) {
      used.set(name, null);
      used.set(name, inside(schemaOf.get(name)));
    }
    return { $ref: `#/components/schemas/${name}` };
  };
  const referring = inside(paths);
  const sorted = [...used].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    ...document,
    components: { ...(components as Json), schemas: Object.fromEntries(sorted) },
    paths: referring,
  };
}
