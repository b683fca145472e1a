import '#server/kinds/kinds';
import Big from 'big.js';
import { asc, eq, inArray } from 'drizzle-orm';
import { SECOND_MS } from '#contract/duration';
import { DEFAULT_CEX_RATE } from '#contract/kinds/cexRate/params';
import { DEFAULT_FUNDING } from '#contract/kinds/fundingRate/params';
import { DEFAULT_GRID } from '#contract/kinds/grid/params';
import { DEFAULT_OKX } from '#contract/kinds/okx/params';
import { DEFAULT_SPREAD } from '#contract/kinds/spread/params';
import { ONCE_SECONDS, ORDER_LIVE, type OrderState } from '#contract/lifecycle';
import type { ParamsOf, StrategyKind } from '#contract/strategy';
import type { Database, Queries } from '#server/base/db/client';
import { book, deal, dealLeg, ledger, strategy, strategyAlert, target } from '#server/base/db/schema';
import type { SingleTerms } from '#server/base/db/strategies/singleTerms';
import type { Asker } from '#server/desk/strategy/bookIntents';
import { createStrategy, openSingle, startStrategy, stopStrategy } from '#server/desk/strategy/strategyIntents';
import { PairModels } from '#server/engine/pairModel';
import { previewTargets, targetsOf } from '#server/engine/preview';
import type { PaperVenueOptions } from '#server/market/paper/paperVenue';
import { createSimulatedVenues } from '#server/market/simulated';
import { handMarkets } from './handMarket';
import { openAt } from './openAt';
import { tradingDesk } from './tradingDesk';

/** The hedge desk has pairs of its own. */
export type TradedKind = Exclude<StrategyKind, 'hedge'>;

const START = Date.UTC(2026, 8, 1, 4, 30);
/** GRASS is cheap at OKX for some seconds half a minute later. */
const GAP_AHEAD = START + 960 * SECOND_MS;

/** What finds something to do soon after `start`; all that is sure about it is in its first minute. */
export const KIND_SAMPLES: { [K in TradedKind]: { params: ParamsOf<K>; start: number; isAtTwoVenues: boolean } } = {
  fundingRate: {
    params: { ...DEFAULT_FUNDING, coins: ['ZK'], slices: 1, planHours: 168 },
    start: START,
    isAtTwoVenues: false,
  },
  spread: {
    params: { ...DEFAULT_SPREAD, near: 'ETHUSDT_SPOT', far: 'ETHUSDT_260925', entryApr: 0, exitLevel: null },
    start: START,
    isAtTwoVenues: false,
  },
  cexRate: {
    params: { ...DEFAULT_CEX_RATE, coins: ['POL'], exitApr: null, planHours: 48 },
    start: START,
    isAtTwoVenues: true,
  },
  okx: {
    params: { ...DEFAULT_OKX, coins: ['GRASS'] },
    start: GAP_AHEAD,
    isAtTwoVenues: true,
  },
  grid: {
    params: {
      ...{ ...DEFAULT_GRID, symbol: 'BTCUSDT', lower: 1, upper: 2, cells: 8 },
      ...{ legNotional: 20_000, stopLoss: null, direction: 'long' as const },
    },
    start: START,
    isAtTwoVenues: false,
  },
};

/** The simulated venues and their clock, which a test moves. */
export function simulatedMarket(start: number) {
  const clock = { now: start };
  // Coins and instants were chosen on this law, which stays as it is.
  const venues = createSimulatedVenues({ clock: () => clock.now, law: 1 });
  const wait = (ms = SECOND_MS) => {
    clock.now += ms;
  };
  return { clock, venues, moving: { clock: () => clock.now, wait, markets: handMarkets(...venues) } };
}

/** The simulated venues with two clocks that a test moves: theirs, and that of whoever trades at them. */
export function kindMarket() {
  const clock = { market: START, trader: START };
  // Coins and instants were chosen on this law, which stays as it is.
  const venues = createSimulatedVenues({ clock: () => clock.market, law: 1 });
  return { clock, venues, markets: handMarkets(...venues) };
}

type DeskOptions = NonNullable<Parameters<typeof tradingDesk>[2]> & {
  /** What a second account, at the second venue, begins with, USDT; null where there is none. */
  second?: number | null;
  /** Whether it runs from the start. */
  begins?: boolean;
  name?: string;
  /** It is of one deal, at no worse prices than these, confirmed just now; no engine has looked yet. */
  single?: SingleTerms['worst'] | undefined;
};

/** A strategy at the account or accounts of a user of its own, what one asks of it, and what became of it. */
export async function strategyDesk<K extends TradedKind, C>(
  db: Database,
  market: Pick<ReturnType<typeof simulatedMarket>, 'venues' | 'moving'> & { clock: C },
  kind: K,
  params: ParamsOf<K>,
  { second = null, begins = true, name = kind, single, ...options }: DeskOptions = {},
) {
  const { venues, moving, clock } = market;
  const { markets } = moving;
  const troubles: string[] = [];
  const process = async (own: typeof options) => {
    const engine = { ...own.engine, onTrouble: (what: string) => void troubles.push(what) };
    return { ...(await tradingDesk(db, moving, { ...own, engine })), troubles };
  };
  let current = await process(options);
  const { userId, venue } = current;
  if (second !== null) await openAt(db, venue, { userId, at: 'simulated-okx', amount: second });
  const asker = (): Asker => ({ user: { id: userId, name: 'desk' }, now: moving.clock() });
  /** What a person writes into the book, taken up at once. */
  const ask = async (write: (tx: Queries, asker: Asker, strategyId: string) => Promise<unknown>) => {
    await db.transaction((tx) => write(tx, asker(), id));
    await current.engine.wake(userId);
  };
  const planOf = async (given: ParamsOf<K>) => ({
    ...{ name, params: given },
    targets: (await targetsOf(markets, kind, given)).legs,
  });
  const plan = await planOf(params);
  const { id } = await db.transaction((tx) => {
    if (single === undefined) return createStrategy(tx, asker(), kind, plan as never);
    const terms = { worst: single, until: moving.clock() + ONCE_SECONDS * SECOND_MS, refused: null };
    return openSingle(tx, asker(), kind, plan as never, terms);
  });
  const start = () => ask(startStrategy);
  if (begins && single === undefined) await start();
  const needs = { db, markets, venue, clock: moving.clock, pairModels: new PairModels() };
  const dealRows = () => db.select().from(deal).where(eq(deal.strategyId, id)).orderBy(asc(deal.createdAt));
  const legsOf = (ids: string[]) => db.select().from(dealLeg).where(inArray(dealLeg.dealId, ids));
  return {
    ...current,
    ...{ id, clock, venues, markets, market: venues[0]!, params, needs, asker, ask, start, planOf },
    run: (times: number, ms?: number) => current.run(times, ms),
    retire: () => current.retire(),
    retireClean: () => current.retireClean(),
    /** Another process in the place of the first one. */
    again: (own: typeof options = options) => process({ ...own, userId }),
    /** Goes on with another process, the first one's lease being over. */
    restart: async (own: typeof options = options) => {
      await db.update(book).set({ leaseUntil: 0 }).where(eq(book.userId, userId));
      current = await process({ ...own, userId });
      return current;
    },
    /** What it would open now. */
    preview: async () => (await previewTargets(needs, kind, params, plan.targets)).rows[0]!,
    strategy: async () => (await db.select().from(strategy).where(eq(strategy.id, id)))[0]!,
    targets: () => db.select().from(target).where(eq(target.strategyId, id)).orderBy(asc(target.id)),
    told: () => db.select().from(strategyAlert).where(eq(strategyAlert.strategyId, id)).orderBy(asc(strategyAlert.id)),
    live: async () => (await current.orders()).filter(({ state }) => ORDER_LIVE.includes(state as OrderState)),
    /** With both legs, in the order they were made. */
    deals: async () => {
      const rows = await dealRows();
      const legs = await legsOf(rows.map((row) => row.id));
      const of = (dealId: string, leg: string) => legs.find((one) => one.dealId === dealId && one.leg === leg)!;
      return rows.map((row) => ({ ...row, long: of(row.id, 'long'), short: of(row.id, 'short') }));
    },
    legs: async () => legsOf((await dealRows()).map((row) => row.id)),
    /** What a deal made by its legs and by its ledger: the same, to the last digit. */
    netOf: async (dealId: string): Promise<Big> => {
      const sum = (parts: readonly (string | Big)[]) =>
        parts.reduce((total: Big, part) => total.plus(part), new Big(0));
      const made = (await legsOf([dealId])).map(({ realised, funding, fees, cost }) =>
        new Big(realised).plus(funding).minus(fees).minus(cost),
      );
      const booked = await db.select().from(ledger).where(eq(ledger.dealId, dealId));
      expect(sum(made).toFixed()).toBe(sum(booked.map(({ amount }) => amount)).toFixed());
      return sum(made);
    },
  };
}

/**
 * A strategy of a kind that was started, at its own account or accounts, and what became of it.
 * @param options `staleMs`: the market stands still so long before, until it is told to move on; `over`: params that are
 * not those of the sample; `second`: what a second account that it needs has, USDT, or null where there is none;
 * `single`: it is of one deal, at no worse prices than these, and was confirmed just now.
 */
export async function kindDesk(
  db: Database,
  { clock, venues, markets }: ReturnType<typeof kindMarket>,
  kind: TradedKind,
  {
    faults,
    staleMs = 0,
    over = {},
    second = 100_000,
    single,
  }: Pick<PaperVenueOptions, 'faults'> & {
    staleMs?: number;
    over?: object;
    second?: number | null;
    single?: SingleTerms['worst'];
  } = {},
) {
  const { params: sample, start, isAtTwoVenues } = KIND_SAMPLES[kind];
  Object.assign(clock, { market: start, trader: start + staleMs });
  const stands = { now: staleMs > 0 };
  const wait = (ms = SECOND_MS) => {
    clock.trader += ms;
    if (!stands.now) clock.market = clock.trader;
  };
  const moving = { clock: () => clock.trader, wait, markets };
  const range = kind === 'grid' ? rangeAround(venues[0]!.listed!('BTCUSDT', start)!.ticker.price) : {};
  const params = { ...sample, ...over, ...range } as ParamsOf<typeof kind>;
  const options = { second: isAtTwoVenues ? second : null, venue: faults ? { faults } : {}, single };
  const desk = await strategyDesk(db, { clock, venues, moving }, kind, params, options);
  return {
    ...desk,
    /** The market of its engine: another one may go on with it. */
    moving,
    /** The market goes on from the trader's present. */
    moveOn: () => {
      stands.now = false;
      clock.market = clock.trader;
    },
    /** Takes down what it holds. */
    flatten: () => desk.ask((tx, asker, strategyId) => stopStrategy(tx, asker, strategyId, true)),
  };
}

function rangeAround(price: number) {
  const near = (share: number) => Number((price * share).toPrecision(5));
  return { lower: near(0.98), upper: near(1.02) };
}
