import { DAY_MS, SECOND_MS } from '#contract/duration';
import type { VenueOrder, VenueOrderState, VenueReport } from '../../venue';
import { placeOf } from '../bybitNames';
import { isSpot } from '../listing';
import type { Code, Raw } from '../ownClient';
import { BybitProtection } from './bybitProtection';
import { exchangeIdOf } from './orderId';
import { Preparation } from './preparation';
import type { OrderPlace, RealLine, RealOrders } from './realExchange';
import { type Seen, TakenOrders } from './takenOrders';
import { saysOneOf, Unanswered } from './unanswered';

/** How long after it was signed Bybit takes a request. */
export const TAKEN_WITHIN_MS = 5 * SECOND_MS;
/** Rows of one answer. */
const MOST = 50;
/** The leverage is what it is to be. */
const UNCHANGED = 110043;
/** It is not there, was filled or cancelled, or is being worked on: of contracts, and of spot. */
const NOT_CANCELLED: readonly Code[] = [110001, 110008, 110010, 110079, 170139, 170142, 170143, 170144, 170190, 170213];

const STATES: Readonly<Record<string, VenueOrderState>> = {
  New: 'open',
  PartiallyFilled: 'open',
  Untriggered: 'open',
  Filled: 'filled',
  Cancelled: 'cancelled',
  PartiallyFilledCanceled: 'cancelled',
  Deactivated: 'cancelled',
  Rejected: 'expired',
};
/** Why one that may only rest was taken back. */
const WOULD_TAKE = 'EC_PostOnlyWillTakeLiquidity';

/** The orders of one key at Bybit. */
export class BybitOrders implements RealOrders {
  readonly #line: RealLine<'bybit'>;
  readonly #preparation: Preparation;
  readonly #taken: TakenOrders;
  readonly #protection: BybitProtection;

  constructor(line: RealLine<'bybit'>) {
    this.#line = line;
    this.#protection = new BybitProtection(line);
    this.#preparation = new Preparation(line, (symbol, leverage) => this.#setLeverage(symbol, leverage));
    this.#taken = new TakenOrders({
      ...{ preparation: this.#preparation, notEnded: NOT_CANCELLED },
      send: (order, signedAt) => this.#send(order, signedAt),
      end: (place) => line.asked('a cancel', () => line.client.privatePostV5OrderCancel(named(place))),
      see: (place) => this.#see(place),
    });
  }

  time(): Promise<number> {
    return this.#line.time();
  }

  prepare(order: VenueOrder): Promise<number> {
    return this.#preparation.prepare(order);
  }

  submit(order: VenueOrder, signedAt: number): Promise<VenueReport> {
    return this.#taken.submit(order, signedAt);
  }

  cancel(place: OrderPlace): Promise<VenueReport> {
    return this.#taken.cancel(place);
  }

  find(place: OrderPlace): Promise<VenueReport | null> {
    return this.#taken.find(place);
  }

  async open(): Promise<string[]> {
    const names: string[] = [];
    for (let cursor = ''; ; ) {
      const request = { category: 'linear', settleCoin: 'USDT', limit: MOST, ...(cursor && { cursor }) };
      const { result } = await this.#line.asked<{ result?: { list?: Raw[]; nextPageCursor?: unknown } }>(
        'open orders',
        () => this.#line.client.privateGetV5OrderRealtime(request),
      );
      if (!Array.isArray(result?.list)) throw new Unanswered('open orders');
      names.push(...result.list.map(({ orderLinkId }) => String(orderLinkId)));
      cursor = String(result.nextPageCursor ?? '');
      if (cursor === '' || result.list.length < MOST) return names;
    }
  }

  /** That of Bybit is of all contracts of the account. */
  countDown(_together: string, ms: number): Promise<void> {
    return ms > 0 ? this.#protection.hold(ms) : this.#protection.release();
  }

  async #setLeverage(symbol: string, leverage: string): Promise<void> {
    const request = { ...placeOf(symbol), buyLeverage: leverage, sellLeverage: leverage };
    const set = () => this.#line.client.privatePostV5PositionSetLeverage(request);
    try {
      await this.#line.asked('the leverage', set, true);
    } catch (error) {
      if (!saysOneOf([UNCHANGED], error)) throw error;
    }
  }

  async #send(order: VenueOrder, signedAt: number) {
    const { symbol, side, type, quantity: qty, limitPrice: price, reduceOnly } = order;
    const request = {
      ...{ ...named(order), side: side === 'buy' ? 'Buy' : 'Sell', orderType: 'Limit', qty, price },
      timeInForce: type === 'maker' ? 'PostOnly' : 'IOC',
      // Nothing is borrowed for spot.
      ...(isSpot(symbol) ? { isLeverage: 0 } : { positionIdx: 0, reduceOnly }),
    };
    const { client } = this.#line;
    const headers = { signedAt: String(signedAt) };
    const { result, time } = await this.#line.asked<{ result?: Raw; time?: unknown }>(
      'an order',
      () => client.request('v5/order/create', 'private', 'POST', request, headers),
      true,
    );
    const at = Number(time);
    if (result?.orderLinkId !== request.orderLinkId || !result.orderId || !(at > 0)) throw new Unanswered('an order');
    return { exchangeId: String(result.orderId), at };
  }

  /** Those that ended last are told with those that live, until Bybit is restarted; then they are found among older ones alone. */
  async #see(place: OrderPlace): Promise<Seen | null> {
    const { client } = this.#line;
    // Without times it tells of the last seven days.
    const sent = { startTime: place.signedAt, endTime: place.signedAt + 7 * DAY_MS };
    const row =
      (await this.#first(() => client.privateGetV5OrderRealtime(named(place)))) ??
      (await this.#first(() => client.privateGetV5OrderHistory({ ...named(place), ...sent })));
    return row === undefined ? null : seenOf(row, place.clientId);
  }

  async #first(question: () => Promise<unknown>): Promise<Raw | undefined> {
    const { result } = await this.#line.asked<{ result?: { list?: Raw[] } }>('a lookup', question);
    if (!Array.isArray(result?.list)) throw new Unanswered('a lookup');
    return result.list[0];
  }
}

const named = ({ symbol, clientId }: Omit<OrderPlace, 'signedAt'>) => ({
  ...placeOf(symbol),
  orderLinkId: exchangeIdOf(clientId),
});

/** What ended otherwise than by somebody's hand has expired. */
function stateOf({ orderStatus, timeInForce, rejectReason }: Raw): VenueOrderState | undefined {
  const state = STATES[String(orderStatus)];
  return state === 'cancelled' && (timeInForce === 'IOC' || rejectReason === WOULD_TAKE) ? 'expired' : state;
}

/** @throws Unanswered where it is not about the order, or says nothing that is understood */
function seenOf(row: Raw, clientId: string): Seen {
  const state = stateOf(row);
  const [at, filledQuantity] = [Number(row.updatedTime), String(row.cumExecQty)];
  const isWhole = row.orderLinkId === exchangeIdOf(clientId) && Boolean(row.orderId) && at > 0;
  if (!isWhole || state === undefined || !/^\d+(\.\d+)?$/.test(filledQuantity)) throw new Unanswered('an order');
  return {
    report: { clientId, exchangeId: String(row.orderId), state, filledQuantity, at },
    wouldCross: row.rejectReason === WOULD_TAKE && Number(filledQuantity) === 0,
  };
}
