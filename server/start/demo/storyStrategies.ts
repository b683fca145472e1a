import { STRATEGY_KINDS, type StrategyKind } from '#contract/strategy';
import { accountsOf } from '../../base/db/accounts/venueAccount';
import type { Database, Queries } from '../../base/db/client';
import { changeStrategy, strategiesOf } from '../../base/db/strategies/strategy';
import { changeGuard } from '../../base/db/strategies/strategyGuard';
import { findUser } from '../../base/db/users/user';
import { fundAccount, insertOpened } from '../../desk/account/openAccount';
import { tripExceeding } from '../../desk/strategy/strategyBreaker';
import { createStrategy, startStrategy } from '../../desk/strategy/strategyIntents';
import { targetsOf } from '../../engine/preview';
import { storyOf } from '../../kinds/kinds';
import type { Clock, Markets } from '../../market/exchange';
import { createMarketSight } from '../../market/scan/sight';
import type { PaperVenue } from '../../market/venue';
import { OWNER } from './storyCast';

/** A second account, for what takes two venues. */
const SECOND = { name: 'OKX 账户', venue: 'simulated-okx', amount: 60_000 };
const SECOND_DAYS = 45;

const LIMITS = new Map(STRATEGY_KINDS.flatMap((kind) => storyOf(kind).map(({ name, limits }) => [name, limits])));

interface StoryOptions {
  db: Database;
  clock: Clock;
  markets: Markets;
  venue: PaperVenue;
}

async function strategiesOfNamed(db: Database, name: string) {
  const user = await findUser(db, name);
  return user === null ? [] : strategiesOf(db, [user.id]);
}

/** Sets up, each on its day, what the demo's master runs beside its hedges. */
export function storyStrategies({ db, clock, markets, venue }: StoryOptions) {
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
