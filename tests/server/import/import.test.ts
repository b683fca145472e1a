import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { DAY_MS, HOUR_MS } from '#contract/duration';
import { createMarkets } from '#server/market/markets';
import type { ImportRun } from '#server/start/import/runImport';
import { fileDatabase } from '../../support/testDatabase';
import { dated, gz, importFrom, KLINE_HEADER, klines, put, rows, START, zip } from './files';

const NOW = Date.UTC(2026, 0, 1);
let folder: string;

const db = await fileDatabase();
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'candles-'));
  await db.execute(sql`truncate candle, instrument`);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run = (options?: Partial<ImportRun>) => importFrom(db, folder, NOW, options);

const stored = async (symbol: string, bar: '1d' | '4h' | '1h' = '1d', source = 'binance') => {
  const market = await createMarkets({ db, clock: () => NOW }).get(source);
  const candles = await market?.candles(symbol, bar);
  if (!candles) return null;
  return Array.from(candles.time, (time, i) => ({
    time,
    open: candles.open[i],
    high: candles.high[i],
    low: candles.low[i],
    close: candles.close[i],
    volume: candles.volume[i],
    turnover: candles.turnover[i],
  }));
};

describe('layouts', () => {
  test.each([
    ['timestamp in ms with turnover and date', dated(rows(5))],
    ['klines without a header', klines(rows(5))],
    ['klines in microseconds', klines(rows(5), 1000)],
    ['klines with a header', `${KLINE_HEADER}\n${klines(rows(5))}`],
    [
      'a byte-order mark, semicolons and Windows line ends',
      `\uFEFF${dated(rows(5)).replaceAll(',', ';').replaceAll('\n', '\r\n')}`,
    ],
    [
      'ISO dates under other names',
      `Date,Open,High,Low,Close,Volume,Quote Volume\n${rows(5)
        .map(
          (r) =>
            `${new Date(r.time).toISOString().slice(0, 10)},${r.open},${r.high},${r.low},${r.close},${r.volume},${r.turnover}`,
        )
        .join('\n')}`,
    ],
    [
      'seconds, columns in another order',
      `volume,turnover,close,low,high,open,time\n${rows(5)
        .map((r) => `${r.volume},${r.turnover},${r.close},${r.low},${r.high},${r.open},${r.time / 1000}`)
        .join('\n')}`,
    ],
  ])('%s', async (_name, text) => {
    put(folder, 'BTCUSDT.csv', text);
    const { totals } = await run();
    expect(totals).toMatchObject({
      imported: 1,
      failed: 0,
      read: 5,
      kept: 5,
      rejected: 0,
      repeated: 0,
      gaps: 0,
      added: 5,
    });
    expect(await stored('BTCUSDT')).toEqual(rows(5));
  });

  test('without a turnover it is estimated, and the report says so', async () => {
    put(
      folder,
      'BTCUSDT.csv',
      `time,open,high,low,close,volume\n${START},10,14,8,12,5\n${START + DAY_MS},10,14,8,12,5`,
    );
    const { lines } = await run();
    expect((await stored('BTCUSDT'))?.[0]?.turnover).toBe(5 * 11);
    expect(lines[0]).toBe('BTCUSDT.csv：没有成交额列，按成交量 × 均价估算');
  });

  test('gzip, and several files in one archive', async () => {
    put(folder, 'ETHUSDT.csv.gz', gz(dated(rows(3))));
    put(
      folder,
      'months.zip',
      zip({
        'spot/SOLUSDT-1d-2024-01.csv': klines(rows(2)),
        'spot/SOLUSDT-1d-2024-02.csv': klines(rows(3, DAY_MS, START + 2 * DAY_MS).map((r) => ({ ...r, volume: 77 }))),
        'spot/readme.txt': 'hello',
      }),
    );
    const { totals, lines } = await run();
    expect(totals).toMatchObject({ imported: 3, skipped: 1, failed: 0, kept: 8 });
    expect(totals.symbols.size).toBe(2);
    expect(await stored('ETHUSDT')).toEqual(rows(3));
    expect((await stored('SOLUSDT'))?.map(({ volume }) => volume)).toEqual([10, 11, 77, 77, 77]);
    expect(lines).toContain('months.zip/spot/readme.txt：跳过，不是 CSV 文件');
  });
});

describe('names', () => {
  test.each([
    ['我踏马来了USDT.csv', '我踏马来了USDT', '1d'],
    ['BTC%2FUSDT%3AUSDT.csv', 'BTC/USDT:USDT', '1d'],
    ['BTC_USDT.csv', 'BTC/USDT', '1d'],
    ['BTCUSDT-1d-2024-01.csv', 'BTCUSDT', '1d'],
    ['1000PEPEUSDT-4h.csv', '1000PEPEUSDT', '4h'],
    ['BTCUSDT_1h.csv', 'BTCUSDT', '1h'],
    ['BTC-USDT-SWAP-60m-2024-01-02.csv', 'BTC-USDT-SWAP', '1h'],
  ] as const)('%s is %s, %s', async (name, symbol, bar) => {
    const step = { '1d': DAY_MS, '4h': 4 * HOUR_MS, '1h': HOUR_MS }[bar];
    put(folder, name, dated(rows(4, step)));
    const { totals } = await run();
    expect(totals).toMatchObject({ imported: 1, failed: 0 });
    expect(await stored(symbol, bar)).toEqual(rows(4, step));
  });

  test('an exchange that writes underscores keeps them', async () => {
    put(folder, 'BTC_USDT.csv', dated(rows(2)));
    await run({ exchange: 'gate' });
    expect(await stored('BTC_USDT', '1d', 'gate')).toEqual(rows(2));
  });

  test('the exchange comes from the folder, else it is import', async () => {
    put(folder, 'bybit-perp-1d/ADAUSDT.csv', dated(rows(2)));
    put(folder, 'mine/XRPUSDT.csv', dated(rows(2)));
    await run({ exchange: undefined });
    expect(await stored('ADAUSDT', '1d', 'bybit')).toEqual(rows(2));
    expect(await stored('XRPUSDT', '1d', 'import')).toEqual(rows(2));
  });

  test('the bar comes from the rows when nothing names it', async () => {
    put(folder, 'LTCUSDT.csv', dated(rows(30, HOUR_MS)));
    await run();
    expect(await stored('LTCUSDT', '1h')).toHaveLength(30);
  });
});

describe('rows', () => {
  test('each rejected row is reported with its line and reason, the others stay', async () => {
    const good = rows(12);
    const text = dated(good).split('\n');
    const change = (line: number, column: number, value: string) => {
      const cells = text[line - 1]!.split(',');
      cells[column] = value;
      text[line - 1] = cells.join(',');
    };
    change(2, 1, '0.0');
    change(3, 4, 'abc');
    change(4, 2, '50');
    change(5, 1, '500');
    change(6, 0, 'soon');
    change(7, 0, String(good[5]!.time + HOUR_MS));
    change(8, 6, '');
    change(9, 5, '-1');
    text[9] = '1,2';
    // A row of a day that was not there yet, after a later one.
    text.splice(11, 0, dated(rows(1, DAY_MS, START - DAY_MS)).split('\n')[1]!);
    put(folder, 'BTCUSDT.csv', text.join('\n'));
    const { lines, totals } = await run({ bar: '1d' });
    expect(lines.slice(0, -3)).toEqual([
      'BTCUSDT.csv:2：拒绝，价格必须大于 0：open = 0',
      'BTCUSDT.csv:3：拒绝，不是数字：close = abc',
      'BTCUSDT.csv:4：拒绝，最高价低于最低价：50 < 101',
      'BTCUSDT.csv:5：拒绝，open = 500 不在最低价 102 与最高价 105 之间',
      'BTCUSDT.csv:6：拒绝，时间无法识别：soon',
      'BTCUSDT.csv:7：拒绝，时间不在 1d 的整点上：2024-02-04 01:00',
      'BTCUSDT.csv:8：拒绝，不是数字：turnover = （空）',
      'BTCUSDT.csv:9：拒绝，成交量或成交额为负：-1',
      'BTCUSDT.csv:10：拒绝，应有 8 列，实有 2 列',
      'BTCUSDT.csv:12：拒绝，时间早于前一行：2024-01-29 00:00 在 2024-02-08 00:00 之后',
    ]);
    expect(totals).toMatchObject({ read: 13, kept: 3, rejected: 10, repeated: 0, failed: 0 });
    expect(await stored('BTCUSDT')).toEqual(good.slice(9));
  });

  test('of rows with one time the last is kept, and all are reported', async () => {
    const list = rows(4);
    const again = { ...list[1]!, volume: 5555 };
    put(folder, 'BTCUSDT.csv', dated([list[0]!, list[1]!, again, list[2]!, again, list[3]!]));
    const { lines, totals } = await run();
    expect(totals).toMatchObject({ read: 6, kept: 4, repeated: 2, rejected: 0 });
    expect(lines[0]).toBe('BTCUSDT.csv：重复 2 行，同一时间以后一行为准：第 4、6 行');
    expect(await stored('BTCUSDT')).toEqual([list[0], again, list[2], list[3]]);
  });

  test('a gap is reported with its line and size, and the row after it is kept', async () => {
    const list = rows(8);
    put(folder, 'BTCUSDT.csv', dated([...list.slice(0, 3), ...list.slice(6)]));
    const { lines, totals } = await run();
    expect(lines[0]).toBe('BTCUSDT.csv:5：缺口，此行之前缺 3 根 1d K 线');
    expect(totals).toMatchObject({ kept: 5, gaps: 1, missing: 3, rejected: 0 });
    expect(await stored('BTCUSDT')).toHaveLength(5);
  });

  test('a bar that has not closed is rejected', async () => {
    put(folder, 'BTCUSDT.csv', dated(rows(3, DAY_MS, NOW - 2 * DAY_MS)));
    const { lines } = await run();
    expect(lines[0]).toBe('BTCUSDT.csv:4：拒绝，K 线尚未收盘：2026-01-01 00:00');
    expect(await stored('BTCUSDT')).toHaveLength(2);
  });
});

describe('files that cannot go in', () => {
  test.each([
    ['gz', 'BTCUSDT.csv.gz', gz(dated(rows(15_000, HOUR_MS)))],
    ['zip', 'BTCUSDT.zip', zip({ 'BTCUSDT.csv': dated(rows(15_000, HOUR_MS)) })],
  ])('%s that unpacks to more than is allowed fails by its size', async (_kind, name, content) => {
    put(folder, name, content);
    const { totals, lines } = await run({ maxUnpackedBytes: 512 * 1024 });
    expect(totals).toMatchObject({ imported: 0, failed: 1 });
    expect(lines[0]).toMatch(/^BTCUSDT.*：失败，文件超过 0.5 MB$/);
    expect((await run()).totals).toMatchObject({ imported: 1, failed: 0, kept: 15_000 });
  });

  test('a pipe or a device is refused, not read for ever', async () => {
    const pipe = path.join(folder, 'BTCUSDT.csv');
    execFileSync('mkfifo', [pipe]);
    for (const place of [pipe, '/dev/zero']) {
      await expect(run({ paths: [place] })).rejects.toThrow(`不是普通文件或文件夹，不能导入：${place}`);
    }
    expect((await run()).lines[0]).toBe('BTCUSDT.csv：跳过，不是普通文件');
  });

  test('what is no candle file is named and skipped, and is no failure', async () => {
    put(folder, '_metadata.csv', 'symbol,from\nBTCUSDT,2020');
    put(folder, 'notes.txt', 'hello');
    put(folder, 'trades.csv', 'id,price,qty\n1,2,3');
    put(folder, 'empty.csv', '');
    put(folder, 'BTCUSDT.csv', dated(rows(2)));
    const { lines, totals } = await run();
    expect(totals).toMatchObject({ imported: 1, skipped: 4, failed: 0 });
    expect(lines.slice(0, 4)).toEqual([
      '_metadata.csv：跳过，不是 K 线文件（名字以 _ 开头）',
      'empty.csv：跳过，空文件',
      'notes.txt：跳过，不是 CSV 文件',
      'trades.csv：跳过，表头不是 K 线（需要 timestamp|time|date、open、high、low、close、volume），也不是资金费（需要 time|date|fundingTime、rate|fundingRate）',
    ]);
  });

  test.each([
    ['BTCUSDT-15m.csv', dated(rows(4, 900_000)), '不支持 15m K 线，只接受 1d、4h、1h'],
    ['BTCUSDT-1d.csv', dated(rows(30, HOUR_MS)), '周期应为 1d，但行与行相隔 60 分钟'],
    ['BTCUSDT.csv', dated(rows(1)), '行数太少，看不出 K 线周期，请用 --bar 指明'],
    ['BTCUSDT.csv', dated(rows(9).reverse()), '多数行的时间早于前一行，请先按时间升序排列'],
    ['BTCUSDT-1d.csv', dated(rows(2).map((r) => ({ ...r, open: 0 }))), '没有可用的行（读到 2 行，全部拒绝）'],
    ['BTCUSDT.csv.gz', gz(dated(rows(500))).subarray(0, 900), '压缩数据已损坏'],
    ['BTCUSDT.zip', Buffer.from('PK but not an archive'), '压缩包已损坏，无法打开'],
  ])('%s fails with its reason and leaves nothing', async (name, content, reason) => {
    put(folder, name, content);
    const { lines, totals } = await run();
    expect(lines).toContain(`${name}：失败，${reason}`);
    expect(totals).toMatchObject({ imported: 0, failed: 1 });
    expect(await createMarkets({ db, clock: () => NOW }).get('binance')).toBeUndefined();
  });
});

describe('the store', () => {
  test('merges over years; new rows win; a repeat changes nothing but the version', async () => {
    const old = rows(400, DAY_MS, Date.UTC(2023, 10, 1));
    put(folder, 'BTCUSDT.csv', dated(old));
    await run();
    const newer = rows(30, DAY_MS, Date.UTC(2024, 0, 1)).map((r) => ({ ...r, volume: 9 }));
    put(folder, 'BTCUSDT.csv', dated(newer));
    const second = await run();
    expect(second.totals).toMatchObject({ added: 0, replaced: 30 });
    const merged = old.map((r) => newer.find(({ time }) => time === r.time) ?? r);
    expect(await stored('BTCUSDT')).toEqual(merged);
    const markets = createMarkets({ db, clock: () => NOW });
    const version = (await markets.get('binance'))!.version();
    const third = await run();
    expect(third.totals).toMatchObject({ added: 0, replaced: 30 });
    expect(await stored('BTCUSDT')).toEqual(merged);
    expect((await markets.get('binance'))!.version()).not.toBe(version);
  });

  test('a dry run reports the same and writes nothing', async () => {
    const list = rows(6);
    put(folder, 'BTCUSDT.csv', dated([...list.slice(0, 2), list[1]!, ...list.slice(4)]));
    const dry = await run({ isDryRun: true });
    expect(await stored('BTCUSDT')).toBeNull();
    const real = await run();
    expect(dry.lines.slice(0, -2)).toEqual(real.lines.slice(0, -3));
    expect(dry.totals).toMatchObject({ read: 5, kept: 4, repeated: 1, gaps: 1, missing: 2 });
    expect(await stored('BTCUSDT')).toHaveLength(4);
  });

  test('a failure in the middle of a file leaves the old series whole', async () => {
    const old = rows(60, DAY_MS, Date.UTC(2023, 11, 1));
    put(folder, 'BTCUSDT.csv', dated(old));
    await run();
    // The second year of the next import cannot be written.
    await db.execute(sql`alter table candle add constraint no_2025 check (year <> 2025)`);
    put(folder, 'BTCUSDT.csv', dated(rows(500, DAY_MS, Date.UTC(2024, 0, 1)).map((r) => ({ ...r, volume: 3 }))));
    const { totals } = await run();
    await db.execute(sql`alter table candle drop constraint no_2025`);
    expect(totals).toMatchObject({ imported: 0, failed: 1 });
    expect(await stored('BTCUSDT')).toEqual(old);
  });
});
