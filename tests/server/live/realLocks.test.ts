import * as codes from '#contract/codes';
import { DAY_MS } from '#contract/duration';
import { DEFAULT_SETTINGS } from '#contract/kinds/hedge/config';
import { DEFAULT_OKX } from '#contract/kinds/okx/params';
import { DEFAULT_SPREAD } from '#contract/kinds/spread/params';
import { inShare } from '#contract/liveReadiness';
import { strategies as api } from '#contract/strategies';
import type { StrategyKind } from '#contract/strategy';
import { insertStrategy } from '#server/base/db/strategies/strategy';
import { realPlan } from '#server/desk/strategy/real';
import { answered, CARRY, PERPETUAL, REAL_PATIENCE_MS, realCarry, SPOT } from '../../support/realCarry';
import { signedInUser } from '../../support/signedInUser';
import { fileDatabase } from '../../support/testDatabase';

const db = await fileDatabase();
const carry = await realCarry(db);
const { customer, owner, restart, body, rowOf, made, start, sent, stop, until, dealsOf } = carry;
const { call } = owner;

/** Made and started by a server with a cap, USDT. */
async function startedUnder(LIVE_MAX_NOTIONAL: string) {
  await restart({ LIVE_MAX_NOTIONAL });
  const { id } = await made();
  expect((await start(id)).code).toBe(200);
  return id;
}

beforeAll(() => carry.open(), 2 * REAL_PATIENCE_MS);
beforeEach(async () => {
  await owner.factor(true);
  await owner.proved();
});
const SHUT: [string, number, () => unknown, object?][] = [
  ['without a second factor', codes.factorForLive.code, () => owner.factor(false)],
  ['without a fresh proof', codes.freshNeeded.code, () => owner.proved(DAY_MS / 24)],
  ['with nothing typed', 400, () => undefined, { typed: undefined }],
  ['with another symbol typed', 400, () => undefined, { typed: PERPETUAL }],
];

test.each(SHUT)('nothing is made to trade for real, nor started, %s', async (_what, code, shut, over = {}) => {
  const { id } = await made();
  await shut();
  expect((await call(api.create, { body: body(over) })).code).toBe(code);
  expect((await start(id, 'typed' in over ? ((over.typed as undefined) ?? '') : SPOT)).code).toBe(code);
  expect((await rowOf(id)).state).toBe('stopped');
  expect(sent()).toEqual([]);
});

test.each<[StrategyKind, object, object]>([
  ['okx', DEFAULT_OKX, codes.strategyLive],
  ['hedge', DEFAULT_SETTINGS, codes.strategyHedge],
])('%s makes no strategy that trades for real, and says what does', async (kind, params, refusal) => {
  expect(await call(api.create, { body: body({ kind, params }) })).toMatchObject(refusal);
});

test.each([
  ['okx-live', null],
  ['gate-live', codes.strategyLiveSource.code],
  ['simulated', codes.strategyLiveSource.code],
])('a spread to a delivery future trades for real where its orders can be sent so: %s', async (source, code) => {
  const targets = [['long', 'BTCUSDT'] as const, ['short', 'BTCUSDT_261225'] as const];
  const planned = {
    name: '',
    params: DEFAULT_SPREAD,
    targets: [targets.map(([leg, symbol]) => ({ leg, source, symbol }))],
  };
  const answer = await realPlan('spread', async () => planned).catch((error: { code: number }) => error.code);
  expect(answer).toBe(code ?? planned);
});

test('what is first traded is typed again where it becomes another', async () => {
  const { id, version } = await made();
  const update = (coins: string[], typed?: string) =>
    call(api.update, { body: { id, version, name: '换币', params: { ...CARRY, coins }, ...(typed && { typed }) } });
  expect((await update(['ETH'])).code).toBe(400);
  expect((await update(['ETH'], SPOT)).code).toBe(400);
  await owner.proved(DAY_MS / 24);
  expect((await update(['ETH'], 'ETHUSDT_SPOT')).code).toBe(codes.freshNeeded.code);
  await owner.proved();
  expect((await update(['ETH'], 'ETHUSDT_SPOT')).code).toBe(200);
});

test('a strategy on paper is made real at a part of its size behind the same locks, and is held against it', async () => {
  const paper = (await call(api.create, { body: body({ mode: 'paper', typed: undefined }) })).data.id;
  const atShare = (share: number, over: object = {}) =>
    call(api.create, { body: body({ params: inShare(CARRY, share), twin: paper, ...over }) });
  await owner.factor(false);
  expect((await atShare(0.75)).code).toBe(codes.factorForLive.code);
  await owner.factor(true);
  await owner.proved(DAY_MS / 24);
  expect((await atShare(0.75)).code).toBe(codes.freshNeeded.code);
  await owner.proved();
  expect((await atShare(0.75, { typed: PERPETUAL })).code).toBe(400);
  // Less than the kind takes, than the exchange does, and than is hedged well enough in whole lots.
  for (const share of [0.02, 0.026, 0.25]) {
    expect(await atShare(share)).toMatchObject({ code: 400, data: { fields: [{ field: 'params.legNotional' }] } });
  }
  // What it is held against is one's own, on paper, and of its kind.
  const stranger = (await signedInUser(db, 'stranger', 'master')).userId;
  const row = { userId: stranger, kind: 'fundingRate', name: '别人的', mode: 'paper', params: CARRY };
  const theirs = await insertStrategy(db, { ...row, createdAt: 0, updatedBy: 'stranger' });
  expect((await atShare(0.75, { twin: theirs })).code).toBe(404);
  expect((await atShare(0.75, { twin: (await made()).id })).code).toBe(codes.strategyTwin.code);
  expect((await atShare(0.75, { mode: 'paper' })).code).toBe(codes.strategyTwin.code);

  const live = await atShare(0.75);
  expect(live.code).toBe(200);
  expect(await rowOf(live.data.id)).toMatchObject({
    ...{ mode: 'live', state: 'stopped', twin: { id: paper } },
    params: { legNotional: 1_500, coinCap: 15_000, leverage: CARRY.leverage, entryApr: CARRY.entryApr },
  });
  expect(await rowOf(paper)).toMatchObject({
    mode: 'paper',
    twin: { id: live.data.id },
    params: { legNotional: 2_000 },
  });
  expect(sent()).toEqual([]);
});

test(
  'a server that trades on paper makes and starts nothing real',
  async () => {
    const { id } = await made();
    await restart({ TRADING: 'paper' });
    expect((await call(api.create, { body: body() })).code).toBe(codes.liveClosed.code);
    expect((await start(id)).code).toBe(codes.liveClosed.code);
    expect(sent()).toEqual([]);
  },
  2 * REAL_PATIENCE_MS,
);

test(
  'what would exceed the cap of the account is not begun, and says so',
  async () => {
    const id = await startedUnder('1000');
    await answered('it is judged', async () => (await rowOf(id)).targets[0]?.block === 'overCap');
    expect(await dealsOf(id)).toEqual([]);
    expect(sent()).toEqual([]);
    // The dry run says the same, and refuses what could not be made.
    const tried = (kind: 'fundingRate' | 'okx') =>
      call(api.preview, { body: { kind, mode: 'live', params: CARRY as object } });
    const { targets, accounts } = (await tried('fundingRate')).data;
    expect([targets[0]!.block, accounts[0]!.room]).toEqual(['overCap', 1_000]);
    expect((await tried('okx')).code).toBe(codes.strategyLive.code);
    // Whoever ends something proves nothing.
    await owner.factor(false);
    await owner.proved(DAY_MS / 24);
    expect((await stop(id)).code).toBe(200);
  },
  3 * REAL_PATIENCE_MS,
);

test(
  'with all locks open orders reach the exchange, and what is closed needs no proof',
  async () => {
    const id = await startedUnder('5000');
    await until(id, 'open');
    expect(sent().length).toBeGreaterThan(1);
    expect(customer.positionOf(PERPETUAL).lt(0)).toBe(true);
    await owner.proved(DAY_MS / 24);
    expect((await call(api.closeDeal, { body: { id: (await dealsOf(id))[0]!.id } })).code).toBe(200);
    await until(id, 'closed');
    expect(customer.positionOf(PERPETUAL).toFixed()).toBe('0');
    await stop(id);
  },
  3 * REAL_PATIENCE_MS,
);

test(
  'what play money holds of a coin takes nothing of what a real strategy may hold of it',
  async () => {
    await restart({ LIVE_MAX_NOTIONAL: '5000' });
    const params = { ...CARRY, coinCap: CARRY.legNotional };
    const ids = [];
    for (const over of [{ mode: 'paper', typed: undefined }, {}]) {
      const { id } = (await call(api.create, { body: body({ params, ...over }) })).data;
      ids.push(id);
      expect((await start(id)).code).toBe(200);
      await until(id, 'open');
    }
    for (const id of ids) {
      await stop(id);
      await until(id, 'closed');
    }
  },
  4 * REAL_PATIENCE_MS,
);
