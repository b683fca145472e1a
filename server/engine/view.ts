import { DAY_MS, HOUR_MS } from '#contract/duration';
import { Asked, type BySymbol } from '../market/bySymbol';
import type { Market, Ticker } from '../market/exchange';

/** One symbol as the engine sees it at a tick. */
export interface SymbolView {
  /** USDT; the newest price known, however old. */
  price: number;
  mark: number;
  /** UTC ms of the price. */
  at: number;
  turnover24h: number | null;
  /** Young enough, a positive number, not just after a jump: may be entered on. */
  fresh: boolean;
  jumped: boolean;
  /** Trades at all. */
  tradable: boolean;
}

export type MarketView = BySymbol<SymbolView>;

/** By source. */
export type Views = ReadonlyMap<string, MarketView>;

/** What positions were valued at, USDT, by source and symbol. */
export type Marks = ReadonlyMap<string, BySymbol<number>>;

export const viewOf = (views: Views, source: string, symbol: string): SymbolView | undefined =>
  views.get(source)?.get(symbol);

/** Beyond it a price is stale: no entry. */
const STALE_MS = 10_000;
const STOPPED_MS = HOUR_MS;
const JUMP = 0.2;
const JUMP_PAUSE_MS = 60_000;
const FOLLOWED_MS = DAY_MS;
/** An imported source has no younger price than its newest day; a coin that lags behind it by more has stopped. */
const IMPORT_LAG_MS = 3 * DAY_MS;

interface Before {
  price: number;
  at: number;
}

/** Makes views of one source tick by tick; remembers prices so that a jump is seen. */
export class PriceTracker {
  readonly #kind: Market['kind'];
  readonly #before = new Map<string, Before>();
  readonly #jumpedAt = new Map<string, number>();

  constructor(kind: Market['kind']) {
    this.#kind = kind;
  }

  /**
   * The source at an instant, UTC ms; of a market that knows its symbols one by one those that are asked for. Where the
   * price is no positive number nothing is known.
   */
  async at(market: Market, now: number): Promise<MarketView> {
    if (market.listed === undefined) return this.viewsOf(await market.tickers(), now);
    return new Asked((symbol) => {
      const ticker = market.listed?.(symbol, now)?.ticker;
      return ticker && isUsable(ticker) ? this.#viewOf(ticker, now, now) : undefined;
    });
  }

  /** @param now UTC ms. Tickers whose price is no positive number are left out: nothing is known of them. */
  viewsOf(tickers: readonly Ticker[], now: number): Map<string, SymbolView> {
    const usable = tickers.filter(isUsable);
    const newest = usable.reduce((latest, { at }) => Math.max(latest, at), 0);
    return new Map(usable.map((ticker) => [ticker.symbol, this.#viewOf(ticker, newest, now)]));
  }

  #viewOf({ symbol, price, mark, at, turnover24h }: Ticker, newest: number, now: number): SymbolView {
    const before = this.#before.get(symbol);
    // Nobody has asked for it since: what it did meanwhile is no jump.
    const isFollowed = before !== undefined && now - before.at < FOLLOWED_MS;
    if (isFollowed && Math.abs(price / before.price - 1) > JUMP) this.#jumpedAt.set(symbol, now);
    this.#before.set(symbol, { price, at: now });
    const jumpedAt = this.#jumpedAt.get(symbol);
    const jumped = jumpedAt !== undefined && now - jumpedAt < JUMP_PAUSE_MS;
    const imported = this.#kind === 'imported';
    const tradable = imported ? newest - at <= IMPORT_LAG_MS : now - at <= STOPPED_MS;
    const young = imported ? tradable : now - at <= STALE_MS;
    const usableMark = mark !== null && mark > 0 && Number.isFinite(mark) ? mark : price;
    return { price, mark: usableMark, at, turnover24h, jumped, tradable, fresh: young && tradable && !jumped };
  }
}

const isUsable = ({ price, at }: Ticker): boolean => price > 0 && Number.isFinite(price) && Number.isFinite(at);
