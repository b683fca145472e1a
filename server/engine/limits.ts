import {
  dayResult,
  isLossLimitReached,
  lossFromOf,
  lossLimitOf,
  lossText,
  runningDay,
} from '../base/maths/dayBoundary';
import { ZERO } from '../base/maths/decimal';
import { type StockLot, stockWorth } from '../base/maths/stock';
import { partsOf, symbolKey } from '../base/symbolKey';
import type { Clock } from '../market/exchange';
import { coinIn } from '../market/marks';
import type { BookReader } from './bookReader';
import type { BookWriter } from './bookWriter';
import { cashOfDeal, hasReal, netAt, unpricedIn, valued } from './figures';
import { type MarketSnapshot, viewOf } from './marketSnapshot';
import type { DealBook, StockBook, StrategyBook, UserBook } from './tradingBook';
import { RISK_GUARD } from './words';

/** What is written of limits. */
export type LimitsWriter = Pick<BookWriter, 'pause' | 'saveUnvalued' | 'saveLossBase' | 'trip'>;

interface LimitsOptions {
  reader: Pick<BookReader, 'strategySince'>;
  writer: LimitsWriter;
  snapshot: MarketSnapshot;
  clock: Clock;
}

/** What is missing where the starting value of the day is not known. */
const NO_DAY = '当日开始时的权益';
const NO_DAY_NET = '当日开始时的净盈亏';

/**
 * The limits of an account and of its strategies, judged by what is booked and the marks of the tick before anything is
 * opened: the account's pauses what is on paper and trips what is real, each by its own money, a strategy's trips that
 * strategy alone. Where one cannot be judged nothing is opened under it, and the book says what is missing.
 */
export class Limits {
  readonly #o: LimitsOptions;
  /** Since when the starting value of a strategy without a limit is known to be missing. */
  readonly #unknown = new WeakMap<StrategyBook, number>();

  constructor(options: LimitsOptions) {
    this.#o = options;
  }

  async judge(book: UserBook): Promise<void> {
    await this.#judgeAccount(book);
    const deals = new Map([...book.strategies.keys()].map((id): [string, DealBook[]] => [id, []]));
    for (const deal of book.deals.values()) deals.get(deal.strategyId)?.push(deal);
    for (const strategy of book.strategies.values()) {
      if (strategy.params !== null) await this.#judgeStrategy(book, strategy, deals.get(strategy.id) ?? []);
    }
  }

  async #judgeAccount(book: UserBook): Promise<void> {
    const { writer, snapshot, clock } = this.#o;
    const { dayEquity, dayEquityLive, day, dailyLossLimit: limit } = book;
    const [present, real] = [valued(book, snapshot.views), valued(book, snapshot.views, true)];
    const missing = (isReal: boolean, worth: typeof present, began: number | null) => {
      if (worth === null) return unpricedIn(book, snapshot.views, isReal).join('、');
      return limit === null || began !== null ? null : NO_DAY;
    };
    const unvalued = missing(false, present, dayEquity);
    const unvaluedLive = hasReal(book) ? missing(true, real, dayEquityLive) : null;
    if (unvalued !== book.unvalued || unvaluedLive !== book.unvaluedLive)
      await writer.saveUnvalued(book, { unvalued, unvaluedLive });
    Object.assign(book, { unvalued, unvaluedLive });
    if (real !== null && dayEquityLive !== null) await this.#judgeReal(book, dayResult(real.equity, dayEquityLive));
    if (present === null || dayEquity === null) return;
    const isLost = isLossLimitReached(dayResult(present.equity, dayEquity), limit);
    book.lossLimitHit = isLost && book.lossLiftedDay !== day;
    if (!book.lossLimitHit || book.paused !== null) return;
    const pause = { at: clock(), by: RISK_GUARD, reason: `账户单日亏损达到上限 ${limit} USDT` };
    await writer.pause(book, pause);
    book.paused = pause;
  }

  /** What trades for real is judged by the same limit on its own, and stopped alone; what a person let go on since stays. */
  async #judgeReal(book: UserBook, result: number): Promise<void> {
    const { dailyLossLimit: limit, strategies } = book;
    if (limit === null || !isLossLimitReached(result, limit)) return;
    const { start } = runningDay(book, this.#o.clock());
    for (const strategy of strategies.values()) {
      const isLetGoOn = (strategy.guard.resumedAt ?? 0) >= start;
      if (strategy.mode === 'paper' || strategy.state !== 'running' || isLetGoOn) continue;
      await this.#o.writer.trip(book, strategy, `账户${lossText(-result, limit)}`, this.#o.clock());
    }
  }

  async #judgeStrategy(book: UserBook, strategy: StrategyBook, deals: readonly DealBook[]): Promise<void> {
    const { writer, snapshot, clock } = this.#o;
    const limit = lossLimitOf(strategy.params, strategy.guard.dailyLoss);
    const net = netOf(book, strategy, deals, snapshot);
    const isLimited = limit !== null || strategy.guard.isWatched;
    const base = net === null ? null : await this.#baseOf(book, strategy, deals, limit !== null);
    const missing =
      net === null ? symbolsOf(deals, stockOf(book, strategy)).join('、') : base === null ? NO_DAY_NET : null;
    strategy.unvalued = (net === null ? isLimited : limit !== null) ? missing : null;
    if (net === null || base === null || limit === null || strategy.state !== 'running') return;
    const result = dayResult(net, base);
    if (isLossLimitReached(result, limit)) await writer.trip(book, strategy, lossText(-result, limit), clock());
  }

  /**
   * What the loss of the day is counted from: net PnL when the day began, or when a person resumed the strategy in it;
   * null for as long as a mark of then is missing. Where no limit needs it, it is only shown, and asked for once.
   */
  async #baseOf(book: UserBook, strategy: StrategyBook, deals: readonly DealBook[], isNeeded: boolean) {
    const { guard } = strategy;
    const from = lossFromOf(book, guard.resumedAt, this.#o.clock());
    if (guard.lossFrom === from && guard.lossBase !== null) return guard.lossBase;
    if (!isNeeded && this.#unknown.get(strategy) === from) return null;
    const lossBase = await this.#netAt(book, strategy, deals, from);
    if (lossBase === null) {
      this.#unknown.set(strategy, from);
      return null;
    }
    await this.#o.writer.saveLossBase(book, strategy, { lossFrom: from, lossBase });
    Object.assign(guard, { lossFrom: from, lossBase });
    return lossBase;
  }

  /** Net PnL of a strategy at an instant: what was booked since is taken back, and what it held then valued at its marks. */
  async #netAt(book: UserBook, strategy: StrategyBook, deals: readonly DealBook[], at: number) {
    const { reader, snapshot } = this.#o;
    const { id } = strategy;
    const stock = stockOf(book, strategy);
    let cash = deals.reduce((sum, deal) => sum.plus(cashOfDeal(deal)), book.ended.get(id) ?? ZERO);
    for (const { cost } of stock) cash = cash.minus(cost);
    const positions = new Map(stock.map((lot) => [symbolKey(lot), lot.quantity]));
    const add = (key: string, quantity: typeof ZERO) => positions.set(key, (positions.get(key) ?? ZERO).plus(quantity));
    for (const { legs } of deals) for (const leg of Object.values(legs)) add(symbolKey(leg), leg.quantity);
    for (const row of await reader.strategySince(id, at)) {
      cash = cash.minus(row.cash);
      add(symbolKey(row), ZERO.minus(row.quantity));
    }
    const marks = await snapshot.marksAt(at, positions);
    const lots = [...positions].map(([key, quantity]) => {
      const place = partsOf(key);
      return lotOf(snapshot, { ...place, quantity, cost: ZERO }, marks.get(place.source)?.get(place.symbol));
    });
    const { exposure } = stockWorth(lots);
    return exposure === null ? null : cash.toNumber() + exposure;
  }
}

const stockOf = ({ stocks }: UserBook, { id }: StrategyBook): StockBook[] => [...(stocks.get(id)?.values() ?? [])];

const lotOf = (
  snapshot: MarketSnapshot,
  { quantity, cost, ...place }: StockBook,
  mark: number | undefined,
): StockLot => ({
  coin: coinIn(snapshot.marketOf(place.source), place, snapshot.at),
  ...{ quantity: quantity.toNumber(), cost: cost.toNumber(), mark: mark ?? null },
});

/** Net PnL of a strategy at the marks, its stock included (F31), USDT; null where something held has no price. */
function netOf(
  book: UserBook,
  strategy: StrategyBook,
  deals: readonly DealBook[],
  snapshot: MarketSnapshot,
): number | null {
  let net = (book.ended.get(strategy.id) ?? ZERO).toNumber();
  for (const deal of deals) {
    const { long, short } = snapshot.of(deal.legs);
    const one = netAt(deal, long, short);
    if (one === null) return null;
    net += one;
  }
  const stock = stockOf(book, strategy);
  const lots = stock.map((lot) => lotOf(snapshot, lot, viewOf(snapshot.views, lot.source, lot.symbol)?.mark));
  const { pnl } = stockWorth(lots);
  return pnl === null ? null : net + pnl;
}

const symbolsOf = (deals: readonly DealBook[], stock: readonly StockBook[]): string[] => [
  ...new Set([...deals.flatMap(({ legs }) => Object.values(legs)), ...stock].map(({ symbol }) => symbol)),
];
