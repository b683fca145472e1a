import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { SIMULATED } from '#contract/candle';
import { DAY_MS, HOUR_MS } from '#contract/duration';
import { DEFAULT_SETTINGS, PAPER_CAPITAL } from '#contract/kinds/hedge/config';
import type { PairSuggestion } from '#contract/pair';
import { STRATEGY_KINDS, type StrategyKind } from '#contract/strategy';
import { accountsOf } from '../../base/db/accounts/venueAccount';
import { bookOf } from '../../base/db/books/book';
import {
  beginStory,
  choosePairs,
  claimStory,
  isStoryTold,
  keepStory,
  leaveStory,
  liftStops,
  openStoryBook,
  restingOrders,
} from '../../base/db/books/demoStory';
import type { Database, Queries } from '../../base/db/client';
import { changeStrategy, strategiesOf } from '../../base/db/strategies/strategy';
import { changeGuard } from '../../base/db/strategies/strategyGuard';
import { createUser, findUser } from '../../base/db/users/user';
import { fundAccount, insertOpened } from '../../desk/account/openAccount';
import { pairsForDesk } from '../../desk/pair/pairChoice';
import { tripExceeding } from '../../desk/strategy/strategyBreaker';
import { createStrategy, startStrategy } from '../../desk/strategy/strategyIntents';
import { Engine } from '../../engine/engine';
import { PairModels } from '../../engine/pairModel';
import { targetsOf } from '../../engine/preview';
import { GAPS, storyOf } from '../../kinds/kinds';
import type { Clock, Market, Markets } from '../../market/exchange';
import { marketLawOf } from '../../market/markets';
import { createPaperVenue, DEPTH_HALF_LIFE_MS } from '../../market/paper/paperVenue';
import { createMarketSight } from '../../market/scan/sight';
import { createSimulatedVenues, type SimulatedMarket } from '../../market/simulated';
import type { PaperVenue } from '../../market/venue';
import { hashPassword } from '../../people/auth/password';
import { type Character, choiceOf, OWNER, PARTS, STORY_DAYS, type StoryPart } from './storyCast';
import { storyNotes } from './storyNotes';

/** A second account, for what takes two venues. */
const SECOND = { name: 'OKX 账户', venue: 'simulated-okx', amount: 60_000 };
const SECOND_DAYS = 45;

const LIMITS = new Map(STRATEGY_KINDS.flatMap((kind) => storyOf(kind).map(({ name, limits }) => [name, limits])));

async function strategiesOfNamed(db: Database, name: string) {
  const user = await findUser(db, name);
  return user === null ? [] : strategiesOf(db, [user.id]);
}

/** Sets up, each on its day, what the demo's master runs beside its hedges. */
function storyStrategies({
  db,
  clock,
  markets,
  venue,
}: Pick<StoryOptions, 'db' | 'clock'> & { markets: Markets; venue: PaperVenue }) {
  const view = { markets, clock, sight: createMarketSight(markets, clock) };
  return {
    /** @param age days before today. What was begun stays as it is. */
    async begin(user: { id: string; name: string }, age: number): Promise<void> {
      if (user.name !== OWNER) return;
      if (age <= SECOND_DAYS) await openSecond(user.id);
      const known = new Set((await strategiesOf(db, [user.id])).map(({ name }) => name));
      for (const kind of STRATEGY_KINDS) {
        for (const { name, days, params, note } of storyOf(kind)) {
          if (age > days || known.has(name)) continue;
          const chosen = await params(view);
          if (chosen !== null) await start(user, kind, { name, note }, chosen);
        }
      }
    },

    /** Trips what exceeds its limits by now. They are not on record yet: who judges in the present must not see them. */
    async judge(): Promise<boolean> {
      const owner = await findUser(db, OWNER);
      const tripped = await tripExceeding({ db, markets }, clock(), ({ strategy }) =>
        strategy.userId === owner?.id ? (LIMITS.get(strategy.name) ?? null) : null,
      );
      return tripped.length > 0;
    },

    /** Limits what was begun, from the present on. */
    async limit(): Promise<void> {
      for (const { id, name } of await strategiesOfNamed(db, OWNER)) {
        const limits = LIMITS.get(name);
        if (limits !== undefined) await changeGuard(db, id, limits);
      }
    },
  };

  async function openSecond(userId: string): Promise<void> {
    if ((await accountsOf(db, [userId])).some((account) => account.venue === SECOND.venue)) return;
    const id = await fundAccount({ db, venue }, userId, SECOND);
    await db.transaction((tx) => insertOpened(tx as unknown as Queries, userId, id, SECOND));
  }

  async function start(
    user: { id: string; name: string },
    kind: StrategyKind,
    { name, note }: { name: string; note: string | undefined },
    params: Parameters<typeof targetsOf>[2],
  ): Promise<void> {
    const { legs } = await targetsOf(markets, kind, params);
    const asker = { user, now: clock() };
    await db.transaction(async (tx) => {
      const { id } = await createStrategy(tx as unknown as Queries, asker, kind, { name, params, targets: legs });
      if (note !== undefined) {
        await changeStrategy(tx as unknown as Queries, id, { note, noteBy: user.name, noteAt: asker.now });
      }
      await startStrategy(tx as unknown as Queries, asker, id);
    });
  }
}

/** Gaps below the fees of both venues bring nothing, a fraction. */
const LEAST_GAP = 0.002;

interface StopsOptions {
  db: Database;
  venues: readonly SimulatedMarket[];
  /** Who trades in it. */
  userIds: ReadonlySet<string>;
  /** Whether one of them waits for prices that stand apart. */
  gaps: boolean;
}

/** Where the story looks between two of its steps. */
function storyStops({ db, venues, userIds, gaps }: StopsOptions) {
  /** When a resting order is met first, or never within the step; by order, what is left of it, and step. */
  const met = new Map<string, number | null>();
  return {
    /** The first instant within a step at which something happens, UTC ms; `null` where nothing does. */
    async after(from: number, until: number): Promise<number | null> {
      const found = [...gapsAfter(from, until), ...(await meetingsAfter(from, until))].filter((at) => at > from);
      return found.length === 0 ? null : Math.min(...found);
    },
  };

  function gapsAfter(from: number, until: number): number[] {
    if (!gaps) return [];
    const [first] = venues;
    return GAPS.coins.flatMap(
      (coin) => first?.gapsWithin(`${coin}USDT_SPOT`, GAPS.sources, LEAST_GAP, from, until - 1) ?? [],
    );
  }

  async function meetingsAfter(from: number, until: number): Promise<number[]> {
    const live = await restingOrders(db, userIds);
    const keyOf = ({ id, filledQuantity }: (typeof live)[number]) => `${id} ${filledQuantity} ${until}`;
    const known = new Set(live.map(keyOf));
    for (const key of met.keys()) if (!known.has(key)) met.delete(key);
    return live.flatMap((order) => {
      const { source, symbol, side, limitPrice, createdAt } = order;
      const key = keyOf(order);
      let at = met.get(key);
      if (at === undefined) {
        // What this step has seen already brought nothing.
        const market = venues.find((venue) => venue.source === source);
        at =
          market?.meetsAt(symbol, side as 'buy' | 'sell', Number(limitPrice), Math.max(from, createdAt), until) ?? null;
        met.set(key, at);
      }
      return at === null || at <= from ? [] : [at];
    });
  }
}

/** Coarse enough to be told in a quarter of a minute. */
const STEP_MS = 4 * HOUR_MS;
/** While an order is at work every second counts; a hedge that needs longer goes on with the next step. */
const MOST_SECONDS = 180;
/** So many ticks take less time than after which another server takes the story over. */
const CLAIM_EVERY = 20;
/** Every so many days the cast looks for pairs anew. */
const CHOICE_DAYS = 10;
/** How long an order is on its way. */
const TRAVEL_MS = 50;

interface StoryOptions {
  db: Database;
  part: StoryPart;
  clock: Clock;
  /** Asked between two steps: the server is about to stop. */
  stopped: () => boolean;
  /** How far back it begins. */
  days?: number;
}

/** Who has not said for so long that it is at it has died. */
const SILENT_MS = 15_000;

/** How far the story is told, once it is this server's to tell; null when it is done, or this server is to stop. */
async function turn(
  { db, part, clock, stopped, days = STORY_DAYS }: StoryOptions,
  teller: string,
): Promise<number | null> {
  const until = Math.floor(clock() / DAY_MS) * DAY_MS - days * DAY_MS;
  await beginStory(db, part, until);
  while (!stopped()) {
    if (await isStoryTold(db, part)) return null;
    const mine = await claimStory(db, part, teller, SILENT_MS);
    if (mine !== null) return mine.done ? null : mine.until;
    await pause(1000);
  }
  return null;
}

/**
 * Trades the demo's last 60 days for a part of its cast: the very engine over the simulated market as it was, four hours
 * by four hours and wherever something happens in between, so that whoever opens the demo finds hedges won, lost and
 * running. Goes on where an earlier start was interrupted; of several servers on one database one tells it, and the
 * others wait for its end.
 */
export async function seedHistory(options: StoryOptions): Promise<void> {
  const teller = randomUUID();
  for (let until = await turn(options, teller); until !== null; until = await turn(options, teller)) {
    await tell(options, teller, until);
  }
}

/** Who of a part has an account already. */
async function castOf(db: Database, part: StoryPart): Promise<Set<string>> {
  const cast = new Set<string>();
  for (const { name } of PARTS[part]) {
    const user = await findUser(db, name);
    if (user !== null) cast.add(user.id);
  }
  return cast;
}

/** Tells on until the present, until this server is to stop, or until another one has taken the story over. */
async function tell({ db, part, clock, stopped }: StoryOptions, teller: string, until: number): Promise<void> {
  let now = until;
  const past: Clock = () => now;
  const venues = createSimulatedVenues({ clock, law: await marketLawOf(db) });
  const markets = pastMarkets(venues, past);
  // Orders take their time, and with them it goes on: the second leg comes after the first.
  const sleep = async (ms: number) => {
    now += ms;
  };
  const venue = createPaperVenue({
    ...{ db, clock: past, markets, latency: () => TRAVEL_MS, sleep },
    halfLifeMs: DEPTH_HALF_LIFE_MS,
  });
  const pairModels = new PairModels();
  // Who is no part of it trades in the present, or in the other part.
  const cast = await castOf(db, part);
  const only = () => cast;
  const engine = new Engine({ db, clock: past, markets, venue, pairModels, only, figuresEveryMs: DAY_MS });
  const strategies = storyStrategies({ db, clock: past, markets, venue });
  // What is about to happen is known to who looks from the present.
  const stops = storyStops({ db, venues, userIds: cast, gaps: part === 'strategies' });
  const market = (await markets.get(SIMULATED))!;
  // Coins are everybody's: one part writes about them.
  const writeNotes = part === 'hedges' ? storyNotes({ db, market }) : async () => {};
  let offered: PairSuggestion[] | undefined;
  const began = clock();
  try {
    while (now <= clock() - STEP_MS && !stopped()) {
      const next = (Math.floor(now / STEP_MS) + 1) * STEP_MS;
      if ((await claimStory(db, part, teller, SILENT_MS)) === null) return;
      if (!(await tradeUntil(next))) return;
      now = next;
      const age = Math.floor((began - now) / DAY_MS);
      if (now % DAY_MS === 0) await beginDay(age);
      await writeNotes(now);
      await engine.tick();
      if (!(await settle())) return;
      // What trips is taken up before the next entry.
      if (part === 'strategies' && (await strategies.judge())) await engine.tick();
      now = Math.floor(now / STEP_MS) * STEP_MS;
      if (now % DAY_MS === 0) await keepStory(db, part, { until: now });
    }
    if (!stopped()) {
      if (part === 'strategies') await strategies.limit();
      await keepStory(db, part, { until: now, done: true });
    }
  } finally {
    await engine.stop();
    // Whoever goes on need not wait.
    await leaveStory(db, teller);
  }

  /** Looks where something happens in between: an order that rests is met, or prices stand apart. */
  async function tradeUntil(next: number): Promise<boolean> {
    for (let at = await stops.after(now, next); at !== null; at = await stops.after(now, next)) {
      now = at;
      await engine.tick();
      if (!(await settle())) return false;
    }
    return true;
  }

  /** Second by second while an order is at work. @returns false when another server has taken the story over. */
  async function settle(): Promise<boolean> {
    for (let second = 0; engine.busy && second < MOST_SECONDS; second += 1) {
      now += 1000;
      if (second % CLAIM_EVERY === 0 && (await claimStory(db, part, teller, SILENT_MS)) === null) return false;
      await engine.tick();
    }
    return true;
  }

  async function beginDay(age: number): Promise<void> {
    // By what the market has shown until now, and nothing of what comes.
    if (offered === undefined || age % CHOICE_DAYS === 0)
      offered = await pairsForDesk(market, pairModels, DEFAULT_SETTINGS);
    for (const character of PARTS[part]) await live(character, age, offered);
  }

  /** What a character does on a day: opens an account on the first one, looks after its pairs. */
  async function live(character: Character, age: number, pairs: readonly PairSuggestion[]): Promise<void> {
    if (age > character.days) return;
    const user = (await findUser(db, character.name)) ?? (character.invented ? await invent(character.name) : null);
    if (user === null) return;
    cast.add(user.id);
    if ((await bookOf(db, user.id)) === null) await open(character, user.id);
    await choosePairs(db, { userId: user.id, source: SIMULATED, at: now }, choiceOf(character, pairs));
    // A new day, a new try, after the loss limit of the day before.
    if (age >= character.staysStoppedFor) await liftStops(db, user.id, { at: now, by: user.name });
    await strategies.begin({ id: user.id, name: user.name }, age);
  }

  async function invent(name: string) {
    const passwordHash = await hashPassword(randomBytes(32).toString('hex'));
    await createUser(db, { name, role: 'user', passwordHash, createdAt: now });
    return findUser(db, name);
  }

  async function open({ name, settings, accountLimit }: Character, userId: string): Promise<void> {
    await openStoryBook(db, { userId, name, settings: { ...DEFAULT_SETTINGS, ...settings }, accountLimit, at: now });
    await venue.open(userId, String(PAPER_CAPITAL));
    await engine.wake(userId);
  }
}

/** A venue whose history counts as changed once a day, not once an hour. */
const daily = (market: SimulatedMarket, clock: Clock): Market => ({
  source: market.source,
  kind: market.kind,
  version: () => `${market.source} ${Math.floor(clock() / DAY_MS)}`,
  instruments: (kinds) => market.instruments(kinds),
  candles: (symbol, bar, range) => market.candles(symbol, bar, range),
  runningHour: (symbol) => market.runningHour(symbol),
  funding: (symbol, range) => market.funding(symbol, range),
  tickers: (at, kinds) => market.tickers(at, kinds),
  listed: (symbol, at) => market.listed(symbol, at),
  book: (symbol, at) => market.book(symbol, at),
  meetsAt: (...order) => market.meetsAt(...order),
  feeShares: market.feeShares,
  terms: (symbol, at) => market.terms(symbol, at),
  wallet: (asset, at) => market.wallet(asset, at),
  isOut: (at) => market.isOut(at),
  latencyMs: (at) => market.latencyMs(at),
  clockAheadMs: (at) => market.clockAheadMs(at),
  deliveryPrice: (symbol) => market.deliveryPrice(symbol),
});

/** Venues as they were at a moving instant. */
function pastMarkets(venues: readonly SimulatedMarket[], clock: Clock): Markets {
  const list = venues.map((venue) => daily(venue.seenBy(clock), clock));
  return {
    home: SIMULATED,
    list: async () => list,
    get: async (source) => list.find((market) => market.source === source),
    traded: () => list,
  };
}
