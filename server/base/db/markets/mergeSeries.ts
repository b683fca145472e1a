import type { Bar } from '#contract/candle';
import { HOUR_MS } from '#contract/duration';
import { type Candles, COLUMNS, createCandles, sliceCandles } from '../../maths/candles';
import { fundingIntervals } from '../../maths/funding';
import type { Queries } from '../client';
import { MINUTE, readFunding, readPart, type StoredBar, type StoredFunding, writeFunding, writePart } from './candle';
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
    return addCandles(tx, { source, symbol, bar: series.bar }, series.candles);
  });
}

/** Merges minutes. That there are more of them is no news: nothing is computed from minutes and kept. */
export async function mergeMinutes(
  db: Queries,
  key: { source: string; symbol: string },
  candles: Candles,
): Promise<Merged> {
  return db.transaction((tx) => addCandles(tx, { ...key, bar: MINUTE }, candles));
}

async function addCandles(
  tx: Queries,
  series: { source: string; symbol: string; bar: StoredBar },
  candles: Candles,
): Promise<Merged> {
  const result = { added: 0, replaced: 0 };
  for (const [part, fresh] of byPart(candles, series.bar)) {
    const key = { ...series, part };
    const stored = await readPart(tx, key);
    const merged = stored ? mergeCandles(stored, fresh) : fresh;
    await writePart(tx, key, merged);
    const added = merged.time.length - (stored?.time.length ?? 0);
    result.added += added;
    result.replaced += fresh.time.length - added;
  }
  return result;
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

function* byPart(candles: Candles, bar: StoredBar): Generator<[part: number, candles: Candles]> {
  const { time } = candles;
  for (let from = 0; from < time.length; ) {
    const part = bar === MINUTE ? Math.floor(time[from]! / HOUR_MS) : new Date(time[from]!).getUTCFullYear();
    const end = bar === MINUTE ? (part + 1) * HOUR_MS : Date.UTC(part + 1, 0);
    let to = from + 1;
    while (to < time.length && time[to]! < end) to += 1;
    yield [part, sliceCandles(candles, from, to)];
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
