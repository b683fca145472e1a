import Big from 'big.js';
import type { PaperOrder } from '../../base/db/accounts/paperAccount';
import { money, plain, signedBy, ZERO } from '../../base/maths/decimal';
import { movedBy } from '../../base/maths/heldCost';
import { symbolKey } from '../../base/symbolKey';
import type { InstrumentKind } from '../exchange';
import type { MoveOrder, Side, VenueEvent, VenueFill, VenueOrder, VenueReport } from '../venue';
import { heldIn, type PaperAccount, type PaperPosition } from './margin';

interface Fill {
  /** null: the venue acts by itself. */
  clientId: string | null;
  forced?: VenueFill['forced'];
  source: string;
  symbol: string;
  side: Side;
  quantity: Big;
  price: Big;
  /** Fraction of the notional. */
  feeRate: Big;
  /** Who buys spot pays the fee in coin. */
  kind: InstrumentKind;
  maker: boolean;
  /** Of a position that grows by it. */
  leverage: number;
}

interface Settlement {
  source: string;
  symbol: string;
  /** Signed, as it was held then. */
  quantity: Big;
  /** UTC ms. */
  at: number;
  rate: number;
  mark: number;
}

/** What is about to happen to one account. Nothing of it counts before it is committed. */
export class AccountChange {
  readonly before: PaperAccount;
  readonly now: number;
  cash: Big;
  sequence: number;
  fundedUntil: number;
  /** A settlement of the past is not told yet. */
  awaitsFunding: boolean;
  readonly positions: Map<string, PaperPosition>;
  readonly resting: Map<string, PaperOrder>;
  readonly events: VenueEvent[] = [];
  /** Orders of which the database knows nothing. */
  readonly placed: PaperOrder[] = [];
  /** Resting orders that moved on, by client id. */
  readonly moved = new Map<string, PaperOrder>();
  readonly #touched = new Map<string, { source: string; symbol: string }>();

  constructor(before: PaperAccount, now: number) {
    this.before = before;
    this.now = now;
    this.cash = before.cash;
    this.sequence = before.sequence;
    this.fundedUntil = before.fundedUntil;
    this.awaitsFunding = before.awaitsFunding;
    this.positions = new Map(before.positions);
    this.resting = new Map(before.resting);
  }

  get isEmpty(): boolean {
    return this.events.length === 0 && this.placed.length === 0 && this.moved.size === 0;
  }

  /** Positions that differ from before; flat ones with quantity 0. */
  get touched() {
    return [...this.#touched].map(([key, of]) => {
      const position = this.positions.get(key);
      const cost = plain(position?.cost ?? ZERO);
      return { ...of, quantity: plain(heldIn(this, of)), cost, leverage: position?.leverage ?? 0 };
    });
  }

  /** Cash moves by minus the signed notional and minus the fee, where this is not taken from the coin (F28). */
  fill(of: Fill): void {
    const { clientId, forced, source, symbol, side, quantity, price, feeRate, kind, maker, leverage } = of;
    const isFeeInBase = kind === 'spot' && side === 'buy';
    const signed = signedBy(side, quantity);
    const feeInBase = isFeeInBase ? quantity.times(feeRate) : ZERO;
    const fee = isFeeInBase ? feeInBase.times(price) : money(quantity.times(price).times(feeRate));
    this.cash = this.cash.minus(signed.times(price)).minus(isFeeInBase ? ZERO : fee);
    this.#move(of, signed.minus(feeInBase), price, leverage);
    this.sequence += 1;
    this.events.push({
      kind: 'fill',
      ...this.#stamp({ source, symbol }),
      fillId: `${this.before.account}-${this.sequence}`,
      clientId,
      ...(forced ? { forced } : {}),
      side,
      quantity: plain(quantity),
      price: plain(price),
      fee: plain(fee),
      ...(isFeeInBase ? { feeInBase: plain(feeInBase) } : {}),
      maker,
    });
  }

  /** F2 on the whole position. */
  settle({ source, symbol, quantity, at, rate, mark }: Settlement): void {
    const amount = money(quantity.times(mark).times(rate).neg());
    this.cash = this.cash.plus(amount);
    this.sequence += 1;
    this.events.push({
      kind: 'funding',
      ...this.#stamp({ source, symbol }),
      at,
      rate: plain(new Big(rate)),
      mark: plain(new Big(mark)),
      quantity: plain(quantity),
      amount: plain(amount),
    });
  }

  /** The venue pays what a loss took beyond all that was there. */
  bailOut(amount: Big): void {
    this.cash = this.cash.plus(amount);
    this.sequence += 1;
    this.events.push({ kind: 'bailout', ...this.#stamp({ source: '', symbol: '' }), amount: plain(amount) });
  }

  /** USDT to or from another account of its owner. */
  move({ moveId, amount, fee }: Pick<MoveOrder, 'moveId' | 'amount' | 'fee'>): void {
    this.cash = this.cash.plus(amount).minus(fee ?? 0);
    this.sequence += 1;
    const stamp = this.#stamp({ source: '', symbol: '' });
    this.events.push({ kind: 'move', ...stamp, moveId, amount, ...(fee === undefined ? {} : { fee }) });
  }

  /** A coin to or from another account of its owner, at a price (USDT): no cash moves but the fee. */
  moveCoin({ moveId, amount, fee }: MoveOrder, spot: { source: string; symbol: string }, price: Big): void {
    const signed = new Big(amount);
    this.cash = this.cash.minus(fee ?? 0);
    this.#move(spot, signed, price, 1);
    this.sequence += 1;
    this.events.push({
      kind: 'move',
      ...this.#stamp(spot),
      moveId,
      amount: plain(signed.times(price)),
      ...(fee === undefined ? {} : { fee }),
      coin: { quantity: plain(signed), price: plain(price) },
    });
  }

  /** Takes up a new order in the state that it has found. */
  place(order: VenueOrder, report: VenueReport): void {
    const stored = { order, report };
    this.placed.push(stored);
    if (report.state === 'open') this.resting.set(order.clientId, stored);
  }

  /** Moves a resting order on; one that is not open any more leaves the book. */
  moveOrder({ order, report }: PaperOrder, to: Partial<Pick<VenueReport, 'state' | 'filledQuantity'>>): PaperOrder {
    const stored = { order, report: { ...report, ...to, at: this.now } };
    this.moved.set(order.clientId, stored);
    if (stored.report.state === 'open') this.resting.set(order.clientId, stored);
    else this.resting.delete(order.clientId);
    return stored;
  }

  /** Ends a resting order without having been asked to. */
  endOrder(resting: PaperOrder): void {
    const { order, report } = this.moveOrder(resting, { state: 'cancelled' });
    this.sequence += 1;
    this.events.push({ kind: 'orderEnd', ...this.#stamp(order), report });
  }

  #move(of: { source: string; symbol: string }, signed: Big, price: Big, leverage: number): void {
    const { source, symbol } = of;
    const key = symbolKey(of);
    const held = this.positions.get(key);
    const before = { quantity: held?.quantity ?? ZERO, cost: held?.cost ?? ZERO };
    const { quantity, cost } = movedBy(before, signed, price);
    this.#touched.set(key, { source, symbol });
    if (quantity.eq(0)) {
      this.positions.delete(key);
      return;
    }
    const grows = quantity.abs().gt(before.quantity.abs()) || quantity.s !== before.quantity.s;
    this.positions.set(key, {
      ...{ source, symbol, quantity, cost, size: Number(quantity) },
      leverage: grows ? leverage : (held?.leverage ?? leverage),
    });
  }

  #stamp({ source, symbol }: { source: string; symbol: string }) {
    return { sequence: this.sequence, account: this.before.account, source, symbol, at: this.now };
  }
}
