import { HEDGE_ENDS, type HedgeState, type RebalanceWay, UNFREEZE_STATES } from '#contract/lifecycle';
import type { PairWarning } from '#contract/pair';
import {
  holdsEven,
  isLaddered,
  leavesCoin,
  type ParamsOf,
  type StrategyKind,
  type StrategyMode,
  type StrategyState,
} from '#contract/strategy';
import type { LimitName, StrategyLimits } from '#contract/strategyLimits';
import { moveBook } from '../../base/db/books/book';
import { askFlattenOf } from '../../base/db/books/flatten';
import type { Queries } from '../../base/db/client';
import { askClose } from '../../base/db/hedges/hedge';
import type { TargetLeg } from '../../base/db/hedges/pairLegs';
import {
  askRepair,
  askRoll,
  changeDeal,
  type DealColumns,
  isUnguarded,
  ownDeal,
  runningDealsOf,
} from '../../base/db/strategies/deal';
import type { SingleTerms } from '../../base/db/strategies/singleTerms';
import {
  changeStrategy,
  insertStrategy,
  ownStrategy,
  type StrategyRow,
  strategiesOf,
  switchStrategy,
} from '../../base/db/strategies/strategy';
import { changeGuard, noteStrategy } from '../../base/db/strategies/strategyGuard';
import {
  armHeld,
  holdTargets,
  insertTargets,
  removeTargets,
  standingTargetsOf,
  targetsOfStrategies,
} from '../../base/db/strategies/target';
import { conflict, notFound, refused } from '../../base/http/refusal';
import { isRechecked } from '../../engine/words';
import { closeAll, sellAfterAll } from '../flatten/closeAll';
import type { Quotes } from '../flatten/flattenQuote';
import { type Asker, ownBook } from './bookIntents';
import { restOnTheWayOut } from './partQuote';
import { liftRaised, NOT_RESUMED, type Resume, resumeTripped, type Used } from './tripped';

/** What a strategy is saved with: params that were checked, and the legs that they name. */
export interface Plan<K extends StrategyKind = StrategyKind> {
  name: string;
  /** On paper unless told. */
  mode?: StrategyMode;
  /** Of real money: the one on paper that it is held against. */
  twinId?: string;
  params: ParamsOf<K>;
  targets: readonly TargetLeg[][];
  /** What speaks against the targets that a person has accepted. */
  accepted?: PairWarning[];
}

const STATE_WORDS: Record<StrategyState, string> = {
  running: '运行',
  paused: '暂停',
  closing: '仅平仓',
  stopped: '停止',
  tripped: '熔断',
  error: '错误',
};
const LIMIT_WORDS: Record<LimitName, string> = {
  maxDrawdown: '最大回撤',
  dailyLoss: '单日亏损',
  maxNotional: '最大名义',
};

/** Characters. */
const LONGEST_NAME = 32;

/** Whether a strategy opens by itself. */
export const isEntering = ({ state }: { state: string }): boolean => state === ('running' satisfies StrategyState);

export const isRunning = ({ state }: { state: string }): boolean => !HEDGE_ENDS.includes(state as HedgeState);

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
export async function createStrategy(
  tx: Queries,
  { user, now }: Asker,
  kind: StrategyKind,
  plan: Plan,
  single?: SingleTerms,
) {
  await ownBook(tx, user.id);
  const name = plan.name.trim();
  await refuseTakenName(tx, user.id, name);
  const { params, targets, mode = 'paper', twinId = null, accepted = [] } = plan;
  const row = { userId: user.id, kind, name, mode, params, twinId, createdAt: now, updatedBy: user.name };
  const id = await insertStrategy(tx, { ...row, ...(single && { single }) });
  await insertTargets(
    tx,
    targets.map((legs) => ({ userId: user.id, strategyId: id, legs, createdAt: now, armedAt: now, accepted })),
  );
  await moveBook(tx, user.id);
  return { id, version: 1 };
}

/** A name that none of the user's strategies has: numbered where it is taken. */
async function freeName(tx: Queries, userId: string, wanted: string): Promise<string> {
  const taken = new Set((await strategiesOf(tx, [userId])).map(({ name }) => name));
  let name = wanted;
  for (let number = 2; taken.has(name); number += 1) name = `${wanted.slice(0, LONGEST_NAME - 5)} ${number}`;
  return name;
}

/**
 * Begins a strategy of one deal: the engine enters it by what was confirmed, once, or not at all.
 * @param why what its record says of its start
 */
export async function openSingle(
  tx: Queries,
  asker: Asker,
  kind: StrategyKind,
  plan: Plan,
  single: SingleTerms,
  why = '单笔',
) {
  const { user } = asker;
  await ownBook(tx, user.id);
  const name = await freeName(tx, user.id, plan.name.trim());
  const { id } = await createStrategy(tx, asker, kind, { ...plan, name }, single);
  await turn(tx, asker, await mustOwn(tx, user.id, id), 'running', why);
  return { id };
}

/** Gives up one deal that was not begun. @throws 404; `singleBegun` */
export async function cancelSingle(tx: Queries, asker: Asker, id: string) {
  const { user } = asker;
  await ownBook(tx, user.id);
  const row = await mustOwn(tx, user.id, id);
  const [target] = await targetsOfStrategies(tx, [id]);
  if (row.single === null || row.state === 'stopped' || target?.triggeredAt != null) throw refused('singleBegun');
  return turn(tx, asker, row, 'stopped', '撤销，没有开仓');
}

const keyOf = (legs: readonly TargetLeg[]): string => legs.map(({ source, symbol }) => `${source} ${symbol}`).join();

/** Saves over `version`. @throws 409 when that is not the newest; `strategyKeepsHeld` for a target that is held. */
export async function updateStrategy(
  tx: Queries,
  { user, now }: Asker,
  id: string,
  version: number,
  plan: Plan & { used?: Used | undefined },
) {
  await ownBook(tx, user.id);
  const row = await mustOwn(tx, user.id, id);
  if (row.single !== null) throw refused('singleOver');
  if (row.version !== version) {
    throw conflict(`策略已由 ${row.updatedBy} 保存为第 ${row.version} 版，你修改的是第 ${version} 版，请刷新后再改`);
  }
  const name = plan.name.trim();
  await refuseTakenName(tx, user.id, name, id);
  const standing = await targetsOfStrategies(tx, [id]);
  const wanted = new Set(plan.targets.map(keyOf));
  const gone = standing.filter(({ legs }) => !wanted.has(keyOf(legs)));
  const held = new Set((await runningDealsOf(tx, [id])).map(({ targetId }) => targetId));
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
  await noteStrategy(tx, { strategyId: id, at: now, kind: 'config', detail: `第 ${next} 版`, by: user.name });
  const resumed = await liftRaised(tx, { at: now, by: user.name }, id, plan.used);
  await moveBook(tx, user.id);
  return { id, version: next, resumed };
}

async function turn(tx: Queries, { user, now }: Asker, row: StrategyRow, state: StrategyState, reason = '') {
  const turned = `${STATE_WORDS[row.state as StrategyState]} → ${STATE_WORDS[state]}`;
  const detail = reason === '' ? turned : `${turned}：${reason}`;
  if (row.state !== state) {
    await noteStrategy(tx, { strategyId: row.id, at: now, kind: 'switched', detail, by: user.name });
  }
  await switchStrategy(tx, row.id, state, { at: now, by: user.name });
  await moveBook(tx, row.userId);
  return { state };
}

/** What the strategy may not exceed from now on. */
export async function limitStrategy(
  tx: Queries,
  { user, now }: Asker,
  id: string,
  limits: StrategyLimits,
  used?: Used,
) {
  await ownBook(tx, user.id);
  await mustOwn(tx, user.id, id);
  await changeGuard(tx, id, limits);
  const named = Object.entries(LIMIT_WORDS).map(([name, word]) => `${word} ${limits[name as LimitName] ?? '不限'}`);
  await noteStrategy(tx, { strategyId: id, at: now, kind: 'limits', detail: named.join('，'), by: user.name });
  const resumed = await liftRaised(tx, { at: now, by: user.name }, id, used);
  await moveBook(tx, user.id);
  return { limits, resumed };
}

/**
 * Lets a strategy enter.
 * @throws `strategyClosing` while it takes down what it holds; `strategyTripped` without a reason after its breaker did.
 */
export async function startStrategy(
  tx: Queries,
  asker: Asker,
  id: string,
  { anew = false, ...resumed }: Resume & { anew?: boolean } = NOT_RESUMED,
) {
  await ownBook(tx, asker.user.id);
  const row = await mustOwn(tx, asker.user.id, id);
  if (row.single !== null) throw refused('singleOver');
  if (row.state === 'closing') throw refused('strategyClosing');
  await resumeTripped(tx, { at: asker.now, by: asker.user.name }, id, resumed);
  // A range that was left is begun anew by a person alone; one that a person closed, only where that was asked for.
  const isAnew = isLaddered(row.kind as StrategyKind) && (await runningDealsOf(tx, [id])).length === 0;
  if (isAnew) {
    const own = (await targetsOfStrategies(tx, [id])).filter(({ hold }) => anew || hold === null);
    await armHeld(
      tx,
      own.map((target) => target.id),
      asker.now,
    );
  }
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

/** A strategy of one's own that was stopped with what it holds. @throws 404; `nothingUnguarded` */
async function mustBeLeft(tx: Queries, { user }: Asker, id: string) {
  await ownBook(tx, user.id);
  const row = await mustOwn(tx, user.id, id);
  const deals = (await runningDealsOf(tx, [id])).filter(isUnguarded).length;
  if (deals === 0) throw refused('nothingUnguarded');
  return { row, deals };
}

/** Looks after what a strategy was stopped with again; nothing new is entered. @throws 404; `nothingUnguarded` */
export async function guardStrategy(tx: Queries, asker: Asker, id: string) {
  const { row } = await mustBeLeft(tx, asker, id);
  return turn(tx, asker, row, 'paused');
}

/** Puts on record that a person looks after what a strategy was stopped with. @throws 404; `nothingUnguarded` */
export async function selfManage(tx: Queries, asker: Asker, id: string) {
  const { deals } = await mustBeLeft(tx, asker, id);
  const { user, now } = asker;
  await changeStrategy(tx, id, { selfManagedAt: now, selfManagedBy: user.name });
  await noteStrategy(tx, { strategyId: id, at: now, kind: 'switched', detail: `${deals} 张由自己管`, by: user.name });
  return { deals };
}

/**
 * Keeps a strategy of anybody from entering, for a master; one that was stopped with what it holds is guarded again.
 * @throws `strategyStopped`, `strategyClosing`.
 */
export async function overrule(tx: Queries, asker: Asker, row: StrategyRow, reason: string) {
  if (row.state === 'closing') throw refused('strategyClosing');
  if (row.state === 'stopped' && (await runningDealsOf(tx, [row.id])).length === 0) throw refused('strategyStopped');
  return turn(tx, asker, row, 'paused', reason);
}

/**
 * Takes down what it holds, and stops then; or leaves it: coin goes to the account, and the strategy stops when its deals have ended,
 * anything else stays as it is, and it stops at once.
 */
export async function stopStrategy(tx: Queries, asker: Asker, id: string, flatten: boolean) {
  const { user, now } = asker;
  await ownBook(tx, user.id);
  const row = await mustOwn(tx, user.id, id);
  const deals = await runningDealsOf(tx, [id]);
  const left = flatten ? [] : deals.filter(({ kind, params }) => leavesCoin(kind as StrategyKind, params));
  if (flatten) {
    const { state } = await closeStrategy(tx, asker, row, { reason: '' });
    return { state };
  }
  if (left.length === 0) return turn(tx, asker, row, 'stopped');
  for (const deal of left) await changeDeal(tx, deal.id, { opening: { ...(deal.opening as object), keeps: true } });
  await askFlattenOf(
    tx,
    deals.map((deal) => deal.id),
    now,
  );
  return turn(tx, asker, row, 'closing');
}

/** Why a strategy is closed, and what the markets said a moment before. */
interface Closing {
  reason: string;
  quotes?: Quotes;
}

/** Takes down what a strategy holds whose owner's book is locked; it stops when nothing is left. */
export async function closeStrategy(tx: Queries, asker: Asker, row: StrategyRow, { reason, quotes }: Closing) {
  const { user, now } = asker;
  const asked = await closeAll(
    tx,
    { at: now, byId: user.id, by: user.name, reason, scope: 'strategy', userId: row.userId, strategyId: row.id },
    { quotes },
  );
  const { state } = await turn(tx, asker, row, asked.deals === 0 ? 'stopped' : 'closing', reason);
  return { state, ...asked };
}

/** @throws `strategyNotStopped`; `strategyInUse` while something is held. */
export async function removeStrategy(tx: Queries, { user, now }: Asker, id: string) {
  await ownBook(tx, user.id);
  const row = await mustOwn(tx, user.id, id);
  if (row.state !== 'stopped') throw refused('strategyNotStopped');
  if ((await runningDealsOf(tx, [id])).length > 0) throw refused('strategyInUse');
  await removeTargets(
    tx,
    (await targetsOfStrategies(tx, [id])).map((target) => target.id),
    now,
  );
  await changeStrategy(tx, id, { removedAt: now });
  await moveBook(tx, user.id);
  return { id };
}

/**
 * Asks for one deal to be closed; its target is opened again by nobody but a person, unless it is to go on. One that
 * has ended stays as it is. @throws 404.
 */
export async function closeDeal(
  tx: Queries,
  { user, now }: Asker,
  id: string,
  { keepArmed = false, maker = false }: { keepArmed?: boolean; maker?: boolean } = {},
) {
  await ownBook(tx, user.id);
  const row = await ownDeal(tx, user.id, id);
  if (row === null) throw notFound('没有这张交易单');
  if (!isRunning(row)) return { id };
  // What is about to take its place in the next expiry, or just did, is the same position.
  const followers = (await runningDealsOf(tx, [row.strategyId])).filter(({ rolledFrom }) => rolledFrom === row.id);
  const deals = [row, ...followers];
  await sellAfterAll(tx, deals);
  if (maker) for (const one of deals) await restOnTheWayOut(tx, one, now);
  for (const one of deals) await askClose(tx, one.id, { at: now, by: user.name });
  const targets = deals.map(({ targetId }) => targetId);
  if (!keepArmed) await holdTargets(tx, targets, { hold: 'closed', at: now, by: user.name });
  await moveBook(tx, user.id);
  return { id };
}

/**
 * Lets targets be opened again that a person closed or has not confirmed.
 * @throws 404 for one that is not the asker's; `targetArmed` for one that waits for nobody.
 */
export async function armTargets(tx: Queries, { user, now }: Asker, ids: readonly string[]) {
  await ownBook(tx, user.id);
  const standing = new Map((await standingTargetsOf(tx, [user.id])).map((row) => [row.id, row]));
  const chosen = ids.map((id) => standing.get(id));
  if (chosen.includes(undefined)) throw notFound('没有这个标的');
  if (chosen.some((row) => row?.hold == null)) throw refused('targetArmed');
  await armHeld(tx, ids, now);
  await moveBook(tx, user.id);
  return { ids: [...ids] };
}

/** Asks for the orders that a person took back to be placed again. @throws 404; `dealEnded`. */
export async function repairDeal(tx: Queries, { user, now }: Asker, id: string) {
  await ownBook(tx, user.id);
  const row = await ownDeal(tx, user.id, id);
  if (row === null || !isLaddered(row.kind as StrategyKind)) throw notFound('没有这个网格');
  if (!isRunning(row)) throw refused('dealEnded');
  if (isUnguarded(row)) throw refused('dealUnguarded');
  await askRepair(tx, row.id, now);
  await moveBook(tx, user.id);
  return { id };
}

/** @throws 404; `dealEnded`; `dealClosing`, also where that was asked a moment ago; `dealNotOpen` for one that is in none of the states. */
export async function mustBeIn(
  tx: Queries,
  userId: string,
  id: string,
  states: readonly HedgeState[] = ['open'],
): Promise<DealColumns> {
  await ownBook(tx, userId);
  const row = await ownDeal(tx, userId, id);
  if (row === null) throw notFound('没有这张交易单');
  if (!isRunning(row)) throw refused('dealEnded');
  const isIn = states.includes(row.state as HedgeState);
  if (!isIn) throw refused(row.state === 'closing' ? 'dealClosing' : 'dealNotOpen');
  if (row.closeAskedAt !== null || row.flattenAskedAt !== null) throw refused('dealClosing');
  if (isUnguarded(row)) throw refused('dealUnguarded');
  return row;
}

/** Asks for the expiring leg of a deal to go on in the next expiry. @throws 404; `dealNotOpen`; `strategyNotRunning`. */
export async function rollDeal(tx: Queries, { user, now }: Asker, id: string) {
  const row = await mustBeIn(tx, user.id, id);
  if (!isEntering(await mustOwn(tx, user.id, row.strategyId))) throw refused('strategyNotRunning');
  await askRoll(tx, row.id, now);
  await moveBook(tx, user.id);
  return { id };
}

/** Asks for legs that are apart to be brought together. @throws 404; `dealNotOpen`. */
export async function rebalanceLegs(tx: Queries, { user, now }: Asker, { id, way }: { id: string; way: RebalanceWay }) {
  const row = await mustBeIn(tx, user.id, id, ['opening', 'open']);
  const kind = row.kind as StrategyKind;
  if (isLaddered(kind) || (row.state === 'open' && !holdsEven(kind))) throw notFound('这种交易单没有可补齐的腿');
  await changeDeal(tx, row.id, { rebalanceWay: way, rebalanceAskedAt: now });
  // What has come in goes back: the deal ends.
  if (way === 'unwind' && row.state === 'opening')
    await holdTargets(tx, [row.targetId], { hold: 'closed', at: now, by: user.name });
  await moveBook(tx, user.id);
  return { id };
}

/**
 * Asks for a frozen deal to go on. @throws 404; `dealNotOpen`; `dealNotFrozen`; `dealRechecked` while the engine compares
 * it with the venue by itself; `strategyStopped`; `dealUnfreezeReason`.
 */
export async function unfreezeDeal(tx: Queries, { user, now }: Asker, { id, reason }: { id: string; reason: string }) {
  const row = await mustBeIn(tx, user.id, id, UNFREEZE_STATES);
  if (row.frozen === null) throw refused('dealNotFrozen');
  if (isRechecked(row.frozen)) throw refused('dealRechecked');
  // Nobody looks at what it has left behind.
  if ((await mustOwn(tx, user.id, row.strategyId)).state === 'stopped') throw refused('strategyStopped');
  if (reason.trim() === '') throw refused('dealUnfreezeReason', '', 'reason');
  await changeDeal(tx, row.id, { unfreezeAskedAt: now, unfreezeAskedBy: user.name, unfreezeReason: reason.trim() });
  await moveBook(tx, user.id);
  return { id };
}

/** What a deal is closed at from now on, a fraction; null: not by its level. @throws 404; `dealNotOpen`; `dealNoTarget`. */
export async function setExitTarget(tx: Queries, { user }: Asker, id: string, exitLevel: number | null) {
  const row = await mustBeIn(tx, user.id, id);
  const params = row.params as object;
  if (!('exitLevel' in params)) throw refused('dealNoTarget');
  await changeDeal(tx, row.id, { params: { ...params, exitLevel } });
  await moveBook(tx, user.id);
  return { id };
}
