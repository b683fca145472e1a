import Big from 'big.js';
import type { Leg } from '#contract/lifecycle';
import { money, plain } from '../base/maths/decimal';
import { type LedgerRow, moveLeg } from './booking';
import type { DealBook } from './tradingBook';

/** What a leg leaves to the account: too little for an order of its own, or what its strategy holds between deals. */
type HandOverKind = 'writeOff' | 'inventory';

const TEXT: Record<HandOverKind, (symbol: string, quantity: string, value: string) => string> = {
  writeOff: (symbol, quantity, value) =>
    `${symbol} 余量 ${quantity}（约 ${value} USDT）低于最小下单额，已从对冲单核销，转为账户持仓`,
  inventory: (symbol, quantity, value) => `${symbol} ${quantity}（约 ${value} USDT）转为账户库存`,
};

/**
 * Takes what a leg still holds out of a deal, at a price (USDT), and gives it to the account: two rows that add up to
 * nothing in money and in quantity. The leg is flat afterwards.
 */
export function inventoryEntries(
  kind: HandOverKind,
  deal: DealBook,
  leg: Leg,
  mark: number,
  at: number,
): { rows: (LedgerRow & { accountId: string })[]; detail: string } {
  const book = deal.legs[leg];
  const held = book.quantity;
  const price = new Big(mark);
  const value = money(held.times(price));
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
  const reference = `${kind}:${deal.id}:${leg}:${at}`;
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
    detail: TEXT[kind](book.symbol, plain(held), value.abs().toFixed(2)),
  };
}

/**
 * Gives what a leg of a deal holds to another deal of the same account, at a price (USDT): two rows that add up to
 * nothing in money and in quantity.
 * @param quantity unsigned, base currency.
 */
export function rolledEntries(
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
 * Gives coin that an account holds for nothing else to a leg of a deal, at a price (USDT): two rows that add up to nothing in
 * money and in quantity. @param quantity signed, base currency
 */
export function coinEntries(
  deal: DealBook,
  leg: Leg,
  { quantity, price: mark }: { quantity: Big; price: number },
  at: number,
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
    detail: `${symbol} ${plain(quantity)}（约 ${value.toFixed(2)} USDT）由账户库存转入，没有买卖`,
  };
}
