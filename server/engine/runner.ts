import type Big from 'big.js';
import type { ExitRule } from '#contract/dealOutlook';
import type { FieldErrors } from '#contract/envelope';
import type { CloseReason, HedgeState, Leg, OrderPurpose, PairBlock } from '#contract/lifecycle';
import type { NotificationLevel } from '#contract/notification';
import type { Gauge } from '#contract/opening';
import type { PairWarning } from '#contract/pair';
import type { LadderPreview, LegsTicket, SIGNALS, StrategyPreview } from '#contract/strategies';
import type { ParamsOf, StrategyKind } from '#contract/strategy';
import type { Places, TargetLeg } from '../base/db/hedges/pairLegs';
import type { SourceSymbol } from '../base/symbolKey';
import type { Instrument, InstrumentTerms } from '../market/exchange';
import type { Gone, TradingTerms } from '../market/venue';
import type { EntryBook, Need } from './entries';
import type { EntryNote, Observed } from './kindTypes';
import type { MarketSnapshot, SymbolView } from './marketSnapshot';
import type { BookOrder, DealBook, TargetBook } from './tradingBook';

/** Both legs as the market has them now. */
interface LegsContext {
  /** UTC ms. */
  now: number;
  long: SymbolView | undefined;
  short: SymbolView | undefined;
  /** Steps of both symbols; undefined while they are not known. */
  terms: Record<Leg, TradingTerms | undefined>;
}

/** All that decides whether a target is opened now. */
export interface EntryContext<K extends StrategyKind = StrategyKind> extends LegsContext {
  observed: Observed[K];
  lossLimitHit: boolean;
  /** What each leg's account holds of its symbol for no deal, base currency. */
  free: Record<Leg, number>;
  /** Coin in transit to it from the owner's other accounts, and what running deals buy to leave it there. */
  arriving: Record<Leg, number>;
  /** Coin that entries which have begun are still to sell there; of a target that is looked at for itself none is. */
  promised?: Record<Leg, number>;
  /** Coin of the long leg that the strategy itself owns between its deals, at all venues. */
  stock: Big;
  /** A deal of the strategy trades one of the symbols already. */
  isBusy: boolean;
  /** What all strategies of the user hold or are about to buy of the long leg's symbol, USDT. */
  coinHeld: number;
}

/** All that a plan may look at beside the deal and its live orders. */
export interface PlanContext<K extends StrategyKind = StrategyKind> extends LegsContext {
  observed: Observed[K];
  /** What the kind goes by, now. */
  signal: number | null;
  /** How the venue has taken the symbol off for good; null while it has not. */
  gone: Record<Leg, Gone | null>;
  /** Entries are disabled: strategy off, account paused, or the owner may not trade. */
  entriesDisabled: boolean;
  /** What happened to an account of it is not all read yet, as where this process has just begun. */
  isBehind?: boolean;
  /** What each leg is to be worth, USDT. */
  targetNotional: Record<Leg, number>;
  /** Notional that each leg may still grow by, USDT. */
  room: Record<Leg, number>;
  /** Coin of the long leg that the strategy itself owns between its deals, at all venues. */
  stock: Big;
  /** Orders that its accounts may still be sent in this second, of a deal with levels. */
  orders: number;
  /** Whether every account has margin for the target notional of its legs. */
  hasMargin: boolean;
  /** Whether the venue of each leg is down. */
  venueDown: Record<Leg, boolean>;
  unfollowed?: Record<Leg, boolean>;
  /** Signed position of the whole account in each leg's symbol, base currency. */
  account: Record<Leg, Big>;
  /** What deals hold against each leg in its account and symbol, unsigned, base currency. */
  offset: Record<Leg, Big>;
  /** The deal of the earlier expiry that it rolls from, while that one is open. */
  earlier: Pick<DealBook, 'id' | 'legs'> | null;
  /** A deal of the next expiry rolls from it. */
  isFollowed: boolean;
}

/** Too small for an order, or traded away by hand, so that the account does not hold it any more. */
export type WriteOffReason = 'crumb' | 'gone' | 'delisted';

/** What the rules that close a deal go by. */
export type ExitContext<K extends StrategyKind = StrategyKind> = Pick<
  PlanContext<K>,
  'now' | Leg | 'observed' | 'signal'
>;

/** What a target is entered with. */
export interface Entry<K extends StrategyKind = StrategyKind> {
  /** What each leg aims at beside the other. */
  weights: Record<Leg, number>;
  /** What the kind goes by; null where its rules do not ask for it. */
  signal: number | null;
  needs: Record<Leg, Need>;
  note: EntryNote[K];
}

/** Why a target is not entered now. */
export interface Blocked {
  block: PairBlock;
}

/** The deal of the next expiry in a roll. */
export interface NextDeal {
  legs: Record<Leg, SourceSymbol>;
  /** Of a leg, USDT: what is held may be worth more by now than it was opened with. */
  notional: number;
  signal: number | null;
  note: EntryNote[StrategyKind];
}

/** An order of a deal whose legs are called so. */
export type LegOrder<L extends string> = Omit<BookOrder, 'leg'> & { leg: L };

/** The one thing to do next for a deal. */
export type NextAction<L extends string = Leg> =
  | { do: 'lookup'; order: LegOrder<L> }
  | { do: 'cancel'; order: LegOrder<L> }
  | {
      do: 'send';
      leg: L;
      purpose: OrderPurpose;
      quantity: Big;
      adds: boolean;
      maker: boolean;
      capBps: number;
      /** What of the deal it is for; the leg's name where it has no levels. */
      slot?: string;
      /** Ticks beyond the best price of the other side that it may take, within `capBps`; no such bound where it is not given. */
      payUp?: number;
      /** Where a maker order rests, USDT; at the best price of its side where none is given. */
      price?: number;
    }
  /** Orders of several legs, registered together and sent without one waiting for another. */
  | { do: 'sendAll'; sends: Extract<NextAction<L>, { do: 'send' }>[] }
  /** What the legs hold stays with their accounts as inventory, all at one price, so that the deal keeps what it made. */
  | { do: 'handOver'; price: number }
  /** What an account holds for nothing else comes to the deal at a price (USDT), without an order. */
  | { do: 'takeCoin'; leg: L; quantity: Big; price: number }
  | { do: 'move'; to: HedgeState; reason: CloseReason | null }
  /** Begins a deal of the next expiry beside this one. */
  | { do: 'roll'; next: NextDeal }
  /** What a leg of an earlier deal holds comes to this one, at a price, and the earlier one ends. */
  | { do: 'takeOver'; from: string; leg: L; quantity: Big; price: number }
  /** Handed over to the account, with its amount in the timeline. */
  | { do: 'writeOff'; leg: L; price: number; why: WriteOffReason }
  /** Both legs have come down to what a person asked for. */
  | { do: 'reduced' }
  | { do: 'freeze'; reason: string }
  /** Unfreezes a deal at a person's request; `wrong` names a leg on the wrong side. */
  | { do: 'unfreeze'; wrong: string | null }
  | { do: 'verify' }
  | { do: 'recheck' };

/** What a source lists, and the terms of it. */
export interface Listing {
  instruments: readonly Instrument[];
  termsOf(symbol: string): InstrumentTerms | null;
}

/** Nothing of a source that is not known. */
export type Listed = (source: string) => Listing;

/** Legs that params name. */
export interface Named {
  legs: TargetLeg[][];
  missing: string[];
  field: string;
  /** What of the params the instruments do not allow, in words for people. */
  errors?: FieldErrors['fields'];
}

/** What going in and out at once would cost, a fraction of the notional of a leg, and F8 of a kind that earns by settlements; null where nobody knows. */
export interface Costs {
  cost: number | null;
  breakEven: number | null;
}

/** What a target takes, costs and loses at most, USDT, and what only a kind with levels tells. */
export interface Outline extends Pick<StrategyPreview, 'fees' | 'worst'> {
  needs: Record<Leg, Need>;
  /** What is taken from the book at once, base currency; the rest rests at its levels. */
  atOnce: { leg: Leg; quantity: number };
  ladder: Omit<LadderPreview, 'freeCoin'>;
}

/** An alert to the owner, in words for people. */
export interface Alert {
  /** Key of the alert within its deal or target. */
  word: string;
  level: NotificationLevel;
  title: string;
  text: string;
}

/** The market as a gauge reads it. */
interface Gauged<K extends StrategyKind> extends Pick<LegsContext, Leg> {
  observed: Observed[K];
  /** What the kind goes by, now. */
  signal: number | null;
}

/** What the engine asks of a kind of strategy. All of it but `observe` is pure. */
export interface Runner<K extends StrategyKind> {
  /** The sources that the params name. */
  sources(params: ParamsOf<K>): readonly string[];
  /** What the params name of what the sources list; `missing` tells what is not there, `field` where it was named. */
  targets(params: ParamsOf<K>, listed: Listed): Named;
  /** The least notional at which each order of a ladder is one that its venue takes, USDT; absent of kinds whose legs are. */
  leastNotional?(params: ParamsOf<K>, instrument: Pick<Instrument, 'lotSize' | 'minNotional'>): number;
  /** Costs by what was observed. */
  costs(observed: Observed[K]): Costs;
  /**
   * What only this kind needs of the market: closed bars, order books, rates. An entry may do with less than a deal.
   */
  observe(
    snapshot: MarketSnapshot,
    places: Places,
    params: ParamsOf<K>,
    purpose: 'entry' | 'deal',
  ): Promise<Observed[K]>;
  /** What the signal is; the net APR where it is not told. */
  signalIs?: (typeof SIGNALS)[number];
  /** What the kind goes by, now; null where nobody knows. */
  signal(observed: Observed[K], views: Pick<LegsContext, Leg>): number | null;
  /** How near a target is to what it is opened at; null where its rules name no such level. */
  gauge(params: ParamsOf<K>, target: Pick<TargetBook, 'rounds'>, now: Gauged<K>): Gauge | null;
  /** Warnings against an entry, of kinds that have some. @param observed as of a deal */
  warnings?(observed: Observed[K], signal: number | null): PairWarning[];
  /** Of a kind that is not told by the notional of two legs; null where nobody knows. */
  outline?(
    snapshot: MarketSnapshot,
    places: Places,
    params: ParamsOf<K>,
    terms: TradingTerms | undefined,
  ): Promise<Outline | null>;
  /** What each leg would be sent if a target were opened now; of kinds that show it. Null where nobody knows. */
  ticket?(
    snapshot: MarketSnapshot,
    places: Places,
    params: ParamsOf<K>,
    terms: Record<Leg, TradingTerms | undefined>,
    observed: Observed[K],
  ): LegsTicket | null;
  /** Whether a target that was opened already may be opened again. */
  rearmed(target: TargetBook, params: ParamsOf<K>, signal: number | null): boolean;
  /** Whether what is armed is opened at once, whatever the market shows; of kinds that may. */
  opensAtOnce?(params: ParamsOf<K>): boolean;
  /** Whether there is something to open a target for now; of kinds that count how often. */
  isOpportunity?(params: ParamsOf<K>, observed: Observed[K]): boolean;
  /** The entry of a target now, or its block. The margin of the account is checked after this. */
  entry(book: EntryBook, params: ParamsOf<K>, target: TargetBook, context: EntryContext<K>): Entry<K> | Blocked;
  /** The params of a strategy after a roll to other legs. */
  followed?(params: ParamsOf<K>, legs: Record<Leg, SourceSymbol>): ParamsOf<K>;
  /** What a leg is to be worth, USDT, where that is not its part of the size in the params. */
  targetNotional?(deal: DealBook<K>, leg: Leg): number;
  /** What a deal needs next; null when there is nothing to do now. */
  plan(deal: DealBook<K>, live: readonly BookOrder[], context: PlanContext<K>): NextAction | null;
  /** What closes an open deal, in the order in which the plan looks at it; of kinds that close by rules. */
  exitRules?(deal: DealBook<K>, context: ExitContext<K>): ExitRule[];
  /** Alerts of a running deal; asked each tick. */
  alerts?(deal: DealBook<K>, context: PlanContext<K>): Alert[];
  /** Alerts of a target of a running strategy. @param block why it is not entered; null where it is */
  targetAlerts?(params: ParamsOf<K>, target: TargetBook, context: EntryContext<K>, block: PairBlock | null): Alert[];
}

type RunnerOf = <K extends StrategyKind>(kind: K) => Runner<K>;

let known: RunnerOf | undefined;

/** Says who trades strategies of each kind: the engine knows none of them by itself. */
export function registerRunners(runnerOf: RunnerOf): void {
  known = runnerOf;
}

/** The runner of a kind. Params, observations and entry notes are handed back to the kind that made them. */
export function runnerOf<K extends StrategyKind>(kind: K): Runner<StrategyKind> {
  if (known === undefined) throw new Error('nobody said who trades: kinds/kinds has to be imported');
  return known(kind) as unknown as Runner<StrategyKind>;
}

/** What speaks against an entry, of kinds that know such. */
export async function warningsOf<K extends StrategyKind>(
  runner: Runner<K>,
  snapshot: MarketSnapshot,
  places: Places,
  params: ParamsOf<K>,
): Promise<PairWarning[]> {
  if (runner.warnings === undefined) return [];
  const observed = await runner.observe(snapshot, places, params, 'deal');
  return runner.warnings(observed, runner.signal(observed, snapshot.of(places)));
}
