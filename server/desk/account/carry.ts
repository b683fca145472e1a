import Big from 'big.js';
import type { AccountCarry } from '#contract/account';
import type { LedgerOfLate } from '../../base/db/accounts/account';
import { fundingCash } from '../../base/maths/funding';
import { symbolKey } from '../../base/symbolKey';
import type { TradingTerms, VenuePosition } from '../../market/venue';
import type { Marks } from './marks';

interface CarryInput {
  late: LedgerOfLate;
  /** null: the venue could not be asked. */
  positions: readonly VenuePosition[] | null;
  marks: Marks;
  terms: TradingTerms | null;
}

const money = (amount: Big.BigSource): string => new Big(amount).toFixed();

/** What carrying the positions brings and costs. */
export function carryOf({ late, positions, marks, terms }: CarryInput): AccountCarry {
  const { funding1d, funding7d, funding30d, fees30d, traded30d } = late;
  return {
    next: positions && nextFunding(positions, marks),
    funding1d: money(funding1d),
    funding7d: money(funding7d),
    funding30d: money(funding30d),
    fees30d: money(new Big(fees30d).neg()),
    traded30d: money(traded30d),
    fee: terms && { maker: terms.makerFee, taker: terms.takerFee },
  };
}

/** The sum of F2 over the positions that settle next; `null` where none does. */
function nextFunding(positions: readonly VenuePosition[], marks: Marks): AccountCarry['next'] {
  const due = positions.flatMap((position) => {
    const mark = marks.get(symbolKey(position));
    if (!mark || mark.fundingRate === null || mark.nextFundingAt === null) return [];
    const quantity = Number(position.quantity);
    const amount = fundingCash(quantity < 0 ? -1 : 1, Math.abs(quantity), mark.price, mark.fundingRate);
    return [{ at: mark.nextFundingAt, amount }];
  });
  if (due.length === 0) return null;
  const at = Math.min(...due.map((row) => row.at));
  const now = due.filter((row) => row.at === at);
  return { at, amount: now.reduce((sum, { amount }) => sum + amount, 0), positions: now.length };
}
