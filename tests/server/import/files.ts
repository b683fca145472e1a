import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { crc32, gzipSync } from 'node:zlib';
import { DAY_MS } from '#contract/duration';
import type { Database } from '#server/base/db/client';
import { type ImportRun, runImport } from '#server/start/import/runImport';
import { importSeries } from '#server/start/import/sink';

/** First day of the made-up histories. */
export const START = Date.UTC(2024, 0, 30);

export interface Row {
  time: number;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
  turnover: number;
}

/** `count` rising candles; the i-th opens at 100 + i. */
export const rows = (count: number, step = DAY_MS, start = START): Row[] =>
  Array.from({ length: count }, (_, i) => ({
    time: start + i * step,
    open: 100 + i,
    high: 102 + i,
    low: 99 + i,
    close: 101 + i,
    volume: 10 + i,
    turnover: 1000 + i,
  }));

const iso = (time: number) => new Date(time).toISOString().slice(0, 10);

/** The layout with `timestamp` in ms, a turnover and a date. */
export const dated = (list: Row[]): string =>
  [
    'timestamp,open,high,low,close,volume,turnover,date',
    ...list.map((r) => [r.time, r.open, r.high, r.low, r.close, r.volume, r.turnover, iso(r.time)].join(',')),
    '',
  ].join('\n');

/** Binance's public klines without a header; `unit` = 1000 for microseconds. */
export const klines = (list: Row[], unit = 1): string =>
  list
    .map((r) =>
      [
        r.time * unit,
        r.open,
        r.high,
        r.low,
        r.close,
        r.volume,
        (r.time + DAY_MS) * unit - 1,
        r.turnover,
        7,
        1,
        2,
        0,
      ].join(','),
    )
    .join('\n');

export const KLINE_HEADER =
  'open_time,open,high,low,close,volume,close_time,quote_volume,count,taker_buy_volume,taker_buy_quote_volume,ignore';

export function put(folder: string, name: string, content: string | Buffer): string {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

export const gz = (text: string): Buffer => gzipSync(text);

/** An archive of stored (uncompressed) entries. */
export function zip(entries: Record<string, string>): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(entries)) {
    const label = Buffer.from(name);
    const content = Buffer.from(text);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(0x0800, 2);
    fields.writeUInt16LE(0x21, 8);
    fields.writeUInt32LE(crc32(content), 10);
    fields.writeUInt32LE(content.length, 14);
    fields.writeUInt32LE(content.length, 18);
    fields.writeUInt16LE(label.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), fields, label, content]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), fields, tail, label]));
    parts.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(directory.length, 8);
  end.writeUInt16LE(directory.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, central, end]);
}

/** Imports what lies in a folder, or at `options.paths`; answers the report's lines and the sums. */
export async function importFrom(db: Database, folder: string, now: number, options: Partial<ImportRun> = {}) {
  const lines: string[] = [];
  const totals = await runImport(
    { paths: [folder], exchange: 'binance', isDryRun: false, now, ...options },
    (series) => importSeries(db, series, now),
    { line: (text) => lines.push(text), progress: () => {} },
  );
  return { lines, totals };
}
