import { account as accountApi } from '#contract/account';
import { apiKey } from '#contract/apiKey';
import * as codes from '#contract/codes';
import { notification } from '#contract/notification';
import { strategies as api } from '#contract/strategies';
import { VENUE_WORDS } from '#server/engine/words';
import { answered, CARRY, REAL_PATIENCE_MS, realCarry, SPOT } from '../../support/realCarry';
import { fileDatabase } from '../../support/testDatabase';

const carry = await realCarry(await fileDatabase());
const { exchange, key, owner, rowOf, made, start, sent, stop, until, dealsOf } = carry;
const { call } = owner;

const troubles = async () => (await call(accountApi.stops)).data.troubles;
const isTold = async (title: string) => {
  const { list } = (await call(notification.list, { query: { kind: 'risk', pageSize: '100' } })).data;
  return list.filter((one) => one.title === title).map(({ text }) => text);
};
const whatIsWrong = (what: string | null) =>
  answered(what ?? 'nothing', async () => ((await troubles())[0]?.what ?? null) === what);
const started = async () => {
  const { id } = await made();
  expect((await start(id)).code).toBe(200);
  return id;
};

beforeAll(() => carry.open(), 2 * REAL_PATIENCE_MS);
beforeEach(async () => {
  await owner.factor(true);
  await owner.proved();
});

test(
  'where the clocks are too far apart nothing is opened, what is held can be closed, and it goes on by itself',
  async () => {
    const held = await started();
    await until(held, 'open');
    exchange.faults.clockAheadMs = 6_000;
    await whatIsWrong('clockOff');
    expect(await troubles()).toMatchObject([
      {
        reason: expect.stringMatching(/^比交易所慢 \d\.\d 秒$/),
        held: expect.stringContaining('校准服务器的系统时间'),
      },
    ]);
    const preview = async (mode: 'paper' | 'live') =>
      (await call(api.preview, { body: { kind: 'fundingRate', mode, params: CARRY as object } })).data;
    const [tried, onPaper] = [await preview('live'), await preview('paper')];
    expect(tried).toMatchObject({ targets: [{ block: 'clockOff' }], real: { cap: 5_000 } });
    expect(tried.accounts).toMatchObject([{ notional: 4_000 }]);
    // What the exchange has, and not what everybody has to play with.
    expect(tried.accounts[0]!.freeMargin).toBeLessThan(40_000);
    expect(onPaper).toMatchObject({ targets: [{ block: null }] });
    expect(onPaper.real).toBeUndefined();
    const waiting = await started();
    await answered('it says so', async () => (await rowOf(waiting)).targets[0]?.block === 'clockOff');
    expect((await call(api.closeDeal, { body: { id: (await dealsOf(held))[0]!.id } })).code).toBe(200);
    await until(held, 'closed');
    expect(await dealsOf(waiting)).toEqual([]);
    exchange.faults.clear();
    await until(waiting, 'open');
    await answered('it is told', async () => (await isTold('实盘账户已恢复')).length > 0);
    expect(await troubles()).toEqual([]);
    expect(await isTold('实盘账户暂停开仓')).toEqual([expect.stringMatching(/时钟偏差过大（比交易所慢 .+校准/)]);
    for (const id of [held, waiting]) await stop(id);
    await until(waiting, 'closed');
  },
  5 * REAL_PATIENCE_MS,
);

test.each<[keyof typeof VENUE_WORDS, () => unknown, () => unknown]>([
  ['notPermitted', () => Object.assign(key, { addresses: ['203.0.113.7'] }), () => undefined],
  ['mayWithdraw', () => Object.assign(key, { canWithdraw: true }), () => carry.restart({ LIVE_MAX_NOTIONAL: '5000' })],
])(
  'a key that is refused (%s) trips what trades by it, tells its owner once, and a person lets it go on',
  async (reason, change, look) => {
    const before = (await isTold('实盘账户暂停开仓')).length;
    const [held, idle] = [await started(), (await made()).id];
    await until(held, 'open');
    await change();
    await look();
    await whatIsWrong('keyRefused');
    expect(await troubles()).toMatchObject([{ account: '币安实盘', reason: VENUE_WORDS[reason] }]);
    await answered('it trips', async () => (await rowOf(held)).state === 'tripped');
    const keyState = async () => (await call(apiKey.list, { query: {} })).data.list[0]?.state;
    const shown = reason === 'mayWithdraw' ? 'dangerous' : 'failed';
    await answered('the list of keys says so', async () => (await keyState()) === shown);
    const { tripped } = (await call(accountApi.stops)).data;
    expect(tripped).toMatchObject([{ id: held, reason: expect.stringContaining(VENUE_WORDS[reason]!) }]);
    expect((await rowOf(idle)).state).toBe('stopped');
    Object.assign(key, { addresses: ['127.0.0.1'], canWithdraw: false });
    await whatIsWrong(null);
    await answered('the key is well again', async () => (await keyState()) === 'ready');
    expect((await rowOf(held)).state).toBe('tripped');
    const orders = sent().length;
    expect((await start(held)).code).toBe(codes.strategyTripped.code);
    expect((await start(held, SPOT, '密钥已更正')).code).toBe(200);
    expect((await rowOf(held)).state).toBe('running');
    expect(sent().length).toBe(orders);
    await stop(held);
    await until(held, 'closed');
    expect((await isTold('实盘账户暂停开仓')).length).toBe(before + 1);
    expect((await isTold(`策略 ${(await rowOf(held)).name} 已熔断`)).length).toBe(0);
  },
  5 * REAL_PATIENCE_MS,
);
