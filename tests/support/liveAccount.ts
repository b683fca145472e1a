import { randomUUID } from 'node:crypto';
import Big from 'big.js';
import { eq } from 'drizzle-orm';
import { liveSource, type OrderExchange } from '#contract/candle';
import type { HedgeSettings } from '#contract/kinds/hedge/config';
import { insertKey, keyOf } from '#server/base/db/accounts/apiKey';
import { insertAccount } from '#server/base/db/accounts/venueAccount';
import type { Database } from '#server/base/db/client';
import { strategy } from '#server/base/db/schema';
import { createLive } from '#server/market/live/live';
import { LiveJournal } from '#server/market/live/orders/liveJournal';
import { LiveOrders } from '#server/market/live/orders/liveOrders';
import { exchangeIdOf } from '#server/market/live/orders/orderId';
import { OwnLine } from '#server/market/live/orders/ownLine';
import type { RealExchange } from '#server/market/live/orders/realExchange';
import { REAL_EXCHANGES } from '#server/market/live/orders/realExchanges';
import { ownClient } from '#server/market/live/ownClient';
import type { VenueOrder } from '#server/market/venue';
import { Contracts } from '../standin/core/contracts';
import type { RestFault } from '../standin/core/faults';
import { CONTRACTS as GATE } from '../standin/gate/names';
import { CONTRACTS as OKX } from '../standin/okx/instruments';
import { clockFrom, QUIET_START } from './clockFrom';
import { fundedCustomer } from './fundedCustomer';
import { traderOf } from './tradingDesk';

export const LIVE_SOURCE = liveSource('binance');
export const answerOf = (status: number, body: object): RestFault => ({ kind: 'answer', answer: { status, body } });

/** Where the exchange asks for one. */
const PASSPHRASE = 'order-words';
/** Nothing takes as long that is answered at all. */
const PATIENT_MS = 60_000;
/** Nobody waits for an answer that does not come. */
const HURRIED_MS = 300;

const BASE = new Contracts(null);
/** As whoever follows an exchange is told it. */
const CONTRACTS_AT: Record<OrderExchange, Contracts> = { binance: BASE, okx: OKX, bybit: BASE, gate: GATE };

interface LineOptions {
  answerMs?: () => number;
  signal?: AbortSignal;
}

/** An account of a trader that is traded for real, at a stand-in; who has its key has money in both wallets, USDT. */
export async function liveAccount(
  db: Database,
  settings: Partial<HedgeSettings> = {},
  name: OrderExchange = 'binance',
) {
  const source = liveSource(name);
  /** It goes on by itself, and by hand. */
  let ahead = 0;
  const running = clockFrom(QUIET_START);
  const clock = () => running() + ahead;
  const { standIn, exchange, customer } = await fundedCustomer(clock, name);
  const key = exchange.keys.add({ key: 'order-key', secret: 'order-secret', passphrase: PASSPHRASE, account: 'owner' });
  const account = randomUUID();
  const userId = await traderOf(db, settings);
  // Paper money at the same exchange, which what is real never uses.
  const paperAccount = randomUUID();
  await insertAccount(db, { id: paperAccount, userId, venue: source, name: '模拟', mode: 'paper' });
  const stored = { ...{ userId, exchange: name, name: 'k', subAccount: null, tail: '' }, createdAt: 0 };
  const apiKeyId = (await insertKey(db, { ...stored, report: null, rightsSeen: null }))!.id;
  await insertAccount(db, { id: account, userId, venue: source, name: '实盘', mode: 'live', apiKeyId });
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
      ...{ clientId: randomUUID(), account, source, symbol, side, type: 'market', quantity: '0.01' },
      ...{ reduceOnly: false, leverage: 5, ...over, limitPrice },
    };
  };
  /** A line of the key, which counts what it asks. */
  async function line({ answerMs = () => PATIENT_MS, signal = new AbortController().signal }: LineOptions = {}) {
    const urls = { [name]: standIn.url };
    const { markets } = createLive({ ...{ db, clock, urls, exchanges: [name] }, onTrouble: () => undefined });
    const own = REAL_EXCHANGES[name] as RealExchange;
    const { rest: shared } = markets[0]!.feed;
    const rest = own.countsByCustomer ? shared.apart() : shared;
    const client = await ownClient(name, key, { clock, url: standIn.url, isPaced: false });
    rest.listen(client as never);
    const ask = <T>(question: () => Promise<T>) => rest.ask(client as never, question);
    const contractSizeOf = (symbol: string) => {
      const listing = exchange.listed(symbol);
      return listing && CONTRACTS_AT[name].size(listing.instrument);
    };
    return new OwnLine({
      exchange: own,
      client,
      ask,
      signal,
      answerMs,
      contractSizeOf,
    });
  }
  return {
    ...{
      name,
      source,
      exchange,
      customer,
      key,
      account,
      paperAccount,
      userId,
      clock,
      priceOf,
      order,
      line,
      url: standIn.url,
    },
    /** As it is stored. */
    keyRecord: async () => (await keyOf(db, userId, apiKeyId))!,
    wait: (ms: number) => {
      ahead += ms;
    },
    /** One that nobody meets. */
    resting: (over: Partial<VenueOrder> = {}) =>
      order({ type: 'maker', limitPrice: priceOf(over.symbol ?? 'BTCUSDT', 0.97), ...over }),
    /** What the exchange has of an order; undefined: it never took it. At Gate names have a beginning of its own. */
    there: ({ clientId }: VenueOrder) =>
      [...customer.orders.values()].find((one) => one.clientId.endsWith(exchangeIdOf(clientId))),
    /** One process that trades the account. */
    async process({ signal }: Pick<LineOptions, 'signal'> = {}) {
      let answerMs = PATIENT_MS;
      const own = await line({ signal, answerMs: () => answerMs });
      const { exchange: real } = own;
      const [orders, records] = [real.orders(own), real.records(own)];
      return {
        orders,
        venue: new LiveOrders({ db, exchange: real, ordersOf: async () => orders }),
        journal: new LiveJournal({ db, source, recordsOf: async () => records }),
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
