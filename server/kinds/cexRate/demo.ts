import { SIMULATED } from '#contract/candle';
import { DEFAULT_CEX_RATE } from '#contract/kinds/cexRate/params';
import { DAY_LOSS, firstOf, type StoryStrategy, WIDE } from '../storyStrategy';
import { createCexRateRows } from './scan';

const SIZE = 4000;
const COINS = 4;
const OTHER = 'simulated-okx';
/** What two venues pay apart lasts for weeks: in and out is paid by one of them. */
const PLANNED_HOURS = 720;
/** Fees of both ways are some days of it: who leaves with the first day on which it is gone only pays them. */
const LEAST_HOURS = 120;

/** Long where little is paid, short where much is, at two venues. */
export const cexRate: readonly StoryStrategy<'cexRate'>[] = [
  {
    name: '跨所费率差',
    days: 40,
    limits: WIDE,
    note: '币安做多、OKX 做空；每周看一次两所保证金，差得多就划转。',
    params: async (view) => {
      const sources = `${SIMULATED},${OTHER}`;
      const assumed = { size: SIZE, hours: PLANNED_HOURS, entry: 'taker', exit: 'counted', tier: 0 } as const;
      const { rows } = await createCexRateRows(view)({
        current: 1,
        pageSize: 50,
        ...assumed,
        sources,
        actionable: true,
      });
      const own = rows.filter(({ long }) => long === SIMULATED);
      const coins = firstOf(
        own.map(({ base }) => base),
        COINS,
      );
      const legs = { long: SIMULATED, short: OTHER } as const;
      return coins.length === 0
        ? null
        : {
            ...{ ...DEFAULT_CEX_RATE, ...legs, coins, legNotional: SIZE, maxDeals: COINS },
            ...{ planHours: PLANNED_HOURS, minHoldingHours: LEAST_HOURS, maxHoldingHours: PLANNED_HOURS },
            dailyLossLimit: DAY_LOSS,
          };
    },
  },
];
