import Big from 'big.js';
import { account as accountApi } from '#contract/account';
import { LIVE_EXCHANGES, liveSource, type OrderExchange } from '#contract/candle';
import * as codes from '#contract/codes';
import { DAY_MS } from '#contract/duration';
import { FIRST_SHARE } from '#contract/liveReadiness';
import { strategies as api } from '#contract/strategies';
import { venueAccount } from '#contract/venueAccount';
import { journalEvents } from '#server/base/db/accounts/liveJournal';
import { cashAt, cashOf } from './journalCash';
import { answered, PERPETUAL, REAL_PATIENCE_MS, realCarry } from './realCarry';
import { fileDatabase } from './testDatabase';

/** What is tested of each exchange through the whole server. @param names what it lets orders be called */
export async function testWholeCarry(exchange: OrderExchange, names: RegExp): Promise<void> {
  const db = await fileDatabase();
  const carry = await realCarry(db, [], exchange);
  const { customer, owner, restart, body, made, start, sent, stop, until, dealsOf } = carry;
  const { call } = owner;
  const realOne = async () => (await call(venueAccount.list)).data.list.find(({ mode }) => mode === 'live')!;
  const name = `${LIVE_EXCHANGES[exchange]}实盘`;

  beforeAll(() => carry.open(), 2 * REAL_PATIENCE_MS);
  beforeEach(async () => {
    await owner.factor(true);
    await owner.proved();
  });

  test('an account is opened by its key, with what lies in its wallets, and nothing real is made without a proof', async () => {
    expect(await realOne()).toMatchObject({ venue: liveSource(exchange), name, state: 'ok', equity: '40000' });
    await owner.proved(DAY_MS / 24);
    expect((await call(api.create, { body: body() })).code).toBe(codes.freshNeeded.code);
    expect(sent()).toEqual([]);
  });

  test('what is asked for before it becomes real is what both legs take, of one wallet together', async () => {
    const { typed: _typed, ...onPaper } = body({ mode: 'paper' });
    const { id } = (await call(api.create, { body: onPaper })).data;
    const { kind, params } = onPaper;
    const [own] = (await call(api.preview, { body: { kind, mode: 'live', params } })).data.accounts;
    const [cash, margin] = [own!.cash!, own!.margin!];
    expect(own!.isApart ?? false).toBe(!customer.hasOneWallet);
    const { checks } = (await call(api.liveReadiness, { query: { id } })).data;
    const { state, wanted } = checks.find(({ check }) => check === 'balance')!;
    expect(state).toBe('met');
    expect(wanted! / FIRST_SHARE).toBeCloseTo(customer.hasOneWallet ? cash + margin : Math.max(cash, margin), 2);
  });

  test(
    'a carry of spot and contracts is opened and closed there; what was bought is equity once, and the books are its own',
    async () => {
      await restart({ LIVE_MAX_NOTIONAL: '5000' });
      const before = Number(customer.freeOf('USDT'));
      const { id } = await made();
      expect((await start(id)).code).toBe(200);
      await until(id, 'open');
      const orders = sent();
      expect(new Set(orders.map(({ wallet }) => wallet))).toEqual(new Set(['spot', 'derivatives']));
      for (const { clientId } of orders) expect(clientId).toMatch(names);
      expect(customer.positionOf(PERPETUAL).lt(0)).toBe(true);
      // Of 2000 USDT in coin nothing is gained or lost but fees and the way of the prices.
      await answered('both legs are equity', async () => Math.abs(Number((await realOne()).equity) - 40_000) < 100);
      expect(Number(customer.freeOf('USDT'))).toBeLessThan(before - 1_800);
      await owner.proved(DAY_MS / 24);
      expect((await call(api.closeDeal, { body: { id: (await dealsOf(id))[0]!.id } })).code).toBe(200);
      await until(id, 'closed');
      expect(customer.positionOf(PERPETUAL).toFixed()).toBe('0');
      await stop(id);
      expect(sent().filter(({ state }) => state === 'new' || state === 'partly')).toEqual([]);
      // To the last digit.
      expect(cashOf(await journalEvents(db, (await realOne()).id, 0))).toBe(cashAt(customer));
      const wallets = customer.hasOneWallet ? [customer.free] : [customer.free, customer.wallet];
      const heldOf = (asset: string) => wallets.reduce((sum, one) => sum.plus(one.get(asset) ?? 0), new Big(0));
      await answered('what it says it holds is what lies there', async () => {
        const { account } = (await call(accountApi.state, { query: { accountId: (await realOne()).id } })).data;
        return account!.balances.every(({ asset, total }) => heldOf(asset).eq(total ?? -1));
      });
    },
    5 * REAL_PATIENCE_MS,
  );
}
