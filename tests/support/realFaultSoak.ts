import { setTimeout as sleep } from 'node:timers/promises';
import Big from 'big.js';
import { liveSource, ORDER_EXCHANGES, type OrderExchange } from '#contract/candle';
import { DEFAULT_CEX_RATE } from '#contract/kinds/cexRate/params';
import { DEFAULT_FUNDING } from '#contract/kinds/fundingRate/params';
import { DEFAULT_GRID } from '#contract/kinds/grid/params';
import { DEFAULT_SETTINGS } from '#contract/kinds/hedge/config';
import { DEFAULT_SPREAD } from '#contract/kinds/spread/params';
import type { ParamsOf } from '#contract/strategy';
import { tradeOrder } from '#server/base/db/schema';
import { answerOf } from './liveAccount';
import { answered, PERPETUAL, payRate, SPOT } from './realCarry';
import type { RealPlace } from './realProduct';
import { realStrategy } from './realStrategy';
import { testDatabase } from './testDatabase';

const LEG = 2_000;
/** Of what is less than a lot of spot each deal leaves some behind. */
const CAP = 15_000;
/** What is more than wished by less is rounding. */
const ALLOWED = 1.05;
/** What goes on for a while does so for as long: longer than an order is taken, or an exchange may be silent. */
const WHILE_MS = 15_000;
const ORDER = /^POST .*\/orders?(\/create)?$/;
const HELD = { stopLoss: null, dailyLossLimit: null, maxHoldingHours: null, slippageCap: 100 } as const;

/** What happens at an exchange as a deal is opened, and again as it is closed; what goes on for a while ends with it. */
type Fault = (place: RealPlace) => void | Promise<void>;

const aWhile =
  (begin: (place: RealPlace) => void): Fault =>
  async (place) => {
    begin(place);
    await sleep(WHILE_MS);
    place.exchange.faults.clear();
  };

const FAULTS: Record<string, Fault> = {
  nothing: () => undefined,
  noAnswer: ({ exchange }) => exchange.faults.next(ORDER, { kind: 'noAnswer' }),
  cut: ({ exchange }) => exchange.faults.next(ORDER, { kind: 'cut' }),
  garbled: ({ exchange }) => exchange.faults.next(ORDER, { kind: 'garbled' }),
  late: async ({ exchange }) => {
    const held = exchange.faults.holdUp(ORDER);
    await sleep(WHILE_MS);
    void held.arrive();
  },
  tooMany: ({ exchange }) => exchange.faults.next(ORDER, answerOf(429, {}), 2),
  broken: ({ exchange }) => exchange.faults.next(ORDER, answerOf(503, {}), 2),
  partly: ({ exchange }) => {
    exchange.faults.fillShare = 0.4;
  },
  slow: ({ exchange }) => {
    exchange.faults.lagMs = 3_000;
  },
  doubled: ({ exchange }) => {
    exchange.faults.onStream = (messages) => [...messages, ...messages].toReversed();
  },
  unheard: ({ exchange }) => {
    exchange.faults.onStream = (messages) => messages.filter((_, i) => i % 2 === 0);
  },
  endedStreams: ({ exchange }) => void exchange.faults.endedStreams.add('owner'),
  streamsDown: aWhile(({ exchange }) => {
    exchange.faults.areStreamsDown = true;
  }),
  restDown: aWhile(({ exchange }) => {
    exchange.faults.isRestDown = true;
  }),
  maintenance: aWhile(({ exchange }) => {
    exchange.faults.isInMaintenance = true;
  }),
  clockOff: aWhile(({ exchange }) => {
    exchange.faults.clockAheadMs = 40_000;
  }),
};

/** What happens while a deal is held: the exchange ends one leg by itself, or somebody trades beside it. */
const HELD_FAULTS: Record<string, (place: RealPlace) => void> = {
  liquidation: ({ exchange, customer }) => void exchange.trading.force(customer, PERPETUAL!, 'liquidation'),
  adl: ({ exchange, customer }) => void exchange.trading.force(customer, PERPETUAL!, 'adl'),
};

/** What may happen, by name. */
export const REAL_FAULTS = [...Object.keys(FAULTS), ...Object.keys(HELD_FAULTS)];

type RealKind = 'hedge' | 'fundingRate' | 'spread' | 'cexRate' | 'grid';
interface Traded {
  kind: RealKind;
  at: readonly OrderExchange[];
}

/** Each kind that may be real at each exchange; across two of them each is once where it buys and once where it sells. */
export const TRADED: readonly Traded[] = [
  ...ORDER_EXCHANGES.flatMap((name) => [
    { kind: 'hedge' as const, at: [name] },
    { kind: 'grid' as const, at: [name] },
    { kind: 'fundingRate' as const, at: [name] },
    { kind: 'spread' as const, at: [name] },
  ]),
  ...ORDER_EXCHANGES.map((name, i) => ({
    kind: 'cexRate' as const,
    at: [name, ORDER_EXCHANGES[(i + 1) % ORDER_EXCHANGES.length]!],
  })),
];

/** What is listed for a kind; its owner types the first. */
const SYMBOLS: Record<RealKind, readonly [string, ...string[]]> = {
  hedge: [PERPETUAL!, 'ETHUSDT'],
  grid: [PERPETUAL!],
  fundingRate: [SPOT!, PERPETUAL!],
  spread: [SPOT!, PERPETUAL!],
  cexRate: [PERPETUAL!],
};

function paramsOf({ kind, at: [one, other] }: Traded): ParamsOf<RealKind> {
  const source = liveSource(one!) as never;
  if (kind === 'hedge')
    return { ...DEFAULT_SETTINGS, ...HELD, source, legNotional: LEG, takeProfit: null, rebalance: null };
  if (kind === 'grid')
    return {
      ...{ ...DEFAULT_GRID, source, symbol: PERPETUAL!, direction: 'long', cells: 8, lower: 1, upper: 2 },
      ...{ legNotional: 2 * LEG, leverage: 2, stopLoss: null, dailyLossLimit: null },
    };
  if (kind === 'fundingRate')
    return {
      ...DEFAULT_FUNDING,
      ...HELD,
      source,
      coins: ['BTC'],
      legNotional: LEG,
      entryApr: 0,
      slices: 1,
      flipRate: 0.01,
    };
  if (kind === 'spread')
    return {
      ...DEFAULT_SPREAD,
      ...HELD,
      source,
      near: SPOT!,
      far: PERPETUAL!,
      legNotional: LEG,
      entryApr: 0,
      exitLevel: null,
    };
  return {
    ...{ ...DEFAULT_CEX_RATE, ...HELD, long: source, short: liveSource(other!) as never, coins: ['BTC'] },
    ...{ legNotional: LEG, entryApr: 0, exitApr: null, minHoldingHours: 0 },
  };
}

export interface RealFaultReport {
  deals: number;
  orders: number;
  /** What is not as it should be, each in one line. */
  findings: string[];
}

/**
 * Trades a kind for real at stand-ins and has each of these faults happen as a deal is opened and as it is closed, at
 * each of its exchanges; what is there in the end is held against what the exchanges have.
 */
export async function realFaultSoak(
  traded: Traded,
  faults: readonly string[],
  say: (line: string) => void,
): Promise<RealFaultReport> {
  const db = await testDatabase();
  const { kind, at } = traded;
  const symbols = SYMBOLS[kind];
  const single = kind === 'hedge' ? { single: { long: PERPETUAL!, short: 'ETHUSDT' } } : {};
  const params = paramsOf(traded);
  const world = await realStrategy(db, { kind, at, symbols, params, cap: CAP, ...single } as never);
  const { places, started, close, end, dealsOf, standOf, isGivenUp } = world;
  for (const [i, { exchange, name }] of places.entries())
    await payRate(db, exchange, liveSource(name), kind === 'cexRate' && i === 0 ? -0.002 : 0.003);
  if (kind === 'grid') {
    const { price } = places[0]!.exchange.market.listed!(PERPETUAL!, world.clock())!.ticker;
    Object.assign(params, { lower: Math.round(price * 0.96), upper: Math.round(price * 1.04) });
    // Bybit's countdown is for those alone that it has agreed it with.
    places[0]!.customer.dcp.set('derivatives', 10);
  }
  await world.open();

  const findings: string[] = [];
  const isIn = (id: string, states: readonly string[], orIs = async () => false) =>
    answered(
      states.join(' or '),
      async () => (await dealsOf(id)).some(({ state }) => states.includes(state)) || (await orIs()),
    ).catch(async () => Promise.reject(new Error(`not ${states.join(' or ')}: ${await standOf(id)}`)));

  async function pass(id: string, what: string, place: RealPlace): Promise<void> {
    const fault = FAULTS[what] ?? (() => undefined);
    const opening = Promise.resolve(fault(place));
    await isIn(id, ['open', 'failed'], () => isGivenUp(id));
    await opening;
    if (await isGivenUp(id)) return;
    HELD_FAULTS[what]?.(place);
    if (what in HELD_FAULTS) await isIn(id, ['closed']);
    place.exchange.faults.clear();
    const open = (await dealsOf(id)).find(({ state }) => state === 'open');
    if (open !== undefined) {
      const closing = Promise.resolve(fault(place));
      await close(id);
      await isIn(id, ['closed']);
      await closing;
      place.exchange.faults.clear();
    }
  }

  for (const what of faults) {
    for (const place of places) {
      const began = performance.now();
      const id = await started();
      const found: string[] = await pass(id, what, place).then(
        () => [],
        (error: Error) => [error.message],
      );
      place.exchange.faults.clear();
      found.push(...(await end(id)));
      const named = `${kind} at ${at.join(' and ')}, ${what} at ${place.name}`;
      say(`${named}: ${Math.round((performance.now() - began) / 1000)} s ${found.join('; ')}`);
      findings.push(...found.map((one) => `${named}: ${one}`));
    }
  }

  const sent = await db.select().from(tradeOrder);
  const entered = new Map<string, Big>();
  for (const { dealId, leg, purpose, filledNotional } of sent) {
    if (!['entry', 'complete'].includes(purpose)) continue;
    const of = `${dealId} ${leg}`;
    entered.set(of, new Big(filledNotional).plus(entered.get(of) ?? 0));
  }
  for (const [of, size] of entered)
    if (size.gt(LEG * ALLOWED)) findings.push(`${kind} at ${at.join(' and ')}: ${of} was entered with ${size}`);
  const ids = new Set(sent.map(({ dealId }) => dealId));
  return { deals: ids.size, orders: sent.length, findings };
}
