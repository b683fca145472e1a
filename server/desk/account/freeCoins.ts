import Big from 'big.js';
import { ledgerPositions } from '../../base/db/accounts/ledger';
import { liveTransfersOf } from '../../base/db/accounts/transfer';
import { type AccountRow, accountFor, accountsOf } from '../../base/db/accounts/venueAccount';
import type { Database } from '../../base/db/client';
import { liveOrdersOf, type OrderColumns } from '../../base/db/orders/orderProgress';
import { runningOf } from '../../base/db/strategies/deal';
import { ZERO } from '../../base/maths/decimal';
import { outsideOf, pendingQuantity, spareCoin } from '../../base/maths/spareCoin';
import type { SourceSymbol } from '../../base/symbolKey';
import { isSpot } from '../../market/live/listing';

/** What a user's accounts may part with of a spot symbol, and what is under way. Base currency, exact. */
export interface FreeCoins {
  /** Of one mode. */
  accounts: AccountRow[];
  mode: string;
  /** Held for no deal, not being sold for one, and not about to leave. */
  freeOf(account: AccountRow | undefined, spot: SourceSymbol): Big;
  /** Held beyond what deals explain, signed. */
  outsideOf(account: AccountRow | undefined, place: SourceSymbol): Big;
  /** On its way there, or asked to be. */
  arrivingAt(account: AccountRow | undefined, spot: SourceSymbol): Big;
  takenBy(account: AccountRow | undefined, strategyId: string): Taken;
}

/** What a strategy has of an account already, by the cost of what its deals hold, USDT. */
export interface Taken {
  /** Of its cap, with what rests. */
  notional: number;
  /** Of its contracts. */
  margin: number;
  /** What its coin cost. */
  cash: number;
}

/** Reads all that a user holds in a mode once. */
export async function freeCoins(db: Database, userId: string, mode: string): Promise<FreeCoins> {
  const [all, positions, running, orders, transfers] = await Promise.all([
    accountsOf(db, [userId]),
    ledgerPositions(db, [userId]),
    runningOf(db, [userId]),
    liveOrdersOf(db, [userId]),
    liveTransfersOf(db, [userId]),
  ]);
  const legOf = new Map(running.flatMap(({ id, legs }) => legs.map((own) => [`${id} ${own.leg}`, own])));
  const accounts = all.filter((account) => account.mode === mode);
  const sum = (parts: readonly string[]) => parts.reduce((total, part) => total.plus(part), ZERO);
  const isAt =
    (account: AccountRow | undefined, { source, symbol }: SourceSymbol) =>
    (row: { accountId: string } & SourceSymbol) =>
      row.accountId === account?.id && row.source === source && row.symbol === symbol;
  const holdingsOf = (isHere: ReturnType<typeof isAt>) => ({
    position: new Big(positions.find(isHere)?.quantity ?? 0),
    held: [...legOf.values()].filter(isHere).map(({ quantity }) => new Big(quantity)),
  });
  return {
    accounts,
    mode,
    outsideOf: (account, place) => {
      const { position, held } = holdingsOf(isAt(account, place));
      return outsideOf(
        position,
        held.reduce((total, part) => total.plus(part), ZERO),
      );
    },
    freeOf: (account, place) => {
      const isHere = isAt(account, place);
      const leaving = transfers.filter(
        ({ fromId, fromSymbol, state }) => fromId === account?.id && fromSymbol === place.symbol && state === 'asked',
      );
      return spareCoin({
        ...holdingsOf(isHere),
        sales: orders
          .filter((order) => order.side === 'sell' && isHere(order))
          .map((order) => ({
            pending: pendingQuantity(bigsOf(order)),
            held: new Big(legOf.get(`${order.dealId} ${order.leg}`)?.quantity ?? 0),
          })),
        leaving: leaving.map(({ amount }) => new Big(amount)),
      });
    },
    arrivingAt: (account, { symbol }) =>
      sum(
        transfers
          .filter(({ toId, toSymbol }) => toId === account?.id && toSymbol === symbol)
          .map(({ amount }) => amount),
      ),
    takenBy: (account, strategyId) => {
      const own = running.filter((deal) => deal.strategyId === strategyId);
      const isHere = ({ accountId }: { accountId: string }) => accountId === account?.id;
      const taken: Taken = { notional: 0, margin: 0, cash: 0 };
      for (const { legs, params } of own) {
        const { leverage = 1 } = params as { leverage?: number };
        for (const { symbol, cost } of legs.filter(isHere)) {
          const worth = Math.abs(Number(cost));
          taken.notional += worth;
          if (isSpot(symbol)) taken.cash += worth;
          else taken.margin += worth / leverage;
        }
      }
      for (const order of orders) {
        if (!isHere(order) || order.type !== 'maker' || !adds(order)) continue;
        if (own.some(({ id }) => id === order.dealId))
          taken.notional += pendingQuantity(bigsOf(order)).abs().times(order.limitPrice).toNumber();
      }
      return taken;
    },
  };
}

const bigsOf = ({ quantity, filledQuantity, reportedState, reportedQuantity }: OrderColumns) => ({
  ...{ quantity: new Big(quantity), filledQuantity: new Big(filledQuantity), reportedState },
  reportedQuantity: new Big(reportedQuantity),
});

/** Whether an order takes of a cap: what takes a position down does not. */
const adds = ({ reduceOnly, side, symbol }: OrderColumns): boolean =>
  !(reduceOnly || (side === 'sell' && isSpot(symbol)));

/** The account in which a source is traded. */
export const accountIn = ({ accounts, mode }: FreeCoins, source: string): AccountRow | undefined =>
  accountFor(accounts, source, mode);
