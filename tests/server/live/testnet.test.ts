import { setTimeout as sleep } from 'node:timers/promises';
import Big from 'big.js';
import { account } from '#contract/account';
import { notification } from '#contract/notification';
import { service } from '#contract/service';
import { user } from '#contract/user';
import { venueAccount } from '#contract/venueAccount';
import { usersWithRealAccounts } from '#server/base/db/accounts/reconciliation';
import { collector } from '#server/base/db/schema';
import { VENUE_WORDS } from '#server/engine/words';
import { readConfig } from '#server/start/config';
import { buildProduct } from '#server/start/product';
import { callsOf, REAL, realUser, realWorld } from '../../support/realProduct';
import { sessionOf } from '../../support/signedInUser';
import { fileDatabase } from '../../support/testDatabase';
import { waitFor } from '../../support/waitFor';

const db = await fileDatabase();
const PATIENCE_MS = 60_000;

describe.each(['binance', 'okx'] as const)('on the test network of %s', (name) => {
  test(
    'an account is opened by a key without a list of addresses, and nothing is called real',
    async () => {
      const { clock, exchange, customer, key, product } = await realWorld(db, ['BTCUSDT', 'BTCUSDT_SPOT'], name);
      exchange.isTestnet = true;
      key.addresses = [];
      const app = await product({ TRADING: 'testnet' });
      const owner = await realUser(app, db, clock, `${name}-trader`, name);
      await owner.factor(true);
      expect((await owner.call(service.environment)).data).toMatchObject({
        trading: 'testnet',
        liveMaxNotional: 1_000,
      });
      expect((await owner.call(user.current)).data.testnet).toBe(true);
      const id = await owner.storeKey(key);
      expect((await owner.openReal(id)).code).toBe(200);
      const own = async () => (await owner.call(venueAccount.list)).data.list.find(({ mode }) => mode === 'live');
      await waitFor('what lies there is told', PATIENCE_MS, async () => (await own())?.equity === '40000', 1_000);
      // What it is told of is not called real either.
      exchange.trading.place(customer, {
        ...{ symbol: 'BTCUSDT', wallet: 'derivatives', clientId: 'web_1', side: 'buy', type: 'market' },
        ...{ timeInForce: 'IOC', price: null, quantity: new Big('0.01'), reduceOnly: false },
      });
      const titles = async () =>
        (await owner.call(notification.list, { query: { kind: 'risk' } })).data.list.map(({ title }) => title);
      await waitFor('the trade by hand is told', PATIENCE_MS, async () => (await titles()).length > 0, 1_000);
      expect(await titles()).toEqual(['测试网 · 外部成交']);
      // The next server follows another exchange: it is to be alone with the accounts there.
      await app.close();
    },
    2 * PATIENCE_MS,
  );
});

test('what an exchange refuses is told in words that are right on a test network too', () => {
  expect(Object.values(VENUE_WORDS).filter((words) => words.includes('实盘'))).toEqual([]);
});

test('a database that has followed a test network is not traded at the exchange itself, nor the reverse', async () => {
  const { clock, line, product, vault } = await realWorld(db, ['BTCUSDT'], 'bybit');
  const started = (environment: Record<string, string>) => {
    const config = readConfig({ ...REAL, EXCHANGES: 'bybit', EXCHANGE_URL_BYBIT: line.url, ...environment });
    return buildProduct({ config, clock, db, vault });
  };
  await db.insert(collector).values({ source: 'bybit-live', isTestnet: true });
  await expect(started({})).rejects.toThrow(/bybit-live.*测试网，TRADING=live.*DATA_DIR/);
  await expect(started({ TRADING: 'paper' })).rejects.toThrow(/TRADING=paper/);
  await db.update(collector).set({ isTestnet: false });
  await expect(started({ TRADING: 'testnet' })).rejects.toThrow(/交易所本身，TRADING=testnet/);
  await (await product()).close();
});

test(
  'where a real account cannot be traded, what its owner has on paper goes on',
  async () => {
    const { clock, key, product } = await realWorld(db, ['BTCUSDT', 'BTCUSDT_SPOT'], 'gate');
    const live = await product();
    const owner = await realUser(live, db, clock, 'both', 'gate');
    await owner.factor(true);
    expect((await owner.openReal(await owner.storeKey(key))).code).toBe(200);
    await live.close();
    // Who starts a server is told whose accounts it does not trade.
    const untradedBy = async (traded: string[]) =>
      (await usersWithRealAccounts(db, traded)).map(({ user: name }) => name);
    expect(await untradedBy(['binance-live', 'okx-live'])).toEqual(['both']);
    expect(await untradedBy(['gate-live'])).not.toContain('both');

    const paper = await product({ TRADING: 'paper' });
    const cookie = await sessionOf(db, owner.userId, clock());
    const call = callsOf(paper, () => cookie);
    const told = async () => (await call(venueAccount.list)).data.list;
    const stateOf = async (of: string) => (await told()).find(({ mode }) => mode === of)!.state;
    await waitFor('the play money is told', PATIENCE_MS, async () => (await stateOf('paper')) === 'ok', 500);
    expect(await stateOf('live')).toBe('failed');
    // Time enough for some looks of the engine.
    for (let look = 0; look < 6; look += 1) {
      expect((await call(account.failing)).data.failing).toBeNull();
      await sleep(500);
    }
  },
  2 * PATIENCE_MS,
);
