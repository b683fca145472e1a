import { DEFAULT_SETTINGS } from '#contract/kinds/hedge/config';
import { search as api, MOST_FOUND } from '#contract/search';
import { strategy } from '../../server/base/db/schema';
import { findUser } from '../../server/base/db/users/user';
import { fileApp, START, type Who } from '../support/app';
import { addHedges, addPair } from '../support/bookRows';
import { handMarket, handMarkets } from '../support/handMarket';

const coin = { start: START, closes: { '1d': [1] }, ticker: { price: 10 } };
const SYMBOLS = [
  'BCHUSDT',
  'BTCUSDT',
  'ETHFIUSDT',
  'STETHUSDT',
  'ETHUSDT',
  'AAAUSDT',
  ...Array.from({ length: 12 }, (_, i) => `ZZ${i}USDT`),
];
const market = handMarket('simulated', Object.fromEntries(SYMBOLS.map((symbol) => [symbol, coin])));

const OWN = '00000000-0000-4000-8000-000000000001';
const OTHERS = '00000000-0000-4000-8000-000000000002';

const server = await fileApp({ markets: handMarkets(market) });
for (const [who, id, state] of [
  ['trader', OWN, 'closed'],
  ['editor', OTHERS, 'open'],
] as const) {
  const userId = (await findUser(server.db, who))!.id;
  const sides = { long: 'ETHUSDT', short: 'AAAUSDT' };
  const pairId = await addPair(server.db, { userId, ...sides, createdAt: START, armedAt: START });
  const times = { stateAt: START, createdAt: START };
  const row = { id, userId, pairId, source: 'simulated', ...sides, ...times, state, settings: DEFAULT_SETTINGS };
  await addHedges(server.db, { ...row, ratio: 1 });
}

const found = async (who: Who, text: string) => (await server.as(who)(api.everything, { query: { text } })).body.data;

test('the coin that was named comes first; no kind brings more than a few', async () => {
  const { coins } = await found('trader', ' eth ');
  expect(coins.map(({ symbol }) => symbol)).toEqual(['ETHUSDT', 'ETHFIUSDT', 'STETHUSDT']);
  expect((await found('trader', 'zz')).coins).toHaveLength(MOST_FOUND);
  expect(await found('trader', '   ')).toEqual({ coins: [], hedges: [], strategies: [], users: [] });
});

test('a coin is found by its Chinese name, its pinyin and the first letters of that', async () => {
  for (const name of ['以太坊', 'yitai', 'ytf']) {
    expect((await found('trader', name)).coins).toEqual([{ source: 'simulated', symbol: 'ETHUSDT', name: '以太坊' }]);
  }
});

test('the coin of the very name comes before those whose names go on', async () => {
  for (const name of ['比特币', 'BiTeBi', 'btb']) {
    expect((await found('trader', name)).coins.map(({ symbol }) => symbol)).toEqual(['BTCUSDT', 'BCHUSDT']);
  }
});

test('hedges are found by coin and by id: the own ones, by a master those of all; users by a master alone', async () => {
  const idsOf = async (who: Who, text: string) => (await found(who, text)).hedges.map(({ id }) => id);
  expect(await idsOf('trader', 'aaausdt')).toEqual([OWN]);
  expect(await idsOf('trader', OTHERS)).toEqual([]);
  // What runs comes first.
  expect(await idsOf('master', 'ETH')).toEqual([OTHERS, OWN]);
  expect(await idsOf('master', OTHERS)).toEqual([OTHERS]);
  expect((await found('trader', 'edit')).users).toEqual([]);
  expect((await found('master', 'EDIT')).users).toMatchObject([{ name: 'editor', role: 'editor' }]);
});

test('strategies are found by name and by id, of all, by a master alone; what was removed is not', async () => {
  const userId = (await findUser(server.db, 'trader'))!.id;
  const base = { userId, mode: 'paper', createdAt: START, updatedAt: START, updatedBy: 'trader' };
  const [made] = await server.db
    .insert(strategy)
    .values([
      { ...base, kind: 'grid', name: 'BTC 网格', state: 'running' },
      { ...base, kind: 'okx', name: 'BTC 套利', state: 'stopped' },
      { ...base, kind: 'spread', name: 'BTC 旧的', state: 'stopped', removedAt: START },
    ])
    .returning({ id: strategy.id });
  const namesOf = async (who: Who, text: string) => (await found(who, text)).strategies.map(({ name }) => name);
  expect(await namesOf('master', 'btc')).toEqual(['BTC 网格', 'BTC 套利']);
  expect(await namesOf('master', made!.id)).toEqual(['BTC 网格']);
  expect(await namesOf('trader', 'btc')).toEqual([]);
});

test('a text is no pattern', async () => {
  const { coins, hedges, strategies, users } = await found('master', '%');
  expect([coins, hedges, strategies, users]).toEqual([[], [], [], []]);
  expect((await found('master', '_')).users).toEqual([]);
});
