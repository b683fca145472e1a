import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/duration';
import type { LeverageBracket } from '../../exchange';
import type { KeyHoldings, KeySilence } from '../../keyCheck';
import type { VenueFill } from '../../venue';
import { isOnTestnet } from '../address';
import { binanceHoldings } from '../binanceKey';
import { isSpot } from '../listing';
import type { Raw } from '../ownClient';
import { nameAt } from './binanceOrders';
import { decimal, digits, whole } from './figures';
import type { Income, OwnTrade, RealLine, RealRecords, TradesFrom } from './realExchange';
import { Unanswered } from './unanswered';

/** Rows of one answer. */
const MOST = 1_000;
/** What one question about times may span. */
const SPAN_MS = { spot: DAY_MS, futures: 7 * DAY_MS };
/** A settlement is dated no later than this after its full hour. */
const LATER_MS = MINUTE_MS;

/** Of `IN_TRADES` the trades tell it. */
const IN_TRADES = ['COMMISSION', 'REALIZED_PNL', 'DELIVERED_SETTELMENT'];
const FUNDING = 'FUNDING_FEE';
/** Between the account's own wallets, or from outside. */
const TRANSFER = 'TRANSFER';
/** Money from outside, or to it, whatever binance calls it. */
const OUTSIDE = [TRANSFER, 'INTERNAL_TRANSFER', 'STRATEGY_UMFUTURES_TRANSFER', 'CROSS_COLLATERAL_TRANSFER'];
/** What binance calls orders with which it closes a position by itself. */
const FORCED: readonly (readonly [RegExp, NonNullable<VenueFill['forced']>])[] = [
  [/^autoclose-/, 'liquidation'],
  [/^adl_autoclose/, 'adl'],
  [/^(settlement|delivery)_autoclose/, 'delivery'],
];

export class BinanceRecords implements RealRecords {
  readonly #line: RealLine<'binance'>;

  constructor(line: RealLine<'binance'>) {
    this.#line = line;
  }

  time(): Promise<number> {
    return this.#line.time();
  }

  async trades(symbol: string, { id, from }: TradesFrom, until: number): Promise<OwnTrade[]> {
    const found: OwnTrade[] = [];
    let after = id;
    // Until there is one, by windows; from there on by number, which no window ends.
    for (let start = from; after === null && start <= until; ) {
      const end = Math.min(until, start + SPAN_MS[isSpot(symbol) ? 'spot' : 'futures']);
      const rows = await this.#trades(symbol, { startTime: start, endTime: end });
      found.push(...rows);
      after = lastOf(rows);
      start = end + 1;
    }
    while (after !== null) {
      const rows = await this.#trades(symbol, { fromId: after + 1 });
      found.push(...rows);
      after = rows.length < MOST ? null : lastOf(rows);
    }
    return found;
  }

  numberOf({ id }: Pick<OwnTrade, 'id'>): number {
    return whole(id);
  }

  async income(from: number, until: number): Promise<Income[]> {
    const found = new Map<string, Income>();
    for (let start = from; start <= until; ) {
      const request = { startTime: start, endTime: until, limit: MOST };
      const rows = await this.#line.asked<Raw[]>('the income', () => this.#line.client.fapiPrivateGetIncome(request));
      const before = found.size;
      for (const income of rows.map(incomeOf)) found.set(income.name, income);
      if (rows.length < MOST) break;
      if (found.size === before) throw new Unanswered('the income');
      // More of the same instant may follow.
      start = [...found.values()].at(-1)!.at;
    }
    return [...found.values()].sort((a, b) => a.at - b.at);
  }

  async holdings(): Promise<KeyHoldings> {
    const held = await this.#line.asked<KeyHoldings | KeySilence>('what is held', () =>
      binanceHoldings(this.#line.client, (question) => question()),
    );
    if (held.outcome !== 'accepted') throw new Unanswered('what is held');
    return held;
  }

  async brackets(): Promise<Map<string, LeverageBracket[]>> {
    const rows = await this.#line.asked<Raw[]>('the brackets', () => this.#line.client.fapiPrivateGetLeverageBracket());
    return new Map(
      rows.map(({ symbol, brackets }) => [
        String(symbol),
        (brackets as Raw[])
          .map(({ notionalCap, initialLeverage, maintMarginRatio, cum }) => ({
            ...{ cap: Number(notionalCap), maxLeverage: Number(initialLeverage) },
            ...{ maintenanceRate: Number(maintMarginRatio), deducted: Number(cum) },
          }))
          .sort((a, b) => a.cap - b.cap),
      ]),
    );
  }

  async originOf(symbol: string, order: string) {
    const { client } = this.#line;
    const request = { symbol: nameAt(symbol), orderId: order };
    const row = await this.#line.asked('an order', () =>
      isSpot(symbol) ? client.privateGetOrder(request) : client.fapiPrivateGetOrder(request),
    );
    const name = row.clientOrderId;
    if (typeof name !== 'string') throw new Unanswered('an order');
    const forced = FORCED.find(([form]) => form.test(name))?.[1];
    return { name, ...(forced && { forced }) };
  }

  /** It is dated by the full hour, as its money is: binance says a few milliseconds more. */
  async settlement(symbol: string, until: number) {
    const span = { startTime: until - 9 * HOUR_MS, endTime: until + LATER_MS };
    const request = { symbol: nameAt(symbol), ...span, limit: 100 };
    const rows = await this.#line.asked<Raw[]>('settlements', () =>
      this.#line.client.fapiPublicGetFundingRate(request),
    );
    const row = rows.findLast(({ fundingTime }) => hourOf(fundingTime) <= until);
    if (row === undefined) return undefined;
    return { at: hourOf(row.fundingTime), rate: decimal(row.fundingRate), mark: decimal(row.markPrice) };
  }

  async priceThen(asset: string, at: number): Promise<string> {
    const request = { symbol: `${asset}USDT`, interval: '1m', startTime: at - MINUTE_MS, limit: 1 };
    const rows = await this.#line.asked<unknown[][]>('a price', () => this.#line.client.publicGetKlines(request));
    return decimal(rows[0]?.[4]);
  }

  async ownTransfers(from: number): Promise<Set<string>> {
    // Its test network does not tell of them: what moves between wallets there is said to come from outside.
    if (isOnTestnet(this.#line.client)) return new Set();
    const rows = await Promise.all(
      ['MAIN_UMFUTURE', 'UMFUTURE_MAIN'].map(async (type) => {
        const request = { type, startTime: from, size: 100 };
        const page = await this.#line.asked('transfers', () => this.#line.client.sapiGetAssetTransfer(request));
        return (page.rows as Raw[] | undefined) ?? [];
      }),
    );
    return new Set(rows.flat().map(({ tranId }) => String(tranId)));
  }

  async #trades(symbol: string, which: Record<string, number>): Promise<OwnTrade[]> {
    const { client } = this.#line;
    const request = { symbol: nameAt(symbol), limit: MOST, ...which };
    const rows = await this.#line.asked<Raw[]>('own trades', () =>
      isSpot(symbol) ? client.privateGetMyTrades(request) : client.fapiPrivateGetUserTrades(request),
    );
    return rows.map((row) => tradeOf(symbol, row)).sort((a, b) => Number(a.id) - Number(b.id));
  }
}

/** The full hour that an instant is of, UTC ms, where it is one but for a moment. */
function hourOf(time: unknown): number {
  const at = whole(time);
  const hour = Math.round(at / HOUR_MS) * HOUR_MS;
  return Math.abs(at - hour) <= LATER_MS ? hour : at;
}

const lastOf = (rows: readonly OwnTrade[]): number | null => (rows.length === 0 ? null : Number(rows.at(-1)!.id));

function tradeOf(symbol: string, row: Raw): OwnTrade {
  const isBuyer = (row.isBuyer ?? row.buyer) === true;
  return {
    ...{ symbol, id: String(whole(row.id)), order: digits(row.orderId), side: isBuyer ? 'buy' : 'sell' },
    ...{ quantity: decimal(row.qty), price: decimal(row.price), at: whole(row.time) },
    ...{ fee: decimal(row.commission), feeAsset: String(row.commissionAsset) },
    maker: (row.isMaker ?? row.maker) === true,
  };
}

function incomeOf(row: Raw): Income {
  const [kind, id, symbol] = [String(row.incomeType), String(row.tranId), String(row.symbol ?? '')];
  const trade = row.tradeId === '' || row.tradeId === undefined ? null : String(whole(row.tradeId));
  return {
    ...{ name: `income:${kind}:${id}:${symbol}`, means: meaningOf(kind), transfer: kind === TRANSFER ? id : null },
    ...{ symbol, asset: String(row.asset), amount: decimal(row.income), trade, at: whole(row.time) },
  };
}

/** What is neither from outside nor of a trade is part of the result: rebates, insurance. */
function meaningOf(kind: string): Income['means'] {
  if (IN_TRADES.includes(kind)) return 'trade';
  if (kind === FUNDING) return 'funding';
  return OUTSIDE.includes(kind) ? 'transfer' : 'result';
}
