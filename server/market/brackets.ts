import type { TradingTerms } from './venue';

/** What a position takes, by what it is worth (USDT): beyond the last bracket none may be opened. */
export function bracketFor(
  { brackets, maxLeverage, maintenanceRate }: Pick<TradingTerms, 'brackets' | 'maxLeverage' | 'maintenanceRate'>,
  notional: number,
): { maxLeverage: number; maintenanceRate: number } {
  const last = brackets?.at(-1);
  if (last === undefined) return { maxLeverage, maintenanceRate };
  const found = brackets?.find(({ cap }) => notional <= cap);
  const { maintenanceRate: rate, deducted } = found ?? last;
  const share = notional > 0 ? deducted / notional : 0;
  return { maxLeverage: Math.min(maxLeverage, found?.maxLeverage ?? 0), maintenanceRate: rate - share };
}
