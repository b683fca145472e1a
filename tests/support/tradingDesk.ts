import '#server/kinds/kinds';
import { and, asc, eq } from 'drizzle-orm';
import { DEFAULT_SETTINGS, type HedgeSettings } from '#contract/kinds/hedge/config';
import type { Database } from '#server/base/db/client';
import { hedge } from '#server/base/db/hedges/hedgeView';
import { book, dealEvent, ledger, tradeOrder, user } from '#server/base/db/schema';
import { audit } from '#server/engine/audit';
import { Engine, type EngineOptions } from '#server/engine/engine';
import { PairModels } from '#server/engine/pairModel';
import { createPaperVenue, type PaperVenueOptions } from '#server/market/paper/paperVenue';
import { atEndOfTest } from './atEnd';
import { addBook, addPair, changeHedges, pairById } from './bookRows';
import type { movingMarket } from './paperDesk';

let users = 0;

/** A user with an open paper account, enabled, without pairs. */
export async function traderOf(db: Database, settings: Partial<HedgeSettings> = {}) {
  users += 1;
  const [row] = await db
    .insert(user)
    .values({ name: `desk-${users}`, role: 'user', passwordHash: '-', createdAt: 0 })
    .returning();
  const userId = row!.id;
  const all: HedgeSettings = { ...DEFAULT_SETTINGS, zBar: '1d', ...settings };
  await addBook(db, userId, { enabled: true }, { settings: all });
  return userId;
}

type Moving = Pick<ReturnType<typeof movingMarket>, 'markets' | 'clock' | 'wait'>;

interface Options {
  venue?: Partial<PaperVenueOptions>;
  engine?: Partial<EngineOptions>;
  settings?: Partial<HedgeSettings>;
  /** Goes on with this user, as after a restart. */
  userId?: string;
  /** Whoever made it ends it, maybe in a later test. */
  isKept?: true;
}

/**
 * An engine over a moving market with one trader of its own, and short words for what one asks of them. It ends with its
 * test: nothing went wrong on the way, and the books say what the venue says. A test with other expectations retires it.
 */
export async function tradingDesk(db: Database, market: Moving, options: Options = {}) {
  const venue = createPaperVenue({ db, clock: market.clock, markets: market.markets, ...options.venue });
  const userId = options.userId ?? (await traderOf(db, options.settings));
  await venue.open(userId, '100000');
  const troubles: string[] = [];
  const engine = new Engine({
    db,
    clock: market.clock,
    markets: market.markets,
    venue,
    pairModels: new PairModels(),
    onTrouble: (what) => void troubles.push(what),
    ...options.engine,
  });
  /** Stops, and keeps later engines on the same database from going on with this book. */
  const retire = async () => {
    atEndOfTest(userId, null);
    await engine.stop();
    await db
      .update(book)
      .set({ leaseHolder: 'retired', leaseUntil: Number.MAX_SAFE_INTEGER })
      .where(eq(book.userId, userId));
  };
  const findings = async () => (await audit(db, venue, [userId])).findings.map(({ what }) => what);
  const hedges = () => db.select().from(hedge).where(eq(hedge.userId, userId)).orderBy(asc(hedge.createdAt));
  const retireClean = async () => {
    expect(await findings()).toEqual([]);
    expect(troubles).toEqual([]);
    await retire();
  };
  // Of several processes of one book the last one is ended.
  if (!options.isKept) atEndOfTest(userId, retireClean);
  return {
    userId,
    venue,
    engine,
    troubles,
    hedges,
    addPair: (long = 'AAAUSDT', short = 'BBBUSDT') =>
      addPair(db, { userId, long, short, createdAt: market.clock(), armedAt: market.clock() }),
    pair: (id: string) => pairById(db, id),
    /** The newest hedge. */
    hedge: async () => (await hedges()).at(-1)!,
    close: async (id: string) => {
      await changeHedges(db, [id], { closeAskedAt: market.clock() });
      await engine.wake(userId);
    },
    /** In the order they were made; those of one instant by symbol. */
    orders: () =>
      db
        .select()
        .from(tradeOrder)
        .where(eq(tradeOrder.userId, userId))
        .orderBy(asc(tradeOrder.createdAt), asc(tradeOrder.symbol)),
    events: async (dealId: string) =>
      (await db.select().from(dealEvent).where(eq(dealEvent.dealId, dealId)).orderBy(asc(dealEvent.id))).map(
        ({ kind }) => kind,
      ),
    ledger: (kind: string) =>
      db
        .select()
        .from(ledger)
        .where(and(eq(ledger.userId, userId), eq(ledger.kind, kind))),
    /** Ticks so often, with so many ms before each. */
    run: async (times: number, ms = 1000) => {
      for (let i = 0; i < times; i += 1) {
        market.wait(ms);
        await engine.tick();
      }
    },
    findings,
    retire,
    /** Stops for good before its test ends. */
    retireClean,
  };
}
