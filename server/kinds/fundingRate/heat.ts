import { DAY_MS } from '#contract/duration';
import { HEAT_DAYS } from '#contract/kinds/fundingRate/desk';
import { fundingApr } from '../../base/maths/funding';
import { binned, dailyAprs } from '../../base/maths/fundingAhead';
import { mapYielding } from '../../base/work/loopTurns';
import { onceAnHour } from '../../market/scan/onceAnHour';
import type { MarketSight } from '../../market/scan/sight';
import { fundingPairs } from './scan';

/** Coins of the heat map. */
const COINS = 20;
/** Rates of the year between which settlements are counted. */
const EDGES = [-0.5, -0.2, -0.1, -0.05, 0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 1];

/** Reads what the coins of a venue that turn over most have settled, day by day. */
export function createFundingHeat() {
  const pastOf = onceAnHour(HEAT_DAYS, (history) => history);
  return async (sight: MarketSight, source: string) => {
    const today = Math.floor(sight.at / DAY_MS) * DAY_MS;
    const days = Array.from({ length: HEAT_DAYS }, (_, i) => today - (HEAT_DAYS - 1 - i) * DAY_MS);
    const pairs = fundingPairs(sight)
      .filter((pair) => pair.source === source)
      .sort((a, b) => (b.perpetual.ticker.turnover24h ?? 0) - (a.perpetual.ticker.turnover24h ?? 0))
      .slice(0, COINS);
    const pasts = await mapYielding(pairs, ({ perpetual }) => pastOf(perpetual, sight.at));
    const settled = pasts.flatMap((past) =>
      past === null ? [] : [...past.rate].flatMap((rate, i) => fundingApr(rate, past.hours[i]!) ?? []),
    );
    const counts = binned(settled, EDGES);
    return {
      days,
      rows: pairs.map(({ perpetual: { instrument } }, i) => ({
        base: instrument.base,
        perpetual: instrument.symbol,
        apr: pasts[i] ? dailyAprs(pasts[i], days) : days.map(() => null),
      })),
      bins: counts.map((count, i) => ({ from: EDGES[i - 1] ?? null, to: EDGES[i] ?? null, count })),
    };
  };
}
