import Big from 'big.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/duration';
import type { KeyHoldings, KeySilence } from '../../keyCheck';
import type { Side } from '../../venue';
import { binanceHoldings } from '../binanceKey';
import type { Raw } from '../ownClient';
import type { BinanceLine } from './binanceLine';
import { isSpot, nameAt } from './binanceOrders';
import { Unanswered } from './unanswered';

/** Rows of one answer. */
const MOST = 1_000;
/** What one question about times may span. */
const SPAN_MS = { spot: DAY_MS, futures: 7 * DAY_MS };

/** One own trade, whoever sent the order. */
export interface OwnTrade {
  symbol: string;
  id: number;
  /** The exchange's number of its order. */
  order: string;
  side: Side;
  quantity: string;
  price: string;
  /** Above zero is paid. */
  fee: string;
  feeAsset: string;
  maker: boolean;
  at: number;
}

/** What moved money of futures. */
export interface Income {
  kind: string;
  /** Unique of its kind. */
  id: string;
  /** Empty where it belongs to none. */
  symbol: string;
  asset: string;
  amount: string;
  /** Of what a trade brought. */
  trade: number | null;
  at: number;
}

/** Where a symbol's trades are read from: after a number, or from an instant on where there is none. */
interface TradesFrom {
  id: number | null;
  from: number;
}

/** What binance keeps of one account: the truth, by its numbers and times. */
export class BinanceRecords {
  readonly #line: BinanceLine;

  constructor(line: BinanceLine) {
    this.#line = line;
  }

  time(): Promise<number> {
    return this.#line.time();
  }

  /** Ascending. @throws Unanswered */
  async trades(symbol: string, { id, from }: TradesFrom, until: number): Promise<OwnTrade[]> {
    const found: OwnTrade[] = [];
    let after = id;
    // Until there is one, by windows; from there on by number, which no window ends.
    for (let start = from; after === null && start <= until; ) {
      const end = Math.min(until, start + SPAN_MS[isSpot(symbol) ? 'spot' : 'futures']);
      const rows = await this.#trades(symbol, { startTime: start, endTime: end });
      found.push(...rows);
      after = rows.at(-1)?.id ?? null;
      start = end + 1;
    }
    while (after !== null) {
      const rows = await this.#trades(symbol, { fromId: after + 1 });
      found.push(...rows);
      after = rows.length < MOST ? null : rows.at(-1)!.id;
    }
    return found;
  }

  /** Ascending by time. @throws Unanswered */
  async income(from: number, until: number): Promise<Income[]> {
    const found = new Map<string, Income>();
    for (let start = from; start <= until; ) {
      const request = { startTime: start, endTime: until, limit: MOST };
      const rows = await this.#line.asked<Raw[]>('the income', () => this.#line.client.fapiPrivateGetIncome(request));
      const before = found.size;
      for (const income of rows.map(incomeOf)) found.set(nameOf(income), income);
      if (rows.length < MOST) break;
      if (found.size === before) throw new Unanswered('the income');
      // More of the same instant may follow.
      start = [...found.values()].at(-1)!.at;
    }
    return [...found.values()].sort((a, b) => a.at - b.at);
  }

  /** Wallets and positions as they stand. @throws Unanswered */
  async holdings(): Promise<KeyHoldings> {
    const held = await this.#line.asked<KeyHoldings | KeySilence>('what is held', () =>
      binanceHoldings(this.#line.client, (question) => question()),
    );
    if (held.outcome !== 'accepted') throw new Unanswered('what is held');
    return held;
  }

  /** What the client called an order of a number. @throws Unanswered */
  async nameOfOrder(symbol: string, order: string): Promise<string> {
    const { client } = this.#line;
    const request = { symbol: nameAt(symbol), orderId: order };
    const row = await this.#line.asked('an order', () =>
      isSpot(symbol) ? client.privateGetOrder(request) : client.fapiPrivateGetOrder(request),
    );
    if (typeof row.clientOrderId !== 'string') throw new Unanswered('an order');
    return row.clientOrderId;
  }

  /** The newest settlement until an instant; undefined where there was none of late. @throws Unanswered */
  async settlement(symbol: string, until: number): Promise<{ at: number; rate: string; mark: string } | undefined> {
    const request = { symbol: nameAt(symbol), startTime: until - 9 * HOUR_MS, endTime: until, limit: 100 };
    const rows = await this.#line.asked<Raw[]>('settlements', () =>
      this.#line.client.fapiPublicGetFundingRate(request),
    );
    const row = rows.at(-1);
    if (row === undefined) return undefined;
    return { at: Number(row.fundingTime), rate: decimal(row.fundingRate), mark: decimal(row.markPrice) };
  }

  /** What an asset was worth then, USDT. @throws Unanswered */
  async priceThen(asset: string, at: number): Promise<string> {
    const request = { symbol: `${asset}USDT`, interval: '1m', startTime: at - MINUTE_MS, limit: 1 };
    const rows = await this.#line.asked<unknown[][]>('a price', () => this.#line.client.publicGetKlines(request));
    return decimal(rows[0]?.[4]);
  }

  /** Numbers of what went between the account's own wallets. @throws Unanswered */
  async ownTransfers(from: number): Promise<Set<string>> {
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
    return rows.map((row) => tradeOf(symbol, row)).sort((a, b) => a.id - b.id);
  }
}

/** An event of it has that name for ever. */
export const nameOf = ({ kind, id, symbol }: Income): string => `income:${kind}:${id}:${symbol}`;

/** @throws Unanswered for what is no figure: nothing is booked of it */
function decimal(value: unknown): string {
  try {
    return new Big(String(value)).toFixed();
  } catch {
    throw new Unanswered('a figure');
  }
}

function whole(value: unknown): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number) || number < 0) throw new Unanswered('a number');
  return number;
}

/** Of some symbols orders have longer numbers than a float holds; the library leaves them as text. */
function digits(value: unknown): string {
  const text = String(value);
  if (!/^\d+$/.test(text)) throw new Unanswered('a number');
  return text;
}

function tradeOf(symbol: string, row: Raw): OwnTrade {
  const isBuyer = (row.isBuyer ?? row.buyer) === true;
  return {
    ...{ symbol, id: whole(row.id), order: digits(row.orderId), side: isBuyer ? 'buy' : 'sell' },
    ...{ quantity: decimal(row.qty), price: decimal(row.price), at: whole(row.time) },
    ...{ fee: decimal(row.commission), feeAsset: String(row.commissionAsset) },
    maker: (row.isMaker ?? row.maker) === true,
  };
}

function incomeOf(row: Raw): Income {
  const trade = row.tradeId === '' || row.tradeId === undefined ? null : whole(row.tradeId);
  return {
    ...{ kind: String(row.incomeType), id: String(row.tranId), symbol: String(row.symbol ?? '') },
    ...{ asset: String(row.asset), amount: decimal(row.income), trade, at: whole(row.time) },
  };
}
