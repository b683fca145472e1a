import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { backtest } from '#contract/backtest';
import { HOUR_MS } from '#contract/duration';
import { symbol as symbolCalls } from '#contract/symbol';
import { Vault } from '#server/base/secret/vault';
import { createMarkets } from '#server/market/markets';
import { buildControl } from '#server/start/control';
import { fundingBodyOf, type ImportRun } from '#server/start/import/runImport';
import { testApp } from '../../support/app';
import { fileDatabase } from '../../support/testDatabase';
import { dated, gz, importFrom, put, rows } from './files';

const NOW = Date.UTC(2026, 0, 1);
const START = Date.UTC(2024, 0, 30);
const clock = () => NOW;
let folder: string;

const db = await fileDatabase();
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'funding-'));
  await db.execute(sql`truncate candle, instrument, funding`);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run = (options?: Partial<ImportRun>) => importFrom(db, folder, NOW, options);

/** Stored settlements of a symbol that has candles: hours since `START`, rate and interval of each. */
async function stored(symbol = 'BTCUSDT', source = 'binance') {
  const history = await (await createMarkets({ db, clock }).get(source))?.funding(symbol);
  return history && Array.from(history.time, (t, i) => [(t - START) / HOUR_MS, history.rate[i], history.hours[i]]);
}

const RATES = [0.0001, -0.00012, 0.0003, 0.00005];
const text = (hour: number) => new Date(START + hour * HOUR_MS).toISOString().slice(0, 19).replace('T', ' ');
/** The layout of the public files: settlements at these hours since `START`. */
const file = (hours: number[], symbol = 'BTCUSDT') =>
  `Symbol,Date,Funding Rate\n${hours.map((hour, i) => `${symbol},${text(hour)},${RATES[i % 4]}`).join('\n')}`;
const EVERY_8H = [0, 8, 16, 24];
const FOUR = EVERY_8H.map((hour, i) => [hour, RATES[i], 8]);

describe('layouts', () => {
  const ms = (hour: number) => START + hour * HOUR_MS;
  test.each([
    ['dates', file(EVERY_8H)],
    ['dates some milliseconds late', file(EVERY_8H).replace(/:00,/g, ':00.006,')],
    ['dates some seconds early', file(EVERY_8H).replace('08:00:00', '07:59:57')],
    [
      'as binance answers',
      `symbol,fundingTime,fundingRate\n${EVERY_8H.map((h, i) => `BTCUSDT,${ms(h)},${RATES[i]}`).join('\n')}`,
    ],
    [
      'as binance publishes, without a symbol',
      `calc_time,funding_interval_hours,last_funding_rate\n${EVERY_8H.map((h, i) => `${ms(h) + 1},8,${RATES[i]}`).join('\n')}`,
    ],
    [
      'as bybit answers, with a mark of the encoding and semicolons',
      `\uFEFFsymbol;fundingRate;fundingRateTimestamp\r\n${EVERY_8H.map((h, i) => `BTCUSDT;${RATES[i]};${ms(h)}`).join('\r\n')}`,
    ],
  ])('%s', async (_name, content) => {
    put(folder, 'BTCUSDT-fundingRate-2024-01.csv', content);
    const { totals } = await run();
    expect(totals).toMatchObject({ imported: 1, failed: 0, read: 4, kept: 4, rejected: 0, gaps: 0, added: 4 });
    expect(await stored()).toEqual(FOUR);
  });

  test('the exchange is the last word of the name, and gzip is read', async () => {
    put(folder, 'BTC-USDT-bybit.csv.gz', gz(file(EVERY_8H, 'BTC-USDT')));
    await run({ exchange: undefined });
    expect(await stored('BTC-USDT', 'bybit')).toEqual(FOUR);
  });

  test('a zone is taken for dates that name none', async () => {
    put(folder, 'BTCUSDT.csv', file([3, 11, 19, 27]));
    expect((await run()).lines[0]).toBe(
      'BTCUSDT.csv：失败，多数结算不在 UTC 4 小时的整点上，文件的时间若属别的时区，请用 --zone 指明（如 +08:00）',
    );
    const { totals } = await run({ zone: '+03:00' });
    expect(totals).toMatchObject({ imported: 1, kept: 4 });
    expect(await stored()).toEqual(FOUR);
  });
});

describe('intervals', () => {
  test.each([1, 4, 8])('%d h', async (hours) => {
    put(folder, 'BTCUSDT.csv', file([0, hours, 2 * hours, 3 * hours]));
    await run();
    expect((await stored())?.map((row) => row[2])).toEqual([hours, hours, hours, hours]);
  });

  test('one that changes is followed', async () => {
    put(folder, 'BTCUSDT.csv', file([0, 8, 16, 20, 24, 28, 36, 44]));
    const { totals } = await run();
    expect(totals).toMatchObject({ kept: 8, gaps: 0 });
    expect((await stored())?.map((row) => row[2])).toEqual([8, 8, 8, 4, 4, 4, 8, 8]);
  });

  test('a gap is reported and not taken for an interval', async () => {
    put(folder, 'BTCUSDT.csv', file([0, 1, 2, 6, 7, 8, 33, 34]));
    const { lines, totals } = await run();
    expect(lines.slice(0, 2)).toEqual([
      'BTCUSDT.csv:5：缺口，此行之前缺 3 次结算（每 1 小时一次）',
      'BTCUSDT.csv:8：缺口，此行之前缺 24 次结算（每 1 小时一次）',
    ]);
    expect(totals).toMatchObject({ kept: 8, gaps: 2, missing: 27 });
    expect((await stored())?.map((row) => row[2])).toEqual([1, 1, 1, 1, 1, 1, 1, 1]);
  });
});

describe('dirt', () => {
  test('each rejected row is reported with its line and reason, the others stay', async () => {
    const late = new Date(NOW + HOUR_MS).toISOString();
    const content = [
      file([0, 8, 16]),
      `BTCUSDT,${text(8)},0.0002`,
      `BTCUSDT,${text(24)},abc`,
      `BTCUSDT,${text(24)},0.0501`,
      `BTCUSDT,${text(24)},-0.06`,
      `BTCUSDT,${text(24)}`,
      'BTCUSDT,soon,0.0001',
      `BTCUSDT,${text(24).replace(':00:00', ':20:00')},0.0001`,
      `BTCUSDT,${text(-8)},0.0001`,
      `BTCUSDT,${late},0.0001`,
      `BTCUSDT,${text(24)},0.05`,
    ];
    put(folder, 'BTCUSDT.csv', content.join('\n'));
    const { lines, totals } = await run();
    expect(lines.slice(0, -3)).toEqual([
      'BTCUSDT.csv:6：拒绝，不是数字：rate = abc',
      'BTCUSDT.csv:7：拒绝，费率超出 ±5%：0.0501',
      'BTCUSDT.csv:8：拒绝，费率超出 ±5%：-0.06',
      'BTCUSDT.csv:9：拒绝，应有 3 列，实有 2 列',
      'BTCUSDT.csv:10：拒绝，时间无法识别：soon',
      'BTCUSDT.csv:11：拒绝，时间不在整点上：2024-01-31 00:20',
      'BTCUSDT.csv:12：拒绝，时间早于前一行：2024-01-29 16:00 在 2024-01-30 16:00 之后',
      'BTCUSDT.csv:13：拒绝，结算时间在未来：2026-01-01 01:00',
      'BTCUSDT.csv：重复 1 行，同一时间以后一行为准：第 5 行',
    ]);
    expect(totals).toMatchObject({ read: 13, kept: 4, rejected: 8, repeated: 1 });
    expect((await stored())?.map((row) => row[1])).toEqual([0.0001, 0.0002, 0.0003, 0.05]);
  });

  test.each([
    [`${file(EVERY_8H)}\nETHUSDT,${text(32)},0.0001`, '文件含有多个币种：BTCUSDT、ETHUSDT'],
    [file([0]), '行数太少，看不出结算间隔'],
    [file([0, 2, 4, 6]), '结算间隔为 2 小时，只接受 1、4、8 小时'],
    [file([24, 16, 8, 0]), '多数行的时间早于前一行，请先按时间升序排列'],
    [file(EVERY_8H).replace(/,-?[\d.]+$/gm, ',7'), '没有可用的行（读到 4 行，全部拒绝）'],
    [file(EVERY_8H, 'B'.repeat(65)), '币种超过 64 个字'],
  ])('a file is refused as a whole and leaves nothing %#', async (content, reason) => {
    put(folder, 'BTCUSDT.csv', content);
    const { lines, totals } = await run();
    expect(lines[0]).toBe(`BTCUSDT.csv：失败，${reason}`);
    expect(totals).toMatchObject({ imported: 0, failed: 1 });
    expect(await stored()).toBeUndefined();
  });
});

describe('the store', () => {
  test('new settlements win, a repeat changes nothing, and a dry run writes nothing', async () => {
    put(folder, 'BTCUSDT.csv', file([0, 8, 16]));
    await run({ isDryRun: true });
    expect(await stored()).toBeUndefined();
    await run();
    put(folder, 'BTCUSDT.csv', file([16, 24, 32]));
    expect((await run()).totals).toMatchObject({ added: 2, replaced: 1 });
    const merged = [...FOUR.slice(0, 2), [16, 0.0001, 8], [24, -0.00012, 8], [32, 0.0003, 8]];
    expect(await stored()).toEqual(merged);
    expect((await run()).totals).toMatchObject({ added: 0, replaced: 3 });
    expect(await stored()).toEqual(merged);
  });

  test('a source is listed to choose from once it has candles', async () => {
    const listed = async () => (await createMarkets({ db, clock }).list()).map(({ source }) => source);
    put(folder, 'b/BTCUSDT.csv', file(EVERY_8H));
    await run();
    expect(await listed()).toEqual(['simulated']);
    put(folder, 'a/BTCUSDT.csv', dated(rows(3)));
    await run();
    expect(await listed()).toEqual(['simulated', 'binance']);
  });

  test('a range, and a symbol that is written another way', async () => {
    put(folder, 'a/BTCUSDT.csv', dated(rows(3)));
    put(folder, 'b/BTC-USDT.csv', file(EVERY_8H, 'BTC-USDT'));
    await run();
    const market = (await createMarkets({ db, clock }).get('binance'))!;
    const part = await market.funding('BTCUSDT', { start: START + 8 * HOUR_MS, end: START + 24 * HOUR_MS });
    expect([...part!.rate]).toEqual(RATES.slice(1, 3));
    expect(await market.funding('ETHUSDT')).toBeNull();
    expect((await market.instruments()).map(({ symbol, fundingHours }) => [symbol, fundingHours])).toEqual([
      ['BTCUSDT', 8],
    ]);
  });
});

test('a running server takes settlements, and refuses what no file may hold', async () => {
  const control = buildControl({ db, clock, vault: async () => new Vault({ masters: [] }) });
  const time = Float64Array.from(EVERY_8H, (hour) => START + hour * HOUR_MS);
  const body = fundingBodyOf({ source: 'binance', symbol: 'BTCUSDT', time, rate: Float64Array.from(RATES) });
  const post = (payload: object) => control.inject({ method: 'POST', url: '/import/funding', payload });
  expect((await post(body)).json()).toMatchObject({ code: 200, data: { added: 4, replaced: 0 } });
  expect(await stored()).toEqual(FOUR);
  const refusals: [object, string][] = [
    [{ ...body, source: 'simulated' }, 'simulated 是内置行情的名字，请换一个交易所名'],
    [{ ...body, count: 3 }, 'time 列的长度与 count 不符'],
    [{ ...body, rate: body.time }, 'rate 列含有超出 ±5% 的值'],
    [{ ...body, time: body.rate }, 'time 列必须升序、不重复，且在整点上'],
  ];
  for (const [payload, message] of refusals) {
    const reply = await post(payload);
    expect([reply.statusCode, reply.json().message]).toEqual([400, message]);
  }
  await control.close();
});

test('the backtest charges imported settlements, and the symbol page shows them', async () => {
  put(folder, 'BTCUSDT.csv', dated(rows(40)));
  put(folder, 'ETHUSDT.csv', dated(rows(40).map((row) => ({ ...row, volume: 1 }))));
  put(
    folder,
    'funding/ETHUSDT.csv',
    file(
      Array.from({ length: 120 }, (_, i) => (i + 1) * 8),
      'ETHUSDT',
    ),
  );
  await run();
  const markets = createMarkets({ db, clock });
  const server = await testApp({ markets });
  const ask = server.as('trader');
  const test = async (funding: boolean) => {
    const query = {
      source: 'binance',
      long: 'BTCUSDT',
      short: 'ETHUSDT',
      funding,
      rebalance: 0,
      days: 0,
      fee: 0,
      slippage: 0,
    };
    return (await ask(backtest.hedge, { query })).body.data;
  };
  const [charged, free] = [await test(true), await test(false)];
  expect(free.split.funding).toBe(0);
  // The short side sold its half at the first close; each later close charges the three settlements since the one before.
  const closes = rows(40).map(({ close }) => close);
  const received = closes.flatMap((close, day) =>
    day === 0 ? [] : [0, 1, 2].map((i) => (5000 / closes[0]!) * close * RATES[(day * 3 + i) % 4]!),
  );
  expect(charged.split.funding).toBeCloseTo(
    received.reduce((sum, value) => sum + value),
    6,
  );
  expect(charged.honesty.symbols.map(({ fundingMissing }) => fundingMissing)).toEqual([117, 0]);
  const shown = (await ask(symbolCalls.funding, { query: { source: 'binance', symbol: 'ETHUSDT' } })).body.data;
  expect([shown.hours, shown.rate.slice(0, 4), shown.time[0]]).toEqual([8, RATES, START + 8 * HOUR_MS]);
  const detail = (await ask(symbolCalls.detail, { query: { source: 'binance', symbol: 'ETHUSDT' } })).body.data;
  expect(detail.fundingHours).toBe(8);
  expect(detail.fundingSummary.length).toBeGreaterThan(0);
  await server.close();
});
