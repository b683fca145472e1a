import { eq } from 'drizzle-orm';
import { account } from '#contract/account';
import { DAY_MS } from '#contract/duration';
import { hedgeConfig as api, DEFAULT_SETTINGS, type HedgeSettings, PAPER_CAPITAL } from '#contract/kinds/hedge/config';
import { user as userApi } from '#contract/user';
import { book, strategy, user } from '#server/base/db/schema';
import { changeGuard } from '#server/base/db/strategies/strategyGuard';
import { fileApp, type Who } from '../support/app';
import { addHedges, addLedger, changeHedges, changePair, pairById } from '../support/bookRows';
import { handMarket, handMarkets } from '../support/handMarket';
import { movingMarket } from '../support/paperDesk';

const market = movingMarket({
  AAAUSDT: { price: 100, fundingHours: 8 },
  BBBUSDT: { price: 50, fundingHours: 4 },
  CCCUSDT: { price: 10 },
  WHOLEUSDT: { price: 1500, terms: { tickSize: '1', lotSize: '1', minNotional: '2000', maxLeverage: 20 } },
  LOWUSDT: { price: 1, terms: { tickSize: '0.01', lotSize: '0.01', minNotional: '5', maxLeverage: 2 } },
  OLDUSDT: { price: 1, stoppedAt: 1 },
});
const other = movingMarket({ AAAUSDT: { price: 100 } }, 'bybit');

const woken: string[] = [];
const app = await fileApp({
  markets: handMarkets(market.market, other.market, { ...handMarket('binance-live', {}), kind: 'imported' }),
  clock: market.clock,
  desk: { wake: async (userId) => void woken.push(userId) },
});

const settings = (over: Partial<HedgeSettings> = {}): HedgeSettings => ({ ...DEFAULT_SETTINGS, zBar: '1d', ...over });
const desk = async (who: Who) => (await app.as(who)(api.desk)).body.data;
const idOf = async (name: string) => (await app.db.select().from(user).where(eq(user.name, name)))[0]!.id;
const bookOf = async (who: string) =>
  (
    await app.db
      .select()
      .from(book)
      .where(eq(book.userId, await idOf(who)))
  )[0];
const revision = async (who: string) => (await bookOf(who))?.revision ?? 0;

describe('before anything was saved', () => {
  test('the desk says so', async () => {
    expect(await desk('trader')).toEqual({
      settings: null,
      version: 0,
      updatedAt: null,
      updatedBy: null,
      enabled: false,
      switchedAt: null,
      switchedBy: null,
      paused: null,
      pausedForAll: null,
      // Without an account the day begins at 00:00 UTC.
      day: { start: Date.UTC(2026, 0, 15), end: Date.UTC(2026, 0, 16) },
      dayPnl: null,
      loss: { result: null, used: null, limit: null, share: null },
      accountLimit: null,
      unvalued: null,
      tripped: null,
      trippedAt: null,
      lossLimitHit: false,
      running: 0,
      coins: [],
      pairs: [],
    });
  });

  test('switches and pairs are refused', async () => {
    const trader = app.as('trader');
    const pair = { long: 'AAAUSDT', short: 'BBBUSDT' };
    expect((await trader(api.enable)).body.code).toBe(5002);
    expect((await trader(api.disable)).body.code).toBe(5002);
    expect((await trader(api.addPair, { body: pair })).body.code).toBe(5002);
    expect((await trader(api.removePair, { body: { pairId: 'x' } })).body.code).toBe(5002);
    expect((await trader(api.armPair, { body: { pairId: 'x' } })).body.code).toBe(5002);
    expect((await trader(api.update, { body: { ...settings(), version: 1 } })).body.code).toBe(5002);
  });
});

describe('settings', () => {
  test('that make no sense are refused at their field', async () => {
    const fieldsOf = async (over: Record<string, unknown>) => {
      const answer = await app.as('trader')(api.create, { body: { ...settings(), ...over } });
      expect(answer.status).toBe(400);
      return (answer.body.data as unknown as { fields: { field: string }[] }).fields.map(({ field }) => field);
    };
    expect(await fieldsOf({ legNotional: 1 })).toEqual(['legNotional']);
    expect(await fieldsOf({ stopLoss: 2 })).toEqual(['stopLoss']);
    expect(await fieldsOf({ orderType: 'twap' })).toEqual(['orderType']);
    expect(await fieldsOf({ entry: 'z', entryZ: 1, exitZ: 1 })).toEqual(['exitZ']);
    expect(await fieldsOf({ blacklist: ['a\u0000'] })).toEqual(['blacklist.0']);
    expect(await desk('trader')).toMatchObject({ settings: null, version: 0 });
  });

  test('of an unknown source are refused', async () => {
    const answer = await app.as('trader')(api.create, { body: settings({ source: 'nowhere' }) });
    expect(answer.body).toMatchObject({ code: 2001, data: { fields: [{ field: 'source' }] } });
  });

  test('of an exchange that is followed no more are refused: there is no book to trade', async () => {
    const answer = await app.as('trader')(api.create, { body: settings({ source: 'binance-live' }) });
    expect(answer.body).toMatchObject({ code: 2004, data: { fields: [{ field: 'source' }] } });
    expect(await desk('trader')).toMatchObject({ settings: null });
  });

  test('are traded from the account that was opened at the first sign-in', async () => {
    const answer = await app.as('trader')(api.create, { body: settings() });
    expect(answer.body).toMatchObject({ code: 200, data: { version: 1, settings: settings() } });
    const id = await idOf('trader');
    expect(woken).toContain(id);
    expect(await bookOf('trader')).toMatchObject({ revision: 1 });
    const { body } = await app.as('trader')(api.desk);
    expect(body.data).toMatchObject({ version: 1, updatedAt: app.now(), updatedBy: 'trader', settings: settings() });
    expect(body.data.enabled).toBe(false);
    const venue = await app.venue.margin(id);
    expect(venue.equity).toBe(String(PAPER_CAPITAL));
  });

  test('are saved first only once', async () => {
    expect((await app.as('trader')(api.create, { body: settings() })).body.code).toBe(5001);
  });

  test('are saved over with their version; a stale one is told who saved when', async () => {
    const before = await revision('trader');
    const saved = await app.as('trader')(api.update, { body: { ...settings({ legNotional: 3000 }), version: 1 } });
    expect(saved.body.data).toEqual({ version: 2, settings: settings({ legNotional: 3000 }) });
    expect(await revision('trader')).toBe(before + 1);
    const stale = await app.as('trader')(api.update, { body: { ...settings({ legNotional: 4000 }), version: 1 } });
    expect(stale.status).toBe(409);
    expect(stale.body.message).toContain('trader 于 2026-01-15 06:30:00 UTC 保存为第 2 版');
    expect((await desk('trader')).settings?.legNotional).toBe(3000);
    const wrong = await app.as('trader')(api.update, { body: { ...settings({ entry: 'z', exitZ: 5 }), version: 2 } });
    expect(wrong.status).toBe(400);
  });

  test('of two at once one is told that it came too late', async () => {
    const { version } = await desk('trader');
    const save = (legNotional: number) =>
      app.as('trader')(api.update, { body: { ...settings({ legNotional }), version } });
    const answers = await Promise.all([save(2000), save(2500)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});

describe('the switch', () => {
  test('says who turned it when, and how many hedges run on', async () => {
    const on = await app.as('trader')(api.enable);
    expect(on.body.data).toEqual({ enabled: true, running: 0 });
    const at = app.now();
    market.wait(5000);
    await app.as('trader')(api.enable);
    expect(await desk('trader')).toMatchObject({ enabled: true, switchedAt: at, switchedBy: 'trader' });
    const off = await app.as('trader')(api.disable);
    expect(off.body.data).toEqual({ enabled: false, running: 0 });
    expect(await desk('trader')).toMatchObject({ enabled: false, switchedAt: at + 5000 });
  });

  test("is one's own", async () => {
    await app.as('editor')(api.create, { body: settings() });
    await app.as('editor')(api.enable);
    expect((await desk('trader')).enabled).toBe(false);
    expect((await desk('editor')).enabled).toBe(true);
  });
});

describe('a pair', () => {
  const add = (long: string, short: string, more = {}) =>
    app.as('trader')(api.addPair, { body: { long, short, ...more } });
  const save = async (over: Partial<HedgeSettings>) =>
    app.as('trader')(api.update, { body: { ...settings(over), version: (await desk('trader')).version } });

  test('is added, with its figures as far as they are known', async () => {
    const before = await revision('trader');
    const { body } = await add('AAAUSDT', 'BBBUSDT');
    expect(body.code).toBe(200);
    expect(await revision('trader')).toBe(before + 1);
    const [pair] = (await desk('trader')).pairs;
    expect(pair).toMatchObject({
      pairId: body.data.pairId,
      long: 'AAAUSDT',
      short: 'BBBUSDT',
      createdAt: app.now(),
      block: null,
      hedgeId: null,
      longPrice: 100,
      shortPrice: 50,
      ratio: 1,
      // Prices that never moved have no spread to measure.
      z: null,
      correlation: null,
    });
  });

  test('is refused when it makes no sense', async () => {
    expect((await add('AAAUSDT', 'AAAUSDT')).body).toMatchObject({
      code: 5011,
      data: { fields: [{ field: 'short' }] },
    });
    expect((await add('AAAUSDT', 'BBBUSDT')).body.code).toBe(5012);
    expect((await add('AAAUSDT', 'NOPEUSDT')).body).toMatchObject({
      code: 2002,
      data: { fields: [{ field: 'short' }] },
    });
    expect((await add('OLDUSDT', 'BBBUSDT')).body).toMatchObject({ code: 5014, data: { fields: [{ field: 'long' }] } });
    expect((await add('AAAUSDT', 'LOWUSDT')).body).toMatchObject({
      code: 5019,
      data: { fields: [{ field: 'short' }] },
    });
    expect((await add('AAAUSDT', '')).status).toBe(400);
    const { pairs } = await desk('trader');
    expect(pairs).toHaveLength(1);
  });

  test('whose order would round below the smallest one is refused', async () => {
    // 2,000 USDT are one whole coin of 1,500.
    await save({ legNotional: 2000 });
    const { body } = await add('AAAUSDT', 'WHOLEUSDT');
    expect(body).toMatchObject({ code: 5015, data: { fields: [{ field: 'short' }] } });
    expect(body.message).toContain('WHOLEUSDT 最小 2000 USDT');
    await save({ legNotional: 3100 });
    expect((await add('AAAUSDT', 'WHOLEUSDT')).body.code).toBe(200);
  });

  test('on the blacklist is refused', async () => {
    await save({ blacklist: ['CCCUSDT'] });
    expect((await add('AAAUSDT', 'CCCUSDT')).body).toMatchObject({
      code: 5016,
      data: { fields: [{ field: 'short' }] },
    });
    await save({});
  });

  test('the other way round asks first', async () => {
    expect((await add('BBBUSDT', 'AAAUSDT')).body.code).toBe(5013);
    expect((await add('BBBUSDT', 'AAAUSDT', { confirmReversed: true })).body.code).toBe(200);
  });

  test('is added once when it is asked for twice at once', async () => {
    const answers = await Promise.all([add('AAAUSDT', 'CCCUSDT'), add('AAAUSDT', 'CCCUSDT')]);
    expect(answers.map(({ body }) => body.code).sort()).toEqual([200, 5012]);
  });

  test('holds the source and the leverage of its coins', async () => {
    await save({ leverage: 2 });
    await add('AAAUSDT', 'LOWUSDT');
    expect((await save({ leverage: 3 })).body).toMatchObject({ code: 5019, data: { fields: [{ field: 'leverage' }] } });
    expect((await save({ leverage: 2, source: 'bybit' })).body).toMatchObject({
      code: 5003,
      data: { fields: [{ field: 'source' }] },
    });
    expect((await desk('trader')).settings?.source).toBe('simulated');
    // Who has nothing on the old one may move.
    const moved = { ...settings({ source: 'bybit' }), version: 1 };
    expect((await app.as('editor')(api.update, { body: moved })).body).toMatchObject({
      code: 200,
      data: { version: 2 },
    });
  });

  test('is removed, but not while a hedge of it runs', async () => {
    const [pair] = (await desk('trader')).pairs;
    const id = '00000000-0000-4000-8000-000000000001';
    const remove = (who: Who = 'trader') => app.as(who)(api.removePair, { body: { pairId: pair!.pairId } });
    await addHedges(app.db, {
      id,
      userId: await idOf('trader'),
      pairId: pair!.pairId,
      source: 'simulated',
      long: 'AAAUSDT',
      short: 'BBBUSDT',
      state: 'open',
      stateAt: 1,
      createdAt: 1,
      settings: settings(),
      ratio: 0.6,
    });
    // What is held is told, not what the settings would take now.
    expect((await desk('trader')).pairs[0]).toMatchObject({ hedgeId: id, ratio: 0.6 });
    expect((await app.as('trader')(api.disable)).body.data.running).toBe(1);
    expect((await remove()).body.code).toBe(5017);
    expect((await remove('editor')).status).toBe(404);
    await changeHedges(app.db, [id], { state: 'closed' });
    expect((await remove()).body).toMatchObject({ code: 200, data: { pairId: pair!.pairId } });
    expect((await remove()).status).toBe(404);
    const kept = await pairById(app.db, pair!.pairId);
    expect(kept.removedAt).toBe(app.now());
    expect((await app.as('trader')(api.removePair, { body: { pairId: 'no id' } })).status).toBe(404);
  });

  test('that was used up is armed again, once', async () => {
    const [pair] = (await desk('trader')).pairs;
    const arm = (who: Who = 'trader') => app.as(who)(api.armPair, { body: { pairId: pair!.pairId } });
    expect((await arm()).body.code).toBe(5018);
    const before = await pairById(app.db, pair!.pairId);
    await changePair(app.db, before.id, { usedArmAt: before.armedAt });
    expect((await arm('editor')).status).toBe(404);
    expect((await arm()).body.code).toBe(200);
    const after = await pairById(app.db, before.id);
    expect(after.armedAt).toBeGreaterThan(before.armedAt);
    expect((await arm()).body.code).toBe(5018);
  });
});

describe('the day', () => {
  test('counts what was won or lost since its start, and the loss limit says so', async () => {
    const userId = await idOf('trader');
    const day = app.now() - (app.now() % DAY_MS);
    const lost = { userId, kind: 'transfer', amount: '99400', reference: 'transfer:test', at: app.now() };
    await addLedger(app.db, lost);
    await app.db.update(book).set({ day, dayEquity: '100000', dailyLossLimit: 500 }).where(eq(book.userId, userId));
    const state = await desk('trader');
    expect(state).toMatchObject({ dayPnl: -600, lossLimitHit: true });
    await app.db.update(book).set({ lossLiftedDay: day }).where(eq(book.userId, userId));
    expect((await desk('trader')).lossLimitHit).toBe(false);
    await app.db
      .update(book)
      .set({ day: day - DAY_MS })
      .where(eq(book.userId, userId));
    expect((await desk('trader')).dayPnl).toBeNull();
  });

  test("of an account has its own limit; a raised one lifts the limit's own pause where that is asked for", async () => {
    const userId = await idOf('trader');
    const day = app.now() - (app.now() % DAY_MS);
    const mine = eq(book.userId, userId);
    const limit = async (dailyLossLimit: number | null, resume?: boolean) =>
      (await app.as('trader')(account.lossLimit, { body: { dailyLossLimit, ...(resume && { resume }) } })).body;
    const now = async () => (await app.db.select().from(book).where(mine))[0]!;
    const paused = { pausedAt: app.now(), pausedBy: '风控', pauseReason: '单日' };
    // 600 USDT lost.
    await app.db
      .update(book)
      .set({ day, dayEquity: '100000', lossLiftedDay: day, ...paused })
      .where(mine);
    expect((await limit(0.5)).data).toMatchObject({ fields: [{ field: 'dailyLossLimit' }] });
    expect((await limit(1000)).data).toEqual({ dailyLossLimit: 1000, resumed: false });
    expect(await now()).toMatchObject({ ...paused, dailyLossLimit: 1000, lossLiftedDay: null });
    // What is lost already would pause it at once again.
    expect((await limit(550, true)).data).toEqual({ dailyLossLimit: 550, resumed: false });
    expect((await limit(700, true)).data).toEqual({ dailyLossLimit: 700, resumed: true });
    expect(await now()).toMatchObject({ pausedAt: null, dailyLossLimit: 700 });
    // A person's own pause is not the limit's to lift.
    await app.db
      .update(book)
      .set({ ...paused, pausedBy: 'trader' })
      .where(mine);
    expect((await limit(null, true)).data).toEqual({ dailyLossLimit: null, resumed: false });
    expect(await now()).toMatchObject({ pausedBy: 'trader', pausedAt: paused.pausedAt });
    await app.db
      .update(book)
      .set({ pausedAt: null, day: day - DAY_MS })
      .where(mine);
  });

  test('of the desk that tripped goes on with a reason, or with a raised limit where that is asked for', async () => {
    const trader = app.as('trader');
    const userId = await idOf('trader');
    const [own] = await app.db.select().from(strategy).where(eq(strategy.userId, userId));
    const day = app.now() - (app.now() % DAY_MS);
    const trip = async () => {
      await app.db.update(strategy).set({ state: 'tripped' }).where(eq(strategy.id, own!.id));
      const at = { lossFrom: day, lossBase: 600, resumedAt: null };
      await changeGuard(app.db, own!.id, { ...at, tripped: '单日亏损', trippedBy: 'dailyLoss', trippedAt: app.now() });
    };
    const save = async (dailyLossLimit: number, over: { resume?: true } = {}) => {
      const { settings: saved, version } = await desk('trader');
      return (await trader(api.update, { body: { ...saved!, dailyLossLimit, version, ...over } })).body.data;
    };
    await app.db.update(book).set({ day }).where(eq(book.userId, userId));
    await trip();
    expect((await desk('trader')).loss).toMatchObject({ result: -600, used: 600 });
    const { tripped } = (await trader(account.stops)).body.data;
    expect(tripped).toEqual([{ id: own!.id, name: '对冲', kind: 'hedge', reason: '单日亏损', at: app.now() }]);
    expect(await save(2000)).not.toHaveProperty('resumed');
    expect(await desk('trader')).toMatchObject({ enabled: false, tripped: '单日亏损' });
    expect(await save(600, { resume: true })).toMatchObject({ resumed: false });
    expect(await save(700, { resume: true })).toMatchObject({ resumed: true, settings: { dailyLossLimit: 700 } });
    // Its losses count from where they did.
    expect(await desk('trader')).toMatchObject({ enabled: true, tripped: null, loss: { used: 600, limit: 700 } });
    await trip();
    expect((await trader(api.enable)).body.code).toBe(5112);
    expect((await trader(api.enable, { body: { reason: '看过了' } })).body.data.enabled).toBe(true);
    // From here on.
    expect(await desk('trader')).toMatchObject({ enabled: true, tripped: null, loss: { used: 0 } });
  });

  test('is unknown while a position has no mark', async () => {
    const userId = await idOf('trader');
    const day = app.now() - (app.now() % DAY_MS);
    await app.db.update(book).set({ day }).where(eq(book.userId, userId));
    const hold = (symbol: string, quantity: string) =>
      addLedger(app.db, {
        ...{ userId, kind: 'fill', source: 'simulated', symbol, amount: '0', quantity },
        ...{ reference: `fill:${symbol}:${quantity}`, at: app.now() },
      });
    await hold('GONEUSDT', '2');
    expect((await desk('trader')).dayPnl).toBeNull();
    await hold('GONEUSDT', '-2');
    await hold('AAAUSDT', '2');
    expect((await desk('trader')).dayPnl).toBe(-400);
  });
});

describe('PUT /api/user/binanceId', () => {
  const put = (binanceId: unknown, who: Who = 'trader') => app.as(who)(userApi.binanceId, { body: { binanceId } });

  test('keeps digits, and only those', async () => {
    for (const wrong of ['123', '1'.repeat(21), '12a4', ' 1234', 1234, null]) {
      const answer = await put(wrong);
      expect(answer.status).toBe(400);
      expect(answer.body.data).toMatchObject({ fields: [{ field: 'binanceId' }] });
    }
    expect((await app.as('trader')(userApi.current)).body.data.binanceId).toBeNull();
    expect((await put('123456789')).body.data).toEqual({ binanceId: '123456789' });
    expect((await app.as('trader')(userApi.current)).body.data.binanceId).toBe('123456789');
    expect((await app.as('editor')(userApi.current)).body.data.binanceId).toBeNull();
  });
});
