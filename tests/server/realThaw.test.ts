import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import * as codes from '#contract/codes';
import { DEFAULT_SETTINGS, hedgeConfig } from '#contract/kinds/hedge/config';
import { hedge as api } from '#contract/kinds/hedge/desk';
import { deal, secondFactor, session, strategy, user } from '#server/base/db/schema';
import { fileApp } from '../support/app';
import { addHedges, addPair } from '../support/bookRows';
import { handMarket, handMarkets } from '../support/handMarket';

const NOW = Date.UTC(2026, 0, 15, 12);
const coin = {
  ...{ start: NOW, closes: {}, price: () => 100, ticker: { mark: 100 } },
  instrument: { tickSize: '0.01', lotSize: '0.001', minNotional: '5', maxLeverage: 20, fundingHours: 8 },
};
const source = handMarket('simulated', { AAAUSDT: coin, BBBUSDT: coin }, () => NOW);
const app = await fileApp({ markets: handMarkets(source), clock: () => NOW, real: {} as never });

test('a frozen hedge that trades for real is let go on by who proves it alone', async () => {
  const trader = app.as('trader');
  const settings = { ...DEFAULT_SETTINGS, leverage: 4 };
  expect((await trader(hedgeConfig.create, { body: settings })).body.code).toBe(200);
  const [found] = await app.db.select().from(user).where(eq(user.name, 'trader'));
  const userId = found!.id;
  const pairId = await addPair(app.db, { userId, long: 'AAAUSDT', short: 'BBBUSDT', createdAt: 1, armedAt: 1 });
  const id = randomUUID();
  await addHedges(app.db, {
    ...{ id, userId, pairId, source: 'simulated', long: 'AAAUSDT', short: 'BBBUSDT', settings, ratio: 1, zOpen: -2 },
    ...{ state: 'open', stateAt: NOW, createdAt: NOW, openedAt: NOW, frozen: '风控拦截：测试' },
    ...{ longQuantity: '20', longCost: '2000', shortQuantity: '-20', shortCost: '-2000' },
  });
  await app.db.update(strategy).set({ mode: 'live', state: 'paused' }).where(eq(strategy.userId, userId));
  const thaw = async () => {
    const headers = { 'idempotency-key': randomUUID() };
    return (await trader(api.unfreeze, { body: { id, reason: '对过持仓' }, headers })).body.code;
  };
  const asked = async () => (await app.db.select().from(deal).where(eq(deal.id, id)))[0]!.unfreezeAskedAt;
  expect([await thaw(), await asked()]).toEqual([codes.factorForLive.code, null]);
  await app.db.insert(secondFactor).values({ userId, enabledAt: NOW, startedAt: NOW });
  await app.db.update(session).set({ provenAt: 0 }).where(eq(session.userId, userId));
  expect([await thaw(), await asked()]).toEqual([codes.freshNeeded.code, null]);
  await app.db.update(session).set({ provenAt: NOW }).where(eq(session.userId, userId));
  expect([await thaw(), await asked()]).toEqual([200, NOW]);
});
