import { flatten } from '#contract/flatten';
import { useCall } from '@/services/useCall';

const REFRESH_MS = 10_000;

/** What the user's strategies hold, read once for all parts of a screen that ask. */
export const useHeld = () => useCall(flatten.held, {}, { refreshInterval: REFRESH_MS });
