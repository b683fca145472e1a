import type Big from 'big.js';
import type { ExitRule } from '#contract/dealOutlook';
import { LEGS, type Leg, type PairBlock } from '#contract/lifecycle';
import type { OutsideMet } from '#contract/opening';
import type { PairWarning } from '#contract/pair';
import type { LegsTicket } from '#contract/strategies';
import type { ParamsOf, StrategyKind } from '#contract/strategy';
import { type Places, placesOf, type TargetLeg } from '../base/db/hedges/pairLegs';
import type { DealColumns } from '../base/db/strategies/deal';
import { totalOf, ZERO } from '../base/maths/decimal';
import { capitalOfLegs } from '../base/maths/hedge';
import type { SourceSymbol } from '../base/symbolKey';
import { type Clock, INSTRUMENT_KINDS, type Instrument, type Markets } from '../market/exchange';
import type { PaperVenue, TradingTerms } from '../market/venue';
import { dealBook } from './bookReader';
import { needsOf } from './dealLegs';
import { legCost } from './dryRun';
import type { Need } from './entries';
import { outsideMet } from './holdings';
import { MarketSnapshot } from './marketSnapshot';
import type { PairModels } from './pairModel';
import {
  type Blocked,
  type Costs,
  type Entry,
  type Listing,
  type Outline,
  type Runner,
  runnerOf,
  warningsOf,
} from './runner';

import { leverageOf } from './tradingBook';

interface Needs {
  clock: Clock;
  markets: Markets;
  venue: PaperVenue;
  pairModels: PairModels;
  /** Free coin of the user's account in a symbol, base currency; none where it is not given. */
  freeOf?: (place: SourceSymbol) => number;
  /** What that account holds of a symbol beyond its deals, signed, base currency; of real ones alone. */
  outsideOf?: (place: SourceSymbol) => Big;
}

const NONE = { long: 0, short: 0 };
const EVEN = { long: 1, short: 1 };
const NOTHING: Listing = { instruments: [], termsOf: () => null };

const sizeOf = (params: ParamsOf<StrategyKind>) => ({
  legNotional: params.legNotional,
  leverage: leverageOf({ params }),
});

/** The sources that params of a kind name; none where nothing is set up yet. */
export const sourcesOf = (kind: StrategyKind, params: unknown): readonly string[] =>
  params === null ? [] : runnerOf(kind).sources(params as never);

/** The least notional of a ladder, USDT, as its runner tells it; undefined of kinds that hold legs. */
export const ladderLeast = (
  kind: StrategyKind,
  params: ParamsOf<StrategyKind>,
  instrument: Pick<Instrument, 'lotSize' | 'minNotional'>,
): number | undefined => runnerOf(kind).leastNotional?.(params as never, instrument);

/** Legs that a kind's params name, and what of them the source does not list. */
export async function targetsOf<K extends StrategyKind>(markets: Markets, kind: K, params: ParamsOf<K>) {
  const runner = runnerOf(kind);
  const listed = new Map<string, Listing>();
  for (const source of runner.sources(params)) {
    const market = await markets.get(source);
    const instruments = (await market?.instruments(INSTRUMENT_KINDS)) ?? [];
    listed.set(source, { instruments, termsOf: (symbol) => market?.terms(symbol) ?? null });
  }
  return runner.targets(params, (source) => listed.get(source) ?? NOTHING);
}

const stocks = (entry: Entry<StrategyKind> | Blocked): boolean =>
  'note' in entry && entry.note !== null && 'isStock' in entry.note && entry.note.isStock;

/** What orders that bring an inventory to what is wanted are worth and cost, USDT; `null` where the book is too thin. */
interface Stocking {
  notional: number;
  fee: number | null;
  slippage: number | null;
  /** What they add to the stock, base currency, signed. */
  coin: number;
  isHedge: boolean;
}

async function stockingOf(
  venue: PaperVenue,
  { legNotional }: ParamsOf<StrategyKind>,
  places: Places,
  { weights }: Entry<StrategyKind>,
): Promise<Stocking> {
  const leg: Leg = weights.long > 0 ? 'long' : 'short';
  const notional = legNotional * weights[leg];
  let coin = 0;
  const cost = await legCost(venue, places[leg], leg, (mid) => {
    coin = notional / mid;
    return coin;
  });
  const isHedge = places.long.source === places.short.source && places.long.symbol === places.short.symbol;
  return { notional, ...cost, coin: leg === 'long' ? coin : -coin, isHedge };
}

/** What a kind says of its costs, else what its ticket would cost to get in by and out again. */
function costsOf(
  { cost, breakEven }: Costs,
  ticket: LegsTicket | null,
  { legNotional }: { legNotional: number },
): Costs {
  if (cost !== null || ticket === null) return { cost, breakEven };
  const once = totalOf(ticket.legs.flatMap(({ fee, slippage }) => [fee, slippage]));
  return { cost: once === null ? null : (2 * once) / legNotional, breakEven };
}

const areSpot = (terms: Record<Leg, TradingTerms | undefined>) => LEGS.map((leg) => terms[leg]?.kind === 'spot');

/** What each leg of a target would be; of one that is not opened what it would take otherwise. */
const sizeOfEntry = (entry: Entry<StrategyKind> | Blocked, otherwise: () => Record<Leg, Need>) =>
  'block' in entry
    ? { weights: EVEN, needs: otherwise(), block: entry.block }
    : { weights: entry.weights, needs: entry.needs, block: null };

/** Counts spot that would be stocked to its coin. */
function addCoin(stock: Map<string, Big>, instrument: Instrument | undefined, stocking: Stocking | null): void {
  if (stocking === null || instrument?.kind !== 'spot') return;
  stock.set(instrument.base, (stock.get(instrument.base) ?? ZERO).plus(stocking.coin));
}

/** The preview of a target. */
interface PreviewedTarget extends Costs {
  places: Places;
  /** What each leg would take of its account. */
  needs: Record<Leg, Need>;
  /** Of each leg per notional of the params. */
  weights: Record<Leg, number>;
  /** Why it would not be opened now; null when it would. */
  block: PairBlock | null;
  /** The entry would restock an inventory, or hedge it, and what that takes. */
  isStock?: true;
  stocking?: Stocking;
  signal: number | null;
  /** Of a rate of the year on a leg's notional: the same on the capital (F12). */
  signalOnCapital?: number;
  /** Of kinds that tell it. */
  ticket?: LegsTicket;
  outside?: OutsideMet;
  /** What speaks against it; not given where nothing does. */
  warnings?: PairWarning[];
}

/** Runs the engine's own entry on the present, on a strategy that runs, holds nothing, and whose owner may trade. */
export async function previewTargets<K extends StrategyKind>(
  needs: Needs,
  kind: K,
  params: ParamsOf<K>,
  targets: readonly TargetLeg[][],
): Promise<{ at: number; rows: PreviewedTarget[]; outline: Outline | null; signalIs: Runner<K>['signalIs'] }> {
  const snapshot = new MarketSnapshot(needs);
  await snapshot.refresh(new Set(targets.flatMap((legs) => legs.map(({ source }) => source))));
  const runner = runnerOf(kind);
  const { freeOf, outsideOf } = needs;
  const book = {
    blocked: false,
    paused: null,
    pausedForAll: null,
    unvalued: null,
    state: 'running' as const,
    deals: [],
  };
  const rows: PreviewedTarget[] = [];
  const instrumentOf = ({ source, symbol }: SourceSymbol) =>
    snapshot.marketOf(source)?.listed?.(symbol, snapshot.at)?.instrument;
  /** Coin that the rows so far would stock, by its name. */
  const stock = new Map<string, Big>();
  let outline: Outline | null = null;
  for (const legs of targets) {
    const places = placesOf({ legs });
    const views = snapshot.of(places);
    const terms = await snapshot.termsOf(places);
    const observed = await runner.observe(snapshot, places, params, 'entry');
    const target = {
      id: '',
      legs,
      armedAt: 1,
      usedArmAt: null,
      rounds: 0,
      seen: 0,
      isOpportunity: false,
      triggeredAt: null,
      block: null,
      hold: null,
      accepted: [],
    };
    const context = {
      now: needs.clock(),
      ...views,
      terms,
      observed,
      lossLimitHit: false,
      coinHeld: 0,
      free: freeOf ? { long: freeOf(places.long), short: freeOf(places.short) } : NONE,
      arriving: NONE,
      stock: stock.get(instrumentOf(places.long)?.base ?? '') ?? ZERO,
      isBusy: false,
    };
    const entry = runner.entry(book, params, target, context);
    const ticket = runner.ticket?.(snapshot, places, params, terms, observed) ?? null;
    const costs = costsOf(runner.costs(observed), ticket, params);
    outline ??= (await runner.outline?.(snapshot, places, params, terms.long)) ?? null;
    const stocking = stocks(entry) ? await stockingOf(needs.venue, params, places, entry as Entry<StrategyKind>) : null;
    addCoin(stock, instrumentOf(places.long), stocking);
    const signal = runner.signal(observed, views);
    const warnings = await warningsOf(runner, snapshot, places, params);
    const isYearly = signal !== null && outline === null && runner.signalIs === undefined;
    const told = {
      ...(isYearly && { signalOnCapital: signal / capitalOfLegs(areSpot(terms), leverageOf({ params })) }),
      ...(stocking && { isStock: true as const, stocking }),
      ...(ticket && { ticket }),
      ...(outsideOf && outsideMet(places, terms, outsideOf)),
      ...(warnings.length > 0 && { warnings }),
    };
    const {
      weights,
      needs: own,
      block,
    } = sizeOfEntry(entry, () => outline?.needs ?? needsOf(terms, sizeOf(params), (costs.cost ?? 0) / 2));
    rows.push({ places, needs: own, weights, block, signal, ...costs, ...told });
  }
  return { at: snapshot.at, rows, outline, signalIs: runner.signalIs };
}

/** The rules that close each of these deals by itself as they stand now, by the engine's own eyes; none of one that only a person closes. */
export async function exitRulesNow(needs: Needs, rows: readonly DealColumns[]): Promise<ExitRule[][]> {
  const deals = rows.map(dealBook);
  const snapshot = new MarketSnapshot(needs);
  await snapshot.refresh(new Set(deals.flatMap(({ legs }) => Object.values(legs).map(({ source }) => source))));
  return Promise.all(
    deals.map(async (deal) => {
      const { kind, params, legs } = deal;
      const runner = runnerOf(kind);
      if (runner.exitRules === undefined) return [];
      const views = snapshot.of(legs);
      const observed = await runner.observe(snapshot, legs, params, 'deal');
      const context = { now: needs.clock(), ...views, observed, signal: runner.signal(observed, views) };
      return runner.exitRules(deal, context);
    }),
  );
}
