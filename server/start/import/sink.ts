import type { Bar } from '#contract/candle';
import type { Queries } from '../../base/db/client';
import type { StoredFunding } from '../../base/db/markets/candle';
import { type Merged, mergeSeries } from '../../base/db/markets/mergeSeries';
import type { Candles } from '../../base/maths/candles';
import { splitSymbol } from './fileName';

/** Candles on their way into the store: ascending and unique by time, on the bar's grid. */
export interface ImportedSeries {
  source: string;
  symbol: string;
  bar: Bar;
  candles: Candles;
}

/** Settlements on their way into the store: full hours, ascending and unique. */
export interface ImportedFunding extends StoredFunding {
  source: string;
  symbol: string;
}

/** Merges a series of a file into the store. @param importedAt UTC ms */
export function importSeries(
  db: Queries,
  series: ImportedSeries | ImportedFunding,
  importedAt: number,
): Promise<Merged> {
  const { source, symbol } = series;
  return mergeSeries(db, { source, symbol, ...splitSymbol(symbol) }, series, importedAt);
}
