import { eq } from 'drizzle-orm';
import { apiKey } from '#contract/apiKey';
import * as codes from '#contract/codes';
import { DAY_MS } from '#contract/duration';
import { order } from '#contract/order';
import { venueAccount } from '#contract/venueAccount';
import { accountsOf, writeSequence } from '#server/base/db/accounts/venueAccount';
import { liveEvent, liveJournal } from '#server/base/db/schema';
import { Vault } from '#server/base/secret/vault';
import { VENUE_WORDS } from '#server/engine/words';
import { buildControl } from '#server/start/control';
import { atEnd } from '../../support/atEnd';
import { heard, REAL_VENUE, realUser, realWorld } from '../../support/realProduct';
import { fileDatabase } from '../../support/testDatabase';
import { waitFor } from '../../support/waitFor';

const db = await fileDatabase();
const { clock, exchange, customer, key, line, product } = await realWorld(db, ['BTCUSDT', 'ETHUSDT']);
const app = await product();
const owner = await realUser(app, db, clock, 'owner');
let apiKeyId: string;

beforeAll(async () => {
  apiKeyId = await owner.storeKey(key);
});
beforeEach(async () => {
  await owner.factor(true);
  await owner.proved();
});
afterEach(() => {
  exchange.faults.clear();
  customer.isHedged = false;
  customer.isolated.clear();
  key.canWithdraw = false;
  key.addresses = ['127.0.0.1'];
});

const open = (of: Pick<typeof owner, 'openReal'> = owner) => of.openReal(apiKeyId);
const real = async () => (await accountsOf(db, [owner.userId])).filter(({ mode }) => mode === 'live');

test.each<[string, number, () => unknown, string?]>([
  ['who has no second factor', codes.factorForLive.code, () => owner.factor(false)],
  ['who has not proved to be himself of late', codes.freshNeeded.code, () => owner.proved(DAY_MS / 24)],
  [
    'a key that may withdraw',
    codes.liveKeyUnfit.code,
    () => Object.assign(key, { canWithdraw: true }),
    VENUE_WORDS.mayWithdraw,
  ],
  [
    'a key for every address',
    codes.liveKeyUnfit.code,
    () => Object.assign(key, { addresses: [] }),
    VENUE_WORDS.openKey,
  ],
  [
    'positions both ways',
    codes.liveKeyUnfit.code,
    () => Object.assign(customer, { isHedged: true }),
    VENUE_WORDS.twoWay,
  ],
  ['isolated margin', codes.liveKeyUnfit.code, () => customer.isolated.add('ETHUSDT'), VENUE_WORDS.isolated],
])('no real account is opened for %s', async (_what, code, set, why = '') => {
  await set();
  const answer = await open();
  expect(answer.code).toBe(code);
  expect(answer.message).toContain(why);
  expect(await real()).toEqual([]);
});

test.each([
  ['the key', /apiRestrictions/, VENUE_WORDS.unreachable],
  ['the money', /income/, '交易所没有回答，请稍后再试'],
])('no real account is opened where the exchange says nothing of %s', async (_what, question, why) => {
  exchange.faults.next(question, { kind: 'cut' }, 999);
  const body = { name: '币安实盘', venue: REAL_VENUE, apiKeyId } as const;
  const said = () => owner.call(venueAccount.openLive, { body });
  // On a machine that does much else it may be silent at another question, too.
  await waitFor('why', 60_000, async () => {
    const { code, message } = await said();
    expect(code).toBe(codes.liveKeyUnfit.code);
    return message.includes(why!);
  });
  expect(await real()).toEqual([]);
});

test("nobody opens an account by somebody else's key, nor on a server that trades on paper", async () => {
  const other = await realUser(app, db, clock, 'other');
  await other.factor(true);
  expect((await open(other)).code).toBe(404);
  const paper = await product({ TRADING: 'paper' });
  const there = await realUser(paper, db, clock, 'there');
  await there.factor(true);
  const own = await there.storeKey(key);
  const answer = await there.openReal(own);
  expect(answer.code).toBe(codes.liveClosed.code);
});

test('with all that it needs an account is opened with the money that is at the exchange, once', async () => {
  expect((await open()).code).toBe(200);
  expect(await real()).toMatchObject([{ venue: REAL_VENUE, name: '币安实盘', mode: 'live', apiKeyId }]);
  const { list } = (await owner.call(venueAccount.list)).data;
  expect(list.filter(({ mode }) => mode === 'live')).toMatchObject([
    { state: 'ok', venue: REAL_VENUE, equity: '40000' },
  ]);
  expect((await open()).code).toBe(codes.accountAtVenue.code);
  // What is held and the margin behind it are one question, of which the exchange allows so many a minute.
  await waitFor('one question', 60_000, async () => {
    const asked = () => line.asked.filter(({ path }) => path === '/api/v3/account').length;
    const before = asked();
    await owner.call(venueAccount.list);
    return asked() === before + 1;
  });
});

test('holding an account against its exchange asks what it has once', async () => {
  await waitFor('one question', 60_000, async () => {
    const asked = () => line.asked.filter(({ path }) => path === '/api/v3/account').length;
    const before = asked();
    const { data } = await owner.call(order.reconcile, { query: { userId: owner.userId } });
    const found = data.accounts[0]!;
    return found.verdict === 'agrees' && asked() === before + 1;
  });
});

test('an account at the exchange is opened once, whoever has a key of it', async () => {
  const other = await realUser(app, db, clock, 'second');
  await other.factor(true);
  const own = exchange.keys.add({ key: 'real-key-0002', secret: 'real-secret-0002', account: 'owner' });
  own.addresses = ['127.0.0.1'];
  const stored = await other.storeKey(own);
  const answer = await other.openReal(stored);
  expect(answer).toMatchObject(codes.liveAccountTaken);
  expect((await accountsOf(db, [other.userId])).filter(({ mode }) => mode === 'live')).toEqual([]);
});

test('a real account is traded by keys of its own account at the exchange alone', async () => {
  const [account] = await real();
  const theirs = { key: 'their-key-0001', secret: 'their-secret-0001' };
  exchange.keys.add({ ...theirs, account: 'somebody else', addresses: ['127.0.0.1'] });
  const rotated = (to: object) => heard(() => owner.call(apiKey.rotate, { body: { id: apiKeyId, ...to } }));
  expect(await rotated(theirs)).toMatchObject(codes.keyOtherAccount);
  const stored = await owner.storeKey({ ...theirs, name: '别人的密钥' });
  const given = () => owner.call(apiKey.account, { body: { accountId: account!.id, id: stored } });
  expect(await heard(given)).toMatchObject(codes.keyOtherAccount);
  const { list } = (await owner.call(apiKey.list)).data;
  expect(list.find(({ id }) => id === apiKeyId)).toMatchObject({ maskedKey: expect.stringContaining('0001') });
  expect(await real()).toMatchObject([{ apiKeyId }]);
  const next = { key: 'real-key-0003', secret: 'real-secret-0003' };
  exchange.keys.add({ ...next, account: 'owner', addresses: ['127.0.0.1'] });
  expect((await rotated(next)).code).toBe(200);
});

test('the audit holds a real account against what was written of its exchange, and tells that it asks nothing more', async () => {
  const [account] = await real();
  const accountId = account!.id;
  const control = buildControl({ db, clock, vault: async () => new Vault({ masters: [] }) });
  atEnd(() => control.close());
  const audited = async () => (await control.inject({ method: 'GET', url: '/audit' })).json();
  expect(await audited()).toMatchObject({
    ...{ code: 200, message: 'ok' },
    data: { findings: [], real: [{ user: 'owner', account: '币安实盘', told: 1, checked: null }] },
  });
  await db.transaction(async (tx) => {
    const event = {
      kind: 'transfer',
      sequence: 2,
      account: accountId,
      source: '',
      symbol: '',
      at: clock(),
      amount: '1',
    };
    await tx.insert(liveEvent).values({ accountId, sequence: 2, name: 'unbooked', event });
    await tx.update(liveJournal).set({ sequence: 2 }).where(eq(liveJournal.accountId, accountId));
    await writeSequence(tx, accountId, 2);
  });
  const { findings, real: told } = (await audited()).data;
  expect(findings.map(({ what }: { what: string }) => what)).toContain('外部划入（账本与交易所）：40000，应为 40001');
  expect(told).toMatchObject([{ told: 2 }]);
});
