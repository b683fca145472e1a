import { SECOND_MS } from '#contract/duration';
import { type VenueOrder, type VenueOrderState, VenueRefused, type VenueReport } from '../../venue';
import { kindOfName } from '../listing';
import type { Raw } from '../ownClient';
import type { BinanceLine } from './binanceLine';
import { exchangeIdOf } from './orderId';
import { Unanswered } from './unanswered';

/** Where an order is, and what it is called there. */
type OrderPlace = Pick<VenueOrder, 'symbol' | 'clientId'>;

/** How long after it was signed binance takes a request. */
export const TAKEN_WITHIN_MS = 5 * SECOND_MS;
/** No order of that name; one that was never filled and is too old to be kept. */
const NOBODY = [-2013, -2026];
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

export const isSpot = (symbol: string): boolean => kindOfName(symbol) === 'spot';
/** Spot has the name of the perpetual there. */
export const nameAt = (symbol: string): string => symbol.replace(/_SPOT$/, '');

/** The orders of one key at binance. */
export class BinanceOrders {
  readonly #line: BinanceLine;
  /** Leverage that was set, by symbol. */
  readonly #leverage = new Map<string, number>();

  constructor(line: BinanceLine) {
    this.#line = line;
  }

  /** UTC ms by binance's clock. @throws Unanswered */
  time(): Promise<number> {
    return this.#line.time();
  }

  /**
   * Whatever an order needs before it is sent.
   * @returns UTC ms by binance's clock, to sign it by
   * @throws VenueRefused: nothing was sent yet
   */
  async prepare({ symbol, leverage }: VenueOrder): Promise<number> {
    try {
      await this.#line.now();
      if (!isSpot(symbol) && this.#leverage.get(symbol) !== leverage) await this.#setLeverage(symbol, leverage);
      return await this.#line.now();
    } catch (error) {
      throw error instanceof VenueRefused ? error : new VenueRefused('unreachable');
    }
  }

  /**
   * @param timestamp by which it is signed: after `TAKEN_WITHIN_MS` from then it is not taken any more, however late it comes
   * @throws VenueRefused, Unanswered
   */
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
      // What it is set to there may be another than it was.
      if (error instanceof VenueRefused) this.#leverage.delete(symbol);
      throw error;
    }
  }

  /** The order after it; one that had ended stays as it was. @throws Unanswered, also where nobody knows the order */
  async cancel(place: OrderPlace): Promise<VenueReport> {
    const { client } = this.#line;
    const request = named(place);
    try {
      const row = await this.#line.asked('a cancel', () =>
        isSpot(place.symbol) ? client.privateDeleteOrder(request) : client.fapiPrivateDeleteOrder(request),
      );
      return reportOf(row, place.clientId);
    } catch (error) {
      if (!(error instanceof Unanswered) || error.code !== UNKNOWN_ORDER) throw error;
      // It ended before, or it has not arrived yet.
      const report = await this.find(place);
      if (report === null || report.state === 'open') throw error;
      return report;
    }
  }

  /** null where binance knows no such order now. @throws Unanswered */
  async find(place: OrderPlace): Promise<VenueReport | null> {
    const { client } = this.#line;
    const request = named(place);
    try {
      const row = await this.#line.asked('a lookup', () =>
        isSpot(place.symbol) ? client.privateGetOrder(request) : client.fapiPrivateGetOrder(request),
      );
      return reportOf(row, place.clientId);
    } catch (error) {
      if (error instanceof Unanswered && error.code !== null && NOBODY.includes(error.code)) return null;
      throw error;
    }
  }

  /** Has all orders of a symbol of futures cancelled after so long, ms; 0 takes that back. @throws Unanswered */
  async countDown(symbol: string, ms: number): Promise<void> {
    const request = { symbol: nameAt(symbol), countdownTime: ms };
    await this.#line.asked('the countdown', () => this.#line.client.fapiPrivatePostCountdownCancelAll(request));
  }

  /** It is set each time anew after a restart: another hand may have changed it. */
  async #setLeverage(symbol: string, leverage: number): Promise<void> {
    const request = { symbol: nameAt(symbol), leverage: String(Math.max(1, Math.floor(leverage))) };
    await this.#line.asked('the leverage', () => this.#line.client.fapiPrivatePostLeverage(request), true);
    this.#leverage.set(symbol, leverage);
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
