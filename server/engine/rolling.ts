import { LEGS } from '#contract/lifecycle';
import type { BookReader } from './bookReader';
import type { BookWriter } from './bookWriter';
import { rolledEntries } from './inventoryEntries';
import type { EngineNotice } from './notice';
import type { NextAction, NextDeal } from './runner';
import { runnerOf } from './runners';
import { lineOf } from './timeline';
import { type DealBook, newDeal, type UserBook } from './tradingBook';
import { countUnhedged, timeOneLeg } from './unhedged';

interface RollingOptions {
  reader: BookReader;
  writer: BookWriter;
  clock: () => number;
  newId: () => string;
  notify: (notice: EngineNotice) => void;
}

/**
 * Lets deals go on in the next expiry. A deal of its own brings the new leg in; only when it is in does it take the
 * other leg over, at the mark and without an order, and the earlier deal closes what it has left. So nothing is lost
 * where the new leg is refused: the earlier deal stands as it did.
 */
export class Rolling {
  readonly #o: RollingOptions;

  constructor(options: RollingOptions) {
    this.#o = options;
  }

  /** @returns true: the new deal has its turn. */
  async begin(book: UserBook, deal: DealBook, { legs, notional, signal, note }: NextDeal): Promise<boolean> {
    const { writer, clock, newId, notify } = this.#o;
    const at = clock();
    const { strategyId, kind, targetId } = deal;
    const params = { ...this.#paramsOf(book, deal, legs), legNotional: notional };
    const target = { id: targetId, legs: LEGS.map((leg) => ({ leg, ...legs[leg] })) };
    const accountIds = { long: deal.legs.long.accountId, short: deal.legs.short.accountId };
    const weights = { long: deal.legs.long.weight, short: deal.legs.short.weight };
    const start = { id: newId(), strategyId, kind, params, entryNote: note, signalOpen: signal, accountIds, weights };
    const next = { ...newDeal(target, start, at), rolledFrom: deal.id };
    const names = `${legs.long.symbol} / ${legs.short.symbol}`;
    const lines = [lineOf(next, 'created', names), lineOf(deal, 'rolled', `开始移仓到 ${names}`)];
    await writer.createFollower(book, next, { ...deal, rollTriedAt: at }, lines, at);
    deal.rollTriedAt = at;
    book.deals.set(next.id, next);
    notify({ kind: 'deal', userId: book.userId, deal: next, event: 'created' });
    return true;
  }

  async takeOver(
    book: UserBook,
    deal: DealBook,
    { from, leg, quantity, price }: Extract<NextAction, { do: 'takeOver' }>,
  ): Promise<boolean> {
    const { writer, reader, clock, notify } = this.#o;
    const earlier = book.deals.get(from);
    if (earlier?.state !== 'open') return false;
    const at = clock();
    for (const one of [deal, earlier]) countUnhedged(one, at);
    const { rows, detail } = rolledEntries(earlier, deal, leg, { quantity, price }, at);
    for (const one of [deal, earlier]) timeOneLeg(one, at);
    Object.assign(earlier, { state: 'closing', stateAt: at, closeReason: 'rolled', attempts: 0 });
    const lines = [lineOf(deal, 'rolled', detail), lineOf(earlier, 'closing', 'rolled')];
    const params = this.#paramsOf(book, deal, deal.legs);
    await writer.saveTakenOver(book, [deal, earlier], rows, lines, { params, at });
    // The strategy goes on with other legs: what it may open was written anew.
    await reader.refresh(book);
    for (const one of [deal, earlier]) notify({ kind: 'deal', userId: book.userId, deal: one, event: 'rolled' });
    return true;
  }

  /** Those of the strategy as they are by now, with the new legs. */
  #paramsOf(book: UserBook, deal: DealBook, legs: NextDeal['legs']): DealBook['params'] {
    const params = book.strategies.get(deal.strategyId)?.params ?? deal.params;
    return runnerOf(deal.kind).followed?.(params, legs) ?? params;
  }
}
