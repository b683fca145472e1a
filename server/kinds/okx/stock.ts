import type { ArbitrageCandidate } from '#contract/kinds/okx/scan';
import type { Database } from '../../base/db/client';
import { accountIn, freeCoins } from '../../desk/account/freeCoins';
import { inTime } from '../../desk/account/venueAnswer';
import type { Markets } from '../../market/exchange';
import type { Venue } from '../../market/venue';

interface Needs {
  db: Database;
  markets: Markets;
  venue: Pick<Venue, 'margin'>;
}

type Stock = Pick<ArbitrageCandidate, 'buyerCash' | 'sellerCoin'>;

/** What a user has to buy with and to sell at each venue, row by row of the scanner. */
export async function stockOf(
  { db, markets, venue }: Needs,
  userId: string,
): Promise<(row: Pick<ArbitrageCandidate, 'base' | 'buy' | 'sell'>) => Stock> {
  const coins = await freeCoins(db, userId, 'paper');
  const cash = new Map<string, number | null>();
  const spots = new Map<string, ReadonlyMap<string, string>>();
  for (const { id, venue: source } of coins.accounts) {
    const margin = await inTime(venue.margin(id));
    cash.set(source, margin && Number(margin.spendable));
    const listed = (await (await markets.get(source))?.instruments(['spot'])) ?? [];
    spots.set(source, new Map(listed.map(({ base, symbol }) => [base, symbol])));
  }
  return ({ base, buy, sell }) => {
    const account = accountIn(coins, sell);
    const symbol = spots.get(sell)?.get(base);
    const isKnown = account !== undefined && symbol !== undefined;
    return {
      buyerCash: cash.get(buy) ?? null,
      sellerCoin: isKnown ? coins.freeOf(account, { source: sell, symbol }).toNumber() : null,
    };
  };
}

/** Whether both sides have what a trade of that size takes, USDT. */
export const isStocked = ({ buyerCash, sellerCoin, quantity }: Stock & { quantity: number }, size: number): boolean =>
  buyerCash !== null && sellerCoin !== null && buyerCash >= size && quantity > 0 && sellerCoin >= quantity;
