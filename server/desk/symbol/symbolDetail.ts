import type { Static } from 'typebox';
import { BAR_MS, MINUTE_BARS } from '#contract/candle';
import type { FundingSummary, SymbolDetail } from '#contract/symbol';
import { evaluationOfSymbol } from '../../base/db/markets/evaluate';
import { refused } from '../../base/http/refusal';
import { premium } from '../../base/maths/basis';
import { fundingApr } from '../../base/maths/funding';
import { settlementsOn } from '../../base/maths/settlement';
import { mean } from '../../base/maths/statistics';
import type { FundingHistory, Instrument, Market, Ticker } from '../../market/exchange';
import { perpetualOf } from '../../market/perpetualOf';
import type { DeskDeps } from '../deps';
import { rankingOf } from '../selection/ranking';
import { type DailyHistory, dailyHistory } from './dailyHistory';
import { instrumentOf } from './marketOf';
import { sampledChanges } from './samples';
import { drawdownFacts, symbolStatistics } from './symbolStatistics';

/** Without a price of now, that of its newest daily close, which says so by its time. @throws `unknownSymbol` without either */
async function tickerOf(market: Market, { symbol, bars, lastAt }: Instrument): Promise<Ticker> {
  const of = (tickers: Ticker[]) => tickers.find((row) => row.symbol === symbol);
  const [coarsest] = bars;
  const ticker = of(await market.tickers()) ?? (coarsest && of(await market.tickers(lastAt + BAR_MS[coarsest])));
  if (ticker === undefined) throw refused('unknownSymbol', symbol, 'symbol');
  return ticker;
}

/** Premium of mark over index (F3), a fraction. */
function neighbours(instruments: readonly Instrument[], symbol: string) {
  const at = instruments.findIndex((instrument) => instrument.symbol === symbol);
  return { previous: instruments[at - 1]?.symbol ?? null, next: instruments[at + 1]?.symbol ?? null };
}

async function benchmark(market: Market, base: 'BTC' | 'ETH'): Promise<DailyHistory | null> {
  const instrument = perpetualOf(await market.instruments(), base);
  return instrument && dailyHistory(market, instrument);
}

async function history(market: Market, instrument: Instrument, now: number) {
  const [own, bitcoin, ether, funding] = await Promise.all([
    dailyHistory(market, instrument),
    benchmark(market, 'BTC'),
    benchmark(market, 'ETH'),
    market.funding(instrument.symbol),
  ]);
  return {
    statistics: symbolStatistics(own, { bitcoin, ether }),
    drawdown: drawdownFacts(own),
    fundingSummary: fundingSummary(funding, instrument, now),
  };
}

/** What the selection and the team say of it. */
async function opinion({ db, markets }: Pick<DeskDeps, 'db' | 'markets'>, market: Market, symbol: string) {
  const [{ rows }, { direction, note, author, updatedAt }] = await Promise.all([
    rankingOf(markets, market),
    evaluationOfSymbol(db, market.source, symbol),
  ]);
  const row = rows.find((candidate) => candidate.symbol === symbol);
  return {
    rank: row?.rank ?? null,
    ranked: rows.length,
    score: row?.score ?? null,
    suggestion: row?.suggestion ?? null,
    direction,
    note,
    noteBy: author,
    updatedAt,
  };
}

/** What GET /api/symbol/detail answers with. @throws `unknownSymbol`. */
export async function symbolDetail(
  deps: Pick<DeskDeps, 'db' | 'markets'>,
  market: Market,
  name: string,
): Promise<SymbolDetail> {
  const instrument = await instrumentOf(market, name);
  const ticker = await tickerOf(market, instrument);
  const [facts, said, instruments, changes] = await Promise.all([
    history(market, instrument, ticker.at),
    opinion(deps, market, name),
    market.instruments(),
    market.minutes ? sampledChanges(deps, { source: market.source, symbol: name }) : null,
  ]);
  const { at: priceAt, settledFundingRate: _settled, ...figures } = ticker;
  const { kind: _kind, settle: _settle, contractSize: _size, expiresAt: _expiry, ...steps } = instrument;
  return {
    source: market.source,
    kind: market.kind,
    ...steps,
    chartBars: [...instrument.bars, ...(market.minutes ? MINUTE_BARS : [])],
    ...figures,
    priceAt,
    premiumChange24h: null,
    borrowRate: null,
    sampledAt: null,
    ...changes,
    premium: premium(ticker.mark, ticker.index),
    fundingApr: fundingApr(ticker.fundingRate, instrument.fundingHours),
    ...facts,
    ...said,
    ...neighbours(instruments, name),
  };
}

const WINDOWS = [7, 30, 90];

/**
 * What funding was over the last 7, 30 and 90 days before `now`: mean APR (F1 of the mean rate), share of positive
 * rates, and how many settlements the interval called for that are not stored. Empty where the source has no funding
 * or its interval is unknown: then nothing can be said, not even that something is missing.
 */
function fundingSummary(
  funding: FundingHistory | null,
  { fundingHours, listedAt }: Instrument,
  now: number,
): Static<typeof FundingSummary>[] {
  if (funding === null || fundingHours === null) return [];
  return WINDOWS.map((days) => {
    // Before its listing a coin owed nothing.
    const from = Math.max(listedAt, now - days * BAR_MS['1d']);
    const { rate, missing } = settlementsOn(Float64Array.of(from, Math.max(from, now)), funding, fundingHours);
    const positive = rate.filter((value) => value > 0).length;
    return {
      days,
      settlements: rate.length,
      missing,
      meanApr: fundingApr(mean(rate), fundingHours),
      positiveShare: rate.length === 0 ? null : positive / rate.length,
    };
  });
}
