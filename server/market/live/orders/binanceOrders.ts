import { SECOND_MS } from '#contract/duration';
import { type VenueOrder, type VenueOrderState, VenueRefused, type VenueReport } from '../../venue';
import { isSpot } from '../listing';
import type { Code, Raw } from '../ownClient';
import { exchangeIdOf } from './orderId';
import { Preparation } from './preparation';
import type { OrderPlace, RealLine, RealOrders } from './realExchange';
import { saysOneOf, Unanswered } from './unanswered';

/** How long after it was signed binance takes a request. */
export const TAKEN_WITHIN_MS = 5 * SECOND_MS;
/** No order of that name; one that was never filled and is too old to be kept. */
const NOBODY: readonly Code[] = [-2013, -2026];
const UNKNOWN_ORDER = -2011;

const STATES: Readonly<Record<string, VenueOrderState>> = {
  NEW: 'open',
  PARTIALLY_FILLED: 'open',
  FILLED: 'filled',
  CANCELED: 'cancelled',
  EXPIRED: 'expired',
  EXPIRED_IN_MATCH: 'expired',
  REJECTED: 'expired',
};

/** Spot has the name of the perpetual there. */
export const nameAt = (symbol: string): string => symbol.replace(/_SPOT$/, '');

/** The orders of one key at binance. */
export class BinanceOrders implements RealOrders {
  readonly #line: RealLine<'binance'>;
  readonly #preparation: Preparation;

  constructor(line: RealLine<'binance'>) {
    this.#line = line;
    this.#preparation = new Preparation(line, (symbol, leverage) =>
      line.asked('the leverage', () => line.client.fapiPrivatePostLeverage({ symbol: nameAt(symbol), leverage }), true),
    );
  }

  time(): Promise<number> {
    return this.#line.time();
  }

  prepare(order: VenueOrder): Promise<number> {
    return this.#preparation.prepare(order);
  }

  async submit(order: VenueOrder, timestamp: number): Promise<VenueReport> {
    const { symbol, clientId, side, type, quantity, limitPrice: price, reduceOnly } = order;
    const { client } = this.#line;
    const common = {
      ...{ symbol: nameAt(symbol), newClientOrderId: exchangeIdOf(clientId), side: side.toUpperCase() },
      ...{ quantity, price, newOrderRespType: 'RESULT', timestamp, recvWindow: TAKEN_WITHIN_MS },
    };
    const isMaker = type === 'maker';
    const send = isSpot(symbol)
      ? () =>
          client.privatePostOrder({
            ...common,
            ...(isMaker ? { type: 'LIMIT_MAKER' } : { type: 'LIMIT', timeInForce: 'IOC' }),
          })
      : () =>
          client.fapiPrivatePostOrder({
            ...{ ...common, type: 'LIMIT', timeInForce: isMaker ? 'GTX' : 'IOC' },
            ...(reduceOnly && { reduceOnly: 'true' }),
          });
    try {
      return reportOf(await this.#line.asked('an order', send, true), clientId);
    } catch (error) {
      if (error instanceof VenueRefused) this.#preparation.forget(symbol);
      throw error;
    }
  }

  async cancel(place: OrderPlace): Promise<VenueReport> {
    const { client } = this.#line;
    const request = named(place);
    try {
      const row = await this.#line.asked('a cancel', () =>
        isSpot(place.symbol) ? client.privateDeleteOrder(request) : client.fapiPrivateDeleteOrder(request),
      );
      return reportOf(row, place.clientId);
    } catch (error) {
      if (!saysOneOf([UNKNOWN_ORDER], error)) throw error;
      // It ended before, or it has not arrived yet.
      const report = await this.find(place);
      if (report === null || report.state === 'open') throw error;
      return report;
    }
  }

  async find(place: OrderPlace): Promise<VenueReport | null> {
    const { client } = this.#line;
    const request = named(place);
    try {
      const row = await this.#line.asked('a lookup', () =>
        isSpot(place.symbol) ? client.privateGetOrder(request) : client.fapiPrivateGetOrder(request),
      );
      return reportOf(row, place.clientId);
    } catch (error) {
      if (saysOneOf(NOBODY, error)) return null;
      throw error;
    }
  }

  /** By symbol: all of the account count as much as forty. */
  async open(symbols: readonly string[]): Promise<string[]> {
    const { client } = this.#line;
    const listed = await Promise.all(
      symbols.map((symbol) =>
        this.#line.asked<Raw[]>('open orders', () => client.fapiPrivateGetOpenOrders({ symbol: nameAt(symbol) })),
      ),
    );
    return listed.flat().map(({ clientOrderId }) => String(clientOrderId));
  }

  /** Each symbol of futures is counted down on its own. */
  async countDown(symbol: string, ms: number): Promise<void> {
    const request = { symbol: nameAt(symbol), countdownTime: ms };
    await this.#line.asked('the countdown', () => this.#line.client.fapiPrivatePostCountdownCancelAll(request));
  }
}

const named = ({ symbol, clientId }: OrderPlace) => ({
  symbol: nameAt(symbol),
  origClientOrderId: exchangeIdOf(clientId),
});

/** @throws Unanswered where it is not about the order, or says nothing that is understood */
function reportOf(row: Raw, clientId: string): VenueReport {
  const name = row.origClientOrderId ?? row.clientOrderId;
  const state = STATES[String(row.status)];
  const at = Number(row.updateTime ?? row.transactTime);
  const filledQuantity = String(row.executedQty);
  const isWhole = name === exchangeIdOf(clientId) && row.orderId !== undefined && at > 0;
  if (!isWhole || state === undefined || !/^\d+(\.\d+)?$/.test(filledQuantity)) throw new Unanswered('an order');
  return { clientId, exchangeId: String(row.orderId), state, filledQuantity, at };
}
