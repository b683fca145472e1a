import { DAY_MS } from '#contract/duration';
import type { StatisticQuery } from '#contract/statistic';
import type { EndedFilter } from '../../base/db/strategies/statistic';
import { invalid } from '../../base/http/refusal';

const dayStart = (at: number): number => Math.floor(at / DAY_MS) * DAY_MS;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The filter as UTC days: `from` and `to` (excluded) are midnights, UTC ms. @throws a refusal at the field at fault. */
export function filterOf({ start, end, userId, source, accountId, strategyId, pair }: StatisticQuery): EndedFilter {
  if (start !== undefined && end !== undefined && start > end) throw invalid('end', '结束时间必须晚于开始时间');
  if (userId !== undefined && !UUID.test(userId)) throw invalid('userId', '没有这个用户');
  if (accountId !== undefined && !UUID.test(accountId)) throw invalid('accountId', '没有这个账户');
  if (strategyId !== undefined && !UUID.test(strategyId)) throw invalid('strategyId', '没有这个策略');
  const [long, short, more] = (pair ?? '').split(',').map((symbol) => symbol.trim());
  if (pair !== undefined && (!long || !short || more !== undefined)) throw invalid('pair', '交易对写作「多头,空头」');
  return {
    ...(start === undefined ? {} : { from: dayStart(start) }),
    ...(end === undefined ? {} : { to: dayStart(end) + DAY_MS }),
    ...(userId === undefined ? {} : { userId }),
    ...(source === undefined ? {} : { source }),
    ...(accountId === undefined ? {} : { accountId }),
    ...(strategyId === undefined ? {} : { strategyId }),
    ...(long && short ? { pair: { long, short } } : {}),
  };
}

/** The midnights between which the accounts are looked at: no earlier than the first opening, no later than the last midnight. */
export function spanOf({ from, to }: EndedFilter, firstOpening: number, now: number): { from: number; to: number } {
  return {
    from: Math.max(from ?? 0, dayStart(firstOpening)),
    to: Math.min(to ?? now, dayStart(now)),
  };
}
