import fc from 'fast-check';
import type { Endpoint } from '#contract/endpoint';
import { DEFAULT_CEX_RATE } from '#contract/kinds/cexRate/params';
import { DEFAULT_FUNDING } from '#contract/kinds/fundingRate/params';
import { DEFAULT_GRID } from '#contract/kinds/grid/params';
import { DEFAULT_SETTINGS } from '#contract/kinds/hedge/config';
import { DEFAULT_OKX } from '#contract/kinds/okx/params';
import { DEFAULT_SPREAD } from '#contract/kinds/spread/params';
import { arbitraryOf, type Known } from './schemaArbitrary';

/** How far a call is from what the contract asks for. */
export type Manner = 'valid' | 'near' | 'hostile';

/** A call as it goes over the wire. */
export interface FuzzCall {
  endpoint: Endpoint;
  manner: Manner;
  /** What stands after `?`. */
  query: string;
  body?: string;
  headers: Record<string, string>;
}

/** Texts that have broken programs before. */
export const HOSTILE_TEXTS = [
  ...["' or 1=1 --", "'); drop table app_user; --", '" or ""="', '1; select pg_sleep(10)', "\\'; --", '%', '_', '\\'],
  ...['<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', '{{7*7}}', '<%= 7*7 %>', '&lt;b&gt;'],
  ...[
    '../../etc/passwd',
    '..\\..\\',
    'file:///etc/passwd',
    'http://169.254.169.254/',
    '//evil.example',
    'javascript:1',
  ],
  ...['a\r\nSet-Cookie: x=1', 'a\nb', '\t', ' ', '', '\u0000', '\ud800', 'a\udfff', '\u202e\u2066', '\ufeff', '\u2028'],
  ...['=cmd|1', '+1', '-1', '@x', 'NaN', 'Infinity', '-Infinity', '1e400', '-0', '0x10', '9223372036854775808'],
  ...[
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    '$where',
    '[object Object]',
    'null',
    'undefined',
    'true',
  ],
  ...[
    'é'.repeat(40),
    '👨‍👩‍👧‍👦'.repeat(20),
    'ﷺ'.repeat(30),
    'x'.repeat(501),
    'x'.repeat(5000),
    '零'.repeat(33),
    'ǅ',
    'İ',
  ],
  ...['00000000-0000-0000-0000-000000000000', 'BTCUSDT,BTCUSDT', 'BTCUSDT,', ',', 'a,b,c,d,e,f,g,h,i,j', '2026-01-15'],
];

const HOSTILE_VALUES: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom<unknown>(...HOSTILE_TEXTS) },
  {
    weight: 2,
    arbitrary: fc.constantFrom<unknown>(
      ...[null, true, false, 0, -1, 1.5, 1e21, 1e308, -1e308, 5e-324, 2 ** 53, 2 ** 63, -(2 ** 31) - 1, [], {}, [[]]],
      ...[
        [null],
        { a: 1 },
        { toString: 1 },
        { length: 1e9 },
        { $gt: '' },
        { valueOf: 1 },
        ['a', 'b'],
        8.64e15,
        8.64e15 + 1,
      ],
    ),
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
);

/** Bodies that are no object of fields, or none that a program expects. */
const HOSTILE_BODIES: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    ...[
      '',
      ' ',
      'null',
      'true',
      '1',
      '"x"',
      '[]',
      '[{}]',
      '{',
      '{"a":}',
      '{"a":1,}',
      "{'a':1}",
      'NaN',
      '\ufeff{}',
      '{}{}',
    ],
    ...['{"__proto__":{"role":"master"}}', '{"constructor":{"prototype":{"role":"master"}}}', '{"id":{"__proto__":1}}'],
    ...[
      '{"id":1,"id":2}',
      '{"id":1e999}',
      '{"id":-1e999}',
      '{"id":1.00000000000000000001}',
      '{"\\u0000":1}',
      '{"":""}',
    ],
    ...['{"id":"\\ud800"}', '{"id":"\\u0000"}', `{"id":${'['.repeat(3000)}${']'.repeat(3000)}}`],
    ...[`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`, `{"id":"${'x'.repeat(70_000)}"}`, `{"id":${'9'.repeat(400)}}`],
  ),
  fc.json({ maxDepth: 4 }),
);

const HOSTILE_QUERIES: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    ...[
      'id',
      'id=',
      '=',
      '&&&',
      '?',
      '#',
      'id=%',
      'id=%00',
      'id=%ff',
      'id=%ED%A0%80',
      'id[]=1',
      'id[a]=1',
      '__proto__=1',
    ],
    ...['__proto__[role]=master', 'constructor=1', 'id=1&id=2', 'current=1&current=2', 'pageSize=201', 'pageSize=-1'],
    ...[
      'current=1e6',
      'current=1000000&pageSize=200',
      'sort=__proto__',
      'sort=-constructor',
      'sort=--at',
      'sort=id;drop',
    ],
    ...[
      'start=8640000000000001',
      'start=NaN',
      'start=2&end=1',
      'end=0',
      'pageSize=1.0000000000000000001',
      `x=${'y'.repeat(9000)}`,
    ],
  ),
  fc.webQueryParameters(),
);

const HOSTILE_HEADERS: fc.Arbitrary<Record<string, string>> = fc.constantFrom<Record<string, string>>(
  {},
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/json; charset=utf-16' },
  { 'content-type': 'application/json;;' },
  { 'content-type': '' },
  { 'idempotency-key': ' ' },
  { 'idempotency-key': 'é' },
  { 'idempotency-key': 'k'.repeat(300) },
  { 'idempotency-key': 'same' },
  { 'last-event-id': '\'"\\' },
  { 'x-http-method-override': 'DELETE' },
  { accept: 'text/html' },
  { cookie: 'session=%; session=%ff; __Host-session=1' },
  { cookie: `session=${'A'.repeat(43)}` },
  { 'x-forwarded-for': '::1, evil' },
  { origin: 'null' },
  { 'content-encoding': 'gzip' },
  { range: 'bytes=0-' },
);

/** Of any kind: what it is of stands beside it in the call, rightly or not. */
const PARAMS: fc.Arbitrary<unknown> = fc
  .constantFrom(
    ...[
      { ...DEFAULT_FUNDING, coins: ['BTC'] },
      { ...DEFAULT_OKX, coins: ['BTC'] },
      { ...DEFAULT_CEX_RATE, coins: ['BTC'] },
    ],
    ...[{ ...DEFAULT_GRID, symbol: 'BTCUSDT', lower: 40_000, upper: 200_000, cells: 20 }, DEFAULT_SETTINGS],
    ...[{ ...DEFAULT_SPREAD, near: 'BTCUSDT', far: 'BTCUSDT_261225' }],
  )
  .chain((params: Record<string, unknown>) =>
    fc.oneof(
      fc.constant(params),
      fc
        .tuple(fc.constantFrom(...Object.keys(params)), HOSTILE_VALUES)
        .map(([field, value]) => ({ ...params, [field]: value })),
    ),
  );

const SYMBOLS = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT', 'BTCUSDT,ETHUSDT', 'NOSUCHUSDT', 'BTCUSDT_261225'];

/** @param ids of records of callers and of others */
function knownValues(ids: readonly string[]): Known {
  const id = fc.constantFrom(...ids, '00000000-0000-4000-8000-000000000000', 'nothing', '1', '');
  const symbol = fc.constantFrom(...SYMBOLS);
  const source = fc.constantFrom('simulated', 'simulated-okx', 'simulated-bybit', 'nowhere');
  return (field) => {
    if (/^(id|from|to)$|Ids?$|^ids$/.test(field)) return field === 'ids' ? undefined : id;
    if (/^(symbol|long|short|compare)$/.test(field)) return symbol;
    if (field === 'source') return source;
    if (field === 'params') return PARAMS;
    if (field === 'pageSize') return fc.constantFrom(1, 20, 200);
    if (field === 'current') return fc.constantFrom(1, 1, 1, 2, 1_000_000);
    if (field === 'username') return fc.constantFrom('trader', 'somebody.new', '新人', 'x'.repeat(32));
    return undefined;
  };
}

type Fields = Record<string, unknown>;

/** One field that is not what it should be. */
const mutated = (fields: Fields): fc.Arbitrary<Fields> => {
  const names = [...Object.keys(fields), 'id', 'role', 'userId'];
  return fc.oneof(
    fc.tuple(fc.constantFrom(...names), HOSTILE_VALUES).map(([name, value]) => ({ ...fields, [name]: value })),
    fc.constantFrom(...names).map((name) => Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name))),
    fc.constantFrom(...names).map((name) => ({ ...fields, [name]: [fields[name]] })),
  );
};

/** A surrogate that stands alone cannot be written in an address. */
const encoded = (text: string) => encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));
const searchOf = (fields: Fields): string =>
  Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .flatMap(([name, value]) => (Array.isArray(value) ? value.map((one) => [name, one]) : [[name, value]]))
    .map(
      ([name, value]) =>
        `${encoded(String(name))}=${encoded(typeof value === 'object' ? JSON.stringify(value) : String(value))}`,
    )
    .join('&');

/** Calls of an endpoint in a manner. @param ids of records that there are */
export function callsOf(endpoint: Endpoint, manner: Manner, ids: readonly string[]): fc.Arbitrary<FuzzCall> {
  const known = knownValues(ids);
  const fieldsOf = (schema: Endpoint['query']): fc.Arbitrary<Fields> => {
    const valid = (schema ? arbitraryOf(schema, known) : fc.constant({})) as fc.Arbitrary<Fields>;
    return manner === 'valid' ? valid : valid.chain(mutated);
  };
  const wild = manner === 'hostile';
  const query = wild
    ? fc.oneof(HOSTILE_QUERIES, fieldsOf(endpoint.query).map(searchOf))
    : fieldsOf(endpoint.query).map(searchOf);
  const written = fieldsOf(endpoint.body).map((fields) => JSON.stringify(fields));
  const body = endpoint.method === 'GET' ? fc.constant(undefined) : wild ? fc.oneof(HOSTILE_BODIES, written) : written;
  const headers = wild ? HOSTILE_HEADERS : fc.constant({});
  const sent = endpoint.body === undefined && !wild ? fc.constant(undefined) : body;
  return fc.record({ query, sent, headers }).map(({ query: search, sent: text, headers: given }) => ({
    ...{ endpoint, manner, query: search, headers: given },
    ...(text === undefined ? {} : { body: text }),
  }));
}
