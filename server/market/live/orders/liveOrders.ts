import { setTimeout as pause } from 'node:timers/promises';
import Big from 'big.js';
import { LRUCache } from 'lru-cache';
import { SECOND_MS } from '#contract/duration';
import {
  claimLiveOrder,
  type Exposure,
  forgetOrder,
  keepNewest,
  liveOrderOf,
  restingOrders,
  type UnreadOrder,
  voidLiveOrder,
} from '../../../base/db/accounts/liveOrder';
import type { Queries } from '../../../base/db/client';
import { larger, plain, signedBy, ZERO } from '../../../base/maths/decimal';
import { type VenueLookup, type VenueOrder, VenueRefused, type VenueReport } from '../../venue';
import { kindOfName } from '../listing';
import { ourIdOf } from './orderId';
import type { RealExchange, RealOrders } from './realExchange';
import { Unanswered } from './unanswered';

/** The most that an account may hold together. */
interface Cap {
  /** USDT. */
  most: string;
  /** What a symbol is worth now, USDT; null where nobody knows. */
  markOf(symbol: string): number | null;
}

const filledOf = ({ report, written }: UnreadOrder): Big =>
  larger(new Big(report?.filledQuantity ?? 0), new Big(written));

/** What may still come of an order, USDT. */
function leftOf(order: UnreadOrder): Big {
  if (order.report !== null && order.report.state !== 'open') return ZERO;
  const quantity = new Big(order.quantity).abs();
  return new Big(order.notional).times(quantity.minus(filledOf(order))).div(quantity);
}

/**
 * Whether an order leaves an account under its cap, all that is on its way filled. What makes the account hold less
 * always fits. @throws VenueRefused without the price of something that is held
 */
function fits({ symbol, side, quantity, limitPrice }: VenueOrder, exposure: Exposure, cap: Cap): boolean {
  const held = new Map(Object.entries(exposure.held).map(([name, size]) => [name, new Big(size)]));
  for (const order of exposure.orders) {
    // The exchange has told of fills that are not written yet.
    const unread = filledOf(order).minus(order.written);
    const signed = new Big(order.quantity).gt(0) ? unread : unread.neg();
    held.set(order.symbol, (held.get(order.symbol) ?? ZERO).plus(signed));
  }
  const before = held.get(symbol) ?? ZERO;
  const after = before.plus(signedBy(side, new Big(quantity)));
  const added = after.abs().minus(before.abs());
  if (added.lte(0)) return true;
  const left = exposure.orders.reduce((sum, order) => sum.plus(leftOf(order)), ZERO);
  const value = [...held].reduce((sum, [name, size]) => {
    if (size.eq(0)) return sum;
    const mark = cap.markOf(name);
    if (mark === null) throw new VenueRefused('unreachable');
    return sum.plus(size.abs().times(mark));
  }, ZERO);
  return value.plus(left).plus(added.times(limitPrice)).lte(cap.most);
}

/** After the last moment that an exchange took an order it may be so long until its lookups know of it. */
const SEEN_WITHIN_MS = 5 * SECOND_MS;

const SEEN_KEPT = 10_000;

/** An order that is not answered by then is looked for beside, and again after as long: its other leg waits for it. */
const LATE_MS = 1.5 * SECOND_MS;

interface LiveOrdersOptions {
  db: Queries;
  exchange: Pick<RealExchange, 'takenWithinMs' | 'forgottenAfterMs'>;
  /** Whoever trades an account at its exchange. @throws VenueRefused without a key */
  ordersOf(account: string): Promise<RealOrders>;
  /**
   * Asked of each order that can add to what the account holds and ends nothing.
   * @returns the most that it may hold together; null where that is not limited
   * @throws VenueRefused for one that may not go
   */
  capFor?(order: VenueOrder): Promise<Cap | null>;
  /**
   * Asked before each order is sent.
   * @returns what to call when it is, or is refused
   * @throws VenueRefused for one that may not go
   */
  watch?(order: VenueOrder): Promise<() => void>;
}

/**
 * Orders of accounts at real exchanges. The row of an order is there before it is sent, with the last moment at which the
 * exchange takes it; the request is signed by a time from before the row, so that however long its sender hangs in
 * between, what comes later is refused. An id that was looked up and found unsent is taken, and is sent by nobody.
 */
export class LiveOrders {
  readonly #options: LiveOrdersOptions;
  /** When an order was listed last, by client id; by a clock that nobody sets. */
  readonly #seen = new LRUCache<string, number>({ max: SEEN_KEPT });

  constructor(options: LiveOrdersOptions) {
    this.#options = options;
  }

  /** What may still come of what rests, USDT. */
  async resting(account: string): Promise<Big> {
    const orders = await restingOrders(this.#options.db, account);
    return orders.reduce((sum, order) => sum.plus(leftOf({ ...order, written: '0' })), ZERO);
  }

  /** What rests of these contracts, as the exchange lists it. @returns our ids of it. @throws Unanswered */
  async open(account: string, symbols: readonly string[]): Promise<Set<string>> {
    const orders = await this.#options.ordersOf(account);
    // After a clock that was set it would be refused, and the countdown too that is put off next.
    await orders.time();
    const names = await orders.open(symbols);
    const listed = new Set(names.flatMap((name) => ourIdOf(name) ?? []));
    for (const clientId of listed) this.#seen.set(clientId, performance.now());
    return listed;
  }

  /** @throws VenueRefused; any other error: in doubt */
  async submit(order: VenueOrder): Promise<VenueReport> {
    const done = await this.#options.watch?.(order);
    try {
      return await this.#send(order);
    } finally {
      done?.();
    }
  }

  async #send(order: VenueOrder): Promise<VenueReport> {
    const { db, exchange, ordersOf, capFor } = this.#options;
    const { clientId, account: accountId, source, symbol, type } = order;
    const orders = await ordersOf(accountId);
    const adds = !(order.reduceOnly || (kindOfName(symbol) === 'spot' && order.side === 'sell'));
    // An exit always goes, also one that the account nets with other deals: what it makes the account hold keeps entries out.
    const cap = adds && !order.isExit && capFor ? await capFor(order) : null;
    const signedAt = await orders.prepare(order);
    const deadline = signedAt + exchange.takenWithinMs;
    const row = { clientId, accountId, source, symbol, deadline, rests: type === 'maker', ...sizeOf(order, adds) };
    const claim = await claimLiveOrder(db, row, cap && ((exposure) => fits(order, exposure, cap)));
    if (claim !== 'claimed') throw new VenueRefused(claim === 'taken' ? 'duplicateClientId' : 'overCap');
    try {
      return await keepNewest(db, await firstAnswer(orders, order, signedAt));
    } catch (error) {
      // Nothing comes of it any more: it takes no room. One whose name was taken may be another's that lives.
      if (error instanceof VenueRefused && error.reason !== 'duplicateClientId') await forgetOrder(db, clientId);
      throw error;
    }
  }

  /** @throws when in doubt */
  async cancel(account: string, clientId: string): Promise<{ symbol: string; report: VenueReport }> {
    const { db, exchange, ordersOf } = this.#options;
    const known = await liveOrderOf(db, account, clientId);
    if (known === undefined || known.symbol === '') throw new Unanswered('a cancel');
    const { symbol, deadline, report } = known;
    if (report && report.state !== 'open') return { symbol, report };
    const signedAt = deadline - exchange.takenWithinMs;
    const cancelled = await (await ordersOf(account)).cancel({ symbol, clientId, signedAt });
    return { symbol, report: await keepNewest(db, cancelled) };
  }

  /** @returns the symbol too; empty where nobody sent such an order. @throws when the exchange cannot be asked */
  async lookup(account: string, clientId: string, vouch = true): Promise<VenueLookup & { symbol: string }> {
    const { db, exchange, ordersOf } = this.#options;
    if (vouch) await voidLiveOrder(db, account, clientId);
    const known = await liveOrderOf(db, account, clientId);
    if (known === undefined) return { symbol: '', found: false, covered: false };
    const { symbol, deadline, report } = known;
    if (symbol === '') return { symbol, found: false, covered: true };
    if (report && report.state !== 'open') return { symbol, found: true, report };
    const orders = await ordersOf(account);
    // Before the order: what it takes until then, the lookup knows of.
    const now = await orders.time();
    const found = await orders.find({ symbol, clientId, signedAt: deadline - exchange.takenWithinMs });
    if (found !== null) return { symbol, found: true, report: await keepNewest(db, found) };
    if (report === null) {
      const covered = now > deadline + SEEN_WITHIN_MS;
      if (covered) await forgetOrder(db, clientId);
      return { symbol, found: false, covered };
    }
    // One that was there ended unfilled, once the exchange may have forgotten it; before that its lookup lags behind.
    const seenAgo = performance.now() - (this.#seen.get(clientId) ?? Number.NEGATIVE_INFINITY);
    const isLate = Math.min(now - report.at, seenAgo) < exchange.forgottenAfterMs;
    if (isLate || (known.rests && (await this.open(account, [symbol])).has(clientId)))
      return { symbol, found: false, covered: false };
    return { symbol, found: true, report: await keepNewest(db, { ...report, state: 'cancelled', at: now }) };
  }
}

/**
 * What became of an order: as the exchange answers, or as it is found where that answer is late. One that is not found
 * may still be on its way: that says nothing. @throws as the exchange answers
 */
async function firstAnswer(orders: RealOrders, order: VenueOrder, signedAt: number): Promise<VenueReport> {
  const over = new AbortController();
  const sent = orders.submit(order, signedAt);
  const found = findLate(orders, order, signedAt, over.signal);
  // Whichever comes second is not heard.
  for (const one of [sent, found]) one.catch(() => undefined);
  try {
    return await Promise.race([sent, found]);
  } finally {
    over.abort();
  }
}

async function findLate(orders: RealOrders, order: VenueOrder, signedAt: number, signal: AbortSignal) {
  const { symbol, clientId, type } = order;
  for (;;) {
    await pause(LATE_MS, undefined, { signal });
    const found = await orders.find({ symbol, clientId, signedAt }).catch(() => null);
    // What does not rest is told once it has ended.
    if (found !== null && (type === 'maker' || found.state !== 'open')) return found;
  }
}

const sizeOf = ({ side, quantity, limitPrice }: VenueOrder, adds: boolean) => ({
  quantity: plain(signedBy(side, new Big(quantity))),
  notional: adds ? plain(new Big(quantity).times(limitPrice)) : '0',
});
