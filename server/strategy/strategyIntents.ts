import { HEDGE_ENDS, type HedgeState } from '#contract/lifecycle';
import { isLaddered, type ParamsOf, type StrategyKind, type StrategyState } from '#contract/strategy';
import { moveBook } from '../db/book';
import type { Queries } from '../db/client';
import { askFlattenOf, askRepair, dealsOfStrategies, ownDeal } from '../db/deal';
import { askClose } from '../db/hedge';
import type { TargetLeg } from '../db/pairLegs';
import {
  changeStrategy,
  insertStrategy,
  ownStrategy,
  type StrategyRow,
  strategiesOf,
  switchStrategy,
} from '../db/strategy';
import { armTargets, insertTargets, removeTargets, targetsOfStrategies } from '../db/target';
import { type Asker, ownBook } from '../hedge/bookIntents';
import { conflict, notFound, refused } from '../http/refusal';

/** What a strategy is saved with: params that were checked, and the legs that they name. */
export interface Plan<K extends StrategyKind = StrategyKind> {
  name: string;
  params: ParamsOf<K>;
  targets: readonly TargetLeg[][];
}

const isRunning = ({ state }: { state: string }): boolean => !HEDGE_ENDS.includes(state as HedgeState);

/** @throws 404 also for another user's. */
export async function mustOwn(db: Queries, userId: string, id: string): Promise<StrategyRow> {
  const row = await ownStrategy(db, userId, id);
  if (row === null) throw notFound('没有这个策略');
  return row;
}

async function refuseTakenName(tx: Queries, userId: string, name: string, id?: string): Promise<void> {
  const own = await strategiesOf(tx, [userId]);
  if (own.some((row) => row.id !== id && row.name === name)) throw refused('strategyNameTaken', '', 'name');
}

/** Adds a strategy that stands still. @throws `strategyNameTaken`. */
export async function createStrategy(tx: Queries, { user, now }: Asker, kind: StrategyKind, plan: Plan) {
  await ownBook(tx, user.id);
  const name = plan.name.trim();
  await refuseTakenName(tx, user.id, name);
  const { params, targets } = plan;
  const row = { userId: user.id, kind, name, mode: 'paper', params, createdAt: now, updatedBy: user.name };
  const id = await insertStrategy(tx, row);
  await insertTargets(
    tx,
    targets.map((legs) => ({ userId: user.id, strategyId: id, legs, createdAt: now, armedAt: now })),
  );
  await moveBook(tx, user.id);
  return { id, version: 1 };
}

const keyOf = (legs: readonly TargetLeg[]): string => legs.map(({ source, symbol }) => `${source} ${symbol}`).join();

/** Saves over `version`. @throws 409 when that is not the newest; `strategyKeepsHeld` for a target that is held. */
export async function updateStrategy(tx: Queries, { user, now }: Asker, id: string, version: number, plan: Plan) {
  await ownBook(tx, user.id);
  const row = await mustOwn(tx, user.id, id);
  if (row.version !== version) {
    throw conflict(`策略已由 ${row.updatedBy} 保存为第 ${row.version} 版，你修改的是第 ${version} 版，请刷新后再改`);
  }
  const name = plan.name.trim();
  await refuseTakenName(tx, user.id, name, id);
  const standing = await targetsOfStrategies(tx, [id]);
  const wanted = new Set(plan.targets.map(keyOf));
  const gone = standing.filter(({ legs }) => !wanted.has(keyOf(legs)));
  const held = new Set((await dealsOfStrategies(tx, [id])).filter(isRunning).map(({ targetId }) => targetId));
  if (gone.some((target) => held.has(target.id))) throw refused('strategyKeepsHeld');
  await removeTargets(
    tx,
    gone.map((target) => target.id),
    now,
  );
  const known = new Set(standing.map(({ legs }) => keyOf(legs)));
  const added = plan.targets.filter((legs) => !known.has(keyOf(legs)));
  await insertTargets(
    tx,
    added.map((legs) => ({ userId: user.id, strategyId: id, legs, createdAt: now, armedAt: now })),
  );
  const next = version + 1;
  await changeStrategy(tx, id, { name, params: plan.params, version: next, updatedAt: now, updatedBy: user.name });
  await moveBook(tx, user.id);
  return { id, version: next };
}

async function turn(tx: Queries, { user, now }: Asker, row: StrategyRow, state: StrategyState) {
  await switchStrategy(tx, row.id, state, { at: now, by: user.name });
  await moveBook(tx, user.id);
  return { state };
}

/** Lets a strategy enter. @throws `strategyClosing` while it takes down what it holds. */
export async function startStrategy(tx: Queries, asker: Asker, id: string) {
  await ownBook(tx, asker.user.id);
  const row = await mustOwn(tx, asker.user.id, id);
  if (row.state === 'closing') throw refused('strategyClosing');
  // A range that was left is begun anew by a person alone.
  const isAnew = isLaddered(row.kind as StrategyKind) && !(await dealsOfStrategies(tx, [id])).some(isRunning);
  if (isAnew) await armTargets(tx, id, asker.now);
  return turn(tx, asker, row, 'running');
}

/** Keeps it from entering; what it holds stays guarded. @throws `strategyStopped`, `strategyClosing`. */
export async function pauseStrategy(tx: Queries, asker: Asker, id: string) {
  await ownBook(tx, asker.user.id);
  const row = await mustOwn(tx, asker.user.id, id);
  if (row.state === 'closing') throw refused('strategyClosing');
  if (row.state === 'stopped') throw refused('strategyStopped');
  return turn(tx, asker, row, 'paused');
}

/** Takes down what it holds, and stops then; or stops at once and leaves it as it is. */
export async function stopStrategy(tx: Queries, asker: Asker, id: string, flatten: boolean) {
  const { user, now } = asker;
  await ownBook(tx, user.id);
  const row = await mustOwn(tx, user.id, id);
  const holds = (await dealsOfStrategies(tx, [id])).some(isRunning);
  if (!flatten || !holds) return turn(tx, asker, row, 'stopped');
  await askFlattenOf(tx, id, now);
  return turn(tx, asker, row, 'closing');
}

/** @throws `strategyNotStopped`; `strategyInUse` while something is held. */
export async function removeStrategy(tx: Queries, { user, now }: Asker, id: string) {
  await ownBook(tx, user.id);
  const row = await mustOwn(tx, user.id, id);
  if (row.state !== 'stopped') throw refused('strategyNotStopped');
  if ((await dealsOfStrategies(tx, [id])).some(isRunning)) throw refused('strategyInUse');
  await removeTargets(
    tx,
    (await targetsOfStrategies(tx, [id])).map((target) => target.id),
    now,
  );
  await changeStrategy(tx, id, { removedAt: now });
  await moveBook(tx, user.id);
  return { id };
}

/** Asks for one deal to be closed. @throws 404; `dealEnded`. */
export async function closeDeal(tx: Queries, { user, now }: Asker, id: string) {
  await ownBook(tx, user.id);
  const row = await ownDeal(tx, user.id, id);
  if (row === null) throw notFound('没有这张交易单');
  if (!isRunning(row)) throw refused('dealEnded');
  await askClose(tx, row.id, { at: now, by: user.name });
  await moveBook(tx, user.id);
  return { id };
}

/** Asks for the orders that a person took back to be placed again. @throws 404; `dealEnded`. */
export async function repairDeal(tx: Queries, { user, now }: Asker, id: string) {
  await ownBook(tx, user.id);
  const row = await ownDeal(tx, user.id, id);
  if (row === null || !isLaddered(row.kind as StrategyKind)) throw notFound('没有这个网格');
  if (!isRunning(row)) throw refused('dealEnded');
  await askRepair(tx, row.id, now);
  await moveBook(tx, user.id);
  return { id };
}
