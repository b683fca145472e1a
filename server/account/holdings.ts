import Big from 'big.js';
import { LEGS, type Leg } from '#contract/lifecycle';
import type { HedgeRecord } from '../db/hedge';
import { type SourceSymbol, symbolKey } from '../exchange/symbolKey';
import type { LedgerSums } from './ledgerTallies';
import type { Marks } from './marks';

/** One leg that a hedge holds; signed quantity and cost. */
export interface HeldLeg extends SourceSymbol {
  hedge: HedgeRecord;
  leg: Leg;
  quantity: Big;
  cost: Big;
}

/** The legs of hedges that hold something. */
export function heldLegs(hedges: readonly HedgeRecord[]): HeldLeg[] {
  return hedges.flatMap((hedge) =>
    LEGS.map((leg) => ({
      hedge,
      leg,
      source: hedge.source,
      symbol: hedge[leg],
      quantity: new Big(leg === 'long' ? hedge.longQuantity : hedge.shortQuantity),
      cost: new Big(leg === 'long' ? hedge.longCost : hedge.shortCost),
    })).filter(({ quantity }) => !quantity.eq(0)),
  );
}

const sum = (values: Big[]): Big => values.reduce((total, value) => total.plus(value), new Big(0));

/** What the books say of the account's money, exact, USDT. */
export interface Books {
  cash: Big;
  transfers: Big;
  /** Came from other accounts of the user less what went there: of all accounts together minus what is on its way. */
  moved: Big;
  funding: Big;
  /** Paid is positive. */
  fees: Big;
  /** null where a held symbol has no price. */
  equity: Big | null;
  unrealised: Big | null;
  /** Held symbols without a price. */
  unpriced: string[];
  /** UTC ms of the oldest price in use. */
  priceAt: number | null;
}

/** What an account has in one symbol by its ledger. */
interface Holding extends SourceSymbol {
  cash: Big;
  /** Signed, base currency. */
  quantity: Big;
}

/** What an account is worth: cash plus what is held at its marks, USDT; `null` where a position has no mark. */
export function equityOf(holdings: readonly Holding[], marks: Marks): Big | null {
  return holdings.reduce<Big | null>((equity, { cash, quantity, ...of }) => {
    const mark = quantity.eq(0) ? 0 : marks.get(symbolKey(of))?.price;
    return equity === null || mark === undefined ? null : equity.plus(cash).plus(quantity.times(mark));
  }, new Big(0));
}

/** Cash plus booked positions at their marks. */
export function booksOf(sums: readonly LedgerSums[], legs: readonly HeldLeg[], marks: Marks): Books {
  const column = (name: 'cash' | 'transfers' | 'moved' | 'funding' | 'fees') => sum(sums.map((row) => row[name]));
  const held = sums.filter(({ quantity }) => !quantity.eq(0));
  const priced = [...held, ...legs].map((row) => ({ symbol: row.symbol, mark: marks.get(symbolKey(row)) }));
  const unpriced = [...new Set(priced.filter(({ mark }) => mark === undefined).map(({ symbol }) => symbol))];
  const worth = (row: SourceSymbol, quantity: Big) => quantity.times(marks.get(symbolKey(row))?.price ?? 0);
  const cash = column('cash');
  const complete = unpriced.length === 0;
  return {
    cash,
    transfers: column('transfers'),
    moved: column('moved'),
    funding: column('funding'),
    fees: column('fees').neg(),
    equity: complete ? equityOf(sums, marks) : null,
    unrealised: complete ? sum(legs.map((leg) => worth(leg, leg.quantity).minus(leg.cost))) : null,
    unpriced,
    priceAt: priced.reduce<number | null>(
      (oldest, { mark }) => (mark ? Math.min(oldest ?? mark.at, mark.at) : oldest),
      null,
    ),
  };
}
