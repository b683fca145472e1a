import type { FastifyInstance } from 'fastify';
import { BARS, isLiveSource, SIMULATED, sourceName } from '#contract/candle';
import { dataSource } from '#contract/dataSource';
import { DAY_MS } from '#contract/duration';
import { VISITOR_ROWS } from '#contract/evaluate';
import { DEFAULT_SETTINGS, type HedgeSettings } from '#contract/kinds/hedge/config';
import { market as endpoints, type MarketSource, type SymbolRow, type TickerRow } from '#contract/market';
import { type BacktestRules, type PairSuggestion, pair } from '#contract/pair';
import { scanPast } from '#contract/scanPast';
import { findConfig, standingPairs } from '../../base/db/hedges/hedgeConfig';
import { invalid, refused, unauthenticated } from '../../base/http/refusal';
import { route } from '../../base/http/route';
import { nextTurn } from '../../base/work/loopTurns';
import { pairAnswer } from '../../desk/pair/pairAnswer';
import { type ChosenPair, cointegratedPairs, pairsForDesk, pairsOfCoin } from '../../desk/pair/pairChoice';
import { pairInput } from '../../desk/pair/pairInput';
import { rankingOf } from '../../desk/selection/ranking';
import { visibleInstant } from '../../desk/selection/visitor';
import { dataSources } from '../../desk/symbol/dataSources';
import { instrumentOf, marketOf } from '../../desk/symbol/marketOf';
import { isCalled, namesOf } from '../../market/coinNames';
import type { Instrument, Market, Ticker } from '../../market/exchange';
import { type HeldRates, heldRates } from '../../market/scan/fundingPast';
import { VersionedCache } from '../../market/versionedCache';
import type { Deps } from '../deps';

const APART_Z = -1;

/** GET /api/hedge/pair, /suggestion and /coin: how two coins or baskets move together. */
export function pairRoutes(
  app: FastifyInstance,
  { db, markets, pairModels }: Pick<Deps, 'db' | 'markets' | 'pairModels'>,
): void {
  const cointegrated = new VersionedCache<ChosenPair[]>(1);
  const deskOf = async (userId: string) => (await findConfig(db, userId))?.settings ?? DEFAULT_SETTINGS;

  route(app, pair.suggestion, async ({ user }) => {
    const market = await markets.get(SIMULATED);
    const desk = await deskOf(user.id);
    const rules = rulesOf(desk);
    if (market === undefined) return { pair: null, isOwn: false, rules };
    const found = cointegrated.of(market.source, market.version(), () => cointegratedPairs(market));
    const pairs = await pairsForDesk(market, pairModels, desk, found);
    const standing = (await standingPairs(db, user.id)).filter(({ source }) => source === market.source);
    const isOwn = ({ long, short }: Pick<PairSuggestion, 'long' | 'short'>) =>
      standing.some((own) => [own.long, own.short].includes(long) && [own.long, own.short].includes(short));
    const open = pairs.filter((one) => !isOwn(one));
    // One that has gone apart shows more than one that lies at its mean; what is on the desk already cannot be added.
    const chosen = open.find(({ z }) => z <= APART_Z) ?? open[0] ?? pairs[0];
    return { pair: chosen ?? null, isOwn: chosen !== undefined && isOwn(chosen), rules };
  });

  route(app, pair.ofCoin, async ({ query, user }) => {
    const market = await marketOf(markets, query.source);
    await instrumentOf(market, query.symbol);
    const desk = await deskOf(user.id);
    return { list: await pairsOfCoin(market, pairModels, desk, query.symbol), rules: rulesOf(desk) };
  });

  route(app, pair.facts, async ({ query }) => {
    const market = await marketOf(markets, query.source);
    const input = await pairInput(market, query);
    const tickers = await market.tickers();
    await nextTurn();
    return { source: market.source, ...pairAnswer(input, query.bars, tickers) };
  });
}

/** A desk that enters at once has its z at hand all the same: a past is looked at by them. */
const rulesOf = (desk: HedgeSettings): BacktestRules => ({
  ...{ bar: desk.zBar, zWindow: desk.zWindow, entryZ: desk.entryZ },
  exitZ: desk.exitZ < desk.entryZ ? desk.exitZ : 0,
  ...{ stopLoss: desk.stopLoss ?? 0, takeProfit: desk.takeProfit ?? 0, maxHoldingHours: desk.maxHoldingHours ?? 0 },
});

/** GET /api/market/past/...: what lies behind a row of a scanner, for masters. */
export function scanPastRoutes(app: FastifyInstance, { markets, clock }: Pick<Deps, 'markets' | 'clock'>): void {
  route(app, scanPast.rates, async ({ query }) => {
    const start = clock() - query.days * DAY_MS;
    const asked = [
      { field: 'longSymbol', side: 1, source: query.long, symbol: query.longSymbol },
      { field: 'shortSymbol', side: -1, source: query.short, symbol: query.shortSymbol },
    ] as const;
    const legs: HeldRates[] = [];
    for (const { field, side, source, symbol } of asked) {
      if (source === undefined || symbol === undefined) continue;
      const history = await (await marketOf(markets, source)).funding(symbol, { start });
      if (history === null) throw invalid(field, `${symbol} 没有资金费`);
      legs.push({ side, history });
    }
    if (legs.length === 0) throw invalid('shortSymbol', '请给出一个永续');
    return heldRates(legs);
  });
}

/** Sources, their symbols and the newest prices. */
export function marketRoutes(app: FastifyInstance, { db, markets, clock }: Deps): void {
  route(app, dataSource.list, async ({ query: { current, pageSize } }) => {
    const all = await dataSources({ db, markets, clock });
    return { list: all.slice((current - 1) * pageSize, current * pageSize), total: all.length };
  });

  route(app, endpoints.source, async () => {
    const list = await Promise.all((await markets.list()).map(sourceOf));
    return { list, total: list.length };
  });

  route(app, endpoints.symbol, async ({ query }) => {
    const market = await marketOf(markets, query.source);
    const wanted = query.search?.trim().toLowerCase() ?? '';
    const list = (await market.instruments())
      .filter(({ symbol, base }) => symbol.toLowerCase().includes(wanted) || isCalled(base, wanted))
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

/** What was collected of an exchange that is followed no more is stored like what was imported. */
const importedLabel = (source: string): string =>
  isLiveSource(source) ? `${sourceName(source)}（已停止跟踪）` : `导入数据 · ${source}`;

async function sourceOf(market: Market): Promise<MarketSource> {
  const instruments = await market.instruments();
  const { source, kind } = market;
  const bars = new Set(instruments.flatMap((instrument) => instrument.bars));
  return {
    source,
    label: kind === 'imported' ? importedLabel(source) : sourceName(source),
    kind,
    symbols: instruments.length,
    bars: BARS.filter((bar) => bars.has(bar)),
    firstAt: instruments.reduce<number | null>((first, { listedAt }) => Math.min(first ?? listedAt, listedAt), null),
    lastAt: instruments.reduce<number | null>((last, { lastAt }) => Math.max(last ?? lastAt, lastAt), null),
  };
}

function symbolOf({ symbol, base, exchange, sector, bars, listedAt, lastAt }: Instrument): SymbolRow {
  return { symbol, base, names: namesOf(base), exchange, sector, bars, listedAt, lastAt };
}

function tickerOf(ticker: Ticker): TickerRow {
  const { symbol, at, price, change24h, turnover24h, openInterest, fundingRate, nextFundingAt } = ticker;
  return { symbol, at, price, change24h, turnover24h, openInterest, fundingRate, nextFundingAt };
}
