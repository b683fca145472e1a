import { account } from '#contract/account';
import { useCall } from '@/services/useCall';

const LOOK_MS = 5_000;

/** What keeps the user's strategies from opening, looked at again and again. */
export const useStops = () => useCall(account.stops, {}, { refreshInterval: LOOK_MS });
