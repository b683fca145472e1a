import { type AccountStops, account, LOSS_GUARD } from '#contract/account';
import type { StrategyRow } from '#contract/strategyRow';
import { useCall } from '@/services/useCall';

const LOOK_MS = 5_000;

/** What keeps the user's strategies from opening, looked at again and again. */
export const useStops = () => useCall(account.stops, {}, { refreshInterval: LOOK_MS });

/** Whether nothing is opened with this kind of money: paused, or what the accounts are worth is unknown. */
export function isStopped(stops: AccountStops, mode: StrategyRow['mode']): boolean {
  const { paused, pausedForAll, unvalued, unvaluedLive } = stops;
  if (pausedForAll !== null) return true;
  // The limit of the day is one of play money.
  if (mode === 'paper') return paused !== null || unvalued !== null;
  return (paused !== null && paused.by !== LOSS_GUARD) || unvaluedLive !== null;
}
