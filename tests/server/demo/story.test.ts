import { and, asc, count, eq, ne } from 'drizzle-orm';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '#contract/duration';
import { DEFAULT_SETTINGS } from '#contract/kinds/hedge/config';
import { STRATEGY_KINDS } from '#contract/strategy';
import { hedge } from '#server/base/db/hedges/hedgeView';
import { book, deal, equityPoint, evaluate, fill, ledger, strategy, target, user } from '#server/base/db/schema';
import { pairsForDesk } from '#server/desk/pair/pairChoice';
import { audit } from '#server/engine/audit';
import { PairModels } from '#server/engine/pairModel';
import type { Market } from '#server/market/exchange';
import { createPaperVenue } from '#server/market/paper/paperVenue';
import { createSimulatedMarket, createSimulatedVenues } from '#server/market/simulated';
import { settleDemoUsers } from '#server/start/demo/demoUsers';
import { seedHistory } from '#server/start/demo/story';
import { CAST, choiceOf, PARTS, STORY_DAYS, type StoryPart } from '#server/start/demo/storyCast';
import { storyProgress } from '#server/start/demo/storyProcess';
import { addPair, pairById } from '../../support/bookRows';
import { handMarkets } from '../../support/handMarket';
import { fileDatabase } from '../../support/testDatabase';
import { traderOf } from '../../support/tradingDesk';

const NOW = Date.UTC(2026, 0, 15, 9, 30);
const clock = () => NOW;
const days = 8;
/** What an order of the story may pay beyond the best price, through the depth of the book. */
const SLIPPAGE = 0.002;

/** The lowest bid and the highest ask of a minute as far as an order may go through the book. */
function minuteOf(market: Market, symbol: string, at: number): { low: number; high: number } {
  const start = Math.floor(at / MINUTE_MS) * MINUTE_MS;
  const seconds = Array.from({ length: 61 }, (_none, second) => start + second * SECOND_MS);
  const known = [...seconds, at].flatMap((instant) => {
    const book = market.book!(symbol, instant);
    return book === null ? [] : [book.bids[0]!, book.asks[0]!].map(({ ticks }) => ticks * Number(book.tickSize));
  });
  return { low: Math.min(...known) * (1 - SLIPPAGE), high: Math.max(...known) * (1 + SLIPPAGE) };
}

/** Both parts at once, as the server has them told. */
const tellAll = (clock: () => number) =>
  Promise.all(
    (Object.keys(PARTS) as StoryPart[]).map((part) => seedHistory({ db, part, clock, stopped: () => false, days })),
  );

const db = await fileDatabase();
await settleDemoUsers(db, clock, true);

test('the past of the demo is traded by the engine, and its books add up', async () => {
  const stranger = await traderOf(db);
  const pair = { userId: stranger, long: 'SOLUSDT', short: 'ADAUSDT', createdAt: NOW, armedAt: NOW };
  const pairId = await addPair(db, pair);
  expect(await storyProgress(db, NOW)).toEqual({ day: 0, days: STORY_DAYS });
  await tellAll(clock);
  expect(await storyProgress(db, NOW)).toEqual({ day: STORY_DAYS, days: STORY_DAYS });
  // A day later it is a day behind.
  expect((await storyProgress(db, NOW + DAY_MS)).day).toBe(STORY_DAYS - 1);

  const hedges = await db.select().from(hedge);
  expect(new Set(hedges.map(({ userId }) => userId)).size).toBeGreaterThanOrEqual(3);
  expect(new Set(hedges.map(({ state }) => state))).toEqual(new Set(['open', 'closed']));
  for (const { createdAt, closedAt, longQuantity, state } of hedges) {
    expect(createdAt).toBeGreaterThan(NOW - (days + 1) * DAY_MS);
    expect(closedAt ?? NOW).toBeLessThanOrEqual(NOW);
    expect(Number(longQuantity) > 0).toBe(state === 'open');
  }
  expect((await db.select().from(fill)).length).toBeGreaterThanOrEqual(2 * hedges.length);
  expect((await db.select().from(equityPoint)).length).toBeGreaterThan(days);

  // The pairs of the first day are what the market offered until then.
  const [first] = await db
    .select({ at: target.createdAt })
    .from(target)
    .where(ne(target.userId, stranger))
    .orderBy(asc(target.createdAt));
  const then = createSimulatedMarket({ clock: () => first!.at });
  const offered = await pairsForDesk(then, new PairModels(), DEFAULT_SETTINGS);
  expect(offered.length).toBeGreaterThan(0);
  for (const character of CAST) {
    const chosen = await db
      .select({ legs: target.legs })
      .from(target)
      .innerJoin(user, eq(user.id, target.userId))
      .innerJoin(strategy, eq(strategy.id, target.strategyId))
      .where(and(eq(user.name, character.name), eq(target.createdAt, first!.at), eq(strategy.kind, 'hedge')));
    expect(new Set(chosen.map(({ legs }) => legs.map(({ symbol }) => symbol).join(' ')))).toEqual(
      new Set(choiceOf(character, offered).map((pair) => pair.join(' '))),
    );
  }

  // The master runs one strategy of each kind at least, at two venues, by what the market showed then.
  const strategies = await db
    .select({ kind: strategy.kind, deals: count(deal.id), at: strategy.createdAt })
    .from(strategy)
    .leftJoin(deal, eq(deal.strategyId, strategy.id))
    .where(ne(strategy.userId, stranger))
    .groupBy(strategy.id);
  expect(new Set(strategies.map(({ kind }) => kind))).toEqual(new Set(STRATEGY_KINDS));
  for (const { kind, deals } of strategies) expect([kind, deals > 0]).toEqual([kind, true]);

  // One of them risks more than it may lose in a day, and has been stopped.
  const [stopped] = await db
    .select({ reason: book.pauseReason, pausedAt: book.pausedAt })
    .from(book)
    .innerJoin(user, eq(user.id, book.userId))
    .where(eq(user.name, '周航'));
  expect(stopped).toEqual({ reason: expect.stringContaining('单日'), pausedAt: expect.any(Number) });

  // Coins have notes and directions of several people, written at different times of the past.
  const opinions = await db.select().from(evaluate);
  expect(opinions.length).toBeGreaterThanOrEqual(20);
  expect(opinions.every(({ note, direction }) => note !== '' && direction !== null)).toBe(true);
  expect(new Set(opinions.map(({ updatedBy }) => updatedBy)).size).toBeGreaterThanOrEqual(2);
  expect(new Set(opinions.map(({ updatedAt }) => updatedAt)).size).toBe(opinions.length);
  expect(opinions.every(({ updatedAt }) => updatedAt > NOW - (days + 1) * DAY_MS && updatedAt <= NOW)).toBe(true);

  // Whoever is no part of the story trades in the present alone.
  expect(await db.select().from(ledger).where(eq(ledger.userId, stranger))).toEqual([]);
  expect((await pairById(db, pairId)).usedArmAt).toBeNull();
  expect((await db.select().from(book).where(eq(book.userId, stranger)))[0]!.leaseHolder).toBeNull();

  await db.delete(book).where(eq(book.userId, stranger));
  const venues = createSimulatedVenues({ clock });
  const markets = handMarkets(...venues);
  expect((await audit(db, createPaperVenue({ db, clock, markets }))).findings).toEqual([]);

  // Nothing was bought or sold at a price that the market did not have in that minute.
  const outside: string[] = [];
  for (const { id, at, source, symbol, price } of await db.select().from(fill)) {
    const { low, high } = minuteOf(venues.find((one) => one.source === source)!, symbol, at);
    if (Number(price) < low || Number(price) > high) outside.push(`${id} ${symbol} ${price}: ${low} ... ${high}`);
  }
  expect(outside).toEqual([]);

  // It is told once.
  const told = hedges.length;
  await tellAll(() => NOW + DAY_MS);
  expect(await db.select().from(hedge)).toHaveLength(told);
});
