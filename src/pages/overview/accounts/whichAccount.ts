import { STRATEGY_MODES, type StrategyMode } from '#contract/strategy';

const isMode = (chosen: string): chosen is StrategyMode => STRATEGY_MODES.some((mode) => mode === chosen);

/** Whether one account is looked at, and not all of one kind of money. */
export const isOneAccount = (chosen: string): boolean => chosen !== '' && !isMode(chosen);

/** What is asked of the accounts that the address names: by id, all of a mode, or (empty) those that the server takes first. */
export function whichAccount(chosen: string): { accountId?: string; mode?: StrategyMode } {
  if (chosen === '') return {};
  return isMode(chosen) ? { mode: chosen } : { accountId: chosen };
}
