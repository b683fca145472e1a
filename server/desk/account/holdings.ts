import Big from 'big.js';
import type { Leg } from '#contract/lifecycle';
import type { HeldDealLeg } from '../../base/db/strategies/deal';
import { type SourceSymbol, symbolKey } from '../../base/symbolKey';
import type { LedgerSums } from './ledgerTallies';
import type { Marks } from './marks';

/** One leg that a deal holds; signed quantity and cost. */
export interface HeldLeg extends SourceSymbol {
  accountId: string;
  deal: HeldDealLeg['deal'];
  leg: Leg;
  quantity: Big;
  cost: Big;
}

export const heldLeg = ({ leg, quantity, cost, ...row }: HeldDealLeg): HeldLeg => ({
  ...row,
  // The engine writes it, in words of the contract.
  leg: leg as Leg,
  quantity: new Big(quantity),
  cost: new Big(cost),
});

const sum = (values: Big[]): Big => values.reduce((total, value) => total.plus(value), new Big(0));

/** What the books say of an account's money, or of all of a user's, exact, USDT. */
export interface Books {
  transfers: Big;
  /** Left one of the accounts and has not come to another: part of the equity. */
  inTransit: Big;
  funding: Big;
  /** Paid is positive. */
  fees: Big;
  /** null where a held symbol has no price. */
  equity: Big | null;
  unrealised: Big | null;
  /** Held symbols without a price. */
  unpriced: string[];
  /** UTC ms of the oldest price in use. */
  priceAt: number | null;
}

/** What an account has in one symbol by its ledger. */
interface Holding extends SourceSymbol {
  cash: Big;
  /** Signed, base currency. */
  quantity: Big;
}

/** What an account is worth: cash plus what is held at its marks, USDT; `null` where a position has no mark. */
export function equityOf(holdings: readonly Holding[], marks: Marks): Big | null {
  return holdings.reduce<Big | null>((equity, { cash, quantity, ...of }) => {
    const mark = quantity.eq(0) ? 0 : marks.get(symbolKey(of))?.price;
    return equity === null || mark === undefined ? null : equity.plus(cash).plus(quantity.times(mark));
  }, new Big(0));
}

/**
 * Cash plus booked positions at their marks: of all accounts of a user with what is on its way between them; of one
 * account what came from the others counts as a transfer.
 */
export function booksOf(
  sums: readonly LedgerSums[],
  legs: readonly HeldLeg[],
  marks: Marks,
  scope: 'all' | 'one' = 'all',
): Books {
  const column = (name: 'transfers' | 'moved' | 'funding' | 'fees') => sum(sums.map((row) => row[name]));
  const held = sums.filter(({ quantity }) => !quantity.eq(0));
  const priced = [...held, ...legs].map((row) => ({ symbol: row.symbol, mark: marks.get(symbolKey(row)) }));
  const unpriced = [...new Set(priced.filter(({ mark }) => mark === undefined).map(({ symbol }) => symbol))];
  const worth = (row: SourceSymbol, quantity: Big) => quantity.times(marks.get(symbolKey(row))?.price ?? 0);
  const complete = unpriced.length === 0;
  const moved = column('moved');
  const whole = equityOf(sums, marks);
  return {
    transfers: scope === 'one' ? column('transfers').plus(moved) : column('transfers'),
    inTransit: scope === 'one' ? new Big(0) : moved.neg(),
    funding: column('funding'),
    fees: column('fees').neg(),
    equity: complete && whole ? whole.minus(scope === 'one' ? 0 : moved) : null,
    unrealised: complete ? sum(legs.map((leg) => worth(leg, leg.quantity).minus(leg.cost))) : null,
    unpriced,
    priceAt: priced.reduce<number | null>(
      (oldest, { mark }) => (mark ? Math.min(oldest ?? mark.at, mark.at) : oldest),
      null,
    ),
  };
}
