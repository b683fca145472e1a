import { randomUUID } from 'node:crypto';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/duration';
import { fundingRateDesk } from '#contract/kinds/fundingRate/desk';
import { DEFAULT_FUNDING } from '#contract/kinds/fundingRate/params';
import { DEFAULT_SPREAD } from '#contract/kinds/spread/params';
import { inShare, shareOf } from '#contract/liveReadiness';
import { strategies as api } from '#contract/strategies';
import { insertDeal } from '#server/base/db/strategies/deal';
import { changeStrategy, insertStrategy, switchStrategy } from '#server/base/db/strategies/strategy';
import { noteStrategy } from '#server/base/db/strategies/strategyGuard';
import { insertTargets, targetsOfStrategies } from '#server/base/db/strategies/target';
import { findUser } from '#server/base/db/users/user';
import { fileApp, START } from '../support/app';
import { addBook, addLedger } from '../support/bookRows';
import { handMarket, handMarkets } from '../support/handMarket';

const PARAMS = { ...DEFAULT_FUNDING, coins: ['AAA'], leverage: 5, dailyLossLimit: 100 };
/** The first day of prices: AAA stands at 100 then and gains 1 USDT a day, BBB stays at 50. */
const FIRST = START - 10 * DAY_MS;
const STARTED = START - 2 * DAY_MS + 20 * MINUTE_MS;

const now = START;
const coin = (price: (at: number) => number) => ({ start: FIRST, closes: { '1d': [1, 1] as const }, price });
const market = handMarket(
  'simulated',
  { AAAUSDT: coin((at) => 100 + (at - FIRST) / DAY_MS), BBBUSDT: coin(() => 50) } as never,
  () => now,
);
const app = await fileApp({ markets: handMarkets(market), clock: () => now });
const user = (await findUser(app.db, 'master'))!;
await addBook(app.db, user.id);

async function strategyOf(mode: string, more: object = {}) {
  const row = { userId: user.id, kind: 'fundingRate', name: randomUUID().slice(0, 8), mode, params: PARAMS };
  const id = await insertStrategy(app.db, { ...row, createdAt: now, updatedBy: 'master', ...more });
  const places = ['AAAUSDT', 'BBBUSDT'].map((symbol, i) => ({
    ...{ source: 'simulated', symbol, leg: (['long', 'short'] as const)[i]!, weight: 1 },
  }));
  await insertTargets(app.db, [{ userId: user.id, strategyId: id, legs: places, createdAt: now, armedAt: now }]);
  return id;
}

/** Holds so much AAA, and twice as much BBB against it, since an instant. */
async function holds(strategyId: string, quantity: number, at: number, paid = { fees: 0, at }) {
  const [target] = await targetsOfStrategies(app.db, [strategyId]);
  const id = randomUUID();
  const price = 100 + (at - FIRST) / DAY_MS;
  const legs = [
    { leg: 'long' as const, symbol: 'AAAUSDT', quantity: String(quantity), cost: String(quantity * price) },
    { leg: 'short' as const, symbol: 'BBBUSDT', quantity: String(-2 * quantity), cost: String(-100 * quantity) },
  ];
  const owned = { dealId: id, userId: user.id, accountId: user.id, weight: 1, source: 'simulated' };
  await insertDeal(
    app.db,
    {
      ...{ id, userId: user.id, strategyId, targetId: target!.id, state: 'open', stateAt: at, createdAt: at },
      ...{ openedAt: at, params: PARAMS, signalOpen: 0.1 },
    },
    legs.map((leg) => ({
      ...{ ...owned, ...leg, side: leg.leg, opened: leg.quantity },
      ...{ notional: String(100 * quantity), fees: leg.leg === 'long' ? String(paid.fees) : '0' },
    })),
  );
  await addLedger(
    app.db,
    ...legs.map(({ symbol, quantity: held, cost }) => ({
      ...{ userId: user.id, dealId: id, source: 'simulated', at, kind: 'fill', symbol, reference: randomUUID() },
      ...{ amount: String(-Number(cost)), quantity: held },
    })),
    {
      ...{ userId: user.id, dealId: id, source: 'simulated', at: paid.at, kind: 'fee', symbol: 'AAAUSDT' },
      ...{ amount: String(-paid.fees), reference: randomUUID() },
    },
  );
}

const started = (id: string, at: number) =>
  noteStrategy(app.db, { strategyId: id, at, kind: 'switched', detail: '停止 → 运行', by: 'master' });
const resultsOf = async (id: string) => (await app.as('master')(api.twin, { query: { id } })).body.data;
const rowOf = async (id: string) => (await app.as('master')(api.list)).body.data.list.find((one) => one.id === id)!;

test('both are told since the real one was first started, each as a share of what it tied up', async () => {
  const paper = await strategyOf('paper');
  const live = await strategyOf('live', { params: inShare(PARAMS, 0.1), twinId: paper });
  // A fee of the minutes before the start is none of what is compared.
  await holds(paper, 10, START - 5 * DAY_MS, { fees: 7, at: STARTED - 5 * MINUTE_MS });
  await started(live, STARTED);
  // What it is switched to later is no beginning.
  await started(live, START - DAY_MS);
  await holds(live, 1, START - DAY_MS);

  const told = await resultsOf(live);
  expect(told).toMatchObject({
    startedAt: STARTED,
    at: START,
    live: { id: live, deals: 1, carried: 0 },
    paper: { id: paper, deals: 1, carried: 1 },
  });
  expect(told.share).toBeCloseTo(0.1, 9);
  expect(told.time).toHaveLength(49);
  expect([told.time[0], told.time.at(-1)]).toEqual([STARTED, START]);
  expect(told.time[1]).toBe(START - 2 * DAY_MS + HOUR_MS);
  // 10 AAA gained 1 USDT a day on 400 that it has tied up all the time; the three days before are left out.
  const days = (START - STARTED) / DAY_MS;
  expect(told.paper.heldDays).toBeCloseTo(days, 9);
  expect(told.paper.capital).toBeCloseTo(400, 6);
  expect(told.paper.net).toBeCloseTo(10 * days, 6);
  expect(told.paper.values[0]).toBe(0);
  expect(told.paper.values[24]).toBeCloseTo((10 * (days - 1)) / 400, 6);
  expect(told.paper.values.at(-1)).toBeCloseTo((10 * days) / 400, 6);
  // The real one stood at nothing for a day.
  expect(told.live).toMatchObject({ heldDays: 1, capital: 40 });
  expect(told.live.values.slice(0, 24).every((value) => value === 0)).toBe(true);
  expect(told.live.values.at(-1)).toBeCloseTo(1 / 40, 6);
  // Asked for either it is the same.
  expect(await resultsOf(paper)).toEqual(told);
});

test('what carries tie up is told of play money and of real money, never of both', async () => {
  const figures = async (query: object) => (await app.as('master')(fundingRateDesk.figures, { query })).body.data;
  expect(await figures({ real: false })).toMatchObject({ real: false, deployed: 410, hasReal: true });
  // Real money first, where somebody has some.
  for (const query of [{}, { real: true }]) {
    const { real, deployed } = await figures(query);
    expect(real).toBe(true);
    expect(deployed).toBeCloseTo(41.8, 9);
  }
});

test('over weeks fewer instants are told, and the last is the present', async () => {
  const paper = await strategyOf('paper');
  const live = await strategyOf('live', { twinId: paper });
  await started(live, FIRST);
  const { time } = await resultsOf(live);
  expect(time[2]! - time[1]!).toBe(4 * HOUR_MS);
  expect(time[1]! % (4 * HOUR_MS)).toBe(0);
  expect(time.at(-1)).toBe(now);
});

test('before the first start there is no time, and before the first deal no share', async () => {
  const paper = await strategyOf('paper');
  const live = await strategyOf('live', { twinId: paper });
  expect(await resultsOf(live)).toMatchObject({ startedAt: null, time: [], live: { values: [], deals: 0 } });
  await started(live, START - HOUR_MS);
  const { live: own } = await resultsOf(live);
  expect(own).toMatchObject({ values: [null, null], net: 0, capital: null, heldDays: 0, deals: 0 });
});

test('each names the other, and says when the one on paper is stopped or gone', async () => {
  const paper = await strategyOf('paper');
  const live = await strategyOf('live', { twinId: paper });
  const later = await strategyOf('live', { twinId: paper, createdAt: now + 1 });
  expect((await rowOf(live)).twin).toEqual({ id: paper, name: (await rowOf(paper)).name });
  // Of several with real money the newest.
  expect((await rowOf(paper)).twin?.id).toBe(later);
  expect((await resultsOf(paper)).live.id).toBe(later);
  await switchStrategy(app.db, paper, 'stopped', { at: now, by: 'master' });
  await changeStrategy(app.db, later, { removedAt: now });
  expect((await rowOf(paper)).twin?.id).toBe(live);
  await changeStrategy(app.db, paper, { removedAt: now });
  expect((await rowOf(live)).twin).toEqual({ id: paper, name: null });
  expect((await resultsOf(live)).paper).toMatchObject({ id: paper, state: 'stopped', removed: true });
});

test('what has no other, and what is somebody else’s, is not there', async () => {
  const alone = await strategyOf('paper');
  expect((await app.as('master')(api.twin, { query: { id: alone } })).status).toBe(404);
  expect((await rowOf(alone)).twin).toBeUndefined();
  expect((await app.as('trader')(api.twin, { query: { id: alone } })).status).toBe(403);
});

test('sizes go to a part of theirs, in no more parts of an entry than it may be cut into; rules stay', () => {
  expect(inShare(PARAMS, 0.1)).toEqual({ ...PARAMS, legNotional: 500, coinCap: 2_000, dailyLossLimit: 10 });
  expect(inShare({ ...PARAMS, legNotional: 700.5, coinCap: null }, 0.1)).toMatchObject({
    ...{ legNotional: 70.05, coinCap: null, slices: 3 },
  });
  expect(inShare(DEFAULT_SPREAD, 0.05)).toEqual({ ...DEFAULT_SPREAD, legNotional: 250, dailyLossLimit: 25 });
  expect(shareOf(inShare(PARAMS, 0.25), PARAMS)).toBeCloseTo(0.25, 9);
  expect(shareOf({ ...inShare(PARAMS, 0.25), entryApr: 0.2 }, PARAMS)).toBeNull();
});
