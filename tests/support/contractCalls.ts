import fc from 'fast-check';
import type { TObject, TSchema } from 'typebox';
import type { Endpoint } from '#contract/endpoint';
import { DEFAULT_FUNDING } from '#contract/kinds/fundingRate/params';
import { DEFAULT_GRID } from '#contract/kinds/grid/params';
import { DEFAULT_SETTINGS } from '#contract/kinds/hedge/config';
import type { Owned } from './ownedRecords';
import { arbitraryOf } from './schemaArbitrary';

type Ids = Owned['ids'];
type IdName = keyof Ids;
/** `null`: left out, because the call wants one of several. */
type Sources = Record<string, IdName | null>;

/** Fields that name a record of somebody whatever the call. */
const EVERYWHERE: Sources = {
  userId: 'userId',
  actorId: 'userId',
  accountId: 'accountId',
  strategyId: 'deskId',
  pairId: 'pairId',
  open: 'pairId',
  from: 'userId',
  to: 'accountId',
};

/** What `id` and `ids` are of, by the call; a field that is here twice over is what the call says. */
const BY_CALL: Record<string, Sources> = {
  'DELETE /api/user/session': { id: 'sessionId' },
  'DELETE /api/user/session/all': { id: 'otherSessionId', userId: null },
  'DELETE /api/user/lock': { id: 'lockId' },
  'DELETE /api/user/apiKey': { id: 'keyId' },
  'PUT /api/user/apiKey': { id: 'keyId' },
  'GET /api/user/apiKey/held': { id: 'keyId' },
  'POST /api/user/apiKey/test': { id: 'keyId' },
  'PUT /api/user/apiKey/rotate': { id: 'keyId' },
  'PUT /api/user/apiKey/status': { id: 'keyId' },
  'PUT /api/user/apiKey/account': { id: 'keyId' },
  'GET /api/flatten/preview': { strategyId: null },
  'POST /api/flatten': { strategyId: null },
  'GET /api/flatten/report': { id: 'flattenId' },
  'POST /api/intervention': { strategyId: null },
  'GET /api/hedge/backtest': { id: 'endedId' },
  'GET /api/hedge/detail': { id: 'hedgeId' },
  'GET /api/hedge/close/quote': { id: 'hedgeId' },
  'POST /api/hedge/close': { id: 'hedgeId' },
  'POST /api/hedge/thaw': { id: 'hedgeId' },
  'PUT /api/hedge/limits': { id: 'hedgeId' },
  'POST /api/hedge/reduce': { id: 'hedgeId' },
  'POST /api/hedge/single/cancel': { id: 'strategyId' },
  'POST /api/strategy/deal/reduce': { id: 'rateDealId' },
  'PUT /api/strategy/deal/limits': { id: 'hedgeId' },
  'PUT /api/hedge/note': { id: 'hedgeId' },
  'GET /api/strategy/liveReadiness': { id: 'strategyId' },
  'GET /api/strategy/twin': { id: 'strategyId' },
  'POST /api/strategy/create': { twin: 'strategyId' },
  'GET /api/strategy/deal': { id: 'strategyId' },
  'PUT /api/strategy': { id: 'strategyId' },
  'POST /api/strategy/start': { id: 'strategyId' },
  'POST /api/strategy/preview': { id: 'strategyId' },
  'POST /api/strategy/pause': { id: 'strategyId' },
  'POST /api/strategy/closeOnly': { id: 'strategyId' },
  'POST /api/strategy/stop': { id: 'strategyId' },
  'POST /api/strategy/clone': { id: 'strategyId' },
  'POST /api/strategy/guard': { id: 'strategyId' },
  'POST /api/strategy/selfManage': { id: 'strategyId' },
  'DELETE /api/strategy': { id: 'strategyId' },
  'POST /api/strategy/deal/close': { id: 'hedgeId' },
  'POST /api/strategy/target/arm': { ids: 'pairId' },
  'GET /api/strategy/deal/close/quote': { id: 'hedgeId' },
  'GET /api/strategy/deal/outlook': { id: 'hedgeId' },
  'GET /api/strategy/deal/roll': { id: 'hedgeId' },
  'POST /api/strategy/deal/roll': { id: 'hedgeId' },
  'POST /api/strategy/deal/mend': { id: 'rateDealId' },
  'POST /api/strategy/deal/thaw': { id: 'rateDealId' },
  'PUT /api/strategy/deal/target': { id: 'hedgeId' },
  'GET /api/strategy/spread': { id: 'spreadId' },
  'GET /api/strategy/overview/deal': { id: 'deskId' },
  'GET /api/strategy/overview/event': { id: 'strategyId' },
  'PUT /api/notification/channel/email': { from: null, to: null },
  'PUT /api/strategy/note': { id: 'strategyId' },
  'PUT /api/strategy/limit': { id: 'strategyId' },
  'GET /api/strategy/cexRate': { id: 'cexRateId' },
  'GET /api/strategy/grid/ladder': { id: 'gridId' },
  'POST /api/strategy/grid/repair': { id: 'gridId' },
  'GET /api/strategy/okx': { id: 'okxId' },
  'POST /api/strategy/okx/once': { id: 'okxId' },
  'POST /api/strategy/okx/ban': { id: 'okxId' },
  'GET /api/strategy/cexRate/deals': { id: 'cexRateId' },
  'GET /api/strategy/grid/record': { id: 'gridId' },
  'POST /api/strategy/grid/shift': { id: 'gridId' },
  'POST /api/strategy/grid/margin': { id: 'gridId' },
  'GET /api/order': { accountId: 'userId' },
  'GET /api/order/fill': { accountId: 'userId' },
  'GET /api/hedge/statistic': { accountId: 'userId' },
  'GET /api/hedge/statistic/compare': { accountId: 'userId' },
  'POST /api/account/open/live': { apiKeyId: 'keyId' },
  'POST /api/order/cancel': { ids: 'orderId' },
  'POST /api/notification/read': { ids: 'notificationId' },
  'DELETE /api/view': { id: 'viewId' },
  'POST /api/job/retry': { id: 'jobId' },
  'DELETE /api/job': { id: 'jobId' },
};

/** Texts that name nobody's record. Of a new one somebody has to say so here, or where its id comes from. */
const PLAIN: Record<string, unknown> = {
  ...{ username: 'nobody-there', password: 'a long enough passphrase', newPassword: 'another long passphrase' },
  ...{ code: '123456', binanceId: '12345678', sort: undefined, search: '', address: '192.0.2.77', action: undefined },
  ...{ object: undefined, name: '名称', key: 'demo-trade-1234', secret: 'a-secret-of-mine', passphrase: 'pass-phrase' },
  ...{
    subAccount: 'sub',
    note: '备注',
    source: 'simulated',
    symbol: 'BTCUSDT',
    sources: undefined,
    long: 'BTCUSDT',
    typed: 'BTCUSDT',
  },
  ...{
    ...{ short: 'ETHUSDT', longQuantity: '0.01', shortQuantity: '0.1' },
    ...{ longSymbol: 'BTCUSDT', shortSymbol: 'ETHUSDT', near: 'BTCUSDT_SPOT', far: 'BTCUSDT' },
    compare: undefined,
    blacklist: [],
    reason: '演练',
    pair: undefined,
    topics: 'hedge,order,notice',
  },
  ...{ base: 'BTC', coin: 'BTC', coins: ['BTC'], word: 'BTC', banned: [], buy: 'simulated', sell: 'simulated-okx' },
  ...{ token: `123456789:${'a'.repeat(35)}`, chatId: '-100200300', apiUrl: undefined, host: 'smtp.example.com' },
  ...{ user: 'sender', from: 'sender@example.com', to: 'reader@example.com' },
  ...{ lastEventId: undefined, url: 'https://hooks.example.com/x', screen: '/order', query: '', text: 'BTC' },
};

/** What no single field says. */
const WHOLE: Record<string, object> = {
  'PUT /api/notification/channel/feishu': { url: 'https://open.feishu.cn/open-apis/bot/v2/hook/x' },
  'PUT /api/notification/channel/dingtalk': { url: 'https://oapi.dingtalk.com/robot/send?access_token=x' },
  'PUT /api/notification/channel/wecom': { url: 'https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=x' },
  'POST /api/user/config/hedge': { ...DEFAULT_SETTINGS, source: 'simulated' },
  'PUT /api/user/config/hedge': { ...DEFAULT_SETTINGS, source: 'simulated', version: 1 },
  'PUT /api/strategy': { version: 1, params: { ...DEFAULT_FUNDING, coins: ['BTC'] } },
  'POST /api/strategy/create': { kind: 'fundingRate', mode: 'paper', params: { ...DEFAULT_FUNDING, coins: ['BTC'] } },
  'POST /api/strategy/single': {
    kind: 'fundingRate',
    params: { ...DEFAULT_FUNDING, coins: ['BTC'] },
    worst: { long: 1e9, short: 1e-9 },
  },
  'POST /api/hedge/single': { params: { ...DEFAULT_SETTINGS, source: 'simulated' }, worst: { long: 1e9, short: 1e-9 } },
  'POST /api/hedge/single/preview': { params: { ...DEFAULT_SETTINGS, source: 'simulated' } },
  'POST /api/strategy/preview': { kind: 'fundingRate', params: { ...DEFAULT_FUNDING, coins: ['BTC'] } },
  'POST /api/strategy/grid/replay': {
    params: { ...DEFAULT_GRID, symbol: 'BTCUSDT', lower: 40_000, upper: 200_000 },
  },
  'POST /api/strategy/okx/ban': { banned: true },
  'POST /api/hedge/switch': { action: 'flatten' },
  'POST /api/flatten': { reason: '演练' },
  'POST /api/job/retry': { queue: 'webhook' },
  'DELETE /api/job': { queue: 'webhook' },
  'GET /api/flatten': { everybody: true },
  'POST /api/intervention': { action: 'pause' },
  'POST /api/account/open': { venue: 'simulated-okx', amount: 1000 },
  'POST /api/order/cancel': { filter: undefined, expected: undefined },
  'GET /api/symbol/own': { start: 0, end: 1 },
  // Without a perpetual there is nothing to tell.
  'GET /api/market/past/rates': { short: 'simulated', shortSymbol: 'BTCUSDT' },
  'PUT /api/strategy/limit': { limits: { maxDrawdown: 10, dailyLoss: 10, maxNotional: 10 } },
};

interface Field {
  type?: string;
  enum?: unknown[];
  items?: Field;
  default?: unknown;
}

export const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;

/** Whether a field of a call names a record of somebody. @throws where nobody has said what it is */
function idOf(endpoint: Endpoint, field: string, { type, enum: words, items }: Field): IdName | null {
  const own = BY_CALL[nameOf(endpoint)] ?? {};
  const source = field in own ? own[field] : EVERYWHERE[field];
  if (source !== undefined) return source;
  const isText = (type === 'string' && words === undefined) || (items?.type === 'string' && items.enum === undefined);
  if (!isText || field in PLAIN) return null;
  throw new Error(`${nameOf(endpoint)}: nobody has said whose record "${field}" names, or that it names none`);
}

/** The ids that a call names somebody's records by. @throws where that is not known of one of its fields */
export function idFields(endpoint: Endpoint): { field: string; id: IdName }[] {
  const fields = Object.entries({ ...endpoint.query?.properties, ...endpoint.body?.properties }) as [string, Field][];
  return fields.flatMap(([field, schema]) => {
    const id = idOf(endpoint, field, schema);
    return id === null ? [] : [{ field, id }];
  });
}

/** Fields for a schema of which all ids are these, and the rest is as little as will do. */
function filled(endpoint: Endpoint, schema: TObject, ids: Ids): Record<string, unknown> {
  const whole = (WHOLE[nameOf(endpoint)] ?? {}) as Record<string, unknown>;
  const required = new Set((schema.required ?? []) as string[]);
  const values = Object.entries(schema.properties as Record<string, TSchema & Field>).map(([field, part]) => {
    const id = idOf(endpoint, field, part);
    if (id !== null) return [field, part.type === 'array' ? [ids[id]] : ids[id]];
    if (field in whole) return [field, whole[field]];
    if (!required.has(field) || part.default !== undefined) return [field, undefined];
    if (field in PLAIN) return [field, PLAIN[field]];
    return [field, fc.sample(arbitraryOf(part), { seed: 1, numRuns: 1 })[0]];
  });
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

/** A call that a server would do, on the records of these ids. */
export function callOn(
  endpoint: Endpoint,
  ids: Ids,
): { query: Record<string, unknown>; body?: Record<string, unknown> } {
  return {
    query: endpoint.query ? filled(endpoint, endpoint.query, ids) : {},
    ...(endpoint.body ? { body: filled(endpoint, endpoint.body, ids) } : {}),
  };
}
