import type { HedgeSettings } from '#contract/kinds/hedge/config';
import { legsOf } from '#server/base/db/hedges/pairLegs';
import { type DealBook, newDeal } from '#server/engine/tradingBook';

const PAIR = { source: 'simulated', long: 'AAAUSDT', short: 'BBBUSDT' };
const TARGET = {
  id: 'p',
  legs: legsOf(PAIR),
  armedAt: 0,
  usedArmAt: 0,
  rounds: 0,
  seen: 0,
  isSeen: false,
  triggeredAt: null,
  block: null,
};

/** The deal `h` over AAA and BBB before its first order. @param ratio short notional per long notional */
export const newPairDeal = (params: HedgeSettings, now: number, ratio = 1): DealBook<'hedge'> =>
  newDeal(
    TARGET,
    {
      ...{ id: 'h', strategyId: 's', kind: 'hedge', params, entryNote: null, signalOpen: null },
      ...{ accountIds: { long: 'a', short: 'a' }, weights: { long: 1, short: ratio } },
    },
    now,
  );
