import Big from 'big.js';
import { MINUTE_MS } from '#contract/duration';
import type { BodyOf, DataOf, QueryOf } from '#contract/endpoint';
import type { Transfer, TransferState, venueAccount } from '#contract/venueAccount';
import { findTransfers, insertTransfer } from '../../base/db/accounts/transfer';
import { type AccountRow, accountsOf } from '../../base/db/accounts/venueAccount';
import { lockBook, moveBook } from '../../base/db/books/book';
import type { Database, Queries } from '../../base/db/client';
import { notFound, refused } from '../../base/http/refusal';
import { TRANSFER_WORDS, VENUE_WORDS } from '../../engine/words';
import type { Clock, Markets } from '../../market/exchange';
import type { Venue } from '../../market/venue';
import { freeCoins } from './freeCoins';
import { inTime } from './venueAnswer';

const ASSET = 'USDT';
/** Where a venue does not say what moving USDT costs: USDT, minutes. */
const USUAL = { transferFee: 1, transferMinutes: 10 };

interface Needs {
  db: Database;
  clock: Clock;
  markets: Markets;
  venue: Pick<Venue, 'margin'>;
}

type Asked = BodyOf<typeof venueAccount.transfer>;
type AskedCoin = BodyOf<typeof venueAccount.transferCoin>;

/** A transfer that may be asked for. USDT, minutes. */
interface Terms {
  fee: string;
  minutes: number;
}

/** Money of a real account is moved at its exchange alone. */
function refuseLive(source: AccountRow, target: AccountRow): void {
  if (source.mode !== 'paper') throw refused('liveTransfer', '', 'from');
  if (target.mode !== 'paper') throw refused('liveTransfer', '', 'to');
}

/**
 * What a transfer costs and takes, when both accounts are the user's and the first one can part with the money. The
 * venue has the last word when it leaves.
 * @throws 404 at no account of the user's; `transferSameAccount`, `transferTooMuch`, `transferUnanswered`, each at its field.
 */
export async function transferTerms(needs: Needs, userId: string, { from, to, amount }: Asked): Promise<Terms> {
  const { db, clock, markets, venue } = needs;
  const own = await accountsOf(db, [userId]);
  const source = own.find(({ id }) => id === from);
  const target = own.find(({ id }) => id === to);
  if (source === undefined || target === undefined) throw notFound('没有这个账户');
  refuseLive(source, target);
  if (from === to) throw refused('transferSameAccount', '', 'to');
  const wallet = (await markets.get(source.venue))?.wallet(ASSET, clock()) ?? USUAL;
  const fee = new Big(wallet.transferFee);
  const margin = await inTime(venue.margin(from));
  if (margin === null) throw refused('transferUnanswered', '', 'from');
  const most = new Big(margin.spendable).minus(fee).round(2, Big.roundDown);
  if (most.lt(amount)) {
    throw refused(
      'transferTooMuch',
      `最多 ${most.lt(0) ? 0 : most.toFixed()} USDT，另付手续费 ${fee.toFixed()}`,
      'amount',
    );
  }
  return { fee: fee.toFixed(), minutes: wallet.transferMinutes };
}

/** The same of a coin, with its spot at both ends. */
interface CoinTerms extends Terms {
  network: string | null;
  fromSymbol: string;
  toSymbol: string;
}

/**
 * What moving a coin costs and takes, when both accounts are the user's, both venues list its spot, and the first account holds so
 * much of it for no deal and the fee in USDT. The venue has the last word when it leaves.
 * @throws 404 at no account of the user's; `transferSameAccount`, `coinTransfer`, `transferUnanswered`, each at its field.
 */
export async function coinTerms(needs: Needs, userId: string, asked: AskedCoin): Promise<CoinTerms> {
  const { db, clock, markets, venue } = needs;
  const { from, to, coin, quantity } = asked;
  const coins = await freeCoins(db, userId, 'paper');
  const own = await accountsOf(db, [userId]);
  const [source, target] = [from, to].map((id) => own.find((account) => account.id === id));
  if (source === undefined || target === undefined) throw notFound('没有这个账户');
  refuseLive(source, target);
  if (from === to) throw refused('transferSameAccount', '', 'to');
  const [fromSymbol, toSymbol] = await Promise.all(
    [source, target].map(({ venue: name }) => spotOf(markets, name, coin)),
  );
  if (fromSymbol === undefined || toSymbol === undefined) throw refused('coinTransfer', '两所都要有它的现货', 'coin');
  const free = coins.freeOf(source, { source: source.venue, symbol: fromSymbol });
  if (free.lt(quantity)) {
    throw refused('coinTransfer', `最多 ${free.lt(0) ? 0 : free.toFixed()} ${coin}，不含交易单持有的`, 'quantity');
  }
  const wallet = (await markets.get(source.venue))?.wallet(coin, clock()) ?? null;
  const { transferFee, transferMinutes } = wallet ?? USUAL;
  const margin = await inTime(venue.margin(from));
  if (margin === null) throw refused('transferUnanswered', '', 'from');
  if (new Big(margin.spendable).lt(transferFee))
    throw refused('coinTransfer', `手续费 ${transferFee} USDT 不足`, 'from');
  return {
    ...{ fee: new Big(transferFee).toFixed(), minutes: transferMinutes, network: wallet?.network ?? null },
    ...{ fromSymbol, toSymbol },
  };
}

async function spotOf(markets: Markets, venue: string, coin: string): Promise<string | undefined> {
  const spots = (await (await markets.get(venue))?.instruments(['spot'])) ?? [];
  return spots.find(({ base }) => base === coin)?.symbol;
}

/** Asks for a coin to be moved, which the engine takes up. @throws `accountMissing` without a book. */
export async function askCoin(
  tx: Queries,
  { userId, now }: { userId: string; now: number },
  { from, to, coin, quantity }: AskedCoin,
  { fee, minutes, network, fromSymbol, toSymbol }: CoinTerms,
) {
  if ((await lockBook(tx, userId)) === null) throw refused('accountMissing');
  const id = await insertTransfer(tx, {
    ...{ userId, fromId: from, toId: to, asset: coin, fromSymbol, toSymbol },
    ...{ amount: new Big(quantity).toFixed(), fee, travelMs: minutes * MINUTE_MS, askedAt: now },
  });
  await moveBook(tx, userId);
  return { id, state: 'asked' as const, fee, minutes, network };
}

/** Asks for a transfer, which the engine takes up. @throws `accountMissing` without a book. */
export async function askTransfer(
  tx: Queries,
  { userId, now }: { userId: string; now: number },
  { from, to, amount }: Asked,
  { fee, minutes }: Terms,
) {
  if ((await lockBook(tx, userId)) === null) throw refused('accountMissing');
  const row = {
    userId,
    fromId: from,
    toId: to,
    amount: String(amount),
    fee,
    travelMs: minutes * MINUTE_MS,
    askedAt: now,
  };
  const id = await insertTransfer(tx, row);
  await moveBook(tx, userId);
  return { id, state: 'asked' as const, fee, minutes };
}

type Found = Awaited<ReturnType<typeof findTransfers>>['list'][number];

/** A page of the user's transfers, the newest first. */
export async function transferListing(
  db: Database,
  userId: string,
  { current, pageSize, state }: QueryOf<typeof venueAccount.transfers>,
): Promise<DataOf<typeof venueAccount.transfers>> {
  const page = { offset: (current - 1) * pageSize, limit: pageSize, ...(state === undefined ? {} : { state }) };
  const { list, total } = await findTransfers(db, userId, page);
  return { list: list.map(transferOf), total };
}

function transferOf({ transfer, from, to }: Found): Transfer {
  const { id, asset, amount, price, fee, state, askedAt, leftAt, arrivedAt, travelMs, reason } = transfer;
  return {
    id,
    from,
    to,
    asset,
    amount,
    value: price === null ? null : new Big(amount).times(price).toFixed(),
    fee,
    // Calls and the engine write it, in words of the contract.
    state: state as TransferState,
    askedAt,
    leftAt,
    dueAt: leftAt === null ? null : leftAt + travelMs,
    arrivedAt,
    reason: reason && (TRANSFER_WORDS[reason] ?? VENUE_WORDS[reason] ?? reason),
  };
}
