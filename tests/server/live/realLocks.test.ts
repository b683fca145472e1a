import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import * as codes from '#contract/codes';
import { DAY_MS, HOUR_MS } from '#contract/duration';
import { DEFAULT_CEX_RATE } from '#contract/kinds/cexRate/params';
import { DEFAULT_FUNDING } from '#contract/kinds/fundingRate/params';
import { DEFAULT_GRID } from '#contract/kinds/grid/params';
import { DEFAULT_OKX } from '#contract/kinds/okx/params';
import { strategies as api } from '#contract/strategies';
import type { StrategyKind } from '#contract/strategy';
import { venueAccount } from '#contract/venueAccount';
import { writeFunding } from '#server/base/db/markets/candle';
import { QUIET_START } from '../../support/clockFrom';
import { realUser, realWorld } from '../../support/realProduct';
import { fileDatabase } from '../../support/testDatabase';
import { waitFor } from '../../support/waitFor';

const VENUE = 'binance-live';
const PATIENCE_MS = 30_000;
const [SPOT, PERPETUAL] = ['BTCUSDT_SPOT', 'BTCUSDT'];
const PARAMS = {
  ...{ ...DEFAULT_FUNDING, source: VENUE, coins: ['BTC'], legNotional: 2_000, entryApr: 0, slices: 1 },
  ...{ stopLoss: null, dailyLossLimit: null, maxHoldingHours: null, flipRate: 0.01, slippageCap: 100 },
};

const db = await fileDatabase();
const { clock, exchange, customer, key, product } = await realWorld(db, [SPOT, PERPETUAL, 'ETHUSDT_SPOT', 'ETHUSDT']);
// A rate that is worth it, now and in what was settled: that it goes on is expected of both (F29).
const settledAt = Array.from({ length: 90 }, (_, i) => QUIET_START - 30_000 - HOUR_MS - i * 8 * HOUR_MS);
await writeFunding(
  db,
  { source: VENUE, symbol: PERPETUAL },
  {
    hours: 8,
    time: Float64Array.from(settledAt.toReversed()),
    rate: new Float64Array(settledAt.length).fill(0.003),
  },
);
const listed = exchange.market.listed.bind(exchange.market);
exchange.market.listed = (symbol, at) => {
  const one = listed(symbol, at);
  return (
    one && { ...one, ticker: { ...one.ticker, ...(one.ticker.fundingRate !== undefined && { fundingRate: 0.003 }) } }
  );
};

let app: FastifyInstance = await product({ LIVE_MAX_NOTIONAL: '5000' });
const callTo: typeof app.inject = ((...given: Parameters<typeof app.inject>) => app.inject(...given)) as never;
const owner = await realUser({ inject: callTo } as FastifyInstance, db, clock, 'owner');
const { call } = owner;

/** Orders of ours that the exchange took. */
const sent = () => [...customer.orders.values()].filter(({ clientId }) => clientId.startsWith('h'));
const body = (over: object = {}) => ({
  ...{
    kind: 'fundingRate' as StrategyKind,
    name: randomUUID().slice(0, 8),
    mode: 'live' as const,
    params: PARAMS as object,
  },
  ...{ typed: SPOT, ...over },
});
const rowOf = async (id: string) => (await call(api.list)).data.list.find((one) => one.id === id)!;
const made = async () => {
  const answer = await call(api.create, { body: body() });
  if (answer.code !== 200) throw new Error(answer.message);
  return answer.data;
};
/** Starts it with all of its targets. */
const start = async (id: string, typed: string | undefined = SPOT) => {
  const open = (await rowOf(id)).targets.map((target) => target.id);
  return call(api.start, { body: { id, open, ...(typed && { typed }) } });
};
/** Made and started by a server with a cap, USDT. */
async function startedUnder(LIVE_MAX_NOTIONAL: string) {
  await restart({ LIVE_MAX_NOTIONAL });
  const { id } = await made();
  expect((await start(id)).code).toBe(200);
  return { id, deals: async () => (await call(api.deals, { query: { id } })).data.list };
}
const stop = (id: string) => call(api.stop, { body: { id, flatten: true } });

/** Waits until the exchange's prices and what it settled are known. */
const prices = (isReal: boolean) =>
  waitFor('prices', PATIENCE_MS, async () => {
    const preview = await call(api.preview, { body: { kind: 'fundingRate', mode: 'live', params: PARAMS as object } });
    return preview.code === 200 && preview.data.targets.every(({ block }) => block === null || !isReal);
  });

async function restart(environment: Record<string, string>): Promise<void> {
  await app.close();
  app = await product(environment);
  await prices(environment.TRADING !== 'paper');
}

beforeAll(async () => {
  await owner.factor(true);
  const apiKeyId = await owner.storeKey(key);
  const opened = await call(venueAccount.openLive, { body: { name: '币安实盘', venue: VENUE, apiKeyId } });
  if (opened.code !== 200) throw new Error(opened.message);
  await restart({ LIVE_MAX_NOTIONAL: '5000' });
}, 2 * PATIENCE_MS);
beforeEach(async () => {
  await owner.factor(true);
  await owner.proved();
});
const SHUT: [string, number, () => unknown, object?][] = [
  ['without a second factor', codes.factorForLive.code, () => owner.factor(false)],
  ['without a fresh proof', codes.freshNeeded.code, () => owner.proved(DAY_MS / 24)],
  ['with nothing typed', 400, () => undefined, { typed: undefined }],
  ['with another symbol typed', 400, () => undefined, { typed: PERPETUAL }],
];

test.each(SHUT)('nothing is made to trade for real, nor started, %s', async (_what, code, shut, over = {}) => {
  const { id } = await made();
  await shut();
  expect((await call(api.create, { body: body(over) })).code).toBe(code);
  expect((await start(id, 'typed' in over ? ((over.typed as undefined) ?? '') : SPOT)).code).toBe(code);
  expect((await rowOf(id)).state).toBe('stopped');
  expect(sent()).toEqual([]);
});

test.each<[StrategyKind, object]>([
  ['cexRate', DEFAULT_CEX_RATE],
  ['okx', DEFAULT_OKX],
  ['grid', DEFAULT_GRID],
  ['hedge', {}],
])('%s does not trade for real, and says what does', async (kind, params) => {
  expect(await call(api.create, { body: body({ kind, params }) })).toMatchObject(codes.strategyLive);
});

test('what is first traded is typed again where it becomes another', async () => {
  const { id, version } = await made();
  const update = (coins: string[], typed?: string) =>
    call(api.update, { body: { id, version, name: '换币', params: { ...PARAMS, coins }, ...(typed && { typed }) } });
  expect((await update(['ETH'])).code).toBe(400);
  expect((await update(['ETH'], SPOT)).code).toBe(400);
  await owner.proved(DAY_MS / 24);
  expect((await update(['ETH'], 'ETHUSDT_SPOT')).code).toBe(codes.freshNeeded.code);
  await owner.proved();
  expect((await update(['ETH'], 'ETHUSDT_SPOT')).code).toBe(200);
});

test(
  'a server that trades on paper makes and starts nothing real',
  async () => {
    const { id } = await made();
    await restart({ TRADING: 'paper' });
    expect((await call(api.create, { body: body() })).code).toBe(codes.liveClosed.code);
    expect((await start(id)).code).toBe(codes.liveClosed.code);
    expect(sent()).toEqual([]);
  },
  2 * PATIENCE_MS,
);

test(
  'an order over the cap of the account is refused, and says so',
  async () => {
    const { id, deals } = await startedUnder('1000');
    await waitFor('it is refused', PATIENCE_MS, async () => (await deals()).some(({ state }) => state === 'failed'));
    expect(sent()).toEqual([]);
    // Whoever ends something proves nothing.
    await owner.factor(false);
    await owner.proved(DAY_MS / 24);
    expect((await stop(id)).code).toBe(200);
  },
  3 * PATIENCE_MS,
);

test(
  'with all locks open orders reach the exchange, and what is closed needs no proof',
  async () => {
    const { id, deals } = await startedUnder('5000');
    await waitFor('it is open', PATIENCE_MS, async () => (await deals())[0]?.state === 'open');
    expect(sent().length).toBeGreaterThan(1);
    expect(customer.positionOf(PERPETUAL).lt(0)).toBe(true);
    await owner.proved(DAY_MS / 24);
    expect((await call(api.closeDeal, { body: { id: (await deals())[0]!.id } })).code).toBe(200);
    await waitFor('it is closed', PATIENCE_MS, async () => (await deals())[0]?.state === 'closed');
    expect(customer.positionOf(PERPETUAL).toFixed()).toBe('0');
    await stop(id);
  },
  3 * PATIENCE_MS,
);
