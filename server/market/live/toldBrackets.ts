import type { Exchange } from 'ccxt';
import type { ToldBracket } from './adapter';
import { numberOf } from './heard';

interface Words {
  /** What the question says beside the symbol. */
  params?: object;
  /** What a notional is told in: of one contract, base currency; absent: the quote currency. */
  contractSize?: number;
  /**
   * What of a row is taken off the maintenance; where it is empty, what makes it the same on both sides of where the row
   * begins. Absent: each rate is of the whole position.
   */
  deducted?: string;
}

/** @throws what the library throws */
export async function toldBrackets(
  exchange: Exchange,
  symbol: string,
  { params = {}, contractSize, deducted }: Words,
): Promise<ToldBracket[]> {
  const rows = (await exchange.fetchMarketLeverageTiers(symbol, params)).filter(
    ({ maxNotional, maxLeverage, maintenanceMarginRate }) => maxNotional && maxLeverage && maintenanceMarginRate,
  );
  const brackets: ToldBracket[] = [];
  for (const { maxNotional, maxLeverage, maintenanceMarginRate, info } of rows.sort(
    (a, b) => a.maxNotional! - b.maxNotional!,
  )) {
    const before = brackets.at(-1);
    // Less is kept than it begins with: where it is not, the rate is told in percent.
    const maintenanceRate = maintenanceMarginRate! / (maintenanceMarginRate! * maxLeverage! < 1 ? 1 : 100);
    const step = before ? before.deducted + before.cap * (maintenanceRate - before.maintenanceRate) : 0;
    const told = deducted && numberOf((info as Record<string, unknown>)[deducted] || undefined);
    brackets.push({
      ...{ cap: maxNotional! * (contractSize ?? 1), isInBase: contractSize !== undefined },
      ...{ maxLeverage: maxLeverage!, maintenanceRate, deducted: deducted === undefined ? 0 : Number(told ?? step) },
    });
  }
  return brackets;
}
