import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#contract/duration';
import type { KeyHoldings } from '../../keyCheck';
import type { VenueFill } from '../../venue';
import { held, pagesOf } from '../bybitKey';
import { idOf, placeOf, symbolOf } from '../bybitNames';
import { isSpot, kindOfName } from '../listing';
import type { Raw } from '../ownClient';
import { decimal, whole } from './figures';
import type { Income, OwnTrade, RealLine, RealRecords, TradesFrom } from './realExchange';
import { Unanswered } from './unanswered';

/** Rows of one answer. */
const MOST = { trades: 100, log: 50 };
/** What one question about times may span. */
const SPAN_MS = 7 * DAY_MS;

/** How long the exchange's time is reckoned from what it was told as. */
const TIME_KEPT_MS = 10 * SECOND_MS;

/** What the log calls trades, and those with which Bybit closes a position by itself. */
const TRADES = ['TRADE', 'LIQUIDATION', 'ADL', 'DELIVERY'];
const FUNDING = 'SETTLEMENT';
/** What is part of the result. */
const RESULTS = ['INTEREST', 'FEE_REFUND'];

type Forced = NonNullable<VenueFill['forced']>;
/** What a position was closed for, by what a trade is called, or what its order came of. */
const FORCED: Readonly<Record<string, Forced>> = {
  BustTrade: 'liquidation',
  AdlTrade: 'adl',
  Delivery: 'delivery',
  CreateByLiq: 'liquidation',
  CreateByTakeOver_PassThrough: 'liquidation',
  CreateByAdl_PassThrough: 'adl',
  CreateBySettle: 'delivery',
};

/** What Bybit keeps of one account: the truth, by its times. */
export class BybitRecords implements RealRecords {
  readonly #line: RealLine<'bybit'>;

  constructor(line: RealLine<'bybit'>) {
    this.#line = line;
  }

  time(): Promise<number> {
    return this.#line.time();
  }

  /** They are read on by time: those of contracts have no numbers. */
  numberOf(): null {
    return null;
  }

  async trades(symbol: string, { from }: TradesFrom, until: number): Promise<OwnTrade[]> {
    const request = { ...placeOf(symbol), limit: MOST.trades };
    const rows = await this.#all('own trades', from, until, (within) =>
      this.#line.client.privateGetV5ExecutionList({ ...request, ...within }),
    );
    // Settlements stand among them too.
    return rows
      .filter(({ execType }) => execType !== 'Funding')
      .map((row) => tradeOf(symbol, row))
      .sort((a, b) => a.at - b.at);
  }

  async income(from: number, until: number): Promise<Income[]> {
    const request = { accountType: 'UNIFIED', limit: MOST.log };
    const rows = await this.#all('the log', from, until, (within) =>
      this.#line.client.privateGetV5AccountTransactionLog({ ...request, ...within }),
    );
    return rows.map(incomeOf).sort((a, b) => a.at - b.at);
  }

  async holdings(): Promise<KeyHoldings> {
    // A request of a time that is a second too early is refused.
    await this.#line.now(TIME_KEPT_MS);
    return this.#line.asked<KeyHoldings>('what is held', () => held(this.#line.client, (question) => question()));
  }

  async settlement(symbol: string, until: number) {
    if (kindOfName(symbol) !== 'perpetual') return undefined;
    const request = { ...placeOf(symbol), endTime: until, limit: 1 };
    const { list } = await this.#result('settlements', () =>
      this.#line.client.publicGetV5MarketFundingHistory(request),
    );
    const [row] = list as Raw[];
    if (row === undefined || whole(row.fundingRateTimestamp) < until - 9 * HOUR_MS) return undefined;
    // At which mark it settled the log tells.
    return { at: whole(row.fundingRateTimestamp), rate: decimal(row.fundingRate), mark: null };
  }

  async priceThen(asset: string, at: number): Promise<string> {
    const request = { category: 'spot', symbol: `${asset}USDT`, interval: '1', end: at, limit: 1 };
    const { list } = await this.#result('a price', () => this.#line.client.publicGetV5MarketKline(request));
    const [opened, , , , close] = (list as unknown[][])[0] ?? [];
    if (!(Number(opened) > at - 10 * MINUTE_MS)) throw new Unanswered('a price');
    return decimal(close);
  }

  /** There is one wallet: what comes to it came from outside of it. */
  async ownTransfers(): Promise<Set<string>> {
    return new Set();
  }

  async #result(what: string, question: () => Promise<unknown>): Promise<Raw> {
    const { result } = await this.#line.asked<{ result?: Raw }>(what, question);
    if (!Array.isArray(result?.list)) throw new Unanswered(what);
    return result;
  }

  /** All pages of all spans. */
  async #all(
    what: string,
    from: number,
    until: number,
    page: (within: { startTime: number; endTime: number; cursor?: string }) => Promise<unknown>,
  ): Promise<Raw[]> {
    const found: Raw[] = [];
    for (let startTime = from; startTime <= until; ) {
      const endTime = Math.min(until, startTime + SPAN_MS - 1);
      const within = { startTime, endTime };
      found.push(...(await pagesOf((after) => this.#result(what, () => page({ ...within, ...after })))));
      startTime = endTime + 1;
    }
    return found;
  }
}

function tradeOf(symbol: string, row: Raw): OwnTrade {
  const forced = FORCED[String(row.execType)] ?? FORCED[String(row.createType)];
  const side = row.side === 'Buy' ? 'buy' : 'sell';
  // What one of contracts is paid in is not said.
  const usual = isSpot(symbol) && side === 'buy' ? idOf(symbol).slice(0, -'USDT'.length) : 'USDT';
  return {
    ...{ symbol, id: named(row.execId), order: String(row.orderId ?? ''), side },
    ...{ quantity: decimal(row.execQty), price: decimal(row.execPrice), at: whole(row.execTime) },
    ...{ fee: decimal(row.execFee), feeAsset: String(row.feeCurrency || usual), maker: row.isMaker === true },
    origin: { name: String(row.orderLinkId ?? ''), ...(forced && { forced }) },
  };
}

function incomeOf(row: Raw): Income {
  const [type, at] = [String(row.type), whole(row.transactionTime)];
  const symbol = symbolOf(row.category, row.symbol) ?? '';
  const income = {
    ...{ name: `log:${type}:${named(row.id)}:${row.currency}:${at}`, transfer: null, symbol, at },
    ...{ asset: String(row.currency), amount: decimal(row.change), trade: null },
  };
  // What moved money where nothing of ours is traded comes from outside of the books.
  if (symbol !== '' && TRADES.includes(type)) return { ...income, means: 'trade', trade: named(row.tradeId) };
  if (symbol !== '' && type === FUNDING)
    return { ...income, means: 'funding', ...(Number(row.tradePrice) > 0 && { mark: decimal(row.tradePrice) }) };
  return { ...income, means: RESULTS.includes(type) ? 'result' : 'transfer' };
}

/** @throws Unanswered for what has no name */
function named(value: unknown): string {
  if (typeof value !== 'string' || value === '') throw new Unanswered('a name');
  return value;
}
