import { keyNeeds } from '#contract/apiKey';
import type { StrategyKind } from '#contract/strategy';
import { accountsAndStrategies } from '../../base/db/accounts/apiKey';
import { accountFor } from '../../base/db/accounts/venueAccount';
import type { Queries } from '../../base/db/client';
import { sourcesOf } from '../../engine/preview';

/**
 * The accounts of a user, each with the strategies that trade in it: those of its mode whose params name its venue. One
 * that is not set up yet may come to trade in any.
 */
export async function keyAccounts(db: Queries, userId: string) {
  const { accounts, strategies } = await accountsAndStrategies(db, userId);
  const placed = strategies.map(({ params, ...one }) => {
    const own = accounts.filter(({ mode }) => mode === one.mode);
    const sources = sourcesOf(one.kind as StrategyKind, params);
    const rights = keyNeeds(one.kind as StrategyKind, params);
    return {
      one: { ...one, rights },
      accounts: sources.length === 0 ? own : sources.map((source) => accountFor(own, source)),
    };
  });
  return accounts.map((account) => ({
    ...account,
    strategies: placed.filter(({ accounts: used }) => used.includes(account)).map(({ one }) => one),
  }));
}
export type KeyAccount = Awaited<ReturnType<typeof keyAccounts>>[number];
