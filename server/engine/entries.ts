import type { HedgeSettings } from '#contract/kinds/hedge/config';
import type { AccountTrouble, Leg, PairBlock, TargetHold } from '#contract/lifecycle';
import type { PairWarning } from '#contract/pair';
import type { LegsTicket } from '#contract/strategies';
import type { SingleTerms } from '../base/db/strategies/singleTerms';
import type { TradingTerms } from '../market/venue';
import type { SymbolView } from './marketSnapshot';
import { type PairModel, ratioBy, zNow } from './pairModel';
import type { DealBook, StrategyBook, TargetBook, UserBook } from './tradingBook';
import { RISK_GUARD } from './words';

/** All that decides whether a pair enters now. */
interface EntryContext {
  long: SymbolView | undefined;
  short: SymbolView | undefined;
  terms: Record<Leg, TradingTerms | undefined>;
  /** `undefined` where the rules in force do not need it. */
  model: PairModel | null | undefined;
  lossLimitHit: boolean;
}

/** What a leg takes of its account, USDT. */
export interface Need {
  /** Initial margin and what it costs to get in and out. */
  margin: number;
  /** USDT that spot is bought for. */
  cash: number;
}

/** Whether a target has warnings that nobody has accepted. */
export const asksAbout = (warnings: readonly PairWarning[], { accepted }: { accepted: readonly PairWarning[] }) =>
  warnings.some((warning) => !accepted.includes(warning));

/**
 * What an account lacks for its legs; null when it lacks nothing.
 * @param spendable, free USDT for purchases and for margin, less what other entries are promised; of wallets apart neither
 * is part of the other
 */
export function lackingIn(
  needs: readonly Need[],
  { spendable, free, isApart = false }: { spendable: number; free: number; isApart?: boolean },
) {
  const sum = (part: keyof Need) => needs.reduce((total, need) => total + need[part], 0);
  const [cash, margin] = [sum('cash'), sum('margin')];
  if (cash > 0 && spendable < cash) return 'balance' as const;
  return free < margin + (isApart ? 0 : cash) ? ('margin' as const) : null;
}

/** What a pair would be entered with. */
interface HedgeEntry {
  ratio: number;
  z: number | null;
  needs: Record<Leg, Need>;
}

/** Whether the rules need the model of closed bars. */
export const needsModel = ({ entry, ratio }: HedgeSettings): boolean => entry === 'z' || ratio !== 'equal';

/** Whether a z pair that was entered on may be entered on again: the spread has come back in between. */
export function rearmed(pair: TargetBook, { entry, entryZ }: HedgeSettings, z: number | null): boolean {
  return entry === 'z' && pair.usedArmAt !== null && pair.usedArmAt >= pair.armedAt && z !== null && z > -entryZ;
}

/** The arming time of a pair that was added and never armed. */
export const NEVER_ARMED = 0;

/** What may block all strategies of a user. */
type Guards = Pick<UserBook, 'blocked' | 'paused' | 'pausedForAll' | 'unvalued'>;

/** What of a book decides whether a strategy may enter. */
export interface EntryBook extends Guards {
  state: StrategyBook['state'];
  /** Those of the strategy that have not ended. */
  deals: readonly (Pick<DealBook, 'targetId'> & Partial<Pick<DealBook, 'entryNote'>>)[];
  /** A person asked for one deal, which is not entered yet. */
  once?: boolean;
  /** What is wrong with an account of the target. */
  trouble?: AccountTrouble | null;
}

/** Why a pair does not enter now. */
export interface Blocked {
  block: PairBlock;
}

export const blocked = (block: PairBlock): Blocked => ({ block });

/** Blocks of targets that wait for a person. */
const HELD_WORDS: Record<TargetHold, PairBlock> = { closed: 'closedByHand', confirm: 'unconfirmed' };

/** The block of a target that has a deal or waits for a person; null where it has neither. */
export function heldBlock({ id, hold }: Pick<TargetBook, 'id' | 'hold'>, { deals }: Pick<EntryBook, 'deals'>) {
  if (hold === null) return null;
  return deals.some(({ targetId }) => targetId === id) ? 'open' : HELD_WORDS[hold];
}

const isEntered = ({ targets }: Pick<StrategyBook, 'targets'>): boolean =>
  targets.some(({ triggeredAt }) => triggeredAt !== null);

/** Why a strategy of one deal enters nothing more; null where it may, and for any other. @param now UTC ms */
export function singleBlock(strategy: Pick<StrategyBook, 'single' | 'targets'>, now: number): PairBlock | null {
  const { single, targets } = strategy;
  if (single === null) return null;
  // What takes over positions sends nothing, whatever its rules say.
  if (isEntered(strategy) || single.takes !== undefined) return 'used';
  // What kept it as long as there was time is the reason.
  return single.refused ?? (now > single.until ? (targets[0]?.block ?? 'ticketExpired') : null);
}

/** Whether positions are still to be taken over from an account for a strategy of one deal. */
export const isTaking = (strategy: Pick<StrategyBook, 'single' | 'targets' | 'state'>): boolean =>
  strategy.single?.takes !== undefined &&
  strategy.single.refused === null &&
  strategy.state === 'running' &&
  !isEntered(strategy);

/** Reasons that end a strategy of one deal at once. */
const AT_ONCE: readonly (PairBlock | null)[] = ['ticketMoved', 'positionGone'];

/**
 * Whether a strategy of one deal that holds nothing has nothing more to do, and why it has entered nothing; null where
 * it has. A price that left the ticket, or a position that is gone, ends it at once, anything else when its time is over. @param now UTC ms
 */
export function singleEnd(
  strategy: Pick<StrategyBook, 'single' | 'targets' | 'state'>,
  now: number,
): PairBlock | null | undefined {
  const { single, state, targets } = strategy;
  if (single === null || (state !== 'running' && state !== 'paused')) return undefined;
  if (isEntered(strategy)) return null;
  const block = targets[0]?.block ?? null;
  if (block !== null && AT_ONCE.includes(block)) return block;
  return now > single.until ? (block ?? 'ticketExpired') : undefined;
}

/** Whether an order of an entry would go beyond the worst price that a person confirmed for its leg; null where nobody knows. */
export function isBeyond(ticket: LegsTicket | null, { worst }: SingleTerms): boolean | null {
  if (worst === null) return false;
  const limits = ticket?.legs.map(({ leg, limitPrice }) => ({ leg, limitPrice })) ?? [];
  const isWorse = ({ leg, limitPrice }: (typeof limits)[number]) =>
    limitPrice !== null && (leg === 'long' ? limitPrice > worst.long : limitPrice < worst.short);
  if (limits.some(isWorse)) return true;
  return ticket === null || limits.some(({ limitPrice }) => limitPrice === null) ? null : false;
}

/**
 * What of a book holds a strategy of one mode. What play money has lost, or is worth nobody knows, holds what is on paper
 * alone, and real money what is real, whose loss trips each strategy; what a person has paused holds both.
 */
export function guardsOfMode(
  book: Pick<UserBook, keyof Guards | 'unvaluedLive' | 'lossLimitHit'>,
  { mode, unvalued }: Pick<StrategyBook, 'mode' | 'unvalued'>,
): Guards & { lossLimitHit: boolean } {
  const { blocked, pausedForAll, paused } = book;
  const isReal = mode !== 'paper';
  return {
    ...{ blocked, pausedForAll },
    paused: isReal && paused?.by === RISK_GUARD ? null : paused,
    lossLimitHit: !isReal && book.lossLimitHit,
    unvalued: (isReal ? book.unvaluedLive : book.unvalued) ?? unvalued,
  };
}

/** Whether a strategy may not enter now, whatever its targets and the market say. */
export function areEntriesDisabled(
  book: Parameters<typeof guardsOfMode>[0],
  strategy: Pick<StrategyBook, 'state' | 'mode' | 'unvalued'> | undefined,
): boolean {
  if (strategy?.state !== 'running') return true;
  const { blocked, ...guards } = guardsOfMode(book, strategy);
  return blocked || [guards.paused, guards.pausedForAll, guards.unvalued].some((guard) => guard !== null);
}

/** All guards that block a strategy, whatever its targets and the market say; the strongest first. */
export function guardsOn(
  { blocked, state, pausedForAll, paused, unvalued, trouble = null }: Guards & Pick<EntryBook, 'state' | 'trouble'>,
  { lossLimitHit }: Pick<EntryContext, 'lossLimitHit'>,
): PairBlock[] {
  const guards: [PairBlock, boolean][] = [
    ['userBlocked', blocked],
    [state === 'tripped' ? 'tripped' : 'disabled', state !== 'running'],
    ['pausedForAll', pausedForAll !== null],
    ['lossLimit', lossLimitHit],
    // A reached limit pauses the account too: that counts as one reason.
    ['paused', paused !== null && !lossLimitHit],
    ['unvalued', unvalued !== null],
  ];
  const standing = guards.flatMap(([block, stands]) => (stands ? [block] : []));
  return trouble === null ? standing : [...standing, trouble];
}

export const strongestGuard = (book: EntryBook, context: Pick<EntryContext, 'lossLimitHit'>): PairBlock | null =>
  guardsOn(book, context)[0] ?? null;

export function marketBlock({ long, short, terms }: Omit<EntryContext, 'model' | 'lossLimitHit'>): PairBlock | null {
  if (!long?.tradable || !short?.tradable || !terms.long || !terms.short) return 'notTradable';
  if (long.jumped || short.jumped) return 'priceJump';
  return long.fresh && short.fresh ? null : 'stalePrice';
}

/** The entry of a pair, or why it is blocked. Margin is checked after this. */
export function entryOf(
  book: EntryBook,
  settings: HedgeSettings,
  pair: Pick<TargetBook, 'id' | 'legs' | 'armedAt' | 'usedArmAt'>,
  context: EntryContext,
): HedgeEntry | Blocked {
  if (book.deals.some(({ targetId }) => targetId === pair.id)) return blocked('open');
  if (pair.armedAt === NEVER_ARMED) return blocked('unarmed');
  if (pair.usedArmAt !== null && pair.usedArmAt >= pair.armedAt) return blocked('used');
  const guard = strongestGuard(book, context);
  if (guard !== null) return blocked(guard);
  if (pair.legs.some(({ symbol }) => settings.blacklist.includes(symbol))) return blocked('blacklisted');
  if (book.deals.length >= settings.maxHedges) return blocked('slots');
  const market = marketBlock(context);
  if (market !== null) return blocked(market);
  const z = zNow(context.model, context.long, context.short);
  const ratio = ratioBy(settings.ratio, context.model ?? null);
  if (ratio === null || (settings.entry === 'z' && z === null)) return blocked('noHistory');
  if (settings.entry === 'z' && z! > -settings.entryZ) return blocked('waitsForZ');
  const { legNotional, leverage } = settings;
  const [longTerms, shortTerms] = [context.terms.long!, context.terms.short!];
  if (legNotional < Number(longTerms.minNotional) || legNotional * ratio < Number(shortTerms.minNotional)) {
    return blocked('belowMinimum');
  }
  // A leg of less than a lot could not be entered at all.
  const isLot = (notional: number, { lotSize }: TradingTerms, { price }: SymbolView) =>
    notional >= Number(lotSize) * price;
  if (!isLot(legNotional, longTerms, context.long!) || !isLot(legNotional * ratio, shortTerms, context.short!)) {
    return blocked('belowMinimum');
  }
  const fee = Math.max(longTerms.takerFee, shortTerms.takerFee);
  const need = (notional: number): Need => ({ margin: notional * (1 / leverage + 2 * fee), cash: 0 });
  return { ratio, z, needs: { long: need(legNotional), short: need(legNotional * ratio) } };
}
