import { accessOf } from '#contract/access';
import type { FlattenScope, Intervention } from '#contract/flatten';
import type { User } from '#contract/user';
import { type ReachedDeal, reachedDeals } from '../../base/db/books/flatten';
import type { Queries } from '../../base/db/client';
import { type StrategyRow, strategiesOf, strategyById } from '../../base/db/strategies/strategy';
import { findUserById } from '../../base/db/users/user';
import { forbidden, invalid, notFound } from '../../base/http/refusal';
import type { DeskDeps } from '../deps';
import { type Asker, flattenBook, flattenEverybody, flattenUser, mustLock, pauseUser } from '../strategy/bookIntents';
import { closeStrategy, overrule } from '../strategy/strategyIntents';
import { type Asked, type Closing, hedgesStock, reachOf } from './closeAll';
import { type Quotes, quotesOf } from './flattenQuote';

/** What a call names; nothing: all of the caller's own. */
export interface Named {
  strategyId?: string;
  userId?: string;
  everybody?: boolean;
}

/** What of whose is meant. */
export interface Aim {
  scope: FlattenScope;
  /** Of a strategy its owner; null for everybody. */
  userId: string | null;
  strategy: StrategyRow | null;
  /** What people call it; null where there is nothing to tell apart. */
  name: string | null;
  own: boolean;
}

/** @throws 400 for several at once; 403 for everybody's without the right; 404 for what is not there, or another's without it. */
export async function aimOf(db: Queries, user: User, { strategyId, userId, everybody }: Named): Promise<Aim> {
  const { isMaster } = accessOf(user.role);
  if ([strategyId, userId, everybody || undefined].filter((one) => one !== undefined).length > 1) {
    throw invalid(strategyId === undefined ? 'userId' : 'strategyId', '策略、用户、所有用户只能选一个');
  }
  if (everybody) {
    if (!isMaster) throw forbidden();
    return { scope: 'all', userId: null, strategy: null, name: null, own: false };
  }
  if (strategyId !== undefined) {
    const strategy = await strategyById(db, strategyId);
    if (strategy === null || (strategy.userId !== user.id && !isMaster)) throw notFound('没有这个策略');
    const own = strategy.userId === user.id;
    return { scope: 'strategy', userId: strategy.userId, strategy, name: strategy.name, own };
  }
  if (userId === undefined || userId.toLowerCase() === user.id) {
    return { scope: 'own', userId: user.id, strategy: null, name: null, own: true };
  }
  const found = isMaster ? await findUserById(db, userId) : null;
  if (found === null) throw notFound('没有这个用户');
  return { scope: 'user', userId: found.id, strategy: null, name: found.name, own: false };
}

/** What runs within an aim and is not to stay, and what it would take to close it now; and apart what hedges stock. */
export async function reachedNow(
  deps: Pick<DeskDeps, 'db' | 'venue' | 'markets'>,
  { userId, strategy }: Aim,
  now: number,
  keepsHedges = false,
): Promise<{ deals: ReachedDeal[]; quotes: Quotes; hedges: ReachedDeal[] }> {
  const reached = await reachedDeals(deps.db, reachOf({ userId, strategyId: strategy?.id ?? null }));
  const hedges = reached.filter(hedgesStock);
  const deals = keepsHedges ? reached.filter((deal) => !hedges.includes(deal)) : reached;
  return { deals, hedges, quotes: await quotesOf(deps, deals, now) };
}

/** Closes what is aimed at. @throws 400 without a reason where it is another's. */
export async function flattenAim(
  tx: Queries,
  asker: Asker,
  { scope, userId, strategy, own }: Aim,
  closing: Closing & { reason: string },
): Promise<Asked> {
  if (!own && closing.reason === '') throw invalid('reason', '请输入原因');
  if (strategy !== null && closing.keepsHedges) throw invalid('keepsHedges', '策略平完才停止，对冲库存的空头也要平掉');
  if (scope === 'all' || userId === null) return flattenEverybody(tx, asker, closing);
  if (strategy !== null) {
    await mustLock(tx, userId);
    const { id, deals } = await closeStrategy(tx, asker, strategy, closing);
    return { id, deals };
  }
  return own ? flattenBook(tx, asker, closing) : flattenUser(tx, asker, userId, closing);
}

/** What a master does to another's: a user is paused with all its strategies' entries, or all its strategies take down what they hold. */
export async function intervene(
  tx: Queries,
  asker: Asker,
  { userId, strategy, own }: Aim,
  { action, reason, quotes }: { action: Intervention; reason: string; quotes: Quotes },
): Promise<{ strategies: number; deals: number }> {
  // Of one's own there are calls for that.
  if (userId === null || (own && strategy === null)) throw invalid('userId', '请指定一个用户或策略');
  await mustLock(tx, userId);
  if (action === 'pause' && strategy === null) {
    await pauseUser(tx, asker, userId, reason);
    return { strategies: 0, deals: 0 };
  }
  const chosen = strategy === null ? await strategiesOf(tx, [userId]) : [strategy];
  let [strategies, deals] = [0, 0];
  for (const row of chosen) {
    if (action === 'pause') {
      await overrule(tx, asker, row, reason);
      strategies += 1;
    } else if (row.state !== 'stopped' || strategy !== null) {
      deals += (await closeStrategy(tx, asker, row, { reason, quotes })).deals;
      strategies += 1;
    }
  }
  return { strategies, deals };
}
