import { backtest } from '#contract/backtest';
import * as REFUSALS from '#contract/codes';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/duration';
import { DEFAULT_SETTINGS, hedgeConfig } from '#contract/kinds/hedge/config';
import { pair } from '#contract/pair';
import { findUser } from '#server/base/db/users/user';
import { pairsForDesk, pairsOfCoin } from '#server/desk/pair/pairChoice';
import { PairModels } from '#server/engine/pairModel';
import { createSimulatedMarket } from '#server/market/simulated';
import { MARKET_LAWS } from '#server/market/simulated/laws';
import { testApp } from '../support/app';
import { addPair } from '../support/bookRows';
import { type HandCoin, handMarket, handMarkets } from '../support/handMarket';

const START = Date.UTC(2025, 0, 1);
const DAYS = 200;

/** Numbers between -1 and 1 without a pattern, always the same. */
function noise(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return (state / 2 ** 31) * 2 - 1;
  };
}

/** A log price that keeps every step. */
function walk(seed: number): number[] {
  const step = noise(seed);
  let level = 0;
  return Array.from({ length: DAYS }, () => {
    level += 0.03 * step();
    return level;
  });
}

/** Follows another log price at a distance that comes back. @param last the distance at the end. */
function follower(leader: number[], seed: number, last: number): number[] {
  const step = noise(seed);
  let distance = 0;
  return leader.map((level, i) => {
    distance = i === DAYS - 1 ? last : 0.8 * distance + 0.02 * step();
    return level + distance;
  });
}

const leader = walk(7);
const coin = (levels: number[], sector: string | null): HandCoin => ({
  start: START,
  closes: { '1d': levels.map((level) => 100 * Math.exp(level)) },
  instrument: { sector },
  ticker: { turnover24h: 1e8 },
});
const market = handMarket('simulated', {
  LEADUSDT: coin(leader, '公链'),
  CHEAPUSDT: coin(follower(leader, 11, -0.06), '公链'),
  ALONEUSDT: coin(walk(23), '公链'),
  ELSEWHEREUSDT: coin(follower(leader, 31, -0.2), 'Meme'),
});

test('a cointegrated pair of one sector is chosen, its cheap side long', async () => {
  const [first, ...more] = await pairsForDesk(market, new PairModels(), DEFAULT_SETTINGS);
  expect(first).toMatchObject({ long: 'CHEAPUSDT', short: 'LEADUSDT' });
  expect(first!.adfP).toBeLessThan(0.05);
  expect(first!.halfLife).toBeGreaterThan(1);
  expect(first!.z).toBeLessThan(-1);
  expect(more).toEqual([]);
});

test('is offered to everybody with an account; where nothing is cointegrated there is none', async () => {
  const app = await testApp({ markets: handMarkets(market) });
  const offered = async () => (await app.as('trader')(pair.suggestion)).body.data;
  expect(await offered()).toMatchObject({ pair: { long: 'CHEAPUSDT' }, isOwn: false });
  await app.as('trader')(hedgeConfig.create, { body: DEFAULT_SETTINGS });
  const { id: userId } = (await findUser(app.db, 'trader'))!;
  await addPair(app.db, { userId, long: 'LEADUSDT', short: 'CHEAPUSDT', createdAt: START, armedAt: START });
  expect(await offered()).toMatchObject({ pair: { long: 'CHEAPUSDT' }, isOwn: true });
  await app.close();
  const apart = handMarket('simulated', { LEADUSDT: coin(leader, null), ALONEUSDT: coin(walk(23), null) });
  const other = await testApp({ markets: handMarkets(apart) });
  expect((await other.as('trader')(pair.suggestion)).body.data).toMatchObject({ pair: null });
  await other.close();
});

test('pairs of one coin: with its own sector alone, those that the desk has nothing against first', async () => {
  const many = handMarket('simulated', {
    LEADUSDT: coin(leader, '公链'),
    CHEAPUSDT: coin(follower(leader, 11, -0.06), '公链'),
    DEARUSDT: coin(follower(leader, 11, 0.06), '公链'),
    ALONEUSDT: coin(walk(23), '公链'),
    ELSEWHEREUSDT: coin(follower(leader, 31, -0.2), 'Meme'),
    YOUNGUSDT: { ...coin(leader.slice(-100), '公链'), start: START + 100 * DAY_MS },
  });
  const models = new PairModels();
  const pairs = await pairsOfCoin(many, models, DEFAULT_SETTINGS, 'LEADUSDT');
  expect(pairs.map(({ long, short }) => `${long} ${short}`).toSorted()).toEqual([
    'CHEAPUSDT LEADUSDT',
    'LEADUSDT DEARUSDT',
  ]);
  for (const { z, halfLife } of pairs) {
    expect(z).toBeLessThan(0);
    expect(halfLife).toBeGreaterThan(1);
  }
  expect(pairs.map(({ long, warnings }) => [long, warnings])).toEqual([
    ['CHEAPUSDT', []],
    ['LEADUSDT', ['adf']],
  ]);
  // The figures are of the desk's own window.
  const short = await pairsOfCoin(many, models, { ...DEFAULT_SETTINGS, zWindow: 30 }, 'LEADUSDT');
  expect(short).toHaveLength(2);
  expect(short.every(({ bars }) => bars === 30)).toBe(true);
  expect(await pairsOfCoin(many, models, DEFAULT_SETTINGS, 'ALONEUSDT')).toEqual([]);
  expect(await pairsOfCoin(many, models, DEFAULT_SETTINGS, 'ELSEWHEREUSDT')).toEqual([]);
  expect(await pairsOfCoin(many, models, DEFAULT_SETTINGS, 'YOUNGUSDT')).toEqual([]);
});

test('the pairs of a coin are for everybody with an account, with the rules of his desk', async () => {
  const app = await testApp({ markets: handMarkets(market) });
  const query = { symbol: 'LEADUSDT' };
  const { data } = (await app.as('trader')(pair.ofCoin, { query })).body;
  expect(data.list).toMatchObject([{ long: 'CHEAPUSDT', short: 'LEADUSDT', fundingAprDifference: null }]);
  expect(data.rules).toMatchObject({ bar: DEFAULT_SETTINGS.zBar, zWindow: DEFAULT_SETTINGS.zWindow });
  const unknown = await app.as('trader')(pair.ofCoin, { query: { symbol: 'NOSUCH' } });
  expect(unknown.body.code).toBe(REFUSALS.unknownSymbol.code);
  await app.close();
});

describe('the simulated market, whenever the demo is started', () => {
  const DATES = Array.from({ length: 12 }, (_, i) => Date.UTC(2026, 8, 3, 9, 20) + i * 37 * DAY_MS);
  const { follows } = MARKET_LAWS[2];
  const DESKS = [DEFAULT_SETTINGS, { zBar: '1d', zWindow: 60 }, { zBar: '4h', zWindow: 500 }] as const;

  test.each(DESKS)('offers pairs that a desk of $zWindow $zBar bars has nothing against', async (desk) => {
    let belong = 0;
    let all = 0;
    for (const now of DATES) {
      const offered = await pairsForDesk(createSimulatedMarket({ clock: () => now }), new PairModels(), desk);
      expect(offered.length).toBeGreaterThanOrEqual(1);
      for (const { long, short, bar, bars, adfP, z, halfLife } of offered) {
        expect([bar, bars]).toEqual([desk.zBar, desk.zWindow]);
        expect(adfP).toBeLessThanOrEqual(0.1);
        expect(z).toBeLessThanOrEqual(0);
        const [one, other] = [long, short].map((symbol) => symbol.replace(/USDT$/, ''));
        all += 1;
        if (follows.get(one!)?.leader !== other && follows.get(other!)?.leader !== one) continue;
        belong += 1;
        // Made of half-lives of 1.5 to 9 days, seen over a few of them.
        expect(halfLife).toBeGreaterThan(0.5);
        expect(halfLife).toBeLessThan(12);
      }
    }
    // Some pass by chance, as everywhere.
    expect(belong / all).toBeGreaterThan(0.6);
  });

  test('names a pair of which the desk shows the same figures and no warning', async () => {
    for (const date of DATES.slice(0, 3)) {
      let now = date;
      const simulated = createSimulatedMarket({ clock: () => now });
      const app = await testApp({ clock: () => now, markets: handMarkets(simulated) });
      await app.as('trader')(hedgeConfig.create, { body: { ...DEFAULT_SETTINGS, zWindow: 75 } });
      // Who has asked before is told of the prices of now all the same.
      await app.as('trader')(pair.suggestion);
      now += 10 * MINUTE_MS;
      const { pair: offered, rules } = (await app.as('trader')(pair.suggestion)).body.data!;
      const { long, short, bar, bars } = offered!;
      await app.as('trader')(hedgeConfig.addPair, { body: { long, short } });
      const [row] = (await app.as('trader')(hedgeConfig.desk)).body.data!.pairs;
      const { adfP, z } = offered!;
      expect(row).toMatchObject({ long, short, zBar: bar, zBars: bars, warnings: [], adfP, z });
      expect(bars).toBe(75);
      // Who has it is shown another one.
      const { pair: next, isOwn } = (await app.as('trader')(pair.suggestion)).body.data!;
      expect(isOwn).toBe(false);
      expect([next!.long, next!.short].sort()).not.toEqual([long, short].sort());
      // Its past is looked at by the desk's own rules, to the end.
      const query = { source: 'simulated', long, short, days: 90, ...rules };
      const { status, body } = await app.as('trader')(backtest.hedge, { query });
      expect([status, body.data?.bar]).toEqual([200, '1d']);
      for (const { closeAt, openAt } of body.data!.trades) {
        expect(closeAt - openAt).toBeLessThanOrEqual(DEFAULT_SETTINGS.maxHoldingHours! * HOUR_MS);
      }
      await app.close();
    }
  });
});
