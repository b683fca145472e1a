import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import Big from 'big.js';
import { and, eq } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { strategies as api } from '#contract/strategies';
import { venueAccount } from '#contract/venueAccount';
import { openDatabase } from '#server/base/db/connection/openDatabase';
import { account, fill, ledger, liveEvent, tradeOrder } from '#server/base/db/schema';
import { ourIdOf } from '#server/market/live/orders/orderId';
import type { VenueEvent } from '#server/market/venue';
import { ZERO } from '../../standin/core/account';
import { atEnd } from '../../support/atEnd';
import { badLineTo, onlyBinance } from '../../support/badLine';
import { QUIET_START } from '../../support/clockFrom';
import { fundedCustomer } from '../../support/fundedCustomer';
import { postgresDatabase } from '../../support/postgresDatabase';
import { carryOf, PERPETUAL, payCarry, SPOT } from '../../support/realCarry';
import { REAL, REAL_VENUE, realUser } from '../../support/realProduct';
import { ServerFleet } from '../../support/serverFleet';
import { waitFor } from '../../support/waitFor';
import { WriteLog } from '../../support/writeLog';

/** REAL_KILLS=20 for a soak. */
const KILLS = Number(process.env.REAL_KILLS ?? 3);
/** A lease runs out, and the other one reads the account. */
const TAKEOVER_MS = 120_000;
const MOMENT_MS = 20_000;
const PROGRAM = '../tests/support/realServer.ts';

const ahead = QUIET_START - Date.now();
const clock = () => Date.now() + ahead;
const { standIn, exchange, customer } = await fundedCustomer(clock);
const line = await badLineTo(standIn.url, onlyBinance(SPOT, PERPETUAL));
atEnd(() => line.close());
const database = await postgresDatabase();
atEnd(() => database.drop());
const db = await openDatabase({ kind: 'url', url: database.url });
atEnd(() => db.close());
const log = await WriteLog.open(database.url);
atEnd(() => log.close());
const env = {
  ...REAL,
  ...{ LOG_LEVEL: 'warn', CLOCK_AHEAD: String(ahead), SECRET_KEY: randomBytes(32).toString('hex') },
  ...{ EXCHANGE_URL_BINANCE: line.url, LIVE_MAX_NOTIONAL: '20000' },
};
const { DATABASE_URL: _, ...own } = env;
const fleet = new ServerFleet(database.url, own, PROGRAM);
atEnd(() => Promise.all(fleet.living.map((member) => fleet.kill(member))));

interface Asked {
  method: string;
  url: string;
  query?: Record<string, string>;
  payload?: object;
  headers: Record<string, string>;
}

/** Asks one server after the other until one answers, by the same idempotency key. */
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
}
const owner = await realUser({ inject } as never as FastifyInstance, db, clock, 'soak');
const carry = carryOf(owner.call);
const ours = () => [...customer.orders.values()].filter(({ clientId }) => ourIdOf(clientId) !== null);

/** Kills whoever trades the book, after it has committed an order or at any moment, and starts another in its place. */
async function kill(i: number): Promise<void> {
  const next = log.next(({ table, kind }) => table === 'trade_order' && kind === 'insert', MOMENT_MS);
  if (i % 2 === 0) await next;
  else await sleep(3_000 * Math.random());
  const member = fleet.named(log.holders.get(owner.userId) ?? '') ?? fleet.living[0]!;
  await fleet.kill(member);
  const again = fleet.start(member.slot);
  await waitFor('another one holds the book', TAKEOVER_MS, () => {
    const holder = log.holders.get(owner.userId);
    return holder !== undefined && holder !== member.name && fleet.named(holder) !== undefined;
  });
  await again;
}

/** Opens and closes the carry again and again until it is told to end. */
async function trade(isOver: () => boolean): Promise<number> {
  let deals = 0;
  while (!isOver() || deals === 0) {
    await owner.proved();
    const { id } = await carry.made();
    expect((await carry.start(id)).code).toBe(200);
    const state = async () => (await carry.dealsOf(id))[0]?.state;
    await waitFor('it is open, or has failed', TAKEOVER_MS, async () => ['open', 'failed'].includes((await state())!));
    await carry.stop(id);
    await waitFor('it is over', TAKEOVER_MS, async () => ['closed', 'failed'].includes((await state())!));
    deals += 1;
  }
  return deals;
}

test(
  `whoever trades a real account is killed ${KILLS} times: nothing is sent twice or lost, and the books are the exchange's`,
  async () => {
    await payCarry(db, exchange);
    await Promise.all([fleet.start('a'), fleet.start('b')]);
    await owner.factor(true);
    await owner.proved();
    const key = exchange.keys.add({ key: 'soak-key-0001', secret: 'soak-secret-0001', account: 'owner' });
    key.addresses = ['127.0.0.1'];
    const apiKeyId = await owner.storeKey(key);
    let [opened, why] = [false, ''];
    await waitFor('the account is opened', TAKEOVER_MS, async () => {
      const body = { name: '币安实盘', venue: REAL_VENUE as never, apiKeyId };
      const answer = await owner.call(venueAccount.openLive, { body });
      [opened, why] = [answer.code === 200, answer.message];
      return opened;
    }).catch(() => {
      throw new Error(why);
    });
    await waitFor('prices', TAKEOVER_MS, async () => {
      const { params } = carry.body();
      const preview = await owner.call(api.preview, { body: { kind: 'fundingRate', mode: 'live', params } });
      return preview.code === 200 && preview.data.targets.every(({ block }) => block === null);
    });

    let isOver = false;
    const trading = trade(() => isOver);
    try {
      for (let i = 0; i < KILLS; i += 1) await kill(i);
    } finally {
      isOver = true;
    }
    const deals = await trading;

    const [real] = await db
      .select()
      .from(account)
      .where(and(eq(account.userId, owner.userId), eq(account.mode, 'live')));
    const isHere = eq(fill.accountId, real!.id);
    await waitFor(
      'all is booked',
      TAKEOVER_MS,
      async () => (await db.select().from(fill).where(isHere)).length === customer.fills.length,
    );
    const sent = await db.select().from(tradeOrder).where(eq(tradeOrder.accountId, real!.id));
    const known = new Set(sent.map(({ id }) => id));
    // Nothing of ours is at the exchange that the books do not know, and nothing twice.
    expect(ours().filter(({ clientId }) => !known.has(ourIdOf(clientId)!))).toEqual([]);
    expect(new Set(ours().map(({ clientId }) => clientId)).size).toBe(ours().length);
    expect(ours().filter(({ state }) => state === 'new' || state === 'partly')).toEqual([]);
    expect(sent.filter(({ state }) => ['registered', 'open', 'inDoubt'].includes(state))).toEqual([]);
    expect(customer.positionOf(PERPETUAL).toFixed()).toBe('0');
    // Each order holds what the exchange filled of it.
    for (const order of ours())
      expect(new Big(sent.find(({ id }) => id === ourIdOf(order.clientId))!.filledQuantity).toFixed()).toBe(
        order.filled.toFixed(),
      );
    const events = (await db.select().from(liveEvent).where(eq(liveEvent.accountId, real!.id))).map(
      ({ event }) => event as VenueEvent,
    );
    expect(events.filter(({ kind }) => kind === 'fill')).toHaveLength(customer.fills.length);
    const rows = await db.select().from(ledger).where(eq(ledger.accountId, real!.id));
    const cash = rows.reduce((sum, { amount }) => sum.plus(amount), ZERO);
    const wallets = (customer.wallet.get('USDT') ?? ZERO).plus(customer.freeOf('USDT'));
    expect(cash.toFixed(8)).toBe(wallets.toFixed(8));
    process.stdout.write(
      `real kills: ${KILLS}, ${deals} deals, ${ours().length} orders, ${customer.fills.length} fills\n`,
    );
  },
  (KILLS + 3) * 2 * TAKEOVER_MS,
);
