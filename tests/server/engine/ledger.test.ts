import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { HOUR_MS } from '#contract/duration';
import type { Database } from '#server/db/client';
import type { hedge } from '#server/db/hedgeView';
import { book } from '#server/db/schema';
import { changePair, pairsOf } from '../../support/bookRows';
import { movingMarket } from '../../support/paperDesk';
import { testDatabase } from '../../support/testDatabase';
import { tradingDesk } from '../../support/tradingDesk';

const COINS = ['AAAUSDT', 'BBBUSDT', 'CCCUSDT'] as const;
const PAIRS = [
  ['AAAUSDT', 'BBBUSDT'],
  ['BBBUSDT', 'CCCUSDT'],
  ['CCCUSDT', 'AAAUSDT'],
] as const;

type Step =
  | { do: 'price'; coin: (typeof COINS)[number]; by: number }
  | { do: 'wait'; seconds: number }
  | { do: 'close' | 'arm' | 'restart' | 'hour' }
  | { do: 'fault'; kind: 'reject' | 'timeOut' | 'lose' };

const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('price' as const),
      coin: fc.constantFrom(...COINS),
      by: fc.double({ min: 0.96, max: 1.04, noNaN: true }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), seconds: fc.integer({ min: 1, max: 20 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('close' as const, 'arm' as const, 'restart' as const, 'hour' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('fault' as const),
      kind: fc.constantFrom('reject' as const, 'timeOut' as const, 'lose' as const),
    }),
  },
);

type Desk = Awaited<ReturnType<typeof tradingDesk>>;
type Moving = ReturnType<typeof fundedMarket>;

const fundedMarket = () =>
  movingMarket({
    AAAUSDT: { price: 100, fundingHours: 1, rate: 0.0002 },
    BBBUSDT: { price: 50, fundingHours: 4, rate: -0.0001 },
    CCCUSDT: { price: 20, fundingHours: 8, rate: 0.0003 },
  });

/** Faults that strike once when they are set. */
function faultBox() {
  let set: string | null = null;
  const strikes = (kind: string) => () => {
    if (set !== kind) return false;
    set = null;
    return true;
  };
  return {
    set: (kind: string) => {
      set = kind;
    },
    faults: { reject: strikes('reject'), timeOutAfterAccept: strikes('timeOut'), loseBeforeAccept: strikes('lose') },
  };
}

/** A step of the market or of its calls; everything but a restart, which makes a new desk. */
async function take(step: Step, db: Database, moving: Moving, desk: Desk, fault: (kind: string) => void) {
  switch (step.do) {
    case 'price':
      return moving.set(step.coin, Math.round(moving.coins[step.coin].price * step.by * 100) / 100);
    case 'wait':
      return moving.wait(step.seconds * 1000);
    case 'hour':
      return moving.wait(HOUR_MS);
    case 'fault':
      return fault(step.kind);
    case 'close': {
      const running = (await desk.hedges()).find(({ state }) => state === 'open');
      return running && desk.close(running.id);
    }
    case 'arm':
      for (const { id } of await pairsOf(db, desk.userId)) await changePair(db, id, { armedAt: moving.clock() });
      await db.update(book).set({ revision: moving.clock() }).where(eq(book.userId, desk.userId));
  }
}

/** How far apart the legs of a hedge that was only entered stand, and what a lot and the fills' slippage allow, USDT. */
function entryGap({ longCost, shortCost }: typeof hedge.$inferSelect) {
  return { apart: Math.abs(Number(longCost) + Number(shortCost)), allowed: 0.01 * 100 + 0.02 * Number(longCost) };
}

const onlyEntered = ({ state, longOpened, longQuantity, shortOpened, shortQuantity }: typeof hedge.$inferSelect) =>
  state === 'open' && longOpened === longQuantity && shortQuantity === `-${shortOpened}`;

describe('the books after whatever happens', () => {
  let db: Database;
  beforeAll(async () => {
    db = await testDatabase();
  });
  afterAll(() => db.close());

  async function live(plan: Step[], orderType: 'market' | 'maker'): Promise<void> {
    const moving = fundedMarket();
    const box = faultBox();
    const settings = { orderType, dailyLossLimit: null, rebalance: 0.02, legNotional: 3000, maxHedges: 3 };
    const options = { settings, venue: { faults: box.faults } };
    let desk = await tradingDesk(db, moving, options);
    for (const [long, short] of PAIRS) await desk.addPair(long, short);
    for (const step of plan) {
      if (step.do === 'restart') {
        await desk.engine.stop();
        desk = await tradingDesk(db, moving, { ...options, userId: desk.userId });
      } else await take(step, db, moving, desk, box.set);
      await desk.run(8);
    }
    const findings = await desk.findings();
    const rows = await desk.hedges();
    await desk.retire();
    expect(desk.troubles).toEqual([]);
    expect(findings).toEqual([]);
    for (const row of rows.filter(onlyEntered)) {
      const { apart, allowed } = entryGap(row);
      expect(apart).toBeLessThan(allowed);
    }
  }

  test('equity by ledger is equity by positions, entries are neutral, ended hedges are flat', async () => {
    const plans = fc.array(steps, { minLength: 30, maxLength: 50 });
    await fc.assert(fc.asyncProperty(plans, fc.constantFrom('market' as const, 'maker' as const), live), {
      numRuns: 3,
      verbose: 1,
      // A failure is told with what was found until then.
      interruptAfterTimeLimit: 150_000,
    });
  }, 240_000);
});
