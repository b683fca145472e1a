import Big from 'big.js';
import type { Database } from '../db/client';
import { runningOf } from '../db/deal';
import { ledgerPositions } from '../db/ledger';
import { liveTransfersOf } from '../db/transfer';
import { type AccountRow, accountFor, accountsOf } from '../db/venueAccount';
import type { SourceSymbol } from '../exchange/symbolKey';
import { ZERO } from '../maths/decimal';

/** What a user's accounts hold of a spot symbol for no deal, and what is under way. Base currency, exact. */
export interface FreeCoins {
  accounts: AccountRow[];
  /** Not about to leave either. */
  freeOf(account: AccountRow | undefined, spot: SourceSymbol): Big;
  /** On its way there, or asked to be. */
  arrivingAt(account: AccountRow | undefined, spot: SourceSymbol): Big;
}

/** Reads all of a user's holdings once. */
export async function freeCoins(db: Database, userId: string): Promise<FreeCoins> {
  const [accounts, positions, running, transfers] = await Promise.all([
    accountsOf(db, [userId]),
    ledgerPositions(db, [userId]),
    runningOf(db, [userId]),
    liveTransfersOf(db, [userId]),
  ]);
  // What a deal has sold of it is gone, and is not owed to it.
  const held = running.flatMap((deal) => deal.legs).filter(({ quantity }) => Number(quantity) > 0);
  const sum = (parts: readonly string[]) => parts.reduce((total, part) => total.plus(part), ZERO);
  return {
    accounts,
    freeOf: (account, { source, symbol }) => {
      const isHere = (row: { accountId: string } & SourceSymbol) =>
        row.accountId === account?.id && row.source === source && row.symbol === symbol;
      const leaving = transfers.filter(
        ({ fromId, fromSymbol, state }) => fromId === account?.id && fromSymbol === symbol && state === 'asked',
      );
      return new Big(positions.find(isHere)?.quantity ?? 0)
        .minus(sum(held.filter(isHere).map(({ quantity }) => quantity)))
        .minus(sum(leaving.map(({ amount }) => amount)));
    },
    arrivingAt: (account, { symbol }) =>
      sum(
        transfers
          .filter(({ toId, toSymbol }) => toId === account?.id && toSymbol === symbol)
          .map(({ amount }) => amount),
      ),
  };
}

/** The account in which a source is traded. */
export const accountIn = ({ accounts }: Pick<FreeCoins, 'accounts'>, source: string): AccountRow | undefined =>
  accountFor(accounts, source);
