import { createContext, type ReactNode, use, useMemo } from 'react';
import { VENUES } from '#contract/candle';
import { venueAccount } from '#contract/venueAccount';
import { useCall } from '@/services/useCall';

/** Where the reader has an account; `undefined` while nobody knows. */
const AccountsContext = createContext<ReadonlySet<string> | undefined>(undefined);

/** Reads where the reader has an account, once for all rows. */
export function WithAccounts({ children }: { children: ReactNode }) {
  const { data } = useCall(venueAccount.list, {}, { quiet: () => true });
  const venues = useMemo(() => data && new Set<string>(data.list.map(({ venue }) => venue)), [data]);
  return <AccountsContext value={venues}>{children}</AccountsContext>;
}

/** Those of these sources at which the reader has no account yet; what is imported trades at any. */
export function useLacking(sources: readonly string[]): string[] {
  const venues = use(AccountsContext);
  if (venues === undefined) return [];
  return [...new Set(sources)].filter((source) => VENUES.some((venue) => venue === source) && !venues.has(source));
}
