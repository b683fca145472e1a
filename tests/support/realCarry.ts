import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { liveSource, type OrderExchange } from '#contract/candle';
import { HOUR_MS } from '#contract/duration';
import { DEFAULT_FUNDING } from '#contract/kinds/fundingRate/params';
import { ACCOUNT_TROUBLES } from '#contract/lifecycle';
import { strategies as api } from '#contract/strategies';
import type { StrategyKind } from '#contract/strategy';
import type { Database } from '#server/base/db/client';
import { writeFunding } from '#server/base/db/markets/candle';
import type { Exchange } from '../standin/core/exchange';
import { QUIET_START } from './clockFrom';
import { REAL_VENUE, type RealCall, realUser, realWorld } from './realProduct';
import { waitFor } from './waitFor';

export const REAL_PATIENCE_MS = 90_000;
/** Until a server's own calls say so; what they ask the exchange counts against the server's own questions. */
export const answered = (what: string, isSo: () => Promise<boolean>) => waitFor(what, REAL_PATIENCE_MS, isSo, 1_000);
export const [SPOT, PERPETUAL] = ['BTCUSDT_SPOT', 'BTCUSDT'];
export const CARRY = {
  ...{ ...DEFAULT_FUNDING, source: REAL_VENUE, coins: ['BTC'], legNotional: 2_000, entryApr: 0, slices: 1 },
  ...{ stopLoss: null, dailyLossLimit: null, maxHoldingHours: null, flipRate: 0.01, slippageCap: 100 },
};

/** Has the perpetual pay this rate every eight hours, now and in what was settled: that it goes on is expected of both (F29). */
export async function payRate(db: Database, exchange: Exchange, source: string, rate: number): Promise<void> {
  const settledAt = Array.from({ length: 90 }, (_, i) => QUIET_START - 30_000 - HOUR_MS - i * 8 * HOUR_MS);
  await writeFunding(
    db,
    { source, symbol: PERPETUAL },
    {
      hours: 8,
      time: Float64Array.from(settledAt.toReversed()),
      rate: new Float64Array(settledAt.length).fill(rate),
    },
  );
  const listed = exchange.market.listed.bind(exchange.market);
  exchange.market.listed = (symbol, at) => {
    const one = listed(symbol, at);
    return (
      one && { ...one, ticker: { ...one.ticker, ...(one.ticker.fundingRate !== undefined && { fundingRate: rate }) } }
    );
  };
}

/** Makes the carry worth it. */
export const payCarry = (db: Database, exchange: Exchange, source: string = REAL_VENUE) =>
  payRate(db, exchange, source, 0.003);

/**
 * A carry that is worth it at a stand-in, and the owner of a real account there who makes, starts and closes it.
 * @param more symbols that are followed beside those of the carry
 */
export async function realCarry(db: Database, more: readonly string[] = [], name: OrderExchange = 'binance') {
  const params = { ...CARRY, source: liveSource(name) };
  const world = await realWorld(db, [SPOT, PERPETUAL, 'ETHUSDT_SPOT', 'ETHUSDT', ...more], name);
  const { clock, exchange, customer, key, product } = world;
  await payCarry(db, exchange, params.source);

  let app: FastifyInstance = await product({ LIVE_MAX_NOTIONAL: '5000' });
  const callTo: typeof app.inject = ((...given: Parameters<typeof app.inject>) => app.inject(...given)) as never;
  const owner = await realUser({ inject: callTo } as FastifyInstance, db, clock, 'owner', name);
  const { call } = owner;

  // What is wrong with the account is said when its prices are there.
  const settled = [null, 'overCap', ...ACCOUNT_TROUBLES] as readonly unknown[];
  /** Waits until the exchange's prices and what it settled are known. */
  const prices = (isReal: boolean) =>
    answered('prices', async () => {
      const preview = await call(api.preview, { body: { kind: 'fundingRate', mode: 'live', params } });
      return preview.code === 200 && preview.data.targets.every(({ block }) => settled.includes(block) || !isReal);
    });
  /** Another server in its place. @param between what happens while none is there */
  async function restart(environment: Record<string, string>, between?: () => Promise<unknown>): Promise<void> {
    await app.close();
    await between?.();
    app = await product(environment);
    await prices(environment.TRADING !== 'paper');
  }

  const acts = actsOf(call, { ...CARRIES, params });
  return {
    ...{ ...world, ...acts, owner, restart, customer },
    /** Opens the account, as a server that follows the exchange finds it. */
    async open(environment: Record<string, string> = {}): Promise<void> {
      await owner.factor(true);
      const apiKeyId = await owner.storeKey(key);
      const opened = await owner.openReal(apiKeyId);
      if (opened.code !== 200) throw new Error(opened.message);
      await restart({ LIVE_MAX_NOTIONAL: '5000', ...environment });
    },
    /** Orders of ours that the exchange took. */
    sent: () => [...customer.orders.values()].filter(({ clientId }) => /^(t-)?h/.test(clientId)),
  };
}

interface Traded {
  kind: StrategyKind;
  params: object;
  /** What its owner types. */
  typed: string;
}

/** What is told of a carry beside its params. */
export const CARRIES = { kind: 'fundingRate', typed: SPOT! } as const;

/** How a user makes, starts and takes down a strategy. */
export function actsOf(call: RealCall, { kind, params, typed: symbol }: Traded) {
  const body = (over: object = {}) => ({
    ...{ kind, name: randomUUID().slice(0, 8), mode: 'live' as const },
    ...{ params, typed: symbol, ...over },
  });
  const rowOf = async (id: string) => (await call(api.list)).data.list.find((one) => one.id === id)!;
  const made = async () => {
    const answer = await call(api.create, { body: body() });
    if (answer.code !== 200) throw new Error(answer.message);
    return answer.data;
  };
  /** Starts it with all of its targets. */
  const start = async (id: string, typed: string | undefined = symbol, reason?: string) => {
    const open = (await rowOf(id)).targets.map((target) => target.id);
    return call(api.start, { body: { id, open, ...(typed && { typed }), ...(reason && { reason }) } });
  };
  const dealsOf = async (id: string) => (await call(api.deals, { query: { id } })).data.list;
  return {
    ...{ body, rowOf, made, start, dealsOf },
    /** Waits for the state of its only deal. */
    until: (id: string, state: string) =>
      answered(`it is ${state}`, async () => (await dealsOf(id))[0]?.state === state),
    stop: (id: string) => call(api.stop, { body: { id, flatten: true } }),
  };
}
