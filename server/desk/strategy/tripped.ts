import type { ParamsOf, StrategyKind, StrategyState } from '#contract/strategy';
import type { LimitName } from '#contract/strategyLimits';
import type { AccountRow } from '../../base/db/accounts/venueAccount';
import { lockBook, moveBook } from '../../base/db/books/book';
import type { Queries } from '../../base/db/client';
import type { Written } from '../../base/db/hedges/hedgeConfig';
import { type StrategyRow, strategiesOf, strategyById, switchStrategy } from '../../base/db/strategies/strategy';
import { changeGuard, guardOf, noteStrategy, tripStrategy } from '../../base/db/strategies/strategyGuard';
import { targetsOfStrategies } from '../../base/db/strategies/target';
import { refused } from '../../base/http/refusal';
import { lossLimitOf } from '../../base/maths/dayBoundary';
import { BREAKER } from '../../engine/words';

/** Why a strategy is resumed whose breaker had tripped, and its net PnL now (USDT), from which its losses count then. */
export interface Resume {
  reason: string;
  net: number | null;
}

export const NOT_RESUMED: Resume = { reason: '', net: null };

/** What a strategy has used of its limits, USDT; `null` where that is unknown. */
export type Used = Record<LimitName, number | null>;

const LIMIT_RAISED = '限额已提高';

/** @throws `strategyTripped` without a reason. */
export async function resumeTripped(
  tx: Queries,
  { at, by }: Written,
  id: string,
  { reason, net }: Resume,
): Promise<void> {
  if ((await guardOf(tx, id))?.tripped == null) return;
  if (reason === '') throw refused('strategyTripped', '', 'reason');
  await changeGuard(tx, id, { tripped: null, trippedBy: null, trippedAt: null, resumedAt: at, resumedNet: net });
  await noteStrategy(tx, { strategyId: id, at, kind: 'resumed', detail: reason, by });
}

/**
 * Lets a strategy enter again whose limits were saved a moment ago, where what it tripped by is no more reached. Its
 * losses count from where they did before.
 * @param used undefined where nobody asked for it: nothing is lifted then
 * @returns whether it was lifted.
 */
export async function liftRaised(
  tx: Queries,
  { at, by }: Written,
  id: string,
  used: Used | undefined,
): Promise<boolean> {
  if (used === undefined) return false;
  const [row, guard] = [await strategyById(tx, id), await guardOf(tx, id)];
  if (row === null || row.state !== ('tripped' satisfies StrategyState) || guard?.trippedBy == null) return false;
  const name = guard.trippedBy as LimitName;
  const limit = name === 'dailyLoss' ? lossLimitOf(paramsOf(row), guard.dailyLoss) : guard[name];
  const figure = used[name];
  if (limit !== null && (figure === null || figure >= limit)) return false;
  await changeGuard(tx, id, { tripped: null, trippedBy: null, trippedAt: null });
  await noteStrategy(tx, { strategyId: id, at, kind: 'resumed', detail: LIMIT_RAISED, by });
  await switchStrategy(tx, id, 'running', { at, by });
  return true;
}

/** Ends the entries of all that trades for real at an account's venue, until a person has looked at it. */
export async function tripReal(
  tx: Queries,
  { userId, venue }: Pick<AccountRow, 'userId' | 'venue'>,
  reason: string,
  at: number,
): Promise<void> {
  await lockBook(tx, userId);
  const real = (await strategiesOf(tx, [userId])).filter(
    ({ mode, state }) => mode === 'live' && state === ('running' satisfies StrategyState),
  );
  const targets = await targetsOfStrategies(
    tx,
    real.map(({ id }) => id),
  );
  for (const { id } of real) {
    if (!targets.some(({ strategyId, legs }) => strategyId === id && legs.some(({ source }) => source === venue)))
      continue;
    await tripStrategy(tx, id, { reason, limit: null, at, by: BREAKER });
  }
  await moveBook(tx, userId);
}

// Only what the contract's schema let through was ever written.
const paramsOf = ({ params }: StrategyRow) => params as ParamsOf<StrategyKind> | null;
