import type { DataOf, QueryOf } from '#contract/endpoint';
import type { symbol } from '#contract/symbol';
import { fundingApr } from '../../base/maths/funding';
import type { Market } from '../../market/exchange';
import { instrumentOf } from './marketOf';

/** What GET /api/symbol/funding answers with: the newest settlements, ascending; empty where the source has none. */
export async function fundingColumns(
  market: Market,
  { symbol: name, limit }: QueryOf<typeof symbol.funding>,
): Promise<DataOf<typeof symbol.funding>> {
  const { fundingHours: hours } = await instrumentOf(market, name);
  const funding = await market.funding(name);
  const time = Array.from(funding?.time.subarray(-limit) ?? []);
  const rate = Array.from(funding?.rate.subarray(-limit) ?? []);
  // Without the interval a rate says nothing about a year.
  const known = hours === null ? [] : rate.map((value) => fundingApr(value, hours) ?? 0);
  return { symbol: name, hours, time, rate, apr: known };
}
