import type { FastifyInstance } from 'fastify';
import { BARS, SIMULATED_NAME } from '#contract/candle';
import { VISITOR_ROWS } from '#contract/evaluate';
import { market as endpoints, type MarketSource, type SymbolRow, type TickerRow } from '#contract/market';
import { refused, unauthenticated } from '../../base/http/refusal';
import { route } from '../../base/http/route';
import { rankingOf } from '../../desk/selection/ranking';
import { visibleInstant } from '../../desk/selection/visitor';
import { marketOf } from '../../desk/symbol/marketOf';
import type { Instrument, Market, Ticker } from '../../market/exchange';
import type { Deps } from '../deps';

/** Sources, their symbols and the newest prices. */
export function marketRoutes(app: FastifyInstance, { markets, clock }: Deps): void {
  route(app, endpoints.source, async () => {
    const list = await Promise.all((await markets.list()).map(sourceOf));
    return { list, total: list.length };
  });

  route(app, endpoints.symbol, async ({ query }) => {
    const market = await marketOf(markets, query.source);
    const wanted = query.search?.trim().toLowerCase() ?? '';
    const list = (await market.instruments())
      .filter(({ symbol, base }) => symbol.toLowerCase().includes(wanted) || base.toLowerCase().includes(wanted))
      .map(symbolOf);
    return { list, total: list.length };
  });

  route(app, endpoints.ticker, async ({ query, user }) => {
    const market = await marketOf(markets, query.source);
    const at = visibleInstant(clock(), user);
    const tickers = await market.tickers(at);
    if (query.symbol !== undefined && !tickers.some(({ symbol }) => symbol === query.symbol)) {
      throw refused('unknownSymbol', query.symbol, 'symbol');
    }
    const shown = user ? null : new Set((await rankingOf(markets, market, at)).rows.slice(0, VISITOR_ROWS).map(nameOf));
    if (query.symbol !== undefined && shown?.has(query.symbol) === false) throw unauthenticated();
    const list = tickers
      .filter(({ symbol }) => (query.symbol === undefined || symbol === query.symbol) && shown?.has(symbol) !== false)
      .map(tickerOf);
    return { list, total: list.length, at, delayed: user === null };
  });
}

const nameOf = ({ symbol }: { symbol: string }) => symbol;

async function sourceOf(market: Market): Promise<MarketSource> {
  const instruments = await market.instruments();
  const { source, kind } = market;
  const bars = new Set(instruments.flatMap((instrument) => instrument.bars));
  return {
    source,
    label: kind === 'simulated' ? SIMULATED_NAME : `导入数据 · ${source}`,
    kind,
    symbols: instruments.length,
    bars: BARS.filter((bar) => bars.has(bar)),
    firstAt: instruments.reduce<number | null>((first, { listedAt }) => Math.min(first ?? listedAt, listedAt), null),
    lastAt: instruments.reduce<number | null>((last, { lastAt }) => Math.max(last ?? lastAt, lastAt), null),
  };
}

function symbolOf({ symbol, base, exchange, sector, bars, listedAt, lastAt }: Instrument): SymbolRow {
  return { symbol, base, exchange, sector, bars, listedAt, lastAt };
}

function tickerOf(ticker: Ticker): TickerRow {
  const { symbol, at, price, change24h, turnover24h, openInterest, fundingRate, nextFundingAt } = ticker;
  return { symbol, at, price, change24h, turnover24h, openInterest, fundingRate, nextFundingAt };
}
