import Big from 'big.js';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#contract/duration';
import { plain } from '../../../base/maths/decimal';
import type { KeyHoldings } from '../../keyCheck';
import type { VenueFill } from '../../venue';
import { kindOfName } from '../listing';
import { heldOf } from '../okxKey';
import { idOf, symbolOf, typeOf } from '../okxNames';
import type { Raw } from '../ownClient';
import { contractSize, decimal, digits, whole } from './figures';
import { Pace } from './pace';
import type { Income, OwnTrade, RealLine, RealRecords, TradesFrom } from './realExchange';
import { Unanswered } from './unanswered';

/** Rows of one answer. */
const MOST = 100;
/** The exchange's time is reckoned from what it was so long ago: it counts who asks for it by the address. */
const TIME_KEPT_MS = 10 * SECOND_MS;
/** What is older is kept elsewhere. */
const KEPT_MS = { fills: 3 * DAY_MS - HOUR_MS, bills: 7 * DAY_MS - HOUR_MS };
/** Five of each within a second. */
const EVERY_MS = 220;
/** Of one answer of minutes. */
const MINUTES_KEPT_MS = 12 * HOUR_MS;

/** What a bill is of, by OKX's number of it. */
const FUNDING = '8';
const DELIVERY = '3';
/** Trades, and those with which it closes a position by itself. */
const TRADES = ['2', '5', '9'];
/** What is part of the result: interest, clawback, shared profit. */
const RESULTS = ['7', '10', '18'];

type Forced = NonNullable<VenueFill['forced']>;
/** What it was closed for, by what an order is called. */
const CATEGORIES: Readonly<Record<string, Forced>> = {
  full_liquidation: 'liquidation',
  partial_liquidation: 'liquidation',
  adl: 'adl',
  delivery: 'delivery',
};
/** What it was closed for, by the first and last number of what a trade is called. */
const SUB_TYPES: readonly (readonly [number, number, Forced])[] = [
  [100, 111, 'liquidation'],
  [112, 113, 'delivery'],
  [125, 128, 'adl'],
];
const forcedBy = (subType: unknown): Forced | undefined =>
  SUB_TYPES.find(([first, last]) => Number(subType) >= first && Number(subType) <= last)?.[2];

/** What OKX keeps of one account: the truth, by its times and bills. */
export class OkxRecords implements RealRecords {
  readonly #line: RealLine<'okx'>;
  readonly #paces: Record<'held' | 'bills' | 'fills', Pace>;

  constructor(line: RealLine<'okx'>) {
    this.#line = line;
    const pace = () => new Pace(EVERY_MS, line.signal);
    this.#paces = { held: pace(), bills: pace(), fills: pace() };
  }

  time(): Promise<number> {
    return this.#line.now(TIME_KEPT_MS);
  }

  /** They are read on by time: the exchange's own closes have numbers below zero. */
  numberOf(): null {
    return null;
  }

  async trades(symbol: string, { from }: TradesFrom, until: number): Promise<OwnTrade[]> {
    const { client } = this.#line;
    const isOld = from < until - KEPT_MS.fills;
    const request = { instType: typeOf(symbol), instId: idOf(symbol), begin: String(from), limit: String(MOST) };
    const rows = await this.#all('own trades', this.#paces.fills, (after) =>
      isOld
        ? client.privateGetTradeFillsHistory({ ...request, ...after })
        : client.privateGetTradeFills({ ...request, ...after }),
    );
    // What a delivery closes stands among the bills alone, or there too.
    return rows
      .filter(({ subType }) => forcedBy(subType) !== 'delivery')
      .map((row) => this.#tradeOf(symbol, row))
      .sort((a, b) => a.at - b.at);
  }

  async income(from: number, until: number): Promise<Income[]> {
    const { client } = this.#line;
    const isOld = from < until - KEPT_MS.bills;
    const request = { begin: String(from), limit: String(MOST) };
    const rows = await this.#all('the bills', this.#paces.bills, (after) =>
      isOld
        ? client.privateGetAccountBillsArchive({ ...request, ...after })
        : client.privateGetAccountBills({ ...request, ...after }),
    );
    return rows.map((row) => this.#incomeOf(row)).sort((a, b) => a.at - b.at);
  }

  async holdings(): Promise<KeyHoldings> {
    const { client } = this.#line;
    const [balances, positions] = await this.#paces.held.ask(() =>
      Promise.all([
        this.#rows('what is held', () => client.privateGetAccountBalance()),
        this.#rows('what is held', () => client.privateGetAccountPositions()),
      ]),
    );
    try {
      return heldOf(balances[0]!, positions, this.#line.contractSizeOf);
    } catch {
      throw new Unanswered('what is held');
    }
  }

  async originOf(symbol: string, order: string) {
    const { client } = this.#line;
    const asked = { instId: idOf(symbol), ordId: order };
    const [row] = await this.#rows('an order', () => client.privateGetTradeOrder(asked));
    if (typeof row?.clOrdId !== 'string') throw new Unanswered('an order');
    const forced = CATEGORIES[String(row.category)];
    return { name: row.clOrdId, ...(forced && { forced }) };
  }

  async settlement(symbol: string, until: number) {
    if (kindOfName(symbol) !== 'perpetual') return undefined;
    const request = { instId: idOf(symbol), after: String(until + 1), limit: '1' };
    const [row] = await this.#rows('settlements', () => this.#line.client.publicGetPublicFundingRateHistory(request));
    if (row === undefined || whole(row.fundingTime) < until - 9 * HOUR_MS) return undefined;
    // At which mark it settled is not told.
    return { at: whole(row.fundingTime), rate: decimal(row.realizedRate), mark: null };
  }

  async priceThen(asset: string, at: number): Promise<string> {
    const { client } = this.#line;
    const request = { instId: `${asset}-USDT`, bar: '1m', after: String(at + 1), limit: '1' };
    const isOld = at < client.nonce() - MINUTES_KEPT_MS;
    const { data } = await this.#line.asked<{ data?: unknown[][] }>('a price', () =>
      isOld ? client.publicGetMarketHistoryCandles(request) : client.publicGetMarketCandles(request),
    );
    const [opened, , , , close] = data?.[0] ?? [];
    if (!(Number(opened) > at - 10 * MINUTE_MS)) throw new Unanswered('a price');
    return decimal(close);
  }

  /** There is one wallet: what comes to it came from outside of it. */
  async ownTransfers(): Promise<Set<string>> {
    return new Set();
  }

  async #rows(what: string, question: () => Promise<unknown>): Promise<Raw[]> {
    const { data } = await this.#line.asked<{ data?: Raw[] }>(what, question);
    if (!Array.isArray(data)) throw new Unanswered(what);
    return data;
  }

  /** All pages, newest first. */
  async #all(what: string, pace: Pace, page: (after: { after?: string }) => Promise<unknown>): Promise<Raw[]> {
    const found = new Map<string, Raw>();
    for (let after: string | undefined; ; ) {
      const from = after === undefined ? {} : { after };
      const rows = await pace.ask(() => this.#rows(what, () => page(from)));
      const before = found.size;
      for (const row of rows) found.set(digits(row.billId), row);
      if (rows.length < MOST) return [...found.values()].reverse();
      if (found.size === before) throw new Unanswered(what);
      after = digits(rows.at(-1)!.billId);
    }
  }

  #tradeOf(symbol: string, row: Raw): OwnTrade {
    const forced = forcedBy(row.subType);
    const name = String(row.clOrdId ?? '');
    // Of one without a name only its order tells whether the exchange sent it.
    const origin = forced || name ? { name, ...(forced && { forced }) } : undefined;
    return {
      ...{ symbol, id: tradeNumber(row.tradeId), order: digits(row.ordId), side: row.side === 'buy' ? 'buy' : 'sell' },
      ...{
        quantity: plain(new Big(decimal(row.fillSz)).times(contractSize(this.#line, symbol))),
        price: decimal(row.fillPx),
      },
      // What is paid is below zero.
      ...{ fee: plain(new Big(decimal(row.fee)).neg()), feeAsset: String(row.feeCcy), maker: row.execType === 'M' },
      ...{ at: whole(row.ts), ...(origin && { origin }) },
    };
  }

  #incomeOf(row: Raw): Income {
    const type = String(row.type);
    const symbol = symbolOf(String(row.instId ?? '')) ?? '';
    const told = {
      ...{ name: `bill:${digits(row.billId)}`, transfer: null, symbol, asset: String(row.ccy) },
      ...{ amount: decimal(row.balChg), trade: null, at: whole(row.ts) },
    };
    // What moved money where nothing of ours is traded comes from outside of the books.
    if (symbol === '') return { ...told, means: RESULTS.includes(type) ? 'result' : 'transfer' };
    if (TRADES.includes(type)) return { ...told, means: 'trade', trade: tradeNumber(row.tradeId) };
    if (type === DELIVERY) return { ...told, means: 'delivery', closed: this.#deliveredOf(symbol, row) };
    if (type === FUNDING) return { ...told, means: 'funding', ...(Number(row.px) > 0 && { mark: decimal(row.px) }) };
    return { ...told, means: RESULTS.includes(type) ? 'result' : 'transfer' };
  }

  /** A delivery closes without an order. */
  #deliveredOf(symbol: string, row: Raw): OwnTrade {
    return {
      ...{ symbol, id: `delivery${digits(row.billId)}`, order: '', side: row.subType === '113' ? 'buy' : 'sell' },
      ...{ quantity: plain(new Big(decimal(row.sz)).times(contractSize(this.#line, symbol))), price: decimal(row.px) },
      ...{ fee: plain(new Big(decimal(row.fee)).neg()), feeAsset: String(row.ccy), maker: false, at: whole(row.ts) },
      origin: { name: '', forced: 'delivery' },
    };
  }
}

/** The exchange's own closes are numbered below zero. */
function tradeNumber(value: unknown): string {
  const text = String(value);
  if (!/^-?\d+$/.test(text)) throw new Unanswered('a number');
  return text;
}
