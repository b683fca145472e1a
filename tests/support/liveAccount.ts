import { randomUUID } from 'node:crypto';
import Big from 'big.js';
import { eq } from 'drizzle-orm';
import type { HedgeSettings } from '#contract/kinds/hedge/config';
import { insertKey, keyOf } from '#server/base/db/accounts/apiKey';
import { insertAccount } from '#server/base/db/accounts/venueAccount';
import type { Database } from '#server/base/db/client';
import { strategy } from '#server/base/db/schema';
import { createLive } from '#server/market/live/live';
import { BinanceLine } from '#server/market/live/orders/binanceLine';
import { BinanceOrders } from '#server/market/live/orders/binanceOrders';
import { BinanceRecords } from '#server/market/live/orders/binanceRecords';
import { LiveJournal } from '#server/market/live/orders/liveJournal';
import { LiveOrders } from '#server/market/live/orders/liveOrders';
import { exchangeIdOf } from '#server/market/live/orders/orderId';
import { ownClient } from '#server/market/live/ownClient';
import type { VenueOrder } from '#server/market/venue';
import type { RestFault } from '../standin/core/faults';
import { clockFrom, QUIET_START } from './clockFrom';
import { fundedCustomer } from './fundedCustomer';
import { traderOf } from './tradingDesk';

export const LIVE_SOURCE = 'binance-live';
export const answerOf = (status: number, body: object): RestFault => ({ kind: 'answer', answer: { status, body } });

/** Nothing takes as long that is answered at all. */
const PATIENT_MS = 60_000;
/** Nobody waits for an answer that does not come. */
const HURRIED_MS = 300;

interface LineOptions {
  answerMs?: () => number;
  signal?: AbortSignal;
}

/** An account of a trader that is traded for real, at a stand-in; who has its key has money in both wallets, USDT. */
export async function liveAccount(db: Database, settings: Partial<HedgeSettings> = {}) {
  /** It goes on by itself, and by hand. */
  let ahead = 0;
  const running = clockFrom(QUIET_START);
  const clock = () => running() + ahead;
  const { standIn, exchange, customer } = await fundedCustomer(clock);
  const key = exchange.keys.add({ key: 'order-key', secret: 'order-secret', account: 'owner' });
  const account = randomUUID();
  const userId = await traderOf(db, settings);
  // Paper money at the same exchange, which what is real never uses.
  const paperAccount = randomUUID();
  await insertAccount(db, { id: paperAccount, userId, venue: LIVE_SOURCE, name: '模拟', mode: 'paper' });
  const stored = { ...{ userId, exchange: 'binance', name: 'k', subAccount: null, tail: '' }, createdAt: 0 };
  const apiKeyId = (await insertKey(db, { ...stored, report: null, rightsSeen: null }))!.id;
  await insertAccount(db, { id: account, userId, venue: LIVE_SOURCE, name: '实盘', mode: 'live', apiKeyId });
  await db.update(strategy).set({ mode: 'live' }).where(eq(strategy.userId, userId));

  const priceOf = (symbol: string, times: number): string => {
    const { instrument, ticker } = exchange.listed(symbol)!;
    return new Big(ticker.price).times(times).div(instrument.tickSize!).round().times(instrument.tickSize!).toFixed();
  };
  /** As the engine sends it: at the market, within one percent. */
  const order = (over: Partial<VenueOrder> = {}): VenueOrder => {
    const [symbol, side] = [over.symbol ?? 'BTCUSDT', over.side ?? 'buy'];
    const limitPrice = over.limitPrice ?? priceOf(symbol, side === 'buy' ? 1.01 : 0.99);
    return {
      ...{ clientId: randomUUID(), account, source: LIVE_SOURCE, symbol, side, type: 'market', quantity: '0.01' },
      ...{ reduceOnly: false, leverage: 5, ...over, limitPrice },
    };
  };
  /** A line of the key, which counts what it asks. */
  async function line({ answerMs = () => PATIENT_MS, signal = new AbortController().signal }: LineOptions = {}) {
    const urls = { binance: standIn.url };
    const { markets } = createLive({ ...{ db, clock, urls, exchanges: ['binance'] }, onTrouble: () => undefined });
    const { rest } = markets[0]!.feed;
    const client = await ownClient(key, { clock, url: standIn.url, isPaced: false });
    rest.listen(client as never);
    const ask = <T>(question: () => Promise<T>) => rest.ask(client as never, question);
    return new BinanceLine({ client, ask, signal, answerMs });
  }
  return {
    ...{ exchange, customer, key, account, paperAccount, userId, clock, priceOf, order, line, url: standIn.url },
    /** As it is stored. */
    keyRecord: async () => (await keyOf(db, userId, apiKeyId))!,
    wait: (ms: number) => {
      ahead += ms;
    },
    /** One that nobody meets. */
    resting: (over: Partial<VenueOrder> = {}) =>
      order({ type: 'maker', limitPrice: priceOf(over.symbol ?? 'BTCUSDT', 0.97), ...over }),
    /** What the exchange has of an order; undefined: it never took it. */
    there: ({ clientId }: VenueOrder) =>
      [...customer.orders.values()].find((one) => one.clientId === exchangeIdOf(clientId)),
    /** One process that trades the account. */
    async process({ signal }: Pick<LineOptions, 'signal'> = {}) {
      let answerMs = PATIENT_MS;
      const own = await line({ signal, answerMs: () => answerMs });
      const [orders, records] = [new BinanceOrders(own), new BinanceRecords(own)];
      return {
        orders,
        venue: new LiveOrders({ db, ordersOf: async () => orders }),
        journal: new LiveJournal({ db, source: LIVE_SOURCE, recordsOf: async () => records }),
        /** Asks something that is not answered in time. */
        async hurried<T>(ask: () => Promise<T>): Promise<T> {
          answerMs = HURRIED_MS;
          try {
            return await ask();
          } finally {
            answerMs = PATIENT_MS;
          }
        },
      };
    },
  };
}
