import type { Bar } from '#contract/candle';
import { type Candles, COLUMNS, createCandles, sliceCandles } from '../../maths/candles';
import { fundingIntervals } from '../../maths/funding';
import type { Queries } from '../client';
import { readFunding, readYear, type StoredFunding, writeFunding, writeYear } from './candle';
import { type InstrumentRow, noteImport } from './instrument';

/** How the store changed, in candles or settlements. */
export interface Merged {
  added: number;
  replaced: number;
}

/** Candles ascending and unique by time, on the bar's grid; settlements on full hours, ascending and unique. */
export type Series = { bar: Bar; candles: Candles } | StoredFunding;

/**
 * Merges a series into the store in one transaction: where both have one of an instant the new one wins, and
 * whatever happens in the middle, the store holds the old series or the merged one. Repeating it changes nothing.
 * @param at UTC ms
 */
export async function mergeSeries(
  db: Queries,
  { source, symbol, base, quote }: InstrumentRow & { source: string },
  series: Series,
  at: number,
): Promise<Merged> {
  return db.transaction(async (tx) => {
    await noteImport(tx, { source, symbol, base, quote, importedAt: at });
    if (!('candles' in series)) return addFunding(tx, { source, symbol }, series);
    const { bar, candles } = series;
    const result = { added: 0, replaced: 0 };
    for (const [year, part] of byYear(candles)) {
      const key = { source, symbol, bar, year };
      const stored = await readYear(tx, key);
      const merged = stored ? mergeCandles(stored, part) : part;
      await writeYear(tx, key, merged);
      const added = merged.time.length - (stored?.time.length ?? 0);
      result.added += added;
      result.replaced += part.time.length - added;
    }
    return result;
  });
}

async function addFunding(
  tx: Queries,
  key: { source: string; symbol: string },
  { time, rate }: StoredFunding,
): Promise<Merged> {
  const stored = await readFunding(tx, key.source, key.symbol);
  const rates = new Map(stored && Array.from(stored.time, (at, i) => [at, stored.rate[i]!]));
  const before = rates.size;
  time.forEach((at, i) => {
    rates.set(at, rate[i]!);
  });
  const times = Float64Array.from(rates.keys()).sort();
  const merged = { time: times, rate: times.map((at) => rates.get(at)!) };
  const hours = fundingIntervals(times).hours.at(-1)!;
  await writeFunding(tx, key, { ...merged, hours });
  const added = times.length - before;
  return { added, replaced: time.length - added };
}

function* byYear(candles: Candles): Generator<[year: number, part: Candles]> {
  const { time } = candles;
  for (let from = 0; from < time.length; ) {
    const year = new Date(time[from]!).getUTCFullYear();
    const end = Date.UTC(year + 1, 0);
    let to = from + 1;
    while (to < time.length && time[to]! < end) to += 1;
    yield [year, sliceCandles(candles, from, to)];
    from = to;
  }
}

/** Both ascending series as one; `fresh` wins where both have a candle. */
function mergeCandles(stored: Candles, fresh: Candles): Candles {
  const rows: [Candles, number][] = [];
  let s = 0;
  let f = 0;
  while (s < stored.time.length || f < fresh.time.length) {
    const old = stored.time[s] ?? Number.POSITIVE_INFINITY;
    const next = fresh.time[f] ?? Number.POSITIVE_INFINITY;
    if (old < next) rows.push([stored, s]);
    else rows.push([fresh, f]);
    if (old <= next) s += 1;
    if (next <= old) f += 1;
  }
  const merged = createCandles(rows.length);
  for (const column of COLUMNS) {
    const target = merged[column];
    for (let i = 0; i < rows.length; i += 1) target[i] = rows[i]![0][column][rows[i]![1]]!;
  }
  return merged;
}
