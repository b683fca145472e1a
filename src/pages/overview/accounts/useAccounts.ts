import { venueAccount } from '#contract/venueAccount';
import { useCall } from '@/services/useCall';

const REFRESH_MS = 5_000;

/** The caller's accounts at all venues. */
export const useAccounts = () =>
  useCall(venueAccount.list, {}, { refreshInterval: REFRESH_MS, keepPreviousData: true });
