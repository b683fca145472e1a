import Big from 'big.js';
import { SECOND_MS } from '#contract/duration';
import { plain } from '../../../base/maths/decimal';
import { type VenueOrder, type VenueOrderState, VenueRefused, type VenueReport } from '../../venue';
import { isSpot } from '../listing';
import { idOf } from '../okxNames';
import type { Code, Raw } from '../ownClient';
import { contractSize } from './figures';
import { exchangeIdOf } from './orderId';
import { Pace } from './pace';
import { Preparation } from './preparation';
import type { OrderPlace, RealLine, RealOrders } from './realExchange';
import { type Seen, TakenOrders } from './takenOrders';
import { saysOneOf, Unanswered } from './unanswered';

/** How long after it was signed an order is taken: OKX is told so with each. */
export const TAKEN_WITHIN_MS = 5 * SECOND_MS;
/** Rows of one answer. */
const MOST = 100;
const UNKNOWN_ORDER = 51603;
/** It was filled, cancelled, or is not there; it is being cancelled. */
const NOT_CANCELLED: readonly Code[] = [51400, 51401, 51402, 51410, UNKNOWN_ORDER];
/** The time is counted by the address, ten within two seconds: others ask for it too. */
const TIME_EVERY_MS = 400;
/** How often the countdown may be told something. */
const COUNTDOWN_EVERY_MS = 1.1 * SECOND_MS;
/** What ended an order, by OKX's number of it. */
const BY_WOULD_TAKE = '31';

/** The orders of one key at OKX. */
export class OkxOrders implements RealOrders {
  readonly #line: RealLine<'okx'>;
  readonly #preparation: Preparation;
  readonly #taken: TakenOrders;
  readonly #countdowns: Pace;
  readonly #clock: Pace;

  constructor(line: RealLine<'okx'>) {
    this.#line = line;
    this.#countdowns = new Pace(COUNTDOWN_EVERY_MS, line.signal);
    this.#clock = new Pace(TIME_EVERY_MS, line.signal);
    this.#preparation = new Preparation(line, (symbol, lever) =>
      line.asked(
        'the leverage',
        () => line.client.privatePostAccountSetLeverage({ instId: idOf(symbol), lever, mgnMode: 'cross' }),
        true,
      ),
    );
    this.#taken = new TakenOrders({
      ...{ preparation: this.#preparation, notEnded: NOT_CANCELLED },
      send: (order, signedAt) => this.#send(order, signedAt),
      end: (place) => this.#first('a cancel', () => this.#post('trade/cancel-order', named(place))),
      see: (place) => this.#seen(place),
    });
  }

  time(): Promise<number> {
    return this.#clock.ask(() => this.#line.time());
  }

  async prepare(order: VenueOrder): Promise<number> {
    // What is not listed has no contracts that it could be counted in.
    if (this.#line.contractSizeOf(order.symbol) === null) throw new VenueRefused('unknownSymbol');
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
    for (let after: string | undefined; ; ) {
      const request = { limit: String(MOST), ...(after && { after }) };
      const { data } = await this.#line.asked<{ data?: Raw[] }>('open orders', () =>
        this.#line.client.privateGetTradeOrdersPending(request),
      );
      if (!Array.isArray(data)) throw new Unanswered('open orders');
      names.push(...data.map(({ clOrdId }) => String(clOrdId)));
      if (data.length < MOST) return names;
      after = String(data.at(-1)!.ordId);
    }
  }

  /** That of OKX is of the whole account. */
  async countDown(_together: string, ms: number): Promise<void> {
    const timeOut = String(Math.round(ms / SECOND_MS));
    await this.#countdowns.ask(() =>
      this.#line.asked('the countdown', () => this.#line.client.privatePostTradeCancelAllAfter({ timeOut })),
    );
  }

  async #send(order: VenueOrder, signedAt: number) {
    const { symbol, clientId, side, type, quantity, limitPrice: px, reduceOnly } = order;
    const request = {
      ...{ instId: idOf(symbol), tdMode: isSpot(symbol) ? 'cash' : 'cross', clOrdId: exchangeIdOf(clientId), side, px },
      ...{
        ordType: type === 'maker' ? 'post_only' : 'ioc',
        sz: plain(new Big(quantity).div(contractSize(this.#line, symbol))),
      },
      ...(reduceOnly && !isSpot(symbol) && { reduceOnly: true }),
    };
    const headers = { expTime: String(signedAt + TAKEN_WITHIN_MS) };
    const row = await this.#first('an order', () => this.#post('trade/order', request, headers), true);
    const at = Number(row.ts);
    if (row.clOrdId !== request.clOrdId || !/^\d+$/.test(String(row.ordId)) || !(at > 0))
      throw new Unanswered('an order');
    return { exchangeId: String(row.ordId), at };
  }

  /** null where nobody knows the order. @throws Unanswered */
  async #seen(place: OrderPlace): Promise<Seen | null> {
    try {
      const row = await this.#first('a lookup', () => this.#line.client.privateGetTradeOrder(named(place)));
      return seenOf(row, place.clientId, contractSize(this.#line, place.symbol));
    } catch (error) {
      if (saysOneOf([UNKNOWN_ORDER], error)) return null;
      throw error;
    }
  }

  #post(path: string, request: object, headers: Record<string, string> = {}): Promise<unknown> {
    return this.#line.client.request(path, 'private', 'POST', request, headers);
  }

  /** The only row of an answer. @throws VenueRefused, Unanswered */
  async #first(what: string, question: () => Promise<unknown>, isOrder = false): Promise<Raw> {
    const { data } = await this.#line.asked<{ data?: Raw[] }>(what, question, isOrder);
    const row = Array.isArray(data) ? data[0] : undefined;
    if (row === undefined) throw new Unanswered(what);
    return row;
  }
}

const named = ({ symbol, clientId }: OrderPlace) => ({ instId: idOf(symbol), clOrdId: exchangeIdOf(clientId) });

/** What ended otherwise than by somebody's hand has expired. */
function stateOf({ state, ordType, cancelSource }: Raw): VenueOrderState | undefined {
  if (state === 'live' || state === 'partially_filled') return 'open';
  if (state === 'filled') return 'filled';
  if (state !== 'canceled' && state !== 'mmp_canceled') return undefined;
  return ordType === 'ioc' || cancelSource === BY_WOULD_TAKE ? 'expired' : 'cancelled';
}

/** @throws Unanswered where it is not about the order, or says nothing that is understood */
function seenOf(row: Raw, clientId: string, size: string): Seen {
  const state = stateOf(row);
  const [at, filled] = [Number(row.uTime), String(row.accFillSz)];
  const isWhole = row.clOrdId === exchangeIdOf(clientId) && /^\d+$/.test(String(row.ordId)) && at > 0;
  if (!isWhole || state === undefined || !/^\d+(\.\d+)?$/.test(filled)) throw new Unanswered('an order');
  const filledQuantity = plain(new Big(filled).times(size));
  return {
    report: { clientId, exchangeId: String(row.ordId), state, filledQuantity, at },
    wouldCross: row.cancelSource === BY_WOULD_TAKE && filledQuantity === '0',
  };
}
