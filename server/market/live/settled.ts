import type { FundingRateHistory as CcxtSettlement, Exchange } from 'ccxt';

/**
 * Settled funding from an instant on, ascending, of exchanges that tell the newest of a stretch where it has more than one
 * answer: they are asked from the end.
 * @param until what has an exchange tell those before an instant, UTC ms; of what is still to come there is none
 */
export async function settledSince(
  exchange: Exchange,
  symbol: string,
  since: number,
  most: number,
  until: (before: number) => object,
): Promise<CcxtSettlement[]> {
  const all: CcxtSettlement[] = [];
  for (let before = exchange.milliseconds(); ; ) {
    const rows = await exchange.fetchFundingRateHistory(symbol, since, most, until(before));
    all.unshift(...rows);
    const first = rows[0]?.timestamp;
    if (first === undefined || rows.length < most) return all;
    before = first;
  }
}
