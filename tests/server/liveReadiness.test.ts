import { randomUUID } from 'node:crypto';
import { DAY_MS } from '#contract/duration';
import { DEFAULT_FUNDING } from '#contract/kinds/fundingRate/params';
import { DEFAULT_GRID } from '#contract/kinds/grid/params';
import { DEFAULT_OKX } from '#contract/kinds/okx/params';
import type { LiveCheck } from '#contract/liveReadiness';
import { strategies as api } from '#contract/strategies';
import { accountsOf } from '#server/base/db/accounts/venueAccount';
import { insertDeal } from '#server/base/db/strategies/deal';
import { targetsOfStrategies } from '#server/base/db/strategies/target';
import { createSimulatedVenues } from '#server/market/simulated';
import { fileApp } from '../support/app';
import { addOrders } from '../support/bookRows';
import { handMarkets } from '../support/handMarket';

const NOW = Date.UTC(2026, 8, 1, 4, 30);
const venues = createSimulatedVenues({ clock: () => NOW, law: 1 });
const app = await fileApp({ markets: handMarkets(...venues), clock: () => NOW });

async function created(kind: 'fundingRate' | 'grid' | 'okx', params: object): Promise<string> {
  const body = { kind, name: randomUUID().slice(0, 8), mode: 'paper' as const, params };
  return (await app.as('master')(api.create, { body })).body.data.id;
}

async function checksOf(id: string): Promise<Record<string, Omit<LiveCheck, 'check'>>> {
  const list = (await app.as('master')(api.liveReadiness, { query: { id } })).body.data.checks;
  return Object.fromEntries(list.map(({ check, ...rest }) => [check, rest]));
}

/** A closed carry of 1,000 USDT a leg, opened for 0.365 a year, that was held for ten days. */
async function addCarry(strategyId: string, { made, naked }: { made: string; naked: number }, sold = '0.9999') {
  const [target] = await targetsOfStrategies(app.db, [strategyId]);
  const { userId, legs } = target!;
  const account = (await accountsOf(app.db, [userId]))[0]!;
  const id = randomUUID();
  const [openedAt, closedAt] = [NOW - 20 * DAY_MS, NOW - 10 * DAY_MS];
  const leg = { dealId: id, userId, accountId: account.id, weight: 1, opened: '1000', notional: '1000' };
  await insertDeal(
    app.db,
    {
      ...{ id, userId, strategyId, targetId: target!.id, state: 'closed', stateAt: closedAt, createdAt: openedAt },
      ...{ openedAt, closedAt, params: DEFAULT_FUNDING, signalOpen: 0.365, naked },
    },
    legs.map((place) => ({ ...leg, ...place, side: place.leg, ...(place.leg === 'short' && { realised: made }) })),
  );
  await addOrders(
    app.db,
    ...legs.map((place) => ({
      ...{ id: randomUUID(), userId, dealId: id, source: place.source, symbol: place.symbol, leg: place.leg },
      ...{ side: place.leg === 'long' ? 'buy' : 'sell', type: 'market', purpose: 'entry', reduceOnly: false },
      ...{ quantity: '1000', limitPrice: '1', decisionMid: 1, createdAt: openedAt, state: 'filled' },
      ...{ filledQuantity: '1000', filledNotional: place.leg === 'long' ? '1000' : String(1_000 * Number(sold)) },
    })),
  );
}

test('what has not traded is not known to be fit, and says what is missing', async () => {
  const checks = await checksOf(await created('fundingRate', { ...DEFAULT_FUNDING, coins: ['XLM'] }));
  const unknown = { state: 'unknown', value: null };
  for (const check of ['days', 'net', 'promise', 'oneLeg', 'slippage', 'refusals', 'balance']) {
    expect([check, checks[check]]).toEqual([check, expect.objectContaining(unknown)]);
  }
  expect(checks.deals).toMatchObject({ state: 'unmet', value: 0, wanted: 10 });
  for (const check of ['server', 'source', 'secondFactor', 'account']) expect(checks[check]!.state).toBe('unmet');
  expect(checks.minimum).toMatchObject({ state: 'met', wanted: 0.1 });
});

test('the smallest size of a carry is one that its dry run would open, a tenth less is not', async () => {
  const params = { ...DEFAULT_FUNDING, coins: ['BTC'] };
  const { minimum } = await checksOf(await created('fundingRate', params));
  const least = minimum!.value! * params.legNotional;
  const blockAt = async (legNotional: number) => {
    const body = { kind: 'fundingRate', mode: 'paper', params: { ...params, legNotional } } as const;
    return (await app.as('master')(api.preview, { body })).body.data.targets[0]!.block;
  };
  expect(await blockAt(Math.ceil(least * 1.001))).not.toBe('belowMinimum');
  expect(await blockAt(Math.ceil(least * 0.9))).toBe('belowMinimum');
});

test('its deals and orders are held against what is wanted', async () => {
  const id = await created('fundingRate', { ...DEFAULT_FUNDING, coins: ['XLM'] });
  for (let i = 0; i < 10; i += 1) await addCarry(id, { made: '6', naked: 2_000 });
  const good = await checksOf(id);
  expect(good.days).toMatchObject({ state: 'met', value: 20 });
  expect(good.deals).toMatchObject({ state: 'met', value: 10 });
  expect(good.net).toMatchObject({ state: 'met', value: 60 });
  // 1 USDT a day was promised of each.
  expect(good.promise!.value).toBeCloseTo(0.6, 9);
  expect(good.oneLeg).toMatchObject({ state: 'met', value: 2, wanted: 20 });
  expect(good.slippage!.value).toBeCloseTo(0.1 / 1_999.9, 9);
  expect(good.slippage).toMatchObject({ state: 'met', wanted: (0.5 * DEFAULT_FUNDING.slippageCap) / 10_000 });
  expect(good.refusals).toMatchObject({ state: 'met', value: 0 });

  await addCarry(id, { made: '-80', naked: 30_000 }, '0.9');
  const bad = await checksOf(id);
  expect(bad.net).toMatchObject({ state: 'unmet', value: -20 });
  expect(bad.promise!.state).toBe('unmet');
  expect(bad.oneLeg).toMatchObject({ state: 'unmet', value: 30 });
  expect(bad.slippage!.state).toBe('unmet');
});

test('a size of which a tenth is below what the venue takes', async () => {
  const id = await created('fundingRate', {
    ...DEFAULT_FUNDING,
    coins: ['BTC'],
    legNotional: 60,
    coinCap: null,
    slices: 1,
  });
  expect((await checksOf(id)).minimum!.value).toBeGreaterThan(0);
  expect((await checksOf(id)).minimum!.state).toBe('unmet');
});

const GRID = { ...DEFAULT_GRID, lower: 40_000, upper: 200_000, cells: 20 };

test('is told of one’s own alone, and of kinds that may trade real money', async () => {
  const other = await created('okx', { ...DEFAULT_OKX, coins: ['GRASS'], stockNotional: null });
  expect((await app.as('master')(api.liveReadiness, { query: { id: other } })).body.code).toBe(5102);
  expect((await app.as('master')(api.liveReadiness, { query: { id: randomUUID() } })).status).toBe(404);
});

test('the smallest size of a grid is one of which each of its orders is taken', async () => {
  const params = { ...GRID, symbol: 'BTCUSDT', legNotional: 100_000 };
  const { minimum } = await checksOf(await created('grid', params));
  const least = Math.ceil(minimum!.value! * params.legNotional);
  const codeAt = async (legNotional: number) => {
    const body = { kind: 'grid', mode: 'paper', params: { ...params, legNotional } } as const;
    return (await app.as('master')(api.preview, { body })).body.code;
  };
  expect(await codeAt(least)).toBe(200);
  expect(await codeAt(Math.floor(least / 3))).toBe(400);
});

test('a grid of spot is told that nothing may rest there for real', async () => {
  const spot = { ...GRID, market: 'spot', symbol: 'BTCUSDT_SPOT', direction: 'long', leverage: 1, legNotional: 50_000 };
  const { source } = await checksOf(await created('grid', spot));
  expect(source).toMatchObject({ state: 'unmet', reason: '现货没有断连撤单，现货网格只能模拟；实盘请选永续' });
});
