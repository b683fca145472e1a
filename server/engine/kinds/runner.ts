import type Big from 'big.js';
import type { CloseReason, HedgeState, Leg, OrderPurpose } from '#contract/lifecycle';
import type { ParamsOf, StrategyKind } from '#contract/strategy';
import type { Gone, TradingTerms } from '../../exchange/venue';
import type { Blocked, EntryBook, EntrySight, Opening } from '../entries';
import type { BookOrder, DealBook, TargetBook } from '../tradingBook';
import type { SymbolView } from '../view';

/** All that a plan may look at beside the deal and its live orders. */
export interface Sight {
  /** UTC ms. */
  now: number;
  long: SymbolView | undefined;
  short: SymbolView | undefined;
  /** Steps of both symbols; undefined while they are not known. */
  terms: Record<Leg, TradingTerms | undefined>;
  /** How the venue has taken the symbol off for good; null while it has not. */
  gone: Record<Leg, Gone | null>;
  /** F14 by the present prices. */
  z: number | null;
  /** Nothing is entered any further: switched off, paused, or the owner may not trade. */
  off: boolean;
  /** Notional that each leg may still grow by, USDT. */
  room: Record<Leg, number>;
  /** Gross that the account may still grow by, USDT. */
  headroom: number;
  /** Signed position of the whole account in each leg's symbol, base currency. */
  account: Record<Leg, Big>;
}

/** An order of a deal whose legs are called so. */
export type LegOrder<L extends string> = Omit<BookOrder, 'leg'> & { leg: L };

/** The one thing to do next for a deal. */
export type Wish<L extends string = Leg> =
  | { do: 'look'; order: LegOrder<L> }
  | { do: 'cancel'; order: LegOrder<L> }
  | { do: 'send'; leg: L; purpose: OrderPurpose; quantity: Big; adds: boolean; maker: boolean; capBps: number }
  | { do: 'move'; to: HedgeState; reason: CloseReason | null }
  /** Too little for an order of its own: leaves the deal for the account, in the open. */
  | { do: 'writeOff'; leg: L; price: number }
  | { do: 'freeze'; reason: string }
  | { do: 'verify' }
  | { do: 'recheck' };

/** What the engine asks of a kind of strategy. All of it is pure. */
export interface Runner<K extends StrategyKind> {
  /** Whether the rules look at the closed bars of a target. */
  needsModel(params: ParamsOf<K>): boolean;
  /** Whether a target that was opened already may be opened again. @param z F14 by the present prices */
  rearmed(target: TargetBook, params: ParamsOf<K>, z: number | null): boolean;
  /** What to open a target with now, or the word why not. The margin is asked for after this. */
  entry(book: EntryBook, params: ParamsOf<K>, target: TargetBook, sight: EntrySight): Opening | Blocked;
  /** What a deal needs next; null when there is nothing to do now. */
  plan(deal: DealBook<K>, live: readonly BookOrder[], sight: Sight): Wish | null;
}
