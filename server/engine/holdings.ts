import type Big from 'big.js';
import { LEGS, type Leg } from '#contract/lifecycle';
import type { OutsideMet } from '#contract/opening';
import { accountFor } from '../base/db/accounts/venueAccount';
import type { Places } from '../base/db/hedges/pairLegs';
import { plain, ZERO } from '../base/maths/decimal';
import { freeCoin, outsideOf, spareCoin } from '../base/maths/spareCoin';
import { type SourceSymbol, symbolKey } from '../base/symbolKey';
import type { TradingTerms, Venue } from '../market/venue';
import { type AccountBook, type LegBook, pendingOf, type StockBook, type UserBook } from './tradingBook';

/** In which derivatives settle and accounts are counted. */
export const SETTLE_ASSET = 'USDT';

/** Transfers in transit between the accounts of a user, USDT. */
export const inTransitOf = ({ accounts }: Pick<UserBook, 'accounts'>): Big =>
  [...accounts.values()].reduce((sum, { sums }) => sum.minus(sums.moved), ZERO);

export const cashOf = ({ cash }: Pick<AccountBook, 'cash'>): Big => cash.get(SETTLE_ASSET) ?? ZERO;

/** @throws for one that is not the user's. */
export function accountOf({ accounts, userId }: Pick<UserBook, 'accounts' | 'userId'>, id: string): AccountBook {
  const found = accounts.get(id);
  if (found === undefined) throw new Error(`user ${userId} has no account ${id}`);
  return found;
}

/** The account of a book in which a source is traded in a mode. */
export const accountAt = (
  { accounts }: Pick<UserBook, 'accounts'>,
  source: string,
  mode: string,
): AccountBook | undefined => accountFor([...accounts.values()], source, mode);

/** A real exchange may be silent, which keeps the rest of the book from nothing; whatever else fails is no silence. */
export const silence =
  (mode: string) =>
  (error: unknown): null => {
    if (mode === 'paper') throw error;
    return null;
  };

/** Signed position of a leg's whole account in its symbol, base currency. */
export const positionOf = (book: Pick<UserBook, 'accounts' | 'userId'>, leg: Place): Big =>
  accountOf(book, leg.accountId).positions.get(symbolKey(leg)) ?? ZERO;

type Place = Pick<LegBook, 'accountId' | 'source' | 'symbol'>;

/** Whether the venue's positions in the symbols of legs are those of the books; null when it cannot be asked. */
export async function agreesAt(
  venue: Pick<Venue, 'positions'>,
  book: UserBook,
  legs: readonly Place[],
): Promise<boolean | null> {
  for (const accountId of new Set(legs.map((leg) => leg.accountId))) {
    const positions = await venue.positions(accountId).catch(() => null);
    if (positions === null) return null;
    const own = legs.filter((leg) => leg.accountId === accountId);
    const agrees = own.every((leg) => {
      const there = positions.find(({ source, symbol }) => source === leg.source && symbol === leg.symbol);
      return positionOf(book, leg).eq(there?.quantity ?? '0');
    });
    if (!agrees) return false;
  }
  return true;
}

const isPlace =
  (account: AccountBook, { source, symbol }: SourceSymbol) =>
  (of: SourceSymbol & { accountId: string }) =>
    of.accountId === account.id && of.source === source && of.symbol === symbol;

/** What an account holds of a symbol, and what its running deals hold of that. */
function holdingsOf({ deals }: Pick<UserBook, 'deals'>, place: SourceSymbol, account: AccountBook) {
  const isHere = isPlace(account, place);
  const legs = [...deals.values()].flatMap((deal) => LEGS.map((leg) => deal.legs[leg]).filter(isHere));
  return { position: account.positions.get(symbolKey(place)) ?? ZERO, held: legs.map(({ quantity }) => quantity) };
}

/** Free coin of an account: held by no deal. Base currency. */
export const freeOf = (book: Pick<UserBook, 'deals'>, place: SourceSymbol, account: AccountBook): Big =>
  freeCoin(holdingsOf(book, place, account));

/** What an account holds of a symbol beyond what its running deals explain, signed, base currency. */
export function outsideIn(book: Pick<UserBook, 'deals'>, place: SourceSymbol, account: AccountBook): Big {
  const { position, held } = holdingsOf(book, place, account);
  return outsideOf(
    position,
    held.reduce((sum, quantity) => sum.plus(quantity), ZERO),
  );
}

/** Of contracts that are held outside of deals what legs would be set off against. @param outsideAt signed, base currency */
export function outsideMet(
  places: Places,
  kinds: Record<Leg, Pick<TradingTerms, 'kind'> | undefined>,
  outsideAt: (place: SourceSymbol) => Big,
): { outside?: OutsideMet } {
  const outside = LEGS.flatMap((leg) => {
    const quantity = kinds[leg]?.kind === 'spot' ? ZERO : outsideAt(places[leg]);
    const isMet = leg === 'long' ? quantity.lt(0) : quantity.gt(0);
    return isMet ? [{ symbol: places[leg].symbol, quantity: plain(quantity) }] : [];
  });
  return outside.length === 0 ? {} : { outside };
}

/** What deals hold against a leg in its account and symbol, the other leg of its own deal among them; unsigned, base currency. */
export function offsetOf(
  book: Pick<UserBook, 'deals' | 'accounts' | 'userId'>,
  leg: Place & Pick<LegBook, 'quantity'>,
): Big {
  const { held } = holdingsOf(book, leg, accountOf(book, leg.accountId));
  return held
    .filter((quantity) => quantity.times(leg.quantity).lt(0))
    .reduce((sum, quantity) => sum.plus(quantity.abs()), ZERO);
}

/** Spare coin of an account: free, and neither leaving nor being sold. Base currency. */
export function spareOf(
  book: Pick<UserBook, 'deals' | 'transfers' | 'orders'>,
  place: SourceSymbol,
  account: AccountBook,
): Big {
  const isHere = isPlace(account, place);
  const sales = [...book.orders.values()].filter((order) => order.side === 'sell' && isHere(order));
  const leaving = [...book.transfers.values()].filter(
    ({ fromId, fromSymbol, state }) => fromId === account.id && fromSymbol === place.symbol && state === 'asked',
  );
  return spareCoin({
    ...holdingsOf(book, place, account),
    sales: sales.map((order) => ({
      pending: pendingOf(order),
      held: book.deals.get(order.dealId ?? '')?.legs[order.leg].quantity ?? ZERO,
    })),
    leaving: leaving.map(({ amount }) => amount),
  });
}

/** What deals left to their account stays their strategy's, of kinds that keep it. */
export function addStock({ stocks }: Pick<UserBook, 'stocks'>, strategyId: string, left: StockBook): void {
  const own = stocks.get(strategyId) ?? new Map<string, StockBook>();
  stocks.set(strategyId, own);
  const { source, symbol, quantity, cost } = left;
  const known = own.get(symbolKey(left));
  own.set(symbolKey(left), {
    ...{ source, symbol },
    quantity: quantity.plus(known?.quantity ?? ZERO),
    cost: cost.plus(known?.cost ?? ZERO),
  });
}
