import { DAY_MS, HOUR_MS } from '#contract/duration';
import type { QueryOf } from '#contract/endpoint';
import type { GridSuggestion, gridScan } from '#contract/kinds/grid/scan';
import { refused } from '../../base/http/refusal';
import type { DeskDeps } from '../../desk/deps';
import { INSTRUMENT_KINDS } from '../../market/exchange';
import { daysRange } from './past';

const BAR = '1h';
const HOURS = 24;

/** A range for one instrument by its own closed hours. @throws `unknownSymbol`; `gridHistory` at `days` */
export async function gridRangeOf(
  { markets, clock }: Pick<DeskDeps, 'markets' | 'clock'>,
  { source, symbol, days, range }: QueryOf<typeof gridScan.range>,
): Promise<GridSuggestion> {
  const market = await markets.get(source);
  const listed = (await market?.instruments(INSTRUMENT_KINDS))?.find((one) => one.symbol === symbol);
  if (market === undefined || listed === undefined) throw refused('unknownSymbol', symbol, 'symbol');
  // One day more, in case the newest hour is not closed yet.
  const candles = await market.candles(symbol, BAR, { start: clock() - (days + 1) * DAY_MS });
  const tick = Number(listed.tickSize ?? 0);
  if (!(tick > 0)) throw refused('gridHistory', `${symbol} 的最小价格单位还不知道`, 'symbol');
  const found = candles && daysRange(candles, { days, range }, tick);
  if (!found) {
    const known = Math.floor((candles?.close.length ?? 0) / HOURS);
    throw refused('gridHistory', `${symbol} 的小时 K 线只有 ${known} 天，不满 ${days} 天`, 'days');
  }
  if (!(found.lower > 0)) throw refused('gridHistory', '波动太大，下限会低于 0，请改用 N 日高低', 'range');
  if (!(found.upper > found.lower)) throw refused('gridHistory', '这些天价格没有动过', 'days');
  const { time, close } = candles!;
  const count = days * HOURS;
  return { ...found, price: close.at(-1)!, from: time.at(-count)!, until: time.at(-1)! + HOUR_MS };
}
