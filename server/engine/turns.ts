import { MINUTE_MS } from '#contract/duration';
import { isReducing } from '../base/db/strategies/reduction';
import { areEntriesDisabled } from './entries';
import { type BookOrder, type DealBook, isSettling, type UserBook } from './tradingBook';

/** An item of a round robin within its group, with the groups in a round robin too. */
export interface Turn {
  id: string;
  group: string;
}

/**
 * A round robin over groups and within each: what was served the longest ago comes first. Kept between passes, so that
 * each begins where the last one ended.
 */
export class RoundRobin {
  /** Groups and what belongs to them, the one that has waited longest first. */
  readonly #due = new Set<string>();

  /** Each once: one of a group, then one of the next. What is new queues up behind what was there. */
  order<T extends Turn>(turns: readonly T[]): T[] {
    const byId = new Map(turns.map((turn) => [turn.id, turn]));
    for (const { id, group } of turns) this.#due.add(group).add(id);
    const queues = new Map<string, T[]>();
    const groups = new Set(turns.map(({ group }) => group));
    for (const key of this.#due) if (groups.has(key)) queues.set(key, []);
    for (const key of this.#due) {
      const turn = byId.get(key);
      if (turn) queues.get(turn.group)?.push(turn);
    }
    const lists = [...queues.values()];
    const longest = Math.max(0, ...lists.map(({ length }) => length));
    return Array.from({ length: longest }, (_, i) => lists.flatMap((list) => list[i] ?? [])).flat();
  }

  /** Puts it behind all the others, and its group behind the other groups. */
  serve({ id, group }: Turn): void {
    for (const key of [group, id]) {
      this.#due.delete(key);
      this.#due.add(key);
    }
  }

  /** Forgets all but these. */
  keep(keys: ReadonlySet<string>): void {
    for (const key of this.#due) if (!keys.has(key)) this.#due.delete(key);
  }
}

/** A request of a person that has no end of its own counts as new for so long. */
const ASKED_MS = MINUTE_MS;

/** Deals that do not wait for the turn of their book. */
interface Urgent {
  /** With an unhedged leg, or an order left registered by another process. */
  alone: DealBook[];
  /** What a person asked of one deal, and of many at once. */
  byHand: DealBook[];
  ofMany: DealBook[];
}

/** Whether its strategy was stopped with open positions: the deal is left alone until somebody asks to close it. */
export const isUnguarded = (
  { strategies }: UserBook,
  { strategyId, state, closeAskedAt, flattenAskedAt }: DealBook,
): boolean =>
  state === 'open' &&
  strategies.get(strategyId)?.state === 'stopped' &&
  closeAskedAt === null &&
  flattenAskedAt === null;

export function urgentIn(book: UserBook, now: number): Urgent {
  const registered = new Set<string | null>();
  for (const { state, dealId } of book.orders.values()) if (state === 'registered') registered.add(dealId);
  const urgent: Urgent = { alone: [], byHand: [], ofMany: [] };
  for (const deal of book.deals.values()) {
    if (isUnguarded(book, deal)) continue;
    if (deal.oneLegSince !== null || registered.has(deal.id)) urgent.alone.push(deal);
    else if (isAskedByHand(deal, now)) urgent.byHand.push(deal);
    else if (isTakenDown(book, deal)) urgent.ofMany.push(deal);
  }
  return urgent;
}

/** Whether a book has urgent deals or cancels. */
export function isUrgent(book: UserBook, now: number): boolean {
  return (
    Object.values(urgentIn(book, now)).some((deals: DealBook[]) => deals.length > 0) ||
    [...book.orders.values()].some(isToBeCancelled)
  );
}

/** Whether a person asked to cancel an order that has not ended. */
export const isToBeCancelled = (order: BookOrder): boolean =>
  order.state === 'open' && order.cancelAskedAt !== null && !isSettling(order);

const isBegun = ({ state }: DealBook): boolean => state === 'waiting' || state === 'opening';

function isAskedByHand(deal: DealBook, now: number): boolean {
  const { closeAskedAt, entryCancelledAt, rebalanceAskedAt, repairAskedAt, rollAskedAt, unfreezeAskedAt } = deal;
  if (closeAskedAt !== null || isReducing(deal) || (entryCancelledAt !== null && isBegun(deal))) return true;
  return [rebalanceAskedAt, repairAskedAt, rollAskedAt, unfreezeAskedAt].some(
    (at) => at !== null && now - at < ASKED_MS,
  );
}

/** Whether a deal is being flattened, or is an entry that is disabled now. */
const isTakenDown = (book: UserBook, deal: DealBook): boolean =>
  deal.flattenAskedAt !== null || (isBegun(deal) && areEntriesDisabled(book, book.strategies.get(deal.strategyId)));
