import Big from 'big.js';
import { LEGS, type Leg, type PairBlock } from '#contract/lifecycle';
import { placesOf } from '../base/db/hedges/pairLegs';
import type { SingleTerms } from '../base/db/strategies/singleTerms';
import { money, plain, signedBy, usdt } from '../base/maths/decimal';
import type { Venue } from '../market/venue';
import { type LedgerRow, moveLeg } from './booking';
import type { BookReader } from './bookReader';
import type { BookWriter } from './bookWriter';
import type { EngineNotice } from './desk';
import { countUnhedged, timeOneLeg } from './figures';
import { agreesAt, outsideIn } from './holdings';
import type { MarketSnapshot } from './marketSnapshot';
import { type NextAction, type NextDeal, runnerOf, type WriteOffReason } from './runner';
import { type DealBook, entrySide, newDeal, type StrategyBook, type TargetBook, type UserBook } from './tradingBook';
import { lineOf } from './words';

/** Why a position leaves its deal: too small for an order, not in the account any more, delisted, or inventory of the strategy between deals. */
export type HandOverReason = WriteOffReason | 'inventory';

const TEXT: Record<HandOverReason, (symbol: string, quantity: string, value: string) => string> = {
  crumb: (symbol, quantity, value) =>
    `${symbol} 余量 ${quantity}（约 ${value}）低于最小下单额或最小数量，没有卖出，已从交易单核销，转为账户持仓`,
  gone: (symbol, quantity, value) =>
    `${symbol} ${quantity}（约 ${value}）已被账户上的外部成交抵掉，不再平，从交易单核销`,
  delisted: (symbol, quantity, value) =>
    `${symbol} 已下架，卖不出去：${quantity}（约 ${value}）从交易单核销，转为账户持仓`,
  inventory: (symbol, quantity, value) => `${symbol} ${quantity}（约 ${value}）转为账户库存`,
};

/**
 * Ledger rows that hand the position of a leg over to the account at a price (USDT). The two rows net to zero in money
 * and quantity; the leg is flat afterwards.
 */
export function inventoryEntries(
  why: HandOverReason,
  deal: DealBook,
  leg: Leg,
  mark: number,
  at: number,
): { rows: (LedgerRow & { accountId: string })[]; detail: string } {
  const book = deal.legs[leg];
  const held = book.quantity;
  const price = new Big(mark);
  const value = money(held.times(price));
  const kind = why === 'inventory' ? 'inventory' : 'writeOff';
  moveLeg(book, held.neg(), price);
  const of = {
    kind,
    accountId: book.accountId,
    source: book.source,
    symbol: book.symbol,
    price: plain(price),
    rate: null,
    at,
  } as const;
  // What is not in the account is nobody's stock, after a restart either.
  const reference = `${why === 'gone' ? why : kind}:${deal.id}:${leg}:${at}`;
  return {
    rows: [
      { ...of, dealId: deal.id, quantity: plain(held.neg()), amount: plain(held.times(price)), reference },
      {
        ...of,
        dealId: null,
        quantity: plain(held),
        amount: plain(held.times(price).neg()),
        reference: `${reference}:account`,
      },
    ],
    detail: TEXT[why](book.symbol, plain(held), usdt(value.abs())),
  };
}

/**
 * Ledger rows that move a position from one deal to another of the same account at a price (USDT). The two rows net to
 * zero.
 * @param quantity unsigned, base currency.
 */
function rolledEntries(
  from: DealBook,
  to: DealBook,
  leg: Leg,
  { quantity, price: mark }: { quantity: Big; price: number },
  at: number,
): { rows: (LedgerRow & { accountId: string })[]; detail: string } {
  const { accountId, source, symbol, quantity: held } = from.legs[leg];
  const price = new Big(mark);
  const moved = held.lt(0) ? quantity.neg() : quantity;
  moveLeg(from.legs[leg], moved.neg(), price);
  moveLeg(to.legs[leg], moved, price);
  const of = { kind: 'inventory', accountId, source, symbol, price: plain(price), rate: null, at } as const;
  const reference = `rolled:${from.id}:${leg}:${at}`;
  const part = (deal: DealBook, signed: Big) => ({
    ...{ ...of, dealId: deal.id, quantity: plain(signed), amount: plain(signed.times(price).neg()) },
    reference: deal === from ? reference : `${reference}:to`,
  });
  return {
    rows: [part(from, moved.neg()), part(to, moved)],
    detail: `${symbol} ${plain(moved)} 由原交易单按 ${plain(price)} 转入，没有买卖`,
  };
}

/**
 * Ledger rows that give what the account holds for no deal to a leg at a price (USDT). The two rows net to zero.
 * @param quantity signed, base currency
 * @param from what of the account it is, in words
 */
export function takenEntries(
  deal: DealBook,
  leg: Leg,
  { quantity, price: mark }: { quantity: Big; price: number },
  at: number,
  from: string,
): { rows: (LedgerRow & { accountId: string })[]; detail: string } {
  const { accountId, source, symbol } = deal.legs[leg];
  const price = new Big(mark);
  moveLeg(deal.legs[leg], quantity, price);
  const of = { kind: 'inventory', accountId, source, symbol, price: plain(price), rate: null, at } as const;
  const reference = `taken:${deal.id}:${leg}`;
  const value = quantity.times(price);
  return {
    rows: [
      { ...of, dealId: deal.id, quantity: plain(quantity), amount: plain(value.neg()), reference },
      { ...of, dealId: null, quantity: plain(quantity.neg()), amount: plain(value), reference: `${reference}:account` },
    ],
    detail: `${symbol} ${plain(quantity)}（约 ${usdt(value.abs())}）由${from}转入，没有买卖`,
  };
}

interface RollingOptions {
  reader: BookReader;
  writer: BookWriter;
  clock: () => number;
  newId: () => string;
  notify: (notice: EngineNotice) => void;
}

/**
 * Rolls deals into the next expiry. A new deal enters the new far leg; once that is filled it takes the near leg over
 * at the mark, without an order, and the earlier deal closes the rest. Where the new leg is refused, the earlier deal
 * is unchanged.
 */
export class Rolling {
  readonly #o: RollingOptions;

  constructor(options: RollingOptions) {
    this.#o = options;
  }

  /** @returns true, so that the new deal has its turn */
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
    const paramsAfter = (own: object) => runnerOf(deal.kind).followed?.(own as DealBook['params'], deal.legs) ?? own;
    await writer.saveTakenOver(book, [deal, earlier], rows, lines, { paramsAfter, at });
    // The strategy has new legs: its targets were rewritten.
    await reader.refresh(book);
    for (const one of [deal, earlier]) notify({ kind: 'deal', userId: book.userId, deal: one, event: 'rolled' });
    return true;
  }

  /** The params of the strategy as of now, with the new legs. */
  #paramsOf(book: UserBook, deal: DealBook, legs: NextDeal['legs']): DealBook['params'] {
    const params = book.strategies.get(deal.strategyId)?.params ?? deal.params;
    return runnerOf(deal.kind).followed?.(params, legs) ?? params;
  }
}

interface TakingOptions extends RollingOptions {
  snapshot: MarketSnapshot;
  venue: Pick<Venue, 'positions'>;
}

/** A strategy that takes over, and its one target. */
type Taking = StrategyBook & { params: object; single: SingleTerms & { takes: object } };

/**
 * Makes a deal of positions that an account holds for no other deal: it is open with both legs at once, by one write, at
 * the marks. No order is sent and no money moves. Where they are gone, or less than what was asked for, nothing is taken.
 */
export class TakingOver {
  readonly #o: TakingOptions;

  constructor(options: TakingOptions) {
    this.#o = options;
  }

  /** @returns whether a deal was made */
  async act(book: UserBook, strategy: StrategyBook): Promise<boolean> {
    const { writer } = this.#o;
    const [target] = strategy.targets;
    if (target === undefined || strategy.params === null || strategy.single?.takes === undefined) return false;
    const block = await this.#take(book, strategy as Taking, target);
    if (block !== null && block !== target.block) {
      target.block = block;
      await writer.saveBlocks(book, [target]);
    }
    return block === null;
  }

  /** @returns what keeps it from being taken; null where it was */
  async #take(book: UserBook, strategy: Taking, target: TargetBook): Promise<PairBlock | null> {
    const { venue, snapshot, clock } = this.#o;
    const { accountId, quantity } = strategy.single.takes;
    if (clock() > strategy.single.until) return target.block ?? 'ticketExpired';
    if (book.blocked) return 'userBlocked';
    const account = book.accounts.get(accountId);
    if (account?.mode !== strategy.mode) return 'noAccount';
    const places = placesOf(target);
    const legs = LEGS.map((leg) => {
      const signed = signedBy(entrySide(leg), new Big(quantity[leg]));
      return { leg, signed, price: snapshot.of(places)[leg], outside: outsideIn(book, places[leg], account) };
    });
    const isThere = legs.every(({ signed, outside }) => outside.times(signed).gt(0) && outside.abs().gte(signed.abs()));
    if (!isThere) return 'positionGone';
    // What somebody has just sold by hand may not be told yet: the books would hand over what is gone.
    const agrees = await agreesAt(
      venue,
      book,
      LEGS.map((leg) => ({ ...places[leg], accountId })),
    );
    if (!agrees) return agrees === null ? 'out' : 'journalBehind';
    const [long, short] = legs.map(({ price, signed }) => (price?.fresh ? { signed, price: price.mark } : null));
    if (!long || !short) return 'stalePrice';
    await this.#create(book, strategy, target, { long, short });
    return null;
  }

  async #create(
    book: UserBook,
    strategy: Taking,
    target: TargetBook,
    taken: Record<Leg, { signed: Big; price: number }>,
  ): Promise<void> {
    const { writer, snapshot, clock, newId, notify } = this.#o;
    const { id: strategyId, kind, params: own, single } = strategy;
    const at = clock();
    const worth = (leg: Leg) => taken[leg].signed.abs().times(taken[leg].price).toNumber();
    const params = { ...own, legNotional: Number(money(new Big(worth('long')))) } as DealBook['params'];
    const places = placesOf(target);
    const runner = runnerOf(kind);
    const signalOpen = runner.signal(await runner.observe(snapshot, places, params, 'deal'), snapshot.of(places));
    const { accountId } = single.takes;
    const accountIds = { long: accountId, short: accountId };
    const weights = { long: 1, short: worth('short') / worth('long') };
    const start = { id: newId(), strategyId, kind, params, entryNote: null, signalOpen, accountIds, weights };
    const deal: DealBook = { ...newDeal(target, start, at), state: 'open', openedAt: at };
    const entries = LEGS.map((leg) => {
      const { signed: quantity, price } = taken[leg];
      return takenEntries(deal, leg, { quantity, price }, at, '账户的外部持仓');
    });
    const lines = [
      lineOf(deal, 'created', `${places.long.symbol} / ${places.short.symbol}`),
      ...entries.map(({ detail }) => lineOf(deal, 'takenIn', detail)),
      lineOf(deal, 'opened', '接管账户的外部持仓，没有买卖'),
    ];
    const used = { usedArmAt: target.armedAt, triggeredAt: at, rounds: target.rounds + 1, block: 'open' } as const;
    const rows = entries.flatMap((entry) => entry.rows);
    await writer.createTaken(book, deal, { ...target, ...used }, rows, lines, at);
    Object.assign(target, used);
    book.deals.set(deal.id, deal);
    notify({ kind: 'deal', userId: book.userId, deal, event: 'opened' });
  }
}
