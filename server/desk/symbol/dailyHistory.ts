import { BAR_MS } from '#contract/candle';
import { dailyCloses } from '../../base/maths/calendar';
import { usableCloses } from '../../base/maths/closes';
import type { Instrument, Market } from '../../market/exchange';

/** Daily closes of one symbol; `time` holds the days' opening instants in UTC ms, strictly ascending. */
export interface DailyHistory {
  time: Float64Array;
  close: Float64Array;
}

const NOTHING: DailyHistory = { time: new Float64Array(0), close: new Float64Array(0) };

/** The daily closes of a symbol, made from its coarsest bar where it has no daily one. */
export async function dailyHistory(market: Market, { symbol, bars }: Instrument): Promise<DailyHistory> {
  const bar = bars[0];
  const candles = bar === undefined ? null : await market.candles(symbol, bar);
  if (candles === null || bar === undefined) return NOTHING;
  const { time, close } = usableCloses(candles);
  if (bar === '1d') return { time, close };
  const days = dailyCloses({ time: time.map((at) => at + BAR_MS[bar]), value: close });
  return { time: days.time.map((at) => (Math.ceil(at / BAR_MS['1d']) - 1) * BAR_MS['1d']), close: days.value };
}
