import { Number as Num, Object as Obj, type Static } from 'typebox';
import { Maybe } from './value';

const money = (description: string) => Maybe(Num({ description: `${description}，USDT` }));
const limit = (title: string) =>
  Maybe(Num({ title, minimum: 10, maximum: 100_000_000, decimals: 2, description: 'USDT；空为不限' }));

/** What a strategy may not exceed; what is exceeded trips its breaker. */
export const StrategyLimits = Obj(
  {
    maxDrawdown: limit('最大回撤'),
    dailyLoss: limit('单日亏损'),
    maxNotional: limit('最大名义'),
  },
  { additionalProperties: false },
);
export type StrategyLimits = Static<typeof StrategyLimits>;
export type LimitName = keyof StrategyLimits;

/** What of its limits a strategy has used. */
export const LimitsUsed = Obj({ maxDrawdown: money('回撤'), dailyLoss: money('今日亏损'), maxNotional: money('名义') });
