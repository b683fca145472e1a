import { SIMULATED } from '#contract/candle';
import { DEFAULT_SPREAD } from '#contract/kinds/spread/params';
import { DAY_LOSS, type StoryStrategy, WIDE } from '../storyStrategy';
import { createSpreadRows } from './scan';

const SIZE = 6000;

/** Spot against the future that nets most, held until its delivery. */
export const spread: readonly StoryStrategy<'spread'>[] = [
  {
    name: '季度期现',
    days: 42,
    limits: WIDE,
    params: async (view) => {
      const query = { current: 1, pageSize: 50, size: SIZE, days: 30, source: SIMULATED, type: 'spotFuture' } as const;
      const { rows } = await createSpreadRows(view)(query);
      const best = rows.find(({ obstacles, direction }) => obstacles.length === 0 && direction === 'sellFar');
      if (best === undefined) return null;
      const { near, far, direction } = best;
      return { ...DEFAULT_SPREAD, near, far, direction, legNotional: SIZE, entryApr: 0.02, dailyLossLimit: DAY_LOSS };
    },
  },
];
