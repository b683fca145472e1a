import { DAY_MS } from '#contract/duration';
import type { QueryOf } from '#contract/endpoint';
import { EvaluateRow, type evaluate } from '#contract/evaluate';
import { isWatched } from '#contract/star';
import { type EvaluationRow, NO_EVALUATION } from '../../base/db/markets/evaluate';
import { rowOrder } from '../../base/http/listPage';
import { fundingApr } from '../../base/maths/funding';
import type { SelectionRow } from '../../base/maths/selection';
import { isCalled } from '../../market/coinNames';
import type { Instrument, Ticker } from '../../market/exchange';
import type { Ranking } from './ranking';

const MOMENTUM = ['ret7', 'ret30'];

interface Sources {
  ranking: Ranking;
  instruments: Instrument[];
  tickers: Ticker[];
  evaluations: Map<string, EvaluationRow>;
}

interface RankedCoin {
  row: SelectionRow;
  instrument: Instrument;
  /** The columns that stay until the next ranking. */
  figures: ReturnType<typeof figuresOf> & ReturnType<typeof listingOf>;
}

/** Made once a ranking: of a request over hundreds of coins they would be half the work. */
const ranked = new WeakMap<Ranking, { instruments: Instrument[]; coins: RankedCoin[] }>();

/** Rows of the selection by rank: what the ranking says, with the prices of now and the team's view. */
export function evaluateRows({ ranking, instruments, tickers, evaluations }: Sources): EvaluateRow[] {
  const tickerBy = new Map(tickers.map((ticker) => [ticker.symbol, ticker]));
  return coinsOf(ranking, instruments).map(({ row, instrument, figures }) => {
    const evaluation = evaluations.get(row.symbol) ?? NO_EVALUATION;
    return {
      ...figures,
      ...liveOf(row, instrument, tickerBy.get(row.symbol)),
      direction: evaluation.direction,
      note: evaluation.note,
      noteBy: evaluation.author,
      updatedAt: evaluation.updatedAt,
    };
  });
}

function coinsOf(ranking: Ranking, instruments: Instrument[]): RankedCoin[] {
  const made = ranked.get(ranking);
  if (made?.instruments === instruments) return made.coins;
  const instrumentBy = new Map(instruments.map((instrument) => [instrument.symbol, instrument]));
  const coins = ranking.rows.flatMap((row) => {
    const instrument = instrumentBy.get(row.symbol);
    // Without an instrument the source dropped the coin after it was ranked.
    if (instrument === undefined) return [];
    const figures = { ...figuresOf(row), ...listingOf(instrument, ranking.asOf ?? row.lastAt) };
    return [{ row, instrument, figures }];
  });
  ranked.set(ranking, { instruments, coins });
  return coins;
}

function figuresOf(row: SelectionRow) {
  const { symbol, rank, rankChange, score, suggestion, factors } = row;
  const { ret7, ret30, excess30, beta30, corr30, vol30, turnoverPercentile } = row;
  const momentumScore = factors
    .filter(({ factor }) => MOMENTUM.includes(factor))
    .reduce((sum, { contribution }) => sum + contribution, 0);
  return {
    ...{ symbol, rank, rankChange, score, momentumScore, liquidityScore: turnoverPercentile, suggestion },
    ...{ ret7, ret30, excess30, beta30, corr30, vol30 },
    // The score counts the clipped z, so that is what is shown.
    factors: factors.map(({ clipped, ...factor }) => ({ ...factor, z: clipped })),
  };
}

function listingOf({ base, exchange, sector, listedAt }: Instrument, asOf: number) {
  return { base, exchange, sector, listedAt, listedDays: Math.max(0, Math.floor((asOf - listedAt) / DAY_MS)) };
}

/** Columns that move between two rankings; without a ticker the last daily close stands in. */
function liveOf(row: SelectionRow, { fundingHours }: Instrument, ticker: Ticker | undefined) {
  const fundingRate = ticker?.fundingRate ?? null;
  return {
    price: ticker?.price ?? row.close,
    priceAt: ticker?.at ?? row.lastAt + DAY_MS,
    change24h: ticker ? ticker.change24h : row.ret1,
    turnover24h: ticker ? ticker.turnover24h : row.turnover24h,
    openInterest: ticker?.openInterest ?? null,
    openInterestChange24h: ticker?.openInterestChange24h ?? null,
    longShortRatio: ticker?.longShortRatio ?? null,
    fundingRate,
    fundingHours,
    fundingApr: fundingApr(fundingRate, fundingHours),
    nextFundingAt: ticker?.nextFundingAt ?? null,
  };
}

type Query = QueryOf<typeof evaluate.list>;

/** The rows that the filters leave, in the order asked for (by rank unless told), all pages. */
export function queryRows(rows: EvaluateRow[], query: Query): EvaluateRow[] {
  const left = rows.filter((row) => passes(row, query));
  return query.sort === undefined ? left : left.sort(rowOrder(EvaluateRow, query.sort, ({ symbol }) => symbol));
}

function passes(row: EvaluateRow, query: Query): boolean {
  const { search, coins, direction, suggestion, hasNote, minTurnover, minListedDays } = query;
  return (
    (search === undefined || matches(row, search)) &&
    (coins === undefined || isWatched(coins, row.base)) &&
    (direction === undefined || (row.direction ?? 'none') === direction) &&
    (suggestion === undefined || row.suggestion === suggestion) &&
    (hasNote === undefined || (row.note !== '') === hasNote) &&
    // An unknown turnover does not reach a minimum.
    (minTurnover === undefined || minTurnover === 0 || (row.turnover24h ?? -1) >= minTurnover) &&
    (minListedDays === undefined || row.listedDays >= minListedDays)
  );
}

function matches({ symbol, base, sector }: EvaluateRow, search: string): boolean {
  const wanted = search.trim().toLowerCase();
  return isCalled(base, wanted) || [symbol, sector ?? ''].some((text) => text.toLowerCase().includes(wanted));
}
