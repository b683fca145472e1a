import Big from 'big.js';
import { and, eq, gt, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { DEFAULT_SETTINGS } from '#contract/kinds/hedge/config';
import type { Leg } from '#contract/lifecycle';
import { hedge } from '#server/base/db/hedges/hedgeView';
import { dealEvent, ledger, tradeOrder } from '#server/base/db/schema';
import { moveLeg } from '#server/engine/booking';
import { type ProposedOrder, type RiskContext, SENDS_A_MINUTE, stopOf } from '#server/engine/preTradeRisk';
import type { BookOrder } from '#server/engine/tradingBook';
import { createPaperVenue } from '#server/market/paper/paperVenue';
import {
  type PaperVenue,
  type VenueEvent,
  type VenueOrder,
  VenueRefused,
  type VenueReport,
} from '#server/market/venue';
import { newPairDeal } from '../../support/newPairDeal';
import { movingMarket, START } from '../../support/paperDesk';
import { fileDatabase } from '../../support/testDatabase';
import { tradingDesk } from '../../support/tradingDesk';

/** A hedge of 2,000 USDT a leg at leverage 3 on an account of 10,000. */
function riskContextOf(over: Partial<RiskContext> = {}): RiskContext {
  const settings = { ...DEFAULT_SETTINGS, legNotional: 2000, leverage: 3 };
  const of = newPairDeal(settings, START, 0.5);
  return {
    ...{ deal: of, live: [], positionOf: () => new Big(0), gross: 0, capital: 10_000, leverage: 3, price: 100 },
    targetNotionalOf: (leg) => 2000 * of.legs[leg].weight,
    now: START,
    ...over,
  };
}
const entry = (quantity: number, leg: Leg = 'long'): ProposedOrder => ({
  ...{ leg, side: leg === 'long' ? 'buy' : 'sell', adds: true },
  quantity: new Big(quantity),
});
const exit = (quantity: number, side: 'buy' | 'sell', leg: Leg = 'long'): ProposedOrder => ({
  ...{ leg, side, adds: false },
  quantity: new Big(quantity),
});

const db = await fileDatabase();

describe('what the pre-trade risk check stops', () => {
  test('a leg above its limit by cost, by value or with live orders', () => {
    expect(stopOf(entry(21), riskContextOf())).toBeNull();
    expect(stopOf(entry(21.01), riskContextOf())).toMatch('单边上限');
    // The short leg is half as large.
    expect(stopOf(entry(10.5, 'short'), riskContextOf())).toBeNull();
    expect(stopOf(entry(10.51, 'short'), riskContextOf())).toMatch('单边上限');
    const cheap = riskContextOf();
    Object.assign(cheap.deal.legs.long, { quantity: new Big(20), cost: new Big(1) });
    expect(stopOf(entry(1.1), cheap)).toMatch('单边上限');
    const dear = riskContextOf();
    Object.assign(dear.deal.legs.long, { quantity: new Big(1), cost: new Big(2000) });
    expect(stopOf(entry(1.1), dear)).toMatch('单边上限');
    const live = [{ dealId: 'h', leg: 'long', side: 'buy', quantity: new Big(20), filledQuantity: new Big(0) }];
    const resting = live.map((order) => ({ ...order, decisionMid: 100, reportedState: null })) as BookOrder[];
    expect(stopOf(entry(1.1), riskContextOf({ live: resting }))).toMatch('单边上限');
  });

  test('an account above capital times leverage, unless the order reduces it', () => {
    expect(stopOf(entry(20), riskContextOf({ gross: 28_000 }))).toBeNull();
    expect(stopOf(entry(20), riskContextOf({ gross: 28_001 }))).toMatch('杠杆上限');
    expect(stopOf(entry(20), riskContextOf({ gross: 29_000, positionOf: () => new Big(-10) }))).toBeNull();
    expect(stopOf(entry(20), riskContextOf({ capital: -5 }))).not.toBeNull();
    expect(stopOf(entry(20), riskContextOf({ gross: Number.NaN }))).not.toBeNull();
  });

  test('an exit that adds to or turns a leg', () => {
    const long = riskContextOf();
    long.deal.legs.long.quantity = new Big(10);
    expect(stopOf(exit(10, 'sell'), long)).toBeNull();
    expect(stopOf(exit(10.1, 'sell'), long)).toMatch('超过持有量');
    expect(stopOf(exit(10, 'buy'), long)).toMatch('方向有误');
    // A short leg that stands at +540 is sold.
    const wrong = riskContextOf();
    wrong.deal.legs.short.quantity = new Big(540);
    expect(stopOf(exit(540, 'buy', 'short'), wrong)).toMatch('方向有误');
    expect(stopOf(exit(540, 'sell', 'short'), wrong)).toBeNull();
    expect(stopOf(entry(1, 'short'), wrong)).not.toBeNull();
    expect(stopOf(exit(1, 'sell'), riskContextOf())).toMatch('方向有误');
  });

  test('more than thirty orders of one leg in a minute', () => {
    const busy = riskContextOf();
    busy.deal.sends = Array.from({ length: SENDS_A_MINUTE }, (_, i) => ({
      leg: 'long' as const,
      at: START - i * 1000,
    }));
    expect(stopOf(entry(1), busy)).toMatch('一分钟内');
    expect(stopOf(entry(1, 'short'), busy)).toBeNull();
    expect(stopOf(entry(1), { ...busy, now: START + 60_000 - 28_000 })).toBeNull();
  });

  test('first placements of levels do not count, up to two hundred in a minute', () => {
    const placed = riskContextOf();
    const at = (slot: number) => ({ leg: 'long' as const, at: START, slot: String(slot) });
    placed.deal.sends = Array.from({ length: 150 }, (_, slot) => at(slot));
    expect(stopOf({ ...entry(1), slot: '150' }, placed)).toBeNull();
    expect(stopOf({ ...entry(1), slot: '7' }, placed)).toBeNull();
    // The same level again and again is what runs away.
    placed.deal.sends.push(...Array.from({ length: SENDS_A_MINUTE }, () => at(7)));
    expect(stopOf({ ...entry(1), slot: '7' }, placed)).toMatch('一分钟内');
    expect(stopOf(entry(1), placed)).toMatch('一分钟内');
    placed.deal.sends.push(...Array.from({ length: 50 }, (_, i) => at(150 + i)));
    expect(stopOf({ ...entry(1), slot: '200' }, placed)).toMatch('一分钟内');
  });
});

const proposals = fc.record({
  leg: fc.constantFrom<Leg>('long', 'short'),
  side: fc.constantFrom<'buy' | 'sell'>('buy', 'sell'),
  quantity: fc.oneof(fc.constant(0.01), fc.double({ min: 0.01, max: 40, noNaN: true })),
  adds: fc.boolean(),
  /** What becomes of it: shares of it that are filled, at a price that may be nonsense, and when. */
  filled: fc.constantFrom(0, 0, 0, 0.5, 1, 1, 2, -1),
  price: fc.constantFrom(0.01, 90, 100, 110, 10_000),
  stays: fc.constantFrom(true, false, false, false),
  wait: fc.constantFrom(0, 0, 0, 100, 500),
  mark: fc.double({ min: 50, max: 200, noNaN: true }),
});

type Step = typeof proposals extends fc.Arbitrary<infer T> ? T : never;

/** The same rules in plain numbers, for an order that was let through. @param worth the account's gross before, USDT */
function expectAllowed(
  { leg, side, quantity, adds, mark }: Step,
  { deal: of, live, positionOf, now }: RiskContext,
  worth: number,
) {
  const held = of.legs[leg].quantity.toNumber();
  const signed = side === 'buy' ? quantity : -quantity;
  const pending = live
    .filter((order) => order.leg === leg && order.side === side)
    .reduce((sum, order) => sum + order.quantity.toNumber(), 0);
  expect(of.sends.filter((send) => send.leg === leg && now - send.at < 60_000).length).toBeLessThan(30);
  if (!adds) {
    expect(held * signed).toBeLessThan(0);
    expect(quantity + pending).toBeLessThanOrEqual(Math.abs(held) + 1e-9);
    return;
  }
  expect(side).toBe(leg === 'long' ? 'buy' : 'sell');
  expect(held * signed).toBeGreaterThanOrEqual(0);
  expect((Math.abs(held + signed) + pending) * mark).toBeLessThanOrEqual((leg === 'long' ? 2000 : 1000) * 1.05 + 1e-6);
  const position = positionOf(of.legs[leg]).toNumber();
  const after = worth + (Math.abs(position + signed) - Math.abs(position)) * mark;
  expect(after).toBeLessThanOrEqual(Math.max(30_000, worth) + 1e-6);
}

test('no random plan gets past the risk check', () => {
  const tally = { passed: 0, stopped: new Map<string, number>() };
  const live = (steps: Step[]) => {
    const risk = riskContextOf();
    const { deal: book } = risk;
    const orders: BookOrder[] = [];
    const positions = new Map<string, number>();
    let now = START;
    for (const [i, step] of steps.entries()) {
      now += step.wait;
      const leg = book.legs[step.leg];
      const signed = step.side === 'buy' ? step.quantity : -step.quantity;
      const worth = [...positions.values()].reduce((sum, quantity) => sum + Math.abs(quantity) * step.mark, 0);
      const position = positions.get(leg.symbol) ?? 0;
      const at: RiskContext = {
        ...risk,
        live: orders,
        price: step.mark,
        gross: worth,
        now,
        positionOf: ({ symbol }) => new Big(positions.get(symbol) ?? 0),
      };
      const stop = stopOf({ ...step, quantity: new Big(step.quantity) }, at);
      if (stop !== null) {
        const kind = stop.replace(/^\S+ /, '').replace(/[\d.,-]+/g, 'N');
        tally.stopped.set(kind, (tally.stopped.get(kind) ?? 0) + 1);
        continue;
      }
      tally.passed += 1;
      expectAllowed(step, at, worth);
      book.sends.push({ leg: step.leg, at: now });
      const size = { quantity: new Big(step.quantity), filledQuantity: new Big(0), reportedQuantity: new Big(0) };
      const order = { id: String(i), dealId: 'h', leg: step.leg, side: step.side, ...size, decisionMid: step.mark };
      if (step.stays) orders.push({ ...order, reportedState: null } as BookOrder);
      const filled = signed * step.filled;
      moveLeg(leg, new Big(filled), new Big(step.price));
      positions.set(leg.symbol, position + filled);
      if (orders.length > 3) orders.shift();
    }
  };
  fc.assert(fc.property(fc.array(proposals, { minLength: 300, maxLength: 600, size: 'max' }), live), { numRuns: 50 });
  // All its rules were met, and it lets plenty through.
  expect(tally.passed).toBeGreaterThan(500);
  expect(tally.stopped.size).toBe(5);
  if (process.env.RISK_RUNS) console.log(tally);
});

/** A venue that answers whatever the numbers say: reports, events, lookups and positions that agree with nothing. */
function lyingVenue(honest: PaperVenue, chance: () => number, seen: (order: VenueOrder) => Promise<void>): PaperVenue {
  const told: VenueEvent[] = [];
  const pick = <T>(...options: T[]): T => options[Math.floor(chance() * options.length)]!;
  const tell = (event: Record<string, unknown>) =>
    told.push({ sequence: told.length + 1, account: '', source: 'simulated', at: START, ...event } as VenueEvent);
  const sized = (quantity: string) =>
    new Big(quantity)
      .times(pick(0, 0.3, 1, 1, 1, 2, 3))
      .round(2)
      .toFixed();
  const reportOf = (clientId: string, quantity: string): VenueReport => ({
    ...{ clientId, exchangeId: `lie-${clientId}`, at: START },
    state: pick('open', 'filled', 'filled', 'cancelled', 'expired'),
    filledQuantity: sized(quantity),
  });
  const quantities = new Map<string, string>();
  const fill = ({ clientId, symbol, side, quantity, limitPrice }: VenueOrder) => {
    const wrongWay = side === 'buy' ? 'sell' : 'buy';
    tell({
      ...{ kind: 'fill', fillId: `${clientId}-${told.length}`, symbol, maker: false, fee: '0.1' },
      clientId: pick(clientId, clientId, clientId, null),
      side: pick(side, side, side, wrongWay),
      quantity: pick('0.01', quantity, quantity, new Big(quantity).times(2).toFixed()),
      price: new Big(limitPrice)
        .times(pick(0.01, 1, 1, 1, 5))
        .round(2)
        .toFixed(),
    });
  };
  return {
    ...honest,
    terms: (source, symbol) => honest.terms(source, symbol),
    quote: (source, symbol) => honest.quote(source, symbol),
    cost: (source, symbol, side, quantity) => honest.cost(source, symbol, side, quantity),
    goneBy: async () => null,
    open: async (account, amount) => void tell({ kind: 'transfer', account, symbol: '', amount }),
    advance: async () => {},
    margin: async () => ({
      ...{ equity: '100000', marginBalance: '100000', spendable: '100000' },
      ...{ initialMargin: '0', maintenanceMargin: '0' },
    }),
    submit: async (order) => {
      await seen(order);
      quantities.set(order.clientId, order.quantity);
      const fate = chance();
      for (let i = pick(0, 1, 1, 1, 2); i > 0; i -= 1) fill(order);
      if (fate < 0.15) throw new Error('nobody knows');
      if (fate < 0.3) throw new VenueRefused('rejected');
      return reportOf(order.clientId, order.quantity);
    },
    cancel: async (_account, clientId) => {
      if (chance() < 0.2) throw new Error('nobody knows');
      return reportOf(clientId, quantities.get(clientId) ?? '1');
    },
    lookup: async (_account, clientId) => {
      if (chance() < 0.2) throw new Error('nobody knows');
      if (chance() < 0.5) return { found: true, report: reportOf(clientId, quantities.get(clientId) ?? '1') };
      return { found: false, covered: chance() < 0.8 };
    },
    events: async (_account, after) => {
      const late = pick(0, 0, 0, 1, 3);
      return told.slice(0, told.length - late).filter(({ sequence }) => sequence > after || chance() < 0.1);
    },
    positions: async () => [],
  };
}

describe('an engine whose venue answers at random', () => {
  const stops: string[] = [];

  /** Looks at every order as it goes out, by the books as they are committed: another computation than the risk check's. */
  async function expectGoverned({ clientId }: VenueOrder): Promise<void> {
    const [order] = await db.select().from(tradeOrder).where(eq(tradeOrder.id, clientId));
    const [of] = await db.select().from(hedge).where(eq(hedge.id, order!.dealId!));
    const isLong = order!.leg === 'long';
    const held = Number(isLong ? of!.longQuantity : of!.shortQuantity);
    const quantity = Number(order!.quantity);
    const signed = order!.side === 'buy' ? quantity : -quantity;
    const { legNotional, leverage } = of!.settings as typeof DEFAULT_SETTINGS;
    if (order!.purpose === 'entry' || order!.purpose === 'complete') {
      expect(Math.sign(signed)).toBe(isLong ? 1 : -1);
      expect(held * signed).toBeGreaterThanOrEqual(0);
      const targetNotional = legNotional * (isLong ? 1 : of!.ratio);
      expect(Math.abs(held + signed) * order!.decisionMid).toBeLessThanOrEqual(targetNotional * 1.05 + 1e-6);
      const rows = await db
        .select({
          symbol: ledger.symbol,
          cash: sql<string>`sum(${ledger.amount})`,
          held: sql<string>`coalesce(sum(${ledger.quantity}) filter (where ${ledger.kind} = 'fill'), 0)`,
        })
        .from(ledger)
        .where(eq(ledger.userId, of!.userId))
        .groupBy(ledger.symbol);
      const worthOf = (symbol: string, quantity: number) => quantity * (symbol === 'AAAUSDT' ? 100 : 50);
      const grossWith = (more: number) =>
        rows.reduce(
          (sum, { symbol, held: own }) =>
            sum + Math.abs(worthOf(symbol, Number(own) + (symbol === order!.symbol ? more : 0))),
          rows.some(({ symbol }) => symbol === order!.symbol) ? 0 : Math.abs(worthOf(order!.symbol, more)),
        );
      const equity = rows.reduce((sum, row) => sum + Number(row.cash) + worthOf(row.symbol, Number(row.held)), 0);
      expect(grossWith(signed)).toBeLessThanOrEqual(Math.max(grossWith(0), equity * leverage) + 1e-6);
    } else {
      expect(held * signed).toBeLessThan(0);
      expect(Math.abs(signed)).toBeLessThanOrEqual(Math.abs(held));
    }
    const minute = and(
      eq(tradeOrder.dealId, of!.id),
      eq(tradeOrder.leg, order!.leg),
      gt(tradeOrder.createdAt, order!.createdAt - 60_000),
    );
    expect(await db.$count(tradeOrder, minute)).toBeLessThanOrEqual(SENDS_A_MINUTE);
  }

  async function lied(numbers: readonly number[], orderType: 'market' | 'maker'): Promise<void> {
    let at = 0;
    const chance = () => {
      at += 1;
      return numbers[at % numbers.length]!;
    };
    const moving = movingMarket({ AAAUSDT: { price: 100 }, BBBUSDT: { price: 50 } });
    const honest = createPaperVenue({ db, clock: moving.clock, markets: moving.markets });
    const failures: unknown[] = [];
    const venue = lyingVenue(honest, chance, (order) =>
      expectGoverned(order).catch((error) => void failures.push(error)),
    );
    const settings = { orderType, stopLoss: null, takeProfit: null, dailyLossLimit: null, maxHoldingHours: null };
    const desk = await tradingDesk(db, moving, { settings, engine: { venue } });
    await venue.open(desk.userId, '100000');
    await desk.addPair();
    for (let i = 0; i < 60; i += 1) {
      await desk.run(1);
      const running = (await desk.hedges()).find(({ state }) => state === 'open');
      if (i % 20 === 19 && running) await desk.close(running.id);
    }
    for (const { id } of await desk.hedges()) {
      const lines = await db
        .select()
        .from(dealEvent)
        .where(and(eq(dealEvent.dealId, id), eq(dealEvent.kind, 'governed')));
      stops.push(...lines.map(({ detail }) => detail));
    }
    await desk.retire();
    expect(failures).toEqual([]);
  }

  test('breaks no limit of leg, account, direction or rate', async () => {
    const answers = fc.array(fc.double({ min: 0, max: 0.999_999, noNaN: true }), { minLength: 20, maxLength: 60 });
    await fc.assert(fc.asyncProperty(answers, fc.constantFrom('market' as const, 'maker' as const), lied), {
      numRuns: Number(process.env.RISK_RUNS ?? 6),
      interruptAfterTimeLimit: 100_000,
    });
    if (process.env.RISK_RUNS) console.log(`${stops.length} stops`, [...new Set(stops)].slice(0, 20));
  }, 600_000);
});
