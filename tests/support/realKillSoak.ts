import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type Big from 'big.js';
import { eq } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { hasPassphrase } from '#contract/apiKey';
import { LIVE_EXCHANGES, liveSource, type OrderExchange } from '#contract/candle';
import { DEFAULT_GRID, type GridParams } from '#contract/kinds/grid/params';
import { order as orderApi } from '#contract/order';
import { strategies as api } from '#contract/strategies';
import { venueAccount } from '#contract/venueAccount';
import { journalEvents } from '#server/base/db/accounts/liveJournal';
import type { Database } from '#server/base/db/client';
import { openDatabase } from '#server/base/db/connection/openDatabase';
import { fill, ledger, tradeOrder } from '#server/base/db/schema';
import { plain } from '#server/base/maths/decimal';
import { ourIdOf } from '#server/market/live/orders/orderId';
import type { VenueEvent } from '#server/market/venue';
import { type Account, ZERO } from '../standin/core/account';
import { badLineTo, onlyAt } from './badLine';
import { bendable } from './bentMarket';
import { QUIET_START } from './clockFrom';
import { fundedCustomer } from './fundedCustomer';
import { cashAt, cashOf } from './journalCash';
import { postgresDatabase } from './postgresDatabase';
import { actsOf, CARRIES, CARRY, PERPETUAL, payCarry, SPOT } from './realCarry';
import { REAL, realUser } from './realProduct';
import { ServerFleet } from './serverFleet';
import { waitFor } from './waitFor';
import { WriteLog } from './writeLog';

export interface RealKillSoakOptions {
  exchanges: readonly OrderExchange[];
  kills: number;
  /** Where funding settles at the exchanges, ms after the soak begins. */
  settlesAfterMs?: number;
  /** The largest part of an order that is filled: the rest has to be asked for again. */
  fillShare?: number;
  /** Told how it goes. */
  say?: (line: string) => void;
}

export interface RealKillSoakReport {
  kills: number;
  /** Of them those with an order just committed or just taken. */
  withOrder: number;
  deals: number;
  orders: number;
  fills: number;
  settlements: number;
  /** Orders at an exchange that no row stands for, names that were used twice, and legs that were entered twice. */
  doubled: string[];
  /** Orders and fills that are not here as they are there. */
  lost: string[];
  /** In what the books are not the exchange's own. */
  differences: string[];
  seconds: number;
}

/** When who trades is killed: with an order committed and not sent, with one that the exchange has just taken, or whenever. */
const MOMENTS = ['registered', 'taken', 'between'] as const;
const MOMENT_MS = 20_000;
/** A lease runs out, and the other one reads the accounts. */
const TAKEOVER_MS = 120_000;
/** Who trades is killed again and again while something is opened. */
const DEAL_MS = 600_000;
const LOOK_MS = 500;
/** Funding settles at this hour at all of them; for hours before and after none is out of order. */
const SETTLES = QUIET_START - 30_000 + 7 * 3_600_000;
const HOLDS_BEFORE_MS = 60_000;
const PROGRAM = '../tests/support/realServer.ts';
/** The coin of the grid, which the carry has nothing of. */
const LADDERED = 'ETHUSDT';
/** From the price to the ends of the ladder. */
const LADDER_HALF = 0.01;
/** Prices go up and down by so much in so long: over most rungs, as often as it rests. */
const SWING = 0.008;
const SWING_MS = 30_000;
const SWING_STEP_MS = 1_000;
const RESTS_MS = 15_000;
/** What is more than wished by less is rounding. */
const ALLOWED = 1.05;

interface Asked {
  method: string;
  url: string;
  query?: Record<string, string>;
  payload?: object;
  headers: Record<string, string>;
}

/** Asks one server after the other until one answers, by the same idempotency key. */
const injectTo = (fleet: ServerFleet) =>
  async function inject({ method, url, query = {}, payload, headers: { cookie, ...rest } }: Asked) {
    for (let i = 0; ; i += 1) {
      const { server } = fleet.living[i % fleet.living.length] ?? {};
      try {
        if (server === undefined) throw new Error('nobody is there');
        const answer = await fetch(`${server.url}${url}?${new URLSearchParams(query)}`, {
          method,
          headers: {
            ...{ cookie: cookie!, origin: server.url, 'idempotency-key': rest['idempotency-key']! },
            ...(payload && { 'content-type': 'application/json' }),
          },
          ...(payload && { body: JSON.stringify(payload) }),
          signal: AbortSignal.timeout(30_000),
        });
        const body: unknown = await answer.json();
        return { json: () => body };
      } catch (error) {
        if (i > 100) throw error;
        await sleep(200);
      }
    }
  };

/**
 * Two servers on one database trade real accounts at stand-ins of the exchanges, one owner each with a carry and a grid, and whoever trades is
 * killed again and again. What is there in the end is held against what the exchanges have.
 */
export async function realKillSoak(options: RealKillSoakOptions): Promise<RealKillSoakReport> {
  const { exchanges, kills, settlesAfterMs, fillShare = 1, say = () => {} } = options;
  const began = performance.now();
  const start = settlesAfterMs === undefined ? QUIET_START : SETTLES - settlesAfterMs;
  const ahead = start - Date.now();
  const clock = () => Date.now() + ahead;
  const database = await postgresDatabase();
  const db = await openDatabase({ kind: 'url', url: database.url });
  const log = await WriteLog.open(database.url);
  const places = await Promise.all(exchanges.map((name) => placeAt(name, clock, fillShare)));
  const { DATABASE_URL: _, ...real } = REAL;
  const fleet = new ServerFleet(
    database.url,
    {
      ...real,
      ...{ LOG_LEVEL: 'warn', CLOCK_AHEAD: String(ahead), SECRET_KEY: randomBytes(32).toString('hex') },
      ...{ EXCHANGES: exchanges.join(), LIVE_MAX_NOTIONAL: '20000' },
      ...Object.fromEntries(places.map(({ name, line }) => [`EXCHANGE_URL_${name.toUpperCase()}`, line.url])),
    },
    PROGRAM,
  );
  let isOver = false;
  try {
    for (const { name, exchange } of places) await payCarry(db, exchange, liveSource(name));
    await Promise.all([fleet.start('a'), fleet.start('b')]);
    const traders = await Promise.all(places.map((place) => traderAt(place, { db, clock, fleet })));
    say(`${exchanges.join()}: accounts are open after ${Math.round((performance.now() - began) / 1000)} s`);
    const trading = Promise.all(traders.map((trader) => trade(trader, clock, () => isOver)));
    // Whoever cannot trade ends it all.
    const killing = killAll({ fleet, log, traders, say, kills, isOver: () => isOver });
    const withOrder = await Promise.race([killing, trading.then(() => killing)]);
    isOver = true;
    await trading;
    const found = await Promise.all(traders.map((trader) => proofOf(db, trader)));
    const all = <K extends 'doubled' | 'lost' | 'differences'>(key: K) => found.flatMap((one) => one[key]);
    const sum = <K extends 'deals' | 'orders' | 'fills' | 'settlements'>(key: K) =>
      found.reduce((total, one) => total + one[key], 0);
    return {
      ...{ kills, withOrder },
      ...{ deals: sum('deals'), orders: sum('orders'), fills: sum('fills'), settlements: sum('settlements') },
      ...{ doubled: all('doubled'), lost: all('lost'), differences: all('differences') },
      seconds: Math.round((performance.now() - began) / 1000),
    };
  } finally {
    isOver = true;
    await Promise.all(fleet.living.map((member) => fleet.kill(member)));
    for (const { line, swinging } of places) {
      clearInterval(swinging);
      await line.close();
    }
    await log.close();
    await db.close();
    await database.drop();
  }
}

/** An exchange with one customer. At Binance what he pays is taken from another asset of his. */
async function placeAt(name: OrderExchange, clock: () => number, fillShare: number) {
  const { standIn, exchange, customer } = await fundedCustomer(clock, name);
  exchange.faults.fillShare = fillShare;
  // Bybit's countdown is for those alone that it has agreed it with.
  customer.dcp.set('derivatives', 10);
  const { bend } = bendable(exchange.market);
  const swinging = setInterval(() => bend(1 + SWING * Math.sin((2 * Math.PI * clock()) / SWING_MS)), SWING_STEP_MS);
  const other = name === 'binance' ? 'BNB' : null;
  if (other) {
    customer.feeAsset = other;
    customer.deposit('spot', other, 100);
    customer.deposit('derivatives', other, 100);
  }
  const line = await badLineTo(
    standIn.url,
    onlyAt[name](SPOT!, PERPETUAL!, LADDERED, ...(other ? [`${other}USDT_SPOT`, `${other}USDT`] : [])),
  );
  return { name, exchange, customer, line, swinging };
}

type Place = Awaited<ReturnType<typeof placeAt>>;
interface World {
  db: Database;
  clock: () => number;
  fleet: ServerFleet;
}

/** Its owner, with a real account there. */
async function traderAt({ name, exchange, customer }: Place, { db, clock, fleet }: World) {
  const source = liveSource(name);
  const owner = await realUser(
    { inject: injectTo(fleet) } as never as FastifyInstance,
    db,
    clock,
    `soak-${name}`,
    name,
  );
  const carry = actsOf(owner.call, { ...CARRIES, params: { ...CARRY, source } });
  const { price } = exchange.market.listed!(LADDERED, clock())!.ticker;
  const ladder = { lower: Math.round(price * (1 - LADDER_HALF)), upper: Math.round(price * (1 + LADDER_HALF)) };
  const params: GridParams = {
    ...{ ...DEFAULT_GRID, ...ladder, source, symbol: LADDERED, direction: 'neutral', cells: 8 },
    ...{ legNotional: 4_000, leverage: 2, stopLoss: null, dailyLossLimit: null },
  };
  const grid = actsOf(owner.call, { kind: 'grid', params, typed: LADDERED });
  await owner.factor(true);
  await owner.proved();
  const words = {
    key: `soak-key-${name}`,
    secret: `soak-secret-${name}`,
    passphrase: hasPassphrase(name) ? 'soak-words' : '',
  };
  const key = exchange.keys.add({ ...words, account: 'owner' });
  key.addresses = ['127.0.0.1'];
  const apiKeyId = await owner.storeKey(key);
  let why = '';
  const opened = waitFor(
    'the account is opened',
    TAKEOVER_MS,
    async () => {
      const body = { name: `${LIVE_EXCHANGES[name]}实盘`, venue: source, apiKeyId };
      const answer = await owner.call(venueAccount.openLive, { body });
      why = answer.message;
      return answer.code === 200;
    },
    LOOK_MS,
  );
  await opened.catch(() => Promise.reject(new Error(`${name}: ${why}`)));
  let blocks = '';
  const priced = waitFor(
    'prices',
    TAKEOVER_MS,
    async () => {
      const { params } = carry.body();
      const preview = await owner.call(api.preview, { body: { kind: 'fundingRate', mode: 'live', params } });
      blocks = JSON.stringify(preview.code === 200 ? preview.data.targets.map(({ block }) => block) : preview);
      return preview.code === 200 && preview.data.targets.every(({ block }) => block === null);
    },
    LOOK_MS,
  );
  await priced.catch(() => Promise.reject(new Error(`${name}: ${blocks}`)));
  const rows = (await owner.call(venueAccount.list)).data.list;
  return { name, customer, owner, traded: [carry, grid], accountId: rows.find(({ mode }) => mode === 'live')!.id };
}

type Trader = Awaited<ReturnType<typeof traderAt>>;

/**
 * Opens and closes the carry and the grid again and again until it is told to end; the grid rests for a while, and the
 * carry is held where funding settles.
 */
async function trade({ name, owner, traded }: Trader, clock: () => number, isOver: () => boolean): Promise<void> {
  for (let deals = 0; !isOver() || deals === 0; deals += 1) {
    await owner.proved();
    const begun: { acts: Trader['traded'][number]; id: string }[] = [];
    for (const acts of traded) begun.push({ acts, id: await startedOne(name, acts) });
    const areAll = (what: string, states: readonly string[]) =>
      waitFor(
        `${name}: both are ${what}`,
        DEAL_MS,
        async () => {
          for (const { acts, id } of begun)
            if (!states.includes((await acts.dealsOf(id))[0]?.state ?? '')) return false;
          return true;
        },
        LOOK_MS,
      );
    await areAll('open, or have failed', ['open', 'failed']);
    const toSettlement = SETTLES - clock();
    await sleep(toSettlement > 0 && toSettlement < HOLDS_BEFORE_MS ? toSettlement + 2_000 : RESTS_MS);
    for (const { acts, id } of begun) await acts.stop(id);
    await areAll('over', ['closed', 'failed']);
  }
}

/** One that is made and started: who has just been started says for a while that he knows no prices yet. */
async function startedOne(name: string, acts: Trader['traded'][number]): Promise<string> {
  let id = '';
  let why = '';
  const isStarted = async () => {
    try {
      id ||= (await acts.made()).id;
      const { code, message } = await acts.start(id);
      why = message;
      return code === 200;
    } catch (error) {
      why = String(error);
      return false;
    }
  };
  await waitFor('it is started', TAKEOVER_MS, isStarted, LOOK_MS).catch(() =>
    Promise.reject(new Error(`${name}: ${why}`)),
  );
  return id;
}

interface Killing {
  kills: number;
  /** Whether nobody trades any more. */
  isOver: () => boolean;
  fleet: ServerFleet;
  log: WriteLog;
  traders: readonly Trader[];
  say: (line: string) => void;
}

/** Kills whoever trades, of one owner after the other, and starts another in its place. @returns kills with an order on its way */
async function killAll({ kills, isOver, fleet, log, traders, say }: Killing): Promise<number> {
  let withOrder = 0;
  for (let i = 0; i < kills && !isOver(); i += 1) {
    const { name, owner, customer } = traders[i % traders.length]!;
    const moment = MOMENTS[Math.floor(i / traders.length) % MOMENTS.length]!;
    const { userId } = owner;
    const holder = () => fleet.named(log.holders.get(userId) ?? '') ?? fleet.living[0]!;
    const isOrder = (write: { table: string; kind: string; userId: string | null }) =>
      write.table === 'trade_order' && write.kind === 'insert' && write.userId === userId;
    const met = await {
      taken: () => killedWithOrder(customer, () => killed(fleet, holder())),
      registered: () => log.next(isOrder, MOMENT_MS),
      between: () => sleep(3_000 * Math.random(), undefined),
    }[moment]();
    const member = met && 'slot' in met ? met : killed(fleet, holder());
    if (met) withOrder += 1;
    const again = fleet.start(member.slot);
    const took = await waitFor('another one holds the book', TAKEOVER_MS, () => {
      const now = log.holders.get(userId);
      return now !== undefined && now !== member.name && fleet.named(now) !== undefined;
    });
    await again;
    const when = met ? moment : 'between';
    say(`kill ${i + 1} of ${kills}: ${member.name} (${name}, ${when}); held again after ${took} ms`);
  }
  return withOrder;
}

function killed(fleet: ServerFleet, member: ServerFleet['living'][number]) {
  void fleet.kill(member);
  return member;
}

/** Kills at the instant at which the exchange takes an order, before it answers; undefined where none comes. */
function killedWithOrder<T>(customer: Account, kill: () => T): Promise<T | undefined> {
  return new Promise((resolve) => {
    const done = (result?: T) => {
      stop();
      clearTimeout(late);
      resolve(result);
    };
    const stop = customer.listen((event) => {
      if (event.kind === 'order' && event.change === 'new') done(kill());
    });
    const late = setTimeout(done, MOMENT_MS);
  });
}

const sumOf = (amounts: readonly (Big | string)[]): Big => amounts.reduce<Big>((sum, amount) => sum.plus(amount), ZERO);

/** What the account did, held against what its exchange has of it. */
async function proofOf(db: Database, { name, customer, owner, accountId }: Trader) {
  const differences = await reconciled(owner, name);
  const sent = await db.select().from(tradeOrder).where(eq(tradeOrder.accountId, accountId));
  const rowOf = new Map(sent.map((row) => [row.id, row]));
  const there = [...customer.orders.values()].map((one) => ({ ...one, id: ourIdOf(one.clientId.replace(/^t-/, '')) }));
  const ids = new Set(there.map(({ id }) => id));
  const say = (what: string) => `${name}: ${what}`;

  const entered = new Map<string, Big>();
  for (const { dealId, leg, symbol, purpose, filledNotional } of sent) {
    if (symbol === LADDERED || !['entry', 'complete'].includes(purpose)) continue;
    const of = `${dealId} ${leg}`;
    entered.set(of, sumOf([entered.get(of) ?? ZERO, filledNotional]));
  }
  const doubled = [
    ...there.filter(({ id }) => id === null || !rowOf.has(id)).map(({ clientId }) => `${clientId} is not known here`),
    ...(ids.size === there.length ? [] : [`${there.length} orders have ${ids.size} names`]),
    ...[...entered]
      .filter(([, size]) => size.gt(CARRY.legNotional * ALLOWED))
      .map(([of, size]) => `${of} was entered with ${size}`),
  ];
  const events = await journalEvents(db, accountId, 0);
  const told = events.filter((event) => event.kind === 'fill');
  const booked = await db.select().from(fill).where(eq(fill.accountId, accountId));
  const lost = [
    ...there
      .filter(({ id, filled }) => !filled.eq(rowOf.get(id ?? '')?.filledQuantity ?? -1))
      .map(({ id, filled }) => `${id} is filled with ${filled} there, ${rowOf.get(id ?? '')?.filledQuantity} here`),
    ...sent
      .filter(({ id, filledQuantity }) => !ids.has(id) && Number(filledQuantity) !== 0)
      .map(({ id }) => `${id} was never there`),
    ...sent
      .filter(({ state }) => ['registered', 'open', 'inDoubt'].includes(state))
      .map(({ id, state }) => `${id} is ${state}`),
    ...there.filter(({ state }) => state === 'new' || state === 'partly').map(({ id }) => `${id} is open there`),
    ...(told.length === customer.fills.length
      ? []
      : [`${customer.fills.length} fills there, ${told.length} told here`]),
    ...(new Set(booked.map(({ id }) => id.split('/')[0])).size === told.length
      ? []
      : [`${told.length} fills, ${booked.length} booked`]),
  ];
  const lines = await db.select().from(ledger).where(eq(ledger.accountId, accountId));
  const ofKind = (kind: string) => plain(sumOf(lines.filter((line) => line.kind === kind).map(({ amount }) => amount)));
  const funding = customer.income.filter(({ kind }) => kind === 'funding');
  const pairs = {
    ...{ cash: [cashOf(events), cashAt(customer)] },
    ...Object.fromEntries(
      [PERPETUAL!, LADDERED].map((symbol) => [symbol, [customer.positionOf(symbol).toFixed(), '0']]),
    ),
    fees: [feesOf(told.map(paidOf)), feesOf(customer.fills.map(({ fee, feeAsset }) => [feeAsset, fee]))],
    'fees of the ledger': [ofKind('fee'), plain(sumOf(told.map(({ fee }) => fee)).neg())],
    funding: [ofKind('funding'), plain(sumOf(funding.map(({ amount }) => amount)))],
  };
  for (const [what, [here, at]] of Object.entries(pairs))
    if (here !== at) differences.push(`${what}: ${here} here, ${at} there`);
  return {
    ...{ deals: new Set(sent.map(({ dealId }) => dealId)).size, orders: there.length, fills: customer.fills.length },
    ...{
      settlements: funding.length,
      doubled: doubled.map(say),
      lost: lost.map(say),
      differences: differences.map(say),
    },
  };
}

/** What a fill cost, in what it was paid in. */
function paidOf(event: Extract<VenueEvent, { kind: 'fill' }>): [string, string] {
  if (event.feePaid) return [event.feePaid.asset, event.feePaid.amount];
  return event.feeInBase ? [event.symbol.replace('USDT_SPOT', ''), event.feeInBase] : ['USDT', event.fee];
}

/** Fees by asset. */
function feesOf(paid: readonly (readonly [string, Big | string])[]): string {
  const assets = [...new Set(paid.map(([asset]) => asset))].sort();
  return assets
    .map((asset) => `${asset} ${plain(sumOf(paid.filter(([one]) => one === asset).map(([, fee]) => fee)))}`)
    .join();
}

/** What the console's own reconciliation says differs, once everything is booked. */
async function reconciled({ userId, call }: Trader['owner'], name: string): Promise<string[]> {
  let said: string[] = [];
  const look = async () => {
    const answer = await call(orderApi.reconcile, { query: { userId } });
    if (answer.code !== 200) said = [answer.message];
    else {
      const [found] = answer.data.accounts;
      const { verdict = '', unknown = [], positions = [], money = [], orders = [], findings = [] } = found ?? {};
      const rows = [...positions, ...money].filter(({ agrees }) => !agrees);
      said = [verdict, ...unknown, ...findings, ...[...rows, ...orders].map((row) => JSON.stringify(row))];
    }
    return said[0] === 'agrees';
  };
  return waitFor(name, TAKEOVER_MS, look, 2_000).then(
    () => [],
    () => said,
  );
}
