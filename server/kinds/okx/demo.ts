import { SIMULATED } from '#contract/candle';
import { DEFAULT_OKX } from '#contract/kinds/okx/params';
import { DAY_LOSS, type StoryStrategy, WIDE } from '../storyStrategy';

const OTHER = 'simulated-okx';
/** Small coins whose spot two venues list: their prices stand apart most often. */
const COINS = ['GRASS', 'TIA'];

/** Gaps between two venues' spot. */
export const okx: readonly StoryStrategy<'okx'>[] = [
  {
    name: '现货套利',
    days: 35,
    limits: WIDE,
    note: '只做小币，两边各备 2,500 USDT 现货；延迟高时先停自动。',
    params: async () => ({
      ...{ ...DEFAULT_OKX, one: SIMULATED, other: OTHER, coins: COINS, stockNotional: 2500 },
      dailyLossLimit: DAY_LOSS,
    }),
  },
];

export const OKX_STORY = { coins: COINS, sources: [SIMULATED, OTHER] };
