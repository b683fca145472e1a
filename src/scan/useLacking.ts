import { useCallback } from 'react';
import { VENUES } from '#contract/candle';
import { venueAccount } from '#contract/venueAccount';
import { useSame } from '@/components/useSame';
import { useCall } from '@/services/useCall';
import type { ScanRow } from './scanColumns';

const REFRESH = { refreshInterval: 10_000, untouchedInterval: 60_000, quiet: () => true };

/** What is imported trades at any account. */
const isVenue = (source: string) => VENUES.some((venue) => venue === source);

/**
 * Tells a row where of its places the reader has no account yet; nothing while nobody knows.
 * @param sourcesOf where the legs of a row lie @param isOpen whether rows are looked at
 */
export function useLacking(sourcesOf: (row: ScanRow) => readonly string[], isOpen: boolean) {
  const { data } = useCall(venueAccount.list, isOpen ? {} : null, REFRESH);
  const open = useSame(data?.list.map(({ venue }): string => venue));
  return useCallback(
    (row: ScanRow): ScanRow => {
      const lacking = open && sourcesOf(row).find((source) => isVenue(source) && !open.includes(source));
      return lacking === undefined ? row : { ...row, lacking };
    },
    [open, sourcesOf],
  );
}
