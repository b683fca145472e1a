import { plain } from '../base/maths/decimal';
import type { SourceSymbol } from '../base/symbolKey';
import type { Clock, Markets } from '../market/exchange';
import { type MoveOrder, type PaperVenue, VenueRefused } from '../market/venue';
import type { BookWriter } from './bookWriter';
import { accountOf, freeOf } from './holdings';
import type { TransferBook, UserBook } from './tradingBook';

interface TransferRunnerOptions {
  writer: BookWriter;
  markets: Markets;
  venue: PaperVenue;
  clock: Clock;
}

/** Words of `TRANSFER_WORDS`: why a transfer waits. */
type Waiting = 'venueOut' | 'walletShut';

/**
 * Debits transfers of money or coin at one account and credits them at the other when due. The venue's events advance
 * the state of a transfer; repeating a step, after a crash or beside another process, changes nothing.
 */
export class TransferRunner {
  readonly #o: TransferRunnerOptions;

  constructor(options: TransferRunnerOptions) {
    this.#o = options;
  }

  /** @returns whether something happened at a venue. */
  async act(book: UserBook): Promise<boolean> {
    let moved = false;
    for (const transfer of [...book.transfers.values()]) moved = (await this.#actOn(book, transfer)) || moved;
    return moved;
  }

  async #actOn(book: UserBook, transfer: TransferBook): Promise<boolean> {
    const now = this.#o.clock();
    const { state, askedAt, leftAt, travelMs } = transfer;
    const leaves = state === 'asked';
    // The demo trades past instants: intents of the present do not apply to them.
    if (leaves ? askedAt > now : now < (leftAt ?? 0) + travelMs) return false;
    const account = accountOf(book, leaves ? transfer.fromId : transfer.toId);
    const waits = await this.#waitsFor(account.venue, transfer.asset, leaves, now);
    if (waits !== null) {
      await this.#note(book, transfer, waits);
      return false;
    }
    const spot = leaves ? transfer.fromSymbol : transfer.toSymbol;
    const place = spot === null ? null : { source: account.venue, symbol: spot };
    // Coin that a deal has taken since the request stays with the deal.
    if (leaves && place !== null && freeOf(book, place, account).lt(transfer.amount)) {
      await this.#fail(book, transfer, 'insufficientBalance');
      return false;
    }
    const move = moveOrder(transfer, leaves, place);
    try {
      await this.#o.venue.move(account.id, move);
      return true;
    } catch (error) {
      // In doubt: tried again, as the venue does it once.
      if (!(error instanceof VenueRefused)) return false;
      if (!leaves) throw error;
      await this.#fail(book, transfer, error.reason);
      return false;
    }
  }

  async #waitsFor(source: string, asset: string, leaves: boolean, now: number): Promise<Waiting | null> {
    const market = await this.#o.markets.get(source);
    if (market?.isOut(now)) return 'venueOut';
    const wallet = market?.wallet(asset, now) ?? null;
    return wallet !== null && !(leaves ? wallet.canWithdraw : wallet.canDeposit) ? 'walletShut' : null;
  }

  async #note(book: UserBook, transfer: TransferBook, reason: Waiting): Promise<void> {
    if (transfer.reason === reason) return;
    transfer.reason = reason;
    await this.#o.writer.saveTransfer(book, transfer);
  }

  async #fail(book: UserBook, transfer: TransferBook, reason: string): Promise<void> {
    Object.assign(transfer, { state: 'failed', reason });
    await this.#o.writer.saveTransfer(book, transfer);
    book.transfers.delete(transfer.id);
  }
}

/** One end of a transfer as its venue is told of it. */
function moveOrder(
  { id: moveId, amount, fee, price }: TransferBook,
  leaves: boolean,
  place: SourceSymbol | null,
): MoveOrder {
  if (leaves) {
    const order = { moveId, amount: plain(amount.neg()), fee: plain(fee) };
    return place === null ? order : { ...order, coin: place };
  }
  const order = { moveId, amount: plain(amount) };
  return place === null ? order : { ...order, coin: { ...place, price: plain(price!) } };
}
