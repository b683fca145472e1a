import '#server/kinds/kinds';
import { eq, inArray } from 'drizzle-orm';
import { SECOND_MS } from '#contract/duration';
import { DEFAULT_CEX_RATE } from '#contract/kinds/cexRate/params';
import { DEFAULT_FUNDING } from '#contract/kinds/fundingRate/params';
import { DEFAULT_GRID } from '#contract/kinds/grid/params';
import { DEFAULT_OKX } from '#contract/kinds/okx/params';
import { DEFAULT_SPREAD } from '#contract/kinds/spread/params';
import { ORDER_LIVE, type OrderState } from '#contract/lifecycle';
import type { ParamsOf, StrategyKind } from '#contract/strategy';
import type { Database, Queries } from '#server/base/db/client';
import { deal, dealLeg, target } from '#server/base/db/schema';
import type { Asker } from '#server/desk/strategy/bookIntents';
import { createStrategy, startStrategy, stopStrategy } from '#server/desk/strategy/strategyIntents';
import { targetsOf } from '#server/engine/preview';
import type { PaperVenueOptions } from '#server/market/paper/paperVenue';
import { createSimulatedVenues } from '#server/market/simulated';
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

/** The simulated venues with two clocks that a test moves: theirs, and that of whoever trades at them. */
export function kindMarket() {
  const clock = { market: START, trader: START };
  // Coins and instants were chosen on this law, which stays as it is.
  const venues = createSimulatedVenues({ clock: () => clock.market, law: 1 });
  const get = async (source: string) => venues.find((market) => market.source === source);
  return { clock, venues, markets: { list: async () => venues, get } };
}

/**
 * A strategy of a kind that was started, at its own account or accounts, and what became of it.
 * @param options `staleMs`: the market stands still so long before, until it is told to move on; `over`: params that are
 * not those of the sample; `second`: what a second account that it needs has, USDT, or null where there is none.
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
  }: Pick<PaperVenueOptions, 'faults'> & { staleMs?: number; over?: object; second?: number | null } = {},
) {
  const { params: sample, start, isAtTwoVenues } = KIND_SAMPLES[kind];
  const given = { ...sample, ...over };
  Object.assign(clock, { market: start, trader: start + staleMs });
  const stands = { now: staleMs > 0 };
  const wait = (ms = SECOND_MS) => {
    clock.trader += ms;
    if (!stands.now) clock.market = clock.trader;
  };
  const moving = { clock: () => clock.trader, wait, markets };
  const desk = await tradingDesk(db, moving, { venue: faults ? { faults } : {} });
  const wanted = { userId: desk.userId, at: 'simulated-okx', amount: second ?? 0 };
  if (isAtTwoVenues && second !== null) await openAt(db, desk.venue, wanted);
  const params =
    kind === 'grid' ? { ...given, ...rangeAround(venues[0]!.listed!('BTCUSDT', start)!.ticker.price) } : given;
  const asker = () => ({ user: { id: desk.userId, name: 'desk' }, now: clock.trader });
  const { legs } = await targetsOf(markets, kind, params as ParamsOf<typeof kind>);
  const plan = { name: kind, params, targets: legs };
  const { id } = await db.transaction((tx) => createStrategy(tx, asker(), kind, plan as never));
  await db.transaction((tx) => startStrategy(tx, asker(), id));
  await desk.engine.wake(desk.userId);
  const deals = () => db.select().from(deal).where(eq(deal.strategyId, id));
  const legsOf = async () => {
    const ids = (await deals()).map((one) => one.id);
    return ids.length === 0 ? [] : db.select().from(dealLeg).where(inArray(dealLeg.dealId, ids));
  };
  /** What a person writes into the book, taken up at once. */
  const ask = async (write: (tx: Queries, asker: Asker, strategyId: string) => Promise<unknown>) => {
    await db.transaction((tx) => write(tx, asker(), id));
    await desk.engine.wake(desk.userId);
  };
  return {
    ...desk,
    /** The market of its engine: another one may go on with it. */
    moving,
    clock,
    ask,
    deals,
    legs: legsOf,
    targets: () => db.select().from(target).where(eq(target.strategyId, id)),
    live: async () => (await desk.orders()).filter(({ state }) => ORDER_LIVE.includes(state as OrderState)),
    /** The market goes on from the trader's present. */
    moveOn: () => {
      stands.now = false;
      clock.market = clock.trader;
    },
    /** Takes down what it holds. */
    flatten: () => ask((tx, asker, strategyId) => stopStrategy(tx, asker, strategyId, true)),
  };
}

function rangeAround(price: number) {
  const near = (share: number) => Number((price * share).toPrecision(5));
  return { lower: near(0.98), upper: near(1.02) };
}
