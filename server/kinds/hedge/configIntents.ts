import { type HedgeSettings, settingsErrors, waitsForPerson } from '#contract/kinds/hedge/config';
import type { PairBlock } from '#contract/lifecycle';
import type { PairWarning } from '#contract/pair';
import { moveBook } from '../../base/db/books/book';
import type { Queries } from '../../base/db/client';
import { countRunning, countRunningOfPair } from '../../base/db/hedges/hedge';
import {
  changePair,
  createConfig,
  findPair,
  insertPair,
  standingPairs,
  updateConfig,
} from '../../base/db/hedges/hedgeConfig';
import { armHeld } from '../../base/db/strategies/target';
import { conflict, notFound, Refusal, refused } from '../../base/http/refusal';
import { type Asker, ownBook, ownDesk } from '../../desk/strategy/bookIntents';
import { liftRaised, type Used } from '../../desk/strategy/tripped';
import { asksAbout, NEVER_ARMED } from '../../engine/entries';
import type { Pair } from './pairCheck';

/** @throws 400 at the fields that contradict each other. */
export function refuseContradictions(settings: HedgeSettings): void {
  const fields = settingsErrors(settings);
  if (fields.length > 0) throw new Refusal(400, 400, fields.map(({ message }) => message).join('；'), { fields });
}

/** Saves the first settings. @throws `hedgeConfigExists`. */
export async function saveFirst(tx: Queries, { user, now }: Asker, settings: HedgeSettings) {
  await ownBook(tx, user.id);
  if (!(await createConfig(tx, user.id, { settings, at: now, by: user.name }))) throw refused('hedgeConfigExists');
  await moveBook(tx, user.id);
  return { version: 1, settings };
}

const said = (at: number): string => `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** Saves over `version`. @throws 409 when that is not the newest; `sourceInUse` while something is held on the old one. */
export async function saveOver(
  tx: Queries,
  { user, now }: Asker,
  version: number,
  settings: HedgeSettings,
  used?: Used,
) {
  const { config: standing, desk } = await ownDesk(tx, user.id);
  const saved = await updateConfig(tx, user.id, version, { settings, at: now, by: user.name });
  if (saved === null) {
    const { updatedBy, updatedAt } = standing;
    throw conflict(
      `配置已由 ${updatedBy} 于 ${said(updatedAt)} 保存为第 ${standing.version} 版，你修改的是第 ${version} 版，请核对差异后再保存`,
    );
  }
  if (settings.source !== standing.settings.source && (await isInUse(tx, user.id))) {
    throw refused('sourceInUse', '', 'source');
  }
  const resumed = desk.id !== null && (await liftRaised(tx, { at: now, by: user.name }, desk.id, used));
  await moveBook(tx, user.id);
  return { version: saved.version, settings, ...(used && { resumed }) };
}

async function isInUse(tx: Queries, userId: string): Promise<boolean> {
  return (await standingPairs(tx, userId)).length > 0 || (await countRunning(tx, userId)) > 0;
}

export interface PairWish {
  /** Of the settings that the pair was checked against. */
  version: number;
  confirmReversed: boolean;
  /** Whether it is to be entered; otherwise it waits for `armPair`. */
  arm: boolean;
  /** What keeps it from being entered at once, as it was found. */
  block: PairBlock | null;
  /** What speaks against it, as it was found, and what of that it is to be entered in spite of. */
  warnings: readonly PairWarning[];
  accepts: PairWarning[];
}

/**
 * Adds a pair that was checked against the settings of `version`.
 * @throws `pairExists`; `pairReversed` unless that was confirmed; 409 when the settings were saved meanwhile.
 */
export async function addPair(
  tx: Queries,
  { user, now }: Asker,
  { long, short }: Pair,
  { version, confirmReversed, arm, block, warnings, accepts }: PairWish,
) {
  const { config } = await ownDesk(tx, user.id);
  if (config.version !== version) throw conflict('对冲配置刚刚被修改，请重新添加');
  const { source } = config.settings;
  const pairs = (await standingPairs(tx, user.id)).filter((pair) => pair.source === source);
  const has = (own: string, other: string) => pairs.some((pair) => pair.long === own && pair.short === other);
  if (has(long, short)) throw refused('pairExists', `${long} / ${short}`, 'short');
  if (has(short, long) && !confirmReversed) throw refused('pairReversed', `${short} / ${long}`, 'confirmReversed');
  const isDoubtful = block === null && asksAbout(warnings, { accepted: accepts });
  const isHeld = arm && (isDoubtful || waitsForPerson(config.settings, block));
  const armed = {
    ...(arm ? { armedAt: now, block: null } : { armedAt: NEVER_ARMED, block: 'unarmed' as const }),
    ...(isHeld ? { hold: 'confirm', heldAt: now, heldBy: user.name, block: 'unconfirmed' as const } : {}),
  };
  const accepted = arm ? accepts : [];
  const pairId = await insertPair(tx, { userId: user.id, source, long, short, createdAt: now, accepted, ...armed });
  await moveBook(tx, user.id);
  return { pairId, block: isHeld && block !== null ? block : (armed.block ?? block) };
}

/** @throws 404; `pairOpen` while a hedge of it runs. */
export async function removePair(tx: Queries, { user, now }: Asker, pairId: string) {
  await ownDesk(tx, user.id);
  const pair = await findPair(tx, user.id, pairId);
  if (pair === null) throw notFound('没有这个交易对');
  if ((await countRunningOfPair(tx, user.id, pair.id)) > 0) throw refused('pairOpen');
  await changePair(tx, pair.id, { removedAt: now });
  await moveBook(tx, user.id);
  return { pairId: pair.id };
}

/**
 * Lets a pair enter that was only added, has been used up, was closed by a person or waits to be confirmed.
 * @throws 404; `pairArmed` while it waits for its entry or a hedge of it runs;
 * `pairNoRoom` while it would be opened at once and as many run as may.
 */
export async function armPair(tx: Queries, { user, now }: Asker, pairId: string) {
  const { settings } = (await ownDesk(tx, user.id)).config;
  const pair = await findPair(tx, user.id, pairId);
  if (pair === null) throw notFound('没有这个交易对');
  const waits = pair.armedAt !== NEVER_ARMED && (pair.usedArmAt === null || pair.usedArmAt < pair.armedAt);
  // One that is held may be let go on while what it was opened with is still being closed.
  const isFree = pair.hold === null;
  if (isFree && (waits || (await countRunningOfPair(tx, user.id, pair.id)) > 0)) throw refused('pairArmed');
  const { entry, maxHedges } = settings;
  if (entry === 'immediate' && (await countRunning(tx, user.id)) >= maxHedges) throw refused('pairNoRoom');
  await armHeld(tx, [pair.id], now);
  await moveBook(tx, user.id);
  return { pairId: pair.id };
}
