import type { HedgeSettings } from '#contract/hedgeConfig';
import type { Leg } from '#contract/lifecycle';
import type { Clock, Market, Markets } from '../exchange/exchange';
import type { TradingTerms, Venue } from '../exchange/venue';
import { perpetualOf } from '../symbol/perpetualOf';
import { zNow } from './entries';
import type { PairModels } from './pairModel';
import { MarketEye, type MarketView, type SymbolView, type Views, viewOf } from './view';

interface OutlookOptions {
  clock: Clock;
  markets: Markets;
  venue: Venue;
  pairModels: PairModels;
}

interface Pair {
  source: string;
  long: string;
  short: string;
}

type Window = Pick<HedgeSettings, 'zBar' | 'zWindow'>;

const TERMS_KEPT_MS = 60_000;

/** The markets as a tick sees them: prices, what an order must keep to, and what the closed bars say. */
export class Outlook {
  readonly #o: OutlookOptions;
  readonly #eyes = new Map<string, MarketEye>();
  readonly #terms = new Map<string, { at: number; terms: TradingTerms | undefined }>();
  #views: Views = new Map();
  #markets: ReadonlyMap<string, Market> = new Map();
  #btc: ReadonlyMap<string, number> = new Map();

  constructor(options: OutlookOptions) {
    this.#o = options;
  }

  get views(): Views {
    return this.#views;
  }

  /** The last price of bitcoin in a source, USDT. */
  bitcoinOf(source: string): number | null {
    return this.#btc.get(source) ?? null;
  }

  /** Reads the prices of these sources; the others are forgotten. */
  async look(sources: ReadonlySet<string>): Promise<void> {
    const now = this.#o.clock();
    const views = new Map<string, MarketView>();
    const markets = new Map<string, Market>();
    const btc = new Map<string, number>();
    for (const source of sources) {
      const market = await this.#o.markets.get(source);
      if (!market) continue;
      const view = this.#eyeOf(market).look(await market.tickers(), now);
      const bitcoin = perpetualOf(await market.instruments(), 'BTC');
      const price = bitcoin && view.get(bitcoin.symbol)?.price;
      markets.set(source, market);
      views.set(source, view);
      if (price) btc.set(source, price);
    }
    this.#views = views;
    this.#markets = markets;
    this.#btc = btc;
  }

  of({ source, long, short }: Pair): Record<Leg, SymbolView | undefined> {
    return { long: viewOf(this.#views, source, long), short: viewOf(this.#views, source, short) };
  }

  async modelOf({ source, long, short }: Pair, { zBar, zWindow }: Window) {
    const market = this.#markets.get(source);
    return market ? this.#o.pairModels.of(market, { long, short, bar: zBar, window: zWindow }) : null;
  }

  /** z (F14) of a pair now; `null` without enough history or a price. */
  async zOf(pair: Pair, window: Window): Promise<number | null> {
    const { long, short } = this.of(pair);
    return zNow(await this.modelOf(pair, window), long, short);
  }

  async termsOf({ source, long, short }: Pair): Promise<Record<Leg, TradingTerms | undefined>> {
    return { long: await this.#termsOf(source, long), short: await this.#termsOf(source, short) };
  }

  async #termsOf(source: string, symbol: string): Promise<TradingTerms | undefined> {
    const key = `${source} ${symbol}`;
    const now = this.#o.clock();
    const known = this.#terms.get(key);
    if (known && now - known.at < TERMS_KEPT_MS) return known.terms;
    const terms = await this.#o.venue.terms(source, symbol);
    this.#terms.set(key, { at: now, terms });
    return terms;
  }

  #eyeOf({ source, kind }: Market): MarketEye {
    const eye = this.#eyes.get(source) ?? new MarketEye(kind);
    this.#eyes.set(source, eye);
    return eye;
  }
}
