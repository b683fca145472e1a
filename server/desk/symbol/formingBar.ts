import { BAR_MS, BARS, type Bar } from '#contract/candle';
import type { Candles } from '../../base/maths/candles';
import { createCandles, sliceCandles } from '../../base/maths/candles';
import type { Instrument, Market, RunningHour } from '../../market/exchange';

/** A bar that has not closed: as `RunningHour`, over what has passed of its period. */
export type FormingBar = RunningHour;

type Row = Pick<RunningHour, 'time' | 'open' | 'high' | 'low' | 'close' | 'volume' | 'turnover'>;

function rowsOf({ time, open, high, low, close, volume, turnover }: Candles): Row[] {
  return Array.from(time, (at, i) => ({
    time: at,
    open: open[i]!,
    high: high[i]!,
    low: low[i]!,
    close: close[i]!,
    volume: volume[i]!,
    turnover: turnover[i]!,
  }));
}

/**
 * The running bar of a symbol, folded from the finest stored bars that closed within it and the running hour: its open
 * is the first price known of the period. `null` where nothing is known after `closedAt`.
 * @param closedAt when the newest closed `bar` closed, UTC ms.
 */
export async function formingBar(
  market: Market,
  { symbol, bars }: Pick<Instrument, 'symbol' | 'bars'>,
  bar: Bar,
  closedAt: number,
): Promise<FormingBar | null> {
  const finest = BARS.filter((finer) => BAR_MS[finer] < BAR_MS[bar] && bars.includes(finer)).at(-1);
  const [running, stored] = await Promise.all([
    market.runningHour(symbol),
    finest === undefined ? null : market.candles(symbol, finest, { start: closedAt }),
  ]);
  const closed = stored === null ? [] : rowsOf(stored);
  const last = running ?? closed.at(-1);
  if (last === undefined) return null;
  const time = Math.floor(last.time / BAR_MS[bar]) * BAR_MS[bar];
  const parts: Row[] = [...closed.filter((row) => row.time >= time), ...(running ? [running] : [])];
  const sum = (column: 'volume' | 'turnover') => parts.reduce((total, part) => total + part[column], 0);
  return {
    time,
    at: running?.at ?? last.time + BAR_MS[finest!],
    open: parts[0]!.open,
    high: Math.max(...parts.map(({ high }) => high)),
    low: Math.min(...parts.map(({ low }) => low)),
    close: last.close,
    volume: sum('volume'),
    turnover: sum('turnover'),
  };
}

/** Rows `from` to the end of closed candles (exclusive `to`), and the running bar after them. */
export function withForming(closed: Candles, from: number, to: number, forming: FormingBar | null): Candles {
  const recent = sliceCandles(closed, from, to);
  if (forming === null) return recent;
  const length = recent.time.length;
  const all = createCandles(length + 1);
  for (const [name, column] of Object.entries(all) as [keyof Candles, Float64Array][]) {
    column.set(recent[name]);
    column[length] = forming[name];
  }
  return all;
}
