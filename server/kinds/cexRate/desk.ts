import { RATIO_APART, type VenueMargin } from '#contract/kinds/cexRate/desk';
import type { CexRateParams } from '#contract/kinds/cexRate/params';
import { accountFor, accountsOf } from '../../base/db/accounts/venueAccount';
import type { Queries } from '../../base/db/client';
import { notFound } from '../../base/http/refusal';
import { evenMove, type Margin, marginRatio } from '../../base/maths/evenMargin';
import { marginHeld } from '../../desk/account/accountFacts';
import type { DeskDeps } from '../../desk/deps';
import { mustOwn } from '../../desk/strategy/strategyIntents';

type Needs = Pick<DeskDeps, 'db' | 'venue'>;

const KIND = 'cexRate';

/** @throws 404 for a strategy of another user, or of another kind. */
export async function mustOwnRate(db: Queries, userId: string, id: string) {
  const strategy = await mustOwn(db, userId, id);
  if (strategy.kind !== KIND) throw notFound('没有这个策略');
  return strategy;
}

/** How safe both venues of a strategy are, and what would even them out. @throws 404 for any other id */
export async function marginsOf({ db, venue }: Needs, userId: string, id: string) {
  const { mode, params } = await mustOwnRate(db, userId, id);
  const { long, short } = params as CexRateParams;
  const accounts = await accountsOf(db, [userId]);
  const read = async (source: string) => {
    const account = accountFor(accounts, source, mode);
    const has = account === undefined ? null : await venue.margin(account.id).catch(() => null);
    if (has === null) return { row: { source, balance: null, free: null, marginRatio: null }, margin: null };
    const margin = marginHeld(has);
    const row: VenueMargin = {
      ...{ source, balance: margin.balance, free: margin.free, marginRatio: marginRatio(margin) },
    };
    return { row, margin };
  };
  const [one, other] = await Promise.all([read(long), read(short)]);
  return {
    venues: [one.row, other.row],
    move: one.margin && other.margin && moveOf([long, one.margin], [short, other.margin]),
  };
}

/** `null` while the ratios are near enough. */
function moveOf([source, one]: [string, Margin], [otherSource, other]: [string, Margin]) {
  const [a, b] = [marginRatio(one), marginRatio(other)];
  if (a === null || b === null || Math.abs(a - b) < RATIO_APART) return null;
  const amount = evenMove(one, other);
  if (amount === 0) return null;
  return amount > 0 ? { from: source, to: otherSource, amount } : { from: otherSource, to: source, amount: -amount };
}
