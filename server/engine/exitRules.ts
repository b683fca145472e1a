import type { ExitRule } from '#contract/dealOutlook';
import { HOUR_MS } from '#contract/duration';
import type { CloseReason, Leg } from '#contract/lifecycle';
import { netAt } from './figures';
import type { PlanContext } from './runner';
import type { DealBook } from './tradingBook';

type Gate = NonNullable<ExitRule['gate']>;
interface Values {
  now: number | null;
  at: number;
  /** Beyond the value that it is compared with; never while the gate holds. */
  isMet: boolean;
  gate?: Gate | null;
}

const rule = (falls: boolean, reason: CloseReason, by: ExitRule['by'], { now, at, isMet, gate = null }: Values) => ({
  ...{ reason, by, now, at, falls, gate },
  isMet: isMet && gate === null,
});

/** A rule that closes once its value has come down to a level. */
export const onFall = (reason: CloseReason, by: ExitRule['by'], values: Values): ExitRule =>
  rule(true, reason, by, values);

/** A rule that closes once its value has come up to a level. */
export const onRise = (reason: CloseReason, by: ExitRule['by'], values: Values): ExitRule =>
  rule(false, reason, by, values);

/** The reason of the first rule that is met; null where the deal is held on. */
export const firstMet = (rules: readonly ExitRule[]): CloseReason | null =>
  rules.find(({ isMet }) => isMet)?.reason ?? null;

/** What a rule that goes by prices waits for while one of a leg is old. */
export const pricesGate = (...views: (PlanContext[Leg] | undefined)[]): Gate | null =>
  views.every((view) => view?.fresh) ? null : { is: 'prices', now: null, at: null };

/** Hours that a deal is held, from the instant on at which both legs were in. @param now UTC ms */
export const heldHours = ({ openedAt, createdAt }: Pick<DealBook, 'openedAt' | 'createdAt'>, now: number): number =>
  (now - (openedAt ?? createdAt)) / HOUR_MS;

/** Limits common to kinds; null is off. */
interface Limits {
  /** Fractions of what they are measured by. */
  stopLoss: number | null;
  takeProfit?: number | null | undefined;
  maxHoldingHours?: number | null;
}

/**
 * Stop, target and longest hold. A part that was closed changes nothing of them: its result counts in the net.
 * @param base what the shares are of, USDT; the entry cost of both legs where it is not given
 */
export function limitRules(
  deal: Pick<DealBook, 'legs' | 'openedAt' | 'createdAt'>,
  { stopLoss, takeProfit = null, maxHoldingHours = null }: Limits,
  { now, long, short }: Pick<PlanContext, 'now' | Leg>,
  base = deal.legs.long.notional.plus(deal.legs.short.notional).toNumber(),
): ExitRule[] {
  const net = netAt(deal, long, short);
  const held = heldHours(deal, now);
  const rules: ExitRule[] = [];
  if (stopLoss !== null) {
    const at = -stopLoss * base;
    rules.push(onFall('stopLoss', 'net', { now: net, at, isMet: net !== null && net <= at }));
  }
  if (takeProfit !== null) {
    const at = takeProfit * base;
    rules.push(onRise('takeProfit', 'net', { now: net, at, isMet: net !== null && net >= at }));
  }
  if (maxHoldingHours !== null) {
    const at = maxHoldingHours;
    rules.push(onRise('maxHolding', 'held', { now: held, at, isMet: held >= at }));
  }
  return rules;
}
