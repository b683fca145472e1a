import { createHash, randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { Role } from '#contract/access';
import { apiKey } from '#contract/apiKey';
import { HOUR_MS } from '#contract/duration';
import { DEFAULT_CEX_RATE } from '#contract/kinds/cexRate/params';
import { DEFAULT_FUNDING } from '#contract/kinds/fundingRate/params';
import { DEFAULT_GRID } from '#contract/kinds/grid/params';
import { DEFAULT_SETTINGS } from '#contract/kinds/hedge/config';
import { DEFAULT_OKX } from '#contract/kinds/okx/params';
import { DEFAULT_SPREAD } from '#contract/kinds/spread/params';
import { notification as notificationApi } from '#contract/notification';
import { savedView } from '#contract/savedView';
import type { StrategyKind } from '#contract/strategy';
import * as schema from '#server/base/db/schema';
import { hashPassword } from '#server/people/auth/password';
import { ORIGIN, START, type testApp } from './app';
import { addBook, addEvents, addFills, addHedges, addLedger, addOrders, addPair, addPoints } from './bookRows';
import { signedInUser } from './signedInUser';

type Server = Awaited<ReturnType<typeof testApp>>;

/** Somebody who has a record of every kind, and the ids of them. */
export type Owned = Awaited<ReturnType<typeof ownedRecords>>;

/**
 * Makes a user with a record of every kind; each text of them has `mark` in it, so that a reply which shows one can
 * be told. Their symbols are BTCUSDT and ETHUSDT of `simulated`.
 */
export async function ownedRecords(server: Server, mark: string, role: Role) {
  const { db } = server;
  const owner = await signedInUser(db, `${mark}-name`, role, await hashPassword(`${mark}-password`));
  const { userId } = owner;
  const ids = { userId, ...(await tradedRecords(server, userId, mark)), ...(await strategies(server, userId, mark)) };
  const call = async (method: 'PUT' | 'POST', url: string, payload: object) => {
    const headers = { host: 'localhost:8000', origin: ORIGIN, cookie: owner.cookie };
    const { body } = await server.app.inject({ method, url, headers, payload });
    const { code, data, message } = JSON.parse(body);
    if (code !== 200) throw new Error(`${url}: ${message}`);
    return data;
  };
  const view = await call('PUT', savedView.save.path, { screen: '/order', name: `${mark} 视图`, query: `x=${mark}` });
  const key = await call('POST', apiKey.create.path, {
    ...{ exchange: 'binance', name: `${mark} 键`, key: 'demo-trade-7777', secret: `${mark}-secret` },
  });
  await call('PUT', notificationApi.setWebhook.path, { url: `https://hooks.example.com/${mark}` });
  const [news] = await db
    .insert(schema.notification)
    .values({
      ...{ userId, key: mark, kind: 'system', level: 'info', title: `${mark} 题`, text: `${mark} 文` },
      ...{ link: null, at: START },
    })
    .returning({ id: schema.notification.id });
  const jobId = randomUUID();
  await db.execute(sql`
    insert into pgboss.job (id, name, data, state, retry_limit, singleton_key, output)
    values (${jobId}, 'webhook', ${JSON.stringify({ userId, notificationId: news!.id })}, 'failed', 0, ${userId}, '{"message":"HTTP 500"}')`);
  await db.insert(schema.secondFactor).values({ userId, enabledAt: START, startedAt: START });
  await db.insert(schema.recoveryCode).values({ userId, codeHash: mark });
  await db.insert(schema.userPreference).values({ userId, rise: 'green', numbers: 'thousands' });
  await db.insert(schema.oneTimeCode).values({ userId, codeHash: mark, createdAt: START, expiresAt: START });
  await db.insert(schema.loginAttempt).values({
    ...{
      at: START,
      userId,
      name: owner.name,
      address: '192.0.2.77',
      userAgent: mark,
      result: 'ok',
      reason: 'password',
    },
  });
  const counted = `pair 192.0.2.77 ${owner.name.toLowerCase()}`;
  await db
    .insert(schema.loginFailure)
    .values({ key: counted, failures: 9, firstAt: START, lockedUntil: START + 1000 * HOUR_MS });
  await db.execute(sql`update app_user set binance_id = '70000000042' where id = ${userId}`);
  const [session] = await db.select().from(schema.session).where(sql`user_id = ${userId}`);
  const [other] = await db
    .insert(schema.session)
    .values({ ...session!, id: randomUUID(), tokenHash: `${mark}-token` })
    .returning({ id: schema.session.id });
  return {
    ...owner,
    mark,
    ids: {
      ...ids,
      viewId: view.id as string,
      keyId: key.id as string,
      notificationId: String(news!.id),
      jobId,
      sessionId: session!.id,
      otherSessionId: other!.id,
      lockId: createHash('sha256').update(counted).digest('hex'),
    },
  };
}

/** Accounts, a pair with a hedge that runs and one that ended, orders, fills and what was booked for them. */
async function tradedRecords({ db, venue }: Server, userId: string, mark: string) {
  await addBook(
    db,
    userId,
    { enabled: true, pausedAt: START, pausedBy: mark, pauseReason: mark },
    { settings: DEFAULT_SETTINGS, by: mark },
  );
  await venue.open(userId, '100000');
  const accountId = randomUUID();
  await db.insert(schema.account).values({ id: accountId, userId, venue: 'simulated-okx', mode: 'paper', name: mark });
  const symbols = { source: 'simulated', long: 'BTCUSDT', short: 'ETHUSDT' };
  const pairId = await addPair(db, { userId, ...symbols, createdAt: START, armedAt: START });
  const times = { stateAt: START - HOUR_MS, createdAt: START - 5 * HOUR_MS, openedAt: START - 4 * HOUR_MS };
  const row = { userId, pairId, ...symbols, ...times, settings: DEFAULT_SETTINGS, ratio: 1, note: mark, noteBy: mark };
  const legs = { longQuantity: '0.1', longCost: '9000', shortQuantity: '-3', shortCost: '-9000' };
  const [hedgeId, endedId] = [randomUUID(), randomUUID()];
  const sums = { longOpened: '0.1', longNotional: '9000', shortOpened: '3', shortNotional: '9000' };
  await addHedges(
    db,
    { id: hedgeId, ...row, state: 'open', ...legs, ...sums },
    { id: endedId, ...row, state: 'closed', closedAt: START - HOUR_MS, closeReason: 'manual', ...sums },
  );
  await addEvents(db, { dealId: hedgeId, at: START, kind: 'opened', detail: mark });
  const order = {
    ...{ userId, dealId: hedgeId, source: 'simulated', leg: 'long', type: 'maker', purpose: 'entry' },
    ...{ reduceOnly: false, decisionMid: 90_000, quantity: '0.1', limitPrice: '90000', createdAt: START - HOUR_MS },
  };
  const [orderId, filledId] = [`${mark}-resting`, `${mark}-filled`];
  await addOrders(
    db,
    { ...order, id: orderId, symbol: 'BTCUSDT', side: 'buy', state: 'open' },
    { ...order, id: filledId, symbol: 'BTCUSDT', side: 'buy', state: 'filled', filledQuantity: '0.1' },
  );
  const fill = { userId, orderId: filledId, dealId: hedgeId, source: 'simulated', symbol: 'BTCUSDT', side: 'buy' };
  await addFills(db, {
    ...{ ...fill, id: `${mark}-fill`, quantity: '0.1', price: '90000', fee: '4.5', maker: true, realised: '0' },
    at: START - HOUR_MS,
  });
  await addLedger(db, { userId, kind: 'transfer', amount: '100000', reference: mark, at: START - 6 * HOUR_MS });
  const zeros = { transfers: 100_000, funding: 0, fees: 0, slippage: 0, traded: 0, longPnl: 0, shortPnl: 0 };
  await addPoints(db, { userId, at: START - HOUR_MS, equity: 100_000, ...zeros, net: 0, gross: 0 });
  await db.insert(schema.accountTransfer).values({
    ...{ userId, fromId: userId, toId: accountId, amount: '12', fee: '1', travelMs: 1, state: 'asked', askedAt: START },
    reason: mark,
  });
  const [desk] = await db.select({ id: schema.strategy.id }).from(schema.strategy).where(sql`user_id = ${userId}`);
  const [asked] = await db
    .insert(schema.flatten)
    .values({ at: START, byId: userId, by: mark, reason: mark, scope: 'own', userId })
    .returning({ id: schema.flatten.id });
  await db.insert(schema.flattenDeal).values({ flattenId: asked!.id, dealId: endedId, userId, legs: {} });
  return { flattenId: asked!.id, accountId, pairId, hedgeId, endedId, orderId, deskId: desk!.id };
}

/** A strategy of each kind that has calls of its own, and a grid that runs. */
async function strategies({ db }: Server, userId: string, mark: string) {
  const at = { createdAt: START, updatedAt: START, updatedBy: mark };
  const add = async (kind: StrategyKind, params: object, more: object = {}) => {
    const id = randomUUID();
    const row = {
      id,
      userId,
      kind,
      name: `${mark} ${kind}`,
      mode: 'paper',
      params,
      version: 1,
      state: 'stopped',
      ...at,
      ...more,
    };
    await db.insert(schema.strategy).values(row);
    return id;
  };
  const strategyId = await add('fundingRate', { ...DEFAULT_FUNDING, coins: ['BTC'] });
  const real = { mode: 'live', name: `${mark} 实盘`, twinId: strategyId };
  await add('fundingRate', { ...DEFAULT_FUNDING, coins: ['BTC'] }, real);
  const spreadId = await add('spread', { ...DEFAULT_SPREAD, near: 'BTCUSDT_SPOT', far: 'BTCUSDT' });
  const okxId = await add('okx', { ...DEFAULT_OKX, coins: ['BTC'] });
  const cexRateId = await add('cexRate', { ...DEFAULT_CEX_RATE, coins: ['BTC'] });
  const params = { ...DEFAULT_GRID, symbol: 'BTCUSDT', lower: 40_000, upper: 200_000, cells: 20 };
  const gridStrategyId = await add('grid', params);
  const rateDealId = await addRateDeal(db, { userId, strategyId: cexRateId, note: mark });
  const leg = { leg: 'long', source: 'simulated', symbol: 'BTCUSDT', side: 'both', weight: 1 } as const;
  const legs = [leg, { ...leg, leg: 'short' as const }];
  const [row] = await db
    .insert(schema.target)
    .values({ userId, strategyId: gridStrategyId, legs, createdAt: START, armedAt: START })
    .returning({ id: schema.target.id });
  const gridId = randomUUID();
  const deal = { id: gridId, userId, strategyId: gridStrategyId, targetId: row!.id, state: 'open', stateAt: START };
  const note = { tickSize: '0.1', lotSize: '0.001', quantity: '0.01', anchor: 10, startFrom: 10, startCells: 0 };
  await db
    .insert(schema.deal)
    .values({ ...deal, createdAt: START, openedAt: START, params, opening: note, note: mark });
  await db.insert(schema.dealLeg).values(legs.map((one) => ({ dealId: gridId, userId, accountId: userId, ...one })));
  await db.insert(schema.strategyGuard).values({ strategyId, maxDrawdown: 12_345 });
  await db.insert(schema.strategyEvent).values({ strategyId, at: START, kind: 'config', detail: mark, by: mark });
  const told = { level: 'warning', title: mark, text: mark, at: START };
  await db.insert(schema.strategyAlert).values({ userId, strategyId, subject: gridId, word: 'apart', ...told });
  return { strategyId, spreadId, okxId, cexRateId, gridId, rateDealId };
}

/** A deal over two venues that is open and holds nothing yet. */
async function addRateDeal(db: Server['db'], of: { userId: string; strategyId: string; note: string }) {
  const { userId, strategyId, note } = of;
  const legs = [
    { leg: 'long', source: 'simulated', symbol: 'BTCUSDT' },
    { leg: 'short', source: 'simulated', symbol: 'ETHUSDT' },
  ] as const;
  const [row] = await db
    .insert(schema.target)
    .values({ userId, strategyId, legs: [...legs], createdAt: START, armedAt: START })
    .returning({ id: schema.target.id });
  const id = randomUUID();
  const params = { ...DEFAULT_CEX_RATE, coins: ['BTC'] };
  const deal = {
    id,
    userId,
    strategyId,
    targetId: row!.id,
    state: 'open',
    stateAt: START,
    createdAt: START,
    params,
    note,
  };
  await db.insert(schema.deal).values(deal);
  await db
    .insert(schema.dealLeg)
    .values(legs.map((leg) => ({ dealId: id, userId, accountId: userId, ...leg, side: leg.leg, weight: 1 })));
  return id;
}
