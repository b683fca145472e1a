import { pair } from '#contract/pair';
import { cointegratedPairs } from '#server/desk/pair/pairChoice';
import { testApp } from '../support/app';
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
  const [first, ...more] = await cointegratedPairs(market);
  expect(first).toMatchObject({ long: 'CHEAPUSDT', short: 'LEADUSDT' });
  expect(first!.adfP).toBeLessThan(0.05);
  expect(first!.halfLife).toBeGreaterThan(1);
  expect(first!.z).toBeLessThan(-1);
  expect(more).toEqual([]);
});

test('is offered to everybody with an account; where nothing is cointegrated there is none', async () => {
  const app = await testApp({ markets: handMarkets(market) });
  expect((await app.as('visitor')(pair.suggestion)).status).toBe(401);
  expect((await app.as('trader')(pair.suggestion)).body.data.pair).toMatchObject({ long: 'CHEAPUSDT' });
  await app.close();
  const apart = handMarket('simulated', { LEADUSDT: coin(leader, null), ALONEUSDT: coin(walk(23), null) });
  const other = await testApp({ markets: handMarkets(apart) });
  expect((await other.as('trader')(pair.suggestion)).body.data).toEqual({ pair: null });
  await other.close();
});
