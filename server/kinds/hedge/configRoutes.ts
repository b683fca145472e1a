import type { FastifyInstance, FastifyRequest } from 'fastify';
import { hedgeConfig as api, type HedgeSettings, settingsErrors, waitsForPerson } from '#contract/kinds/hedge/config';
import type { PairBlock } from '#contract/lifecycle';
import type { PairWarning } from '#contract/pair';
import { moveBook } from '../../base/db/books/book';
import type { Queries } from '../../base/db/client';
import { countRunningOfPair } from '../../base/db/hedges/hedge';
import {
  changePair,
  createConfig,
  findConfig,
  findDesk,
  findPair,
  insertPair,
  standingPairs,
  updateConfig,
} from '../../base/db/hedges/hedgeConfig';
import { runningDealsOf } from '../../base/db/strategies/deal';
import { armHeld } from '../../base/db/strategies/target';
import { noteChange } from '../../base/http/auditTrail';
import { conflict, notFound, Refusal, refused } from '../../base/http/refusal';
import { route } from '../../base/http/route';
import { openAccount } from '../../desk/account/openAccount';
import { intentRoute } from '../../desk/openingActs';
import { type Asker, ownBook, ownDesk, switchBook } from '../../desk/strategy/bookIntents';
import { usedBy } from '../../desk/strategy/strategyOverview';
import { strategySums } from '../../desk/strategy/strategySums';
import { liftRaised, type Resume, type Used } from '../../desk/strategy/tripped';
import { tradedMarketOf } from '../../desk/symbol/marketOf';
import { asksAbout, NEVER_ARMED } from '../../engine/entries';
import type { KindDeps } from '../kindDeps';
import { hedgeDesk } from './desk';
import { entryNow, entryQuote } from './entryQuote';
import { checkPair, type Pair, refuseLeverage } from './pairCheck';

/** @throws 400 at the fields that contradict each other. */
export function refuseContradictions(settings: HedgeSettings): void {
  const fields = settingsErrors(settings);
  if (fields.length > 0) throw new Refusal(400, 400, fields.map(({ message }) => message).join('；'), { fields });
}

/** Saves the first settings. @throws `hedgeConfigExists`. */
async function saveFirst(tx: Queries, { user, now }: Asker, settings: HedgeSettings) {
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
  if (settings.source !== standing.settings.source) {
    const isInUse = (await standingPairs(tx, user.id)).length > 0 || (await runningAt(tx, desk)) > 0;
    if (isInUse) throw refused('sourceInUse', '', 'source');
  }
  const resumed = desk.id !== null && (await liftRaised(tx, { at: now, by: user.name }, desk.id, used));
  await moveBook(tx, user.id);
  return { version: saved.version, settings, ...(used && { resumed }) };
}

/** Deals of the desk that run: what was taken over from accounts is none of it. */
const runningAt = async (tx: Queries, { id }: { id: string | null }): Promise<number> =>
  id === null ? 0 : (await runningDealsOf(tx, [id])).length;

interface PairWish {
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
async function addPair(
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
  const { desk, config } = await ownDesk(tx, user.id);
  const { settings } = config;
  const pair = await findPair(tx, user.id, pairId);
  if (pair === null) throw notFound('没有这个交易对');
  const waits = pair.armedAt !== NEVER_ARMED && (pair.usedArmAt === null || pair.usedArmAt < pair.armedAt);
  // One that is held may be let go on while what it was opened with is still being closed.
  const isFree = pair.hold === null;
  if (isFree && (waits || (await countRunningOfPair(tx, user.id, pair.id)) > 0)) throw refused('pairArmed');
  const { entry, maxHedges } = settings;
  if (entry === 'immediate' && (await runningAt(tx, desk)) >= maxHedges) throw refused('pairNoRoom');
  await armHeld(tx, [pair.id], now);
  await moveBook(tx, user.id);
  return { pairId: pair.id };
}

const ofDesk =
  () =>
  ({ kind }: { kind: string }) =>
    kind === 'hedge';

interface Turning {
  user: Asker['user'];
  request: FastifyRequest;
}

/** A user's own hedge settings, switches and pairs. */
export function hedgeConfigRoutes(app: FastifyInstance, deps: KindDeps): void {
  const { db, clock, markets, venue, opens } = deps;
  const asker = ({ user }: { user: Asker['user'] }): Asker => ({ user, now: clock() });

  route(app, api.desk, async ({ user }) => hedgeDesk(deps, user.id, clock()));

  intentRoute(app, deps, api.create, {
    prepare: async ({ body, user }) => {
      refuseContradictions(body);
      await tradedMarketOf(markets, body.source);
      if ((await findConfig(db, user.id)) !== null) throw refused('hedgeConfigExists');
      // Before the settings: an account without settings does no harm, settings without an account would.
      await openAccount(deps, user.id);
    },
    write: (tx, call) => saveFirst(tx, asker(call), call.body),
  });

  opens.serve(app, 'save', api.update, {
    about: ofDesk,
    prepare: async ({ body: { version: _version, resume, open: _open, openSeen: _seen, ...body }, user, request }) => {
      refuseContradictions(body);
      await tradedMarketOf(markets, body.source);
      noteChange(request, (await findConfig(db, user.id))?.settings ?? {}, body);
      for (const { source, long, short } of await standingPairs(db, user.id)) {
        for (const symbol of [long, short]) {
          const terms = await venue.terms(source, symbol);
          if (terms !== undefined) refuseLeverage(terms, body, 'leverage', body.legNotional);
        }
      }
      const { id } = await findDesk(db, user.id);
      return resume && id !== null ? usedBy(deps, id, clock()) : undefined;
    },
    write: (tx, call, used) => {
      const { version, resume: _resume, open: _open, openSeen: _seen, ...settings } = call.body;
      return saveOver(tx, asker(call), version, settings, used);
    },
  });

  const turn = async (tx: Queries, call: Turning, enabled: boolean, resumed?: Resume) => {
    const { enabled: before } = await findDesk(tx, call.user.id);
    noteChange(call.request, { enabled: before }, { enabled });
    return switchBook(tx, asker(call), enabled, resumed);
  };
  opens.serve(app, 'enable', api.enable, {
    about: ofDesk,
    prepare: async ({ user }) => {
      const { id, tripped } = await findDesk(db, user.id);
      if (id === null || tripped === null) return null;
      return (await strategySums(deps, [id], clock())).get(id)?.net ?? null;
    },
    write: (tx, call, net) => turn(tx, call, true, { reason: (call.body.reason ?? '').trim(), net }),
  });
  intentRoute(app, deps, api.disable, { write: (tx, call) => turn(tx, call, false) });

  intentRoute(app, deps, api.addPair, {
    prepare: async ({ body, user }) => {
      const config = await findConfig(db, user.id);
      if (config === null) throw refused('hedgeConfigMissing');
      const now = clock();
      await checkPair(deps, config.settings, body, now);
      return { version: config.version, ...(await entryNow(deps, user.id, config.settings, body, now)) };
    },
    write: (tx, call, prepared) => {
      const { arm = true, confirmReversed = false, accepts = [] } = call.body;
      return addPair(tx, asker(call), call.body, { ...prepared, arm, confirmReversed, accepts });
    },
  });

  route(app, api.entryQuote, async ({ query, user }) => {
    const config = await findConfig(db, user.id);
    if (config === null) throw refused('hedgeConfigMissing');
    const { leverage = config.settings.leverage, ratio = config.settings.ratio, ...pair } = query;
    return entryQuote(deps, user.id, { ...config.settings, leverage, ratio }, pair, clock());
  });

  intentRoute(app, deps, api.removePair, {
    write: (tx, call) => removePair(tx, asker(call), call.body.pairId),
  });
  opens.serve(app, 'armPair', api.armPair, {
    about:
      (call) =>
      (_, { id }) =>
        id === call.body.pairId,
    names: (call) => [call.body.pairId],
    write: (tx, call) => armPair(tx, asker(call), call.body.pairId),
  });
}
