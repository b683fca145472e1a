import '#server/kinds/kinds';
import { and, count, eq, inArray, isNull } from 'drizzle-orm';
import { HOUR_MS, MINUTE_MS } from '#contract/duration';
import { DEFAULT_CEX_RATE } from '#contract/kinds/cexRate/params';
import { DEFAULT_FUNDING } from '#contract/kinds/fundingRate/params';
import { DEFAULT_GRID } from '#contract/kinds/grid/params';
import { DEFAULT_OKX } from '#contract/kinds/okx/params';
import { DEFAULT_SPREAD } from '#contract/kinds/spread/params';
import { ORDER_LIVE } from '#contract/lifecycle';
import type { StrategyKind } from '#contract/strategy';
import { moveBook } from '#server/base/db/books/book';
import type { Database } from '#server/base/db/client';
import { book, deal, fill, strategy, target, tradeOrder } from '#server/base/db/schema';
import { askCoin, askTransfer, coinTerms, transferTerms } from '#server/desk/account/transferring';
import { closeDeal, createStrategy, repairDeal, startStrategy } from '#server/desk/strategy/strategyIntents';
import { targetsOf } from '#server/engine/preview';
import type { PaperFaults } from '#server/market/paper/paperVenue';
import { dyingDatabase } from './dyingDatabase';
import { simulatedMarket } from './kindDesk';
import { openAt } from './openAt';
import { traderOf, tradingDesk } from './tradingDesk';

/** A coin is cheap at the second venue for some seconds half a minute later. */
const START = Date.UTC(2026, 8, 1, 4, 46);
/** The future that the spread sells is delivered then. */
const DELIVERY = Date.UTC(2026, 8, 25, 8);
const SETTLEMENT_MS = 8 * HOUR_MS;
const PAIRS = [
  ['ETHUSDT', 'SOLUSDT'],
  ['SOLUSDT', 'ETHUSDT'],
] as const;
const COIN = 'GRASS';
const NO_LIMIT = { dailyLossLimit: null };

/** Each kind with something to do at once; grids take their range from the price of the beginning. */
const PARAMS: [kind: Exclude<StrategyKind, 'hedge'>, params: object][] = [
  ['fundingRate', { ...DEFAULT_FUNDING, coins: ['ZK', 'ETH'], slices: 1, entryApr: 0 }],
  [
    'spread',
    { ...DEFAULT_SPREAD, near: 'ETHUSDT_SPOT', far: 'ETHUSDT_260925', entryApr: 0, exitLevel: null, stopLoss: null },
  ],
  ['cexRate', { ...DEFAULT_CEX_RATE, coins: ['POL', 'ETH'], entryApr: 0, exitApr: null, stopLoss: null }],
  ['okx', { ...DEFAULT_OKX, coins: [COIN], cooldownSeconds: 0 }],
  ['grid', { ...DEFAULT_GRID, symbol: 'BTCUSDT', cells: 20, legNotional: 30_000, compound: true, stopLoss: null }],
  [
    'grid',
    {
      ...DEFAULT_GRID,
      market: 'spot',
      symbol: 'SOLUSDT_SPOT',
      direction: 'long',
      leverage: 1,
      cells: 8,
      stopLoss: null,
    },
  ],
];

/** The simulated venues, which a test may shut. */
function shutableMarket() {
  const { venues, moving } = simulatedMarket(START);
  const shut = new Set<string>();
  for (const venue of venues) {
    const isOut = venue.isOut.bind(venue);
    venue.isOut = (at) => shut.has(venue.source) || isOut(at);
  }
  return { ...moving, venues, shut };
}

/** One user who runs every kind at two accounts, and what may happen to him. */
export async function everyKindDesk(db: Database, faults: PaperFaults) {
  const moving = shutableMarket();
  const { clock, markets, venues, shut } = moving;
  // A machine that is busy loses no lease by it.
  const engine = { monotonic: () => 0 };
  const settings = { ...NO_LIMIT, legNotional: 3000, maxHedges: 3 };
  const userId = await traderOf(db, settings);
  let desk = await tradingDesk(db, moving, { userId, engine, venue: { faults } });
  const second = await openAt(db, desk.venue, { userId, at: 'simulated-okx' });
  for (const [long, short] of PAIRS) await desk.addPair(long, short);
  const asker = () => ({ user: { id: userId, name: 'desk' }, now: clock() });
  for (const [i, [kind, given]] of PARAMS.entries()) {
    const { symbol } = given as { symbol?: string };
    const price = symbol === undefined ? 0 : venues[0]!.listed!(symbol, START)!.ticker.price;
    const near = (share: number) => Number((price * share).toPrecision(5));
    const params = { ...given, ...NO_LIMIT, ...(price > 0 && { lower: near(0.98), upper: near(1.02) }) } as never;
    const { legs } = await targetsOf(markets, kind, params);
    const plan = { name: `${kind} ${i}`, params, targets: legs };
    const { id } = await db.transaction((tx) => createStrategy(tx, asker(), kind, plan));
    await db.transaction((tx) => startStrategy(tx, asker(), id));
  }
  type Asking = (tx: Parameters<Parameters<Database['transaction']>[0]>[0]) => Promise<unknown>;
  /** A person asks; that it may be refused is all right. */
  const ask = async (what: Asking) => {
    await db.transaction(what).catch((error) => {
      if (error?.name !== 'Refusal') throw error;
    });
    await desk.engine.wake(userId);
  };
  const needs = () => ({ db, clock, markets, venue: desk.venue });
  const isOwn = eq(tradeOrder.userId, userId);
  // In an order that is the same in every run: what a plan picks by number is then the same too.
  const live = () =>
    db
      .select()
      .from(tradeOrder)
      .where(and(isOwn, inArray(tradeOrder.state, [...ORDER_LIVE])))
      .orderBy(tradeOrder.source, tradeOrder.symbol, tradeOrder.leg, tradeOrder.limitPrice, tradeOrder.createdAt);
  const running = () =>
    db
      .select({ id: deal.id })
      .from(deal)
      .innerJoin(strategy, eq(strategy.id, deal.strategyId))
      .innerJoin(target, eq(target.id, deal.targetId))
      .where(and(eq(deal.userId, userId), isNull(deal.closedAt)))
      .orderBy(strategy.name, target.legs, deal.createdAt);
  const chosen = <T>(rows: readonly T[], pick: number): T | undefined => rows[pick % Math.max(1, rows.length)];
  const takeOver = async (): Promise<void> => {
    await db.update(book).set({ leaseUntil: 0 }).where(eq(book.userId, userId));
    desk = await tradingDesk(db, moving, { userId, engine, venue: { faults } });
  };
  const troubles: string[] = [];
  /** What happened that can miss its mark: orders that rested at a venue as it was shut, processes that died at work. */
  const struck = { shut: 0, killed: 0 };

  return {
    struck,
    userId,
    clock,
    get troubles() {
      return [...troubles, ...desk.troubles];
    },
    run: (seconds: number) => desk.run(seconds),
    findings: () => desk.findings(),
    retire: () => desk.retire(),
    deals: () => db.select().from(deal).where(eq(deal.userId, userId)),
    orders: () => desk.orders(),
    ledger: (kind: string) => desk.ledger(kind),
    /** How many fills the deals of each kind have. */
    fills: async (): Promise<ReadonlyMap<string, number>> => {
      const rows = await db
        .select({ kind: strategy.kind, fills: count() })
        .from(fill)
        .innerJoin(deal, eq(deal.id, fill.dealId))
        .innerJoin(strategy, eq(strategy.id, deal.strategyId))
        .where(eq(fill.userId, userId))
        .groupBy(strategy.kind);
      return new Map(rows.map(({ kind, fills }) => [kind, fills]));
    },
    jump: (ms: number) => moving.wait(ms),
    /** To a second before the next settlement of most symbols. */
    untilSettlement: () => moving.wait(SETTLEMENT_MS - (clock() % SETTLEMENT_MS) - 1000),
    takeBack: async (pick: number) => {
      const exits = (await live()).filter(({ purpose }) => purpose === 'exit');
      const order = chosen(pick % 2 === 0 && exits.length > 0 ? exits : await live(), pick);
      if (order === undefined) return;
      await ask(async (tx) => {
        await tx.update(tradeOrder).set({ cancelAskedAt: clock() }).where(eq(tradeOrder.id, order.id));
        await moveBook(tx as never, userId);
      });
    },
    close: async (pick: number) => {
      const one = chosen(await running(), pick);
      if (one) await ask((tx) => closeDeal(tx as never, asker(), one.id, { keepArmed: true }));
    },
    repair: async (pick: number) => {
      const one = chosen(await running(), pick);
      if (one) await ask((tx) => repairDeal(tx as never, asker(), one.id).catch(() => undefined));
    },
    /** Everything that was used up or closed may be opened again. */
    arm: () =>
      ask(async (tx) => {
        const own = tx.select({ id: strategy.id }).from(strategy).where(eq(strategy.userId, userId));
        await tx.update(target).set({ armedAt: clock(), hold: null }).where(inArray(target.strategyId, own));
        await moveBook(tx as never, userId);
      }),
    move: async (coin: boolean, back: boolean) => {
      const [from, to] = back ? [second, userId] : [userId, second];
      const of = { userId, now: clock() };
      const told = (error: { name?: string }) => {
        if (error.name !== 'Refusal') throw error;
        return null;
      };
      if (coin) {
        const body = { from, to, coin: COIN, quantity: 500 };
        const terms = await coinTerms(needs(), userId, body).catch(told);
        if (terms) await ask((tx) => askCoin(tx as never, of, body, terms));
        return;
      }
      const body = { from, to, amount: 1234.5 };
      const terms = await transferTerms(needs(), userId, body).catch(told);
      if (terms) await ask((tx) => askTransfer(tx as never, of, body, terms));
    },
    shut: async (venue: number, is: boolean) => {
      const { source } = venues[venue]!;
      if (is) {
        struck.shut += (await live()).filter((order) => order.source === source).length;
        shut.add(source);
      } else shut.delete(source);
    },
    restart: async () => {
      troubles.push(...desk.troubles);
      await desk.engine.stop();
      await takeOver();
    },
    /** The process is killed after so many commits of its next looks; another one goes on. */
    kill: async (commits: number) => {
      troubles.push(...desk.troubles);
      await desk.engine.stop();
      const other = dyingDatabase(db, commits);
      const dying = await tradingDesk(db, moving, { userId, engine: { ...engine, db: other.db }, venue: { faults } });
      // Half an hour has moved prices: there is work to die at.
      moving.wait(30 * MINUTE_MS);
      for (let seconds = 0; seconds < 12; seconds += 1) {
        moving.wait(1000);
        const isDead = await Promise.race([dying.engine.tick().then(() => false), other.died.then(() => true)]);
        if (!isDead) continue;
        struck.killed += 1;
        break;
      }
      await takeOver();
    },
    /** Nobody looks until the future is delivered. */
    untilDelivery: async () => {
      troubles.push(...desk.troubles);
      await desk.engine.stop();
      moving.wait(DELIVERY + 60_000 - clock());
      await takeOver();
    },
  };
}
