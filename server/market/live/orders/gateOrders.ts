import Big from 'big.js';
import { MINUTE_MS, SECOND_MS } from '#contract/duration';
import { plain, signedBy } from '../../../base/maths/decimal';
import { type VenueOrder, type VenueOrderState, VenueRefused, type VenueReport } from '../../venue';
import { SETTLED } from '../gateKey';
import { placeOf } from '../gateNames';
import { isSpot, kindOfName } from '../listing';
import type { Code, Raw } from '../ownClient';
import { contractSize, decimal, digits } from './figures';
import { allRows } from './gateRows';
import { exchangeIdOf } from './orderId';
import { Preparation } from './preparation';
import type { OrderPlace, RealLine, RealOrders } from './realExchange';
import { saysOneOf, Unanswered } from './unanswered';

/** How long after it was signed an order is taken: Gate is told so with each. */
export const TAKEN_WITHIN_MS = 5 * SECOND_MS;
const NOBODY: readonly Code[] = ['ORDER_NOT_FOUND', 'CLIENT_ID_NOT_FOUND'];
/** It was filled, cancelled, or is not there. */
const NOT_CANCELLED: readonly Code[] = [...NOBODY, 'ORDER_FINISHED', 'ORDER_CLOSED', 'ORDER_CANCELLED'];
/** Rows of one answer. */
const MOST = 100;
/** What names of ours begin with there. */
export const OURS = 't-';
/** The exchange's clock is reckoned. */
const EARLIER_MS = MINUTE_MS;

/** The orders of one key at Gate: what is not at spot is counted in contracts, below zero of what is sold. */
export class GateOrders implements RealOrders {
  readonly #line: RealLine<'gate'>;
  readonly #preparation: Preparation;

  constructor(line: RealLine<'gate'>) {
    this.#line = line;
    this.#preparation = new Preparation(line, (symbol, limit) =>
      line.asked(
        'the leverage',
        () =>
          line.client.privateFuturesPostSettlePositionsContractLeverage({
            // Of zero it is cross.
            ...{ ...placeOf(symbol), leverage: '0', cross_leverage_limit: limit },
          }),
        true,
      ),
    );
  }

  time(): Promise<number> {
    return this.#line.time();
  }

  async prepare(order: VenueOrder): Promise<number> {
    // No order of a delivery future can be told until when it may come, nor be counted down.
    if (kindOfName(order.symbol) === 'future') throw new VenueRefused('noDeadline');
    if (this.#line.contractSizeOf(order.symbol) === null) throw new VenueRefused('unknownSymbol');
    return this.#preparation.prepare(order);
  }

  async submit(order: VenueOrder, signedAt: number): Promise<VenueReport> {
    const { symbol, clientId, side, type, quantity, limitPrice: price, reduceOnly } = order;
    const { client } = this.#line;
    const [text, tif] = [OURS + exchangeIdOf(clientId), type === 'maker' ? 'poc' : 'ioc'];
    const headers = { 'x-gate-exptime': String(signedAt + TAKEN_WITHIN_MS) };
    const common = { ...placeOf(symbol), text, price };
    const contracts = () => signedBy(side, new Big(quantity).div(contractSize(this.#line, symbol))).toNumber();
    const send = isSpot(symbol)
      ? () => {
          const request = { ...common, type: 'limit', time_in_force: tif, side, amount: quantity, account: 'spot' };
          return client.request('orders', ['private', 'spot'], 'POST', request, headers);
        }
      : () => {
          const request = { ...common, tif, size: contracts(), ...(reduceOnly && { reduce_only: true }) };
          return client.request('{settle}/orders', ['private', 'futures'], 'POST', request, headers);
        };
    try {
      return this.#reportOf(await this.#line.asked('an order', send, true), order);
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
        isSpot(place.symbol)
          ? client.privateSpotDeleteOrdersOrderId(request)
          : client.privateFuturesDeleteSettleOrdersOrderId(request),
      );
      return this.#reportOf(row, place);
    } catch (error) {
      if (!saysOneOf(NOT_CANCELLED, error)) throw error;
      // It ended before, or it has not arrived yet.
      const report = await this.find(place);
      if (report === null || report.state === 'open') throw error;
      return report;
    }
  }

  /** By name where that is known still, else among those that ended. */
  async find(place: OrderPlace): Promise<VenueReport | null> {
    const { client } = this.#line;
    const request = named(place);
    try {
      const row = await this.#line.asked('a lookup', () =>
        isSpot(place.symbol)
          ? client.privateSpotGetOrdersOrderId(request)
          : client.privateFuturesGetSettleOrdersOrderId(request),
      );
      return this.#reportOf(row, place);
    } catch (error) {
      if (!saysOneOf(NOBODY, error)) throw error;
    }
    const span = { from: place.signedAt - EARLIER_MS, until: client.nonce() };
    const ended = await allRows(this.#line, 'ended orders', 'id', span, ({ page, offset, ...rest }) =>
      isSpot(place.symbol)
        ? client.privateSpotGetOrders({ ...placeOf(place.symbol), ...rest, page, status: 'finished' })
        : client.privateFuturesGetSettleOrdersTimerange({ ...placeOf(place.symbol), ...rest, offset }),
    );
    const row = ended.find(({ text }) => text === request.order_id);
    return row === undefined ? null : this.#reportOf(row, place);
  }

  async open(): Promise<string[]> {
    const names: string[] = [];
    for (let offset = 0; ; offset += MOST) {
      const request = { ...SETTLED, status: 'open', limit: MOST, offset };
      const rows = await this.#line.asked<Raw[]>('open orders', () =>
        this.#line.client.privateFuturesGetSettleOrders(request),
      );
      if (!Array.isArray(rows)) throw new Unanswered('open orders');
      names.push(...rows.map(({ text }) => String(text).slice(OURS.length)));
      if (rows.length < MOST) return names;
    }
  }

  /** All of perpetuals; at spot nothing rests. */
  async countDown(_together: string, ms: number): Promise<void> {
    const request = { ...SETTLED, timeout: Math.round(ms / SECOND_MS) };
    await this.#line.asked('the countdown', () =>
      this.#line.client.privateFuturesPostSettleCountdownCancelAll(request),
    );
  }

  /** @throws Unanswered where it is not about the order, or says nothing that is understood */
  #reportOf(row: Raw, { symbol, clientId }: Pick<VenueOrder, 'symbol' | 'clientId'>): VenueReport {
    if (row.text !== OURS + exchangeIdOf(clientId)) throw new Unanswered('an order');
    const [sent, seconds] = isSpot(symbol)
      ? [row.amount, Number(row.update_time_ms) / SECOND_MS]
      : [row.size, Number(row.finish_time ?? row.update_time ?? row.create_time)];
    const filled = new Big(decimal(sent)).minus(decimal(row.left)).abs().times(contractSize(this.#line, symbol));
    const at = Math.round(seconds * SECOND_MS);
    if (!(at > 0)) throw new Unanswered('an order');
    return { clientId, exchangeId: digits(row.id), state: stateOf(row), filledQuantity: plain(filled), at };
  }
}

const named = ({ symbol, clientId }: OrderPlace) => ({ ...placeOf(symbol), order_id: OURS + exchangeIdOf(clientId) });

/** What ended otherwise than by somebody's hand has expired. */
function stateOf({ status, left, finish_as }: Raw): VenueOrderState {
  if (status === 'open') return 'open';
  if (!['closed', 'cancelled', 'finished'].includes(String(status))) throw new Unanswered('an order');
  if (Number(left) === 0) return 'filled';
  return finish_as === 'cancelled' ? 'cancelled' : 'expired';
}
