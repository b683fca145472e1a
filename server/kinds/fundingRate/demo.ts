import { SIMULATED } from '#contract/candle';
import { DEFAULT_FUNDING } from '#contract/kinds/fundingRate/params';
import { DAY_LOSS, firstOf, type StoryStrategy, WIDE } from '../storyStrategy';
import { createFundingRows } from './scan';

const SIZE = 4000;
const COINS = 4;

/** What pays most on the day it is set up, at one venue. */
export const fundingRate: readonly StoryStrategy<'fundingRate'>[] = [
  {
    name: '资金费 收息',
    days: 45,
    limits: WIDE,
    note: '按开设当天的净年化选四个币，计划持有两周；费率翻负就走，不追高。',
    params: async (view) => {
      const query = { current: 1, pageSize: 50, size: SIZE, hours: 336, source: SIMULATED, actionable: true } as const;
      const { rows } = await createFundingRows(view)(query);
      const coins = firstOf(
        rows.map(({ base }) => base),
        COINS,
      );
      const rules = {
        planHours: 336,
        maxHoldingHours: 720,
        stopLoss: 0.05,
        slippageCap: 30,
        slices: 2,
        sliceSeconds: 5,
        dailyLossLimit: DAY_LOSS,
      };
      return coins.length === 0 ? null : { ...DEFAULT_FUNDING, ...rules, coins, legNotional: SIZE, maxDeals: COINS };
    },
  },
];
