/**
 * What a day's result is counted from, USDT.
 * @param equity what the account was worth when the day began
 * @param transfers what was moved in (positive) or out since
 */
export const dayEquityOf = (equity: number, transfers: number): number => equity + transfers;

/** Whether a day's result, USDT, is a loss of the daily limit or more; never without a limit. */
export const isLossLimitReached = (result: number, limit: number | null): boolean => limit !== null && result <= -limit;

/** What a day has brought, transfers left out (F18), USDT: the one figure of loss limit, desk and overview. */
export const dayResult = (equity: number, dayEquity: number): number => equity - dayEquity;
