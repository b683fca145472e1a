import type { QueryOf } from '#contract/endpoint';
import { type cexRateScan, type RateCell, RateMatrixRow } from '#contract/kinds/cexRate/scan';
import { rowOrder } from '../../base/http/rowOrder';
import { fundingApr } from '../../base/maths/funding';
import type { MarketSight } from '../../market/scan/sight';
import { type CoinLegs, namedCoins, type VenueLeg } from './coinLegs';

type Query = QueryOf<typeof cexRateScan.matrix>;

/** Without an order asked for: where the venues are farthest apart comes first. */
const WIDEST_FIRST = '-aprGap';

/** The rows of GET /api/market/cexRate/matrix: all pages, as the filters leave them and in the order asked for. */
export function rateMatrix(seen: MarketSight, query: Query): RateMatrixRow[] {
  const { search, minOpenInterest = 0, sort = WIDEST_FIRST } = query;
  return namedCoins(seen, search)
    .map(matrixRow)
    .filter(({ openInterest }) => (openInterest ?? 0) >= minOpenInterest)
    .sort(rowOrder(RateMatrixRow, sort, ({ base }) => base));
}

/** One coin at all venues: long where the year costs least, short where it brings most; neither where all say the same. Pure. */
export function matrixRow({ base, legs }: CoinLegs): RateMatrixRow {
  const known = legs.flatMap(({ source, isOut, quoted }) => {
    const apr = fundingApr(quoted.ticker.fundingRate, quoted.instrument.fundingHours);
    return isOut || apr === null ? [] : [{ source, apr }];
  });
  const [lowest] = known.toSorted((a, b) => a.apr - b.apr);
  const [highest] = known.toSorted((a, b) => b.apr - a.apr);
  const isApart = lowest !== undefined && highest !== undefined && highest.apr > lowest.apr;
  const interests = legs.flatMap(({ quoted }) => quoted.ticker.openInterest ?? []);
  return {
    base,
    cells: legs.map(cellOf),
    bestLong: isApart ? lowest.source : null,
    bestShort: isApart ? highest.source : null,
    aprGap: known.length < 2 ? null : highest!.apr - lowest!.apr,
    openInterest: interests.length === 0 ? null : interests.reduce((sum, one) => sum + one, 0),
  };
}

function cellOf({ source, quoted: { instrument, ticker } }: VenueLeg): RateCell {
  const { fundingRate: rate, nextFundingAt: nextAt } = ticker;
  const { symbol, fundingHours: hours } = instrument;
  const rate8h = rate === null || hours === null ? null : (rate * 8) / hours;
  return { source, symbol, rate, rate8h, apr: fundingApr(rate, hours), hours, nextAt };
}
