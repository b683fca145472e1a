import { account as accountApi } from '#contract/account';
import { hedgeConfig } from '#contract/kinds/hedge/config';
import { strategies as api } from '#contract/strategies';
import { venueAccount } from '#contract/venueAccount';
import { answered, REAL_PATIENCE_MS, realCarry, SPOT } from '../../support/realCarry';
import { fileDatabase } from '../../support/testDatabase';

/** What everybody has to play with, and what lies at the exchange, USDT. */
const [PAPER, REAL] = ['100000', '40000'];

const carry = await realCarry(await fileDatabase());
const { owner, rowOf, made, start, stop, until, dealsOf } = carry;
const { call } = owner;

const accounts = async () => (await call(venueAccount.list)).data;
const realOne = async () => (await accounts()).list.find(({ mode }) => mode === 'live')!;

beforeAll(() => carry.open(), 2 * REAL_PATIENCE_MS);
beforeEach(async () => {
  await owner.factor(true);
  await owner.proved();
});

test('real money and play money are added to each other nowhere', async () => {
  const scopes: Record<string, string>[] = [{ mode: 'paper' }, { accountId: (await realOne()).id }];
  const { list, total } = await accounts();
  expect(total).toBe(PAPER);
  // With nothing held all of it is free, in whichever wallet.
  expect(list.map(({ mode, equity, share, available }) => [mode, equity, share, available])).toEqual([
    ['paper', PAPER, 1, PAPER],
    ['live', REAL, 1, REAL],
  ]);
  const states = await Promise.all(scopes.map((query) => call(accountApi.state, { query })));
  expect(states.map(({ data }) => data.account?.equity)).toEqual([PAPER, REAL]);
  expect(states.map(({ data }) => data.account?.balances.map(({ total: sum }) => Number(sum)))).toEqual([
    [Number(PAPER)],
    [Number(REAL)],
  ]);
  expect(states.map(({ data }) => Number(data.account?.available))).toEqual([Number(PAPER), Number(REAL)]);
  const curves = await Promise.all(scopes.map((query) => call(accountApi.equity, { query })));
  expect(curves.map(({ data }) => [...new Set(data.equity)])).toEqual([[Number(PAPER)], [Number(REAL)]]);
  // Real money first, where somebody has some; all of it together is here what is in the one account.
  for (const query of [{}, { mode: 'live' }] as Record<string, string>[]) {
    expect((await call(accountApi.state, { query })).data.account).toMatchObject({ mode: 'live', equity: REAL });
    expect((await call(accountApi.all, { query })).data.mode).toBe('live');
  }
  const { data: all } = await call(accountApi.all, { query: { mode: 'paper' } });
  expect(all).toMatchObject({ mode: 'paper', hasReal: true, total: { equity: Number(PAPER) } });
  expect(all.list).toMatchObject([{ equity: Number(PAPER), net: 0 }]);
  const { data: real } = await call(accountApi.all, { query: { mode: 'live' } });
  expect(real).toMatchObject({ mode: 'live', total: { equity: Number(REAL), net: 0, todayPnl: 0 } });
  expect(real.list).toMatchObject([{ equity: Number(REAL), net: 0, enabled: false, paused: false }]);
  expect([...new Set(real.curve.equity)]).toEqual([Number(REAL)]);
  expect((await call(hedgeConfig.desk)).data).toMatchObject({ dayPnl: 0, lossLimitHit: false });
});

test(
  'what real money loses on a day stops what trades it, and nothing else; a person lets it go on',
  async () => {
    expect((await call(accountApi.lossLimit, { body: { dailyLossLimit: 1 } })).code).toBe(200);
    const { id } = await made();
    expect((await start(id)).code).toBe(200);
    // Both legs cost more in fees.
    await until(id, 'open');
    await answered('it trips', async () => (await rowOf(id)).state === 'tripped');
    const { paused, tripped } = (await call(accountApi.stops)).data;
    expect(paused).toBeNull();
    expect(tripped).toMatchObject([{ id, reason: expect.stringMatching(/^账户单日亏损/) }]);
    expect((await call(accountApi.state, { query: { mode: 'paper' } })).data.account).toMatchObject({
      equity: PAPER,
      today: { pnl: 0 },
    });
    const everybody = async (mode: string) => (await call(accountApi.all, { query: { mode } })).data.total;
    expect(await everybody('paper')).toMatchObject({ running: 0, todayPnl: 0 });
    expect(await everybody('live')).toMatchObject({ running: 1, todayPnl: expect.any(Number) });
    expect((await everybody('live')).todayPnl).toBeLessThan(-1);
    const { account } = (await call(accountApi.state, { query: { accountId: (await realOne()).id } })).data;
    expect(account!.today!.pnl).toBeLessThan(-1);
    expect((await start(id, SPOT, '手续费')).code).toBe(200);
    expect((await call(api.closeDeal, { body: { id: (await dealsOf(id))[0]!.id } })).code).toBe(200);
    await until(id, 'closed');
    expect((await rowOf(id)).state).toBe('running');
    await stop(id);
  },
  5 * REAL_PATIENCE_MS,
);
