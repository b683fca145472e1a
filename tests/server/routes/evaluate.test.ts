import fc from 'fast-check';
import { backtest } from '#contract/backtest';
import { DAY_MS } from '#contract/duration';
import { DIRECTIONS, EvaluateRow, evaluate } from '#contract/evaluate';
import { market as marketApi } from '#contract/market';
import { userAdmin } from '#contract/userAdmin';
import type { Market, Markets } from '#server/market/exchange';
import { fileApp, testApp, type Who } from '../../support/app';
import { type HandCoin, handMarket, handMarkets } from '../../support/handMarket';

const DAYS = 60;
const START = Date.UTC(2025, 10, 16);
/** Opening of the newest day; the server's clock is at noon of the day after. */
const NEWEST = START + (DAYS - 1) * DAY_MS;

const trend = (i: number) => (t: number) => 100 * Math.exp(0.0008 * (i - 15) * t + 0.03 * Math.sin(t * 0.9 + i * 1.7));
const closesOf = (i: number, days = DAYS) => Array.from({ length: days }, (_, t) => trend(i)(t));

const coinOf = (i: number): HandCoin => ({
  start: START,
  closes: { '1d': closesOf(i) },
  instrument: { sector: i % 2 === 0 ? 'L1' : 'DeFi', fundingHours: 8 },
  ticker: {
    turnover24h: i % 7 === 0 ? null : 1_000_000 * (i + 1),
    change24h: i % 5 === 0 ? null : i / 1000,
    fundingRate: 0.0001,
  },
  ...(i % 3 === 0 ? {} : { funding: { time: [NEWEST + DAY_MS], rate: [0.0001 * i] } }),
});

const COINS: Record<string, HandCoin> = Object.fromEntries(
  Array.from({ length: 30 }, (_, i) => [i === 0 ? 'BTCUSDT' : `C${String(i).padStart(2, '0')}USDT`, coinOf(i)]),
);
COINS.OLDUSDT = { start: START, closes: { '1d': closesOf(3, DAYS - 4) } };
COINS.NEWUSDT = { start: NEWEST - 9 * DAY_MS, closes: { '1d': closesOf(4, 10) } };
const ODD = 'B/我.踏马来了USDT:USDT';
const imported = handMarket('bybit', { [ODD]: { start: START, closes: { '1d': closesOf(2) } } });

/** Every `tickers` that was asked for, so that a test sees how old a visitor's prices are. */
const asked: (number | undefined)[] = [];
const simulated: Market = {
  ...handMarket('simulated', COINS),
  tickers: (at) => {
    asked.push(at);
    return handMarket('simulated', COINS).tickers(at);
  },
};
const markets: Markets = handMarkets(simulated, imported);

const app = await fileApp({ markets });

const list = async (query: Record<string, unknown> = {}, who: Who = 'trader') =>
  (await app.as(who)(evaluate.list, { query })).body.data;
const symbols = (rows: EvaluateRow[]) => rows.map(({ symbol }) => symbol);

describe('GET /api/hedge/evaluate', () => {
  test('ranks by score and keeps what is stopped or too young apart', async () => {
    const data = await list({ pageSize: 200 });
    expect(data.total).toBe(30);
    expect(data.ranked).toBe(30);
    expect(data.asOf).toBe(NEWEST + DAY_MS);
    expect(data.delayed).toBe(false);
    expect(data.stale).toEqual([{ symbol: 'OLDUSDT', lastAt: NEWEST - 4 * DAY_MS }]);
    expect(data.tooShort).toEqual([{ symbol: 'NEWUSDT', days: 10 }]);
    expect(data.list.map(({ rank }) => rank)).toEqual(Array.from({ length: 30 }, (_, i) => i + 1));
    for (const [i, row] of data.list.slice(1).entries()) expect(row.score).toBeLessThanOrEqual(data.list[i]!.score);
    expect(data.list.filter(({ suggestion }) => suggestion === 'long')).toHaveLength(6);
    expect(data.list.at(-1)).toMatchObject({ suggestion: 'short', listedDays: DAYS });
  });

  test('explains each score: contributions add up, what is missing says so', async () => {
    const { list: rows } = await list({ pageSize: 200 });
    for (const row of rows) {
      const sum = row.factors.reduce((all, { contribution }) => all + contribution, 0);
      expect(sum).toBeCloseTo(row.score, 10);
      for (const { z } of row.factors) expect(Math.abs(z ?? 0)).toBeLessThanOrEqual(3);
    }
    const unfunded = rows.find(({ symbol }) => symbol === 'C03USDT');
    expect(unfunded?.factors.find(({ factor }) => factor === 'fundingApr')).toMatchObject({
      value: null,
      z: null,
      contribution: 0,
      missing: true,
    });
    // F1 by hand: 0.0001 x 5 x 8760 / 8.
    const funded = rows.find(({ symbol }) => symbol === 'C05USDT');
    expect(funded?.factors.find(({ factor }) => factor === 'fundingApr')?.value).toBeCloseTo(0.5475, 10);
  });

  test('computes the returns of the daily closes', async () => {
    const { list: rows } = await list({ pageSize: 200 });
    const row = rows.find(({ symbol }) => symbol === 'C11USDT')!;
    const close = trend(11);
    expect(row.ret7).toBeCloseTo(close(DAYS - 1) / close(DAYS - 8) - 1, 10);
    expect(row.ret30).toBeCloseTo(close(DAYS - 1) / close(DAYS - 31) - 1, 10);
    const btc = trend(0);
    const market = btc(DAYS - 1) / btc(DAYS - 31);
    expect(row.excess30).toBeCloseTo(close(DAYS - 1) / close(DAYS - 31) / market - 1, 10);
    expect(rows.find(({ symbol }) => symbol === 'BTCUSDT')).toMatchObject({ corr30: 1, excess30: 0 });
    expect(rows.find(({ symbol }) => symbol === 'BTCUSDT')?.beta30).toBeCloseTo(1, 10);
  });

  test('filters by search, suggestion, turnover and age', async () => {
    expect(symbols((await list({ search: 'c1' })).list).every((symbol) => symbol.startsWith('C1'))).toBe(true);
    expect((await list({ search: 'defi' })).total).toBe(15);
    expect((await list({ search: '%' })).total).toBe(0);
    const shorts = await list({ suggestion: 'short' });
    expect(shorts.total).toBe(6);
    const big = await list({ minTurnover: 20_000_000, pageSize: 200 });
    // Coins 19 to 29 trade that much, of which 21 and 28 have no turnover.
    expect(big.total).toBe(9);
    expect((await list({ minListedDays: DAYS })).total).toBe(30);
    expect((await list({ minListedDays: DAYS + 1 })).total).toBe(0);
  });

  test('refuses an unknown field, source and page size, each at its field', async () => {
    const trader = app.as('trader');
    const sort = await trader(evaluate.list, { query: { sort: '-nonsense' } });
    expect(sort.status).toBe(400);
    expect(sort.body.data).toEqual({ fields: [{ field: 'sort', message: '不能按 nonsense 排序' }] });
    expect((await trader(evaluate.list, { query: { sort: 'factors' } })).status).toBe(400);
    expect((await trader(evaluate.list, { query: { sort: 'constructor' } })).status).toBe(400);
    const source = await trader(evaluate.list, { query: { source: 'nowhere' } });
    expect(source.body).toMatchObject({ code: 2001, data: { fields: [{ field: 'source' }] } });
    expect((await trader(evaluate.list, { query: { pageSize: 201 } })).status).toBe(400);
  });

  const fields = Object.keys(EvaluateRow.properties).filter((name) => name !== 'factors') as (keyof EvaluateRow)[];

  test.each(fields)('sorts by %s both ways, what is missing last, ties by symbol', async (field) => {
    for (const sort of [field, `-${field}`]) {
      const { list: rows } = await list({ sort, pageSize: 200 });
      const cells = rows.map((row) => (row[field] === '' ? null : row[field]) as string | number | null);
      const known = cells.filter((cell) => cell !== null);
      expect(cells.slice(0, known.length)).toEqual(known);
      for (let i = 1; i < rows.length; i++) {
        const [a, b] = [cells[i - 1]!, cells[i]!];
        if (a === b) expect(rows[i - 1]!.symbol < rows[i]!.symbol).toBe(true);
        else if (b !== null) expect(sort === field ? a < b : a > b).toBe(true);
      }
    }
  });

  test('pages join to the whole list, whatever the filter and order', async () => {
    const query = fc.record(
      {
        sort: fc.constantFrom(...fields.flatMap((field) => [field as string, `-${field}`])),
        suggestion: fc.constantFrom(...DIRECTIONS),
        direction: fc.constantFrom(...DIRECTIONS, 'none'),
        hasNote: fc.boolean(),
        minTurnover: fc.integer({ min: 0, max: 30_000_000 }),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(query, fc.integer({ min: 1, max: 13 }), async (filter, pageSize) => {
        const whole = await list({ ...filter, pageSize: 200 });
        const joined: string[] = [];
        for (let current = 1; joined.length < whole.total; current++) {
          const page = await list({ ...filter, pageSize, current });
          expect(page.total).toBe(whole.total);
          joined.push(...symbols(page.list));
          if (page.list.length === 0) break;
        }
        expect(joined).toEqual(symbols(whole.list));
      }),
      { numRuns: 25 },
    );
  });
});

describe('a visitor', () => {
  test('never sees more than the twenty best ranked rows, over all filters, orders and pages', async () => {
    const best = new Set(symbols((await list({ pageSize: 20 })).list));
    const seen = new Set<string>();
    for (const sort of [undefined, 'rank', '-rank', 'symbol', '-price', 'score'])
      for (const suggestion of [undefined, ...DIRECTIONS])
        for (const current of [1, 2, 3]) {
          const data = await list({ sort, suggestion, current, pageSize: 10 }, 'visitor');
          expect(data.total).toBeLessThanOrEqual(20);
          for (const symbol of symbols(data.list)) seen.add(symbol);
        }
    expect([...seen].sort()).toEqual([...best].sort());
    expect((await list({ pageSize: 200, sort: '-rank' }, 'visitor')).list).toHaveLength(20);
  });

  test('gets prices of at least fifteen minutes ago, labelled, and the prices of no other coin', async () => {
    asked.length = 0;
    const data = await list({}, 'visitor');
    const tickers = (await app.as('visitor')(marketApi.ticker)).body.data;
    expect(data.delayed).toBe(true);
    expect(tickers.delayed).toBe(true);
    expect(tickers.at).toBe(app.now() - 15 * 60_000);
    expect(asked).toEqual([app.now() - 15 * 60_000, app.now() - 15 * 60_000]);
    expect(symbols(tickers.list as unknown as EvaluateRow[]).sort()).toEqual(symbols(data.list).sort());
    const worst = (await list({ sort: '-rank', pageSize: 1 })).list[0]!.symbol;
    expect((await app.as('visitor')(marketApi.ticker, { query: { symbol: worst } })).status).toBe(401);
  });

  test('sees no author', async () => {
    const first = (await list()).list[0]!.symbol;
    await app.as('editor')(evaluate.note, { body: { symbol: first, note: '谁写的' } });
    const row = (await list({}, 'visitor')).list.find(({ symbol }) => symbol === first);
    expect(row).toMatchObject({ note: '谁写的', noteBy: null });
    await app.as('editor')(evaluate.note, { body: { symbol: first, note: '' } });
  });

  test('tries a backtest of coins he sees, three an hour, over days that he may see', async () => {
    const [first, second] = symbols((await list({}, 'visitor')).list);
    const worst = (await list({ sort: '-rank', pageSize: 1 })).list[0]!.symbol;
    const trial = (long: string, short: string) =>
      app.as('visitor')(backtest.trial, { query: { source: 'simulated', long, short } });
    const unseen = await trial(first!, worst);
    expect([unseen.status, unseen.body.message]).toEqual([400, `访客只能试所见的前 20 个币种，没有 ${worst}`]);
    const tried = await trial(first!, second!);
    expect([tried.status, tried.body.data.long, tried.body.data.short]).toEqual([200, [first], [second]]);
    expect(tried.body.data.end).toBeLessThanOrEqual(app.now() - 15 * 60_000);
    const query = { source: 'simulated', long: first!, short: second!, end: app.now() };
    const { summary } = (
      await app.as('trader')(backtest.hedge, { query: { ...query, start: query.end - 90 * DAY_MS } })
    ).body.data;
    expect(tried.body.data.summary).toEqual(summary);
    expect([await trial(second!, first!), await trial(first!, second!)].map(({ status }) => status)).toEqual([
      200, 200,
    ]);
    const tooMany = await trial(first!, second!);
    expect([tooMany.status, tooMany.body.message]).toEqual([429, '试用回测次数已用完，登录后不限，请 60 分钟后再试']);
    // It is a share that is used up, no attack that a master should hear of.
    expect((await app.as('master')(userAdmin.locks)).body.data.list).toEqual([]);
    app.advance(61 * 60_000);
    const nextHour = [];
    for (let tries = 0; tries < 4; tries += 1) nextHour.push((await trial(first!, second!)).status);
    expect(nextHour).toEqual([200, 200, 200, 429]);
  });

  test('ranks on the day before until a quarter past midnight', async () => {
    let now = NEWEST + DAY_MS + 14 * 60_000;
    const own = await testApp({ db: app.db, markets: handMarkets(simulated), clock: () => now });
    const asOf = async (who: Who) => (await own.as(who)(evaluate.list)).body.data.asOf;
    expect(await asOf('trader')).toBe(NEWEST + DAY_MS);
    expect(await asOf('visitor')).toBe(NEWEST);
    now += 60_000;
    expect(await asOf('visitor')).toBe(NEWEST + DAY_MS);
    await own.close();
  });
});

describe('edits', () => {
  const history = async (symbol: string, query: Record<string, unknown> = {}) =>
    (await app.as('trader')(evaluate.history, { query: { symbol, ...query } })).body.data;

  test('write the evaluation and its history with author, time and price', async () => {
    const symbol = 'C20USDT';
    const before = (await list({ search: symbol })).list[0]!;
    expect(before).toMatchObject({ direction: null, note: '', noteBy: null, updatedAt: null });
    app.advance(60_000);
    const direction = await app.as('editor')(evaluate.direction, { body: { symbol, direction: 'long' } });
    expect(direction.body.data).toEqual({
      symbol,
      direction: 'long',
      note: '',
      noteBy: 'editor',
      updatedAt: app.now(),
    });
    app.advance(60_000);
    const note = await app.as('master')(evaluate.note, { body: { symbol, note: '  放量突破 ' } });
    expect(note.body.data).toMatchObject({
      direction: 'long',
      note: '  放量突破 ',
      noteBy: 'master',
      updatedAt: app.now(),
    });
    expect((await list({ search: symbol })).list[0]).toMatchObject({
      direction: 'long',
      note: '  放量突破 ',
      noteBy: 'master',
    });
    const { list: edits, total } = await history(symbol);
    expect(total).toBe(2);
    expect(edits).toMatchObject([
      {
        field: 'note',
        before: '',
        after: '  放量突破 ',
        author: 'master',
        at: app.now(),
        price: before.price,
        changeSince: 0,
      },
      { field: 'direction', before: '', after: 'long', author: 'editor', at: app.now() - 60_000 },
    ]);
    expect((await history(symbol, { pageSize: 1, current: 2 })).list).toEqual([edits[1]]);
    expect((await list({ direction: 'long' })).total).toBe(1);
    expect((await list({ hasNote: true })).total).toBe(1);
    expect((await list({ direction: 'none', pageSize: 200 })).total).toBe(29);
  });

  test('tell what the price did since', async () => {
    const { price } = (await imported.tickers())[0]!;
    let factor = 1;
    const moving: Market = {
      ...imported,
      tickers: async () => (await imported.tickers()).map((ticker) => ({ ...ticker, price: price * factor })),
    };
    const own = await testApp({ db: app.db, markets: handMarkets(moving) });
    await own.as('editor')(evaluate.direction, { body: { symbol: ODD, direction: 'short', source: 'bybit' } });
    factor = 0.8;
    const { data } = (await own.as('trader')(evaluate.history, { query: { symbol: ODD, source: 'bybit' } })).body;
    expect(data.list[0]?.price).toBe(price);
    expect(data.list[0]?.changeSince).toBeCloseTo(-0.2, 12);
    await own.close();
  });

  test('a direction and a note are taken back, with a place in the history', async () => {
    const symbol = 'C24USDT';
    const editor = app.as('editor');
    const direct = (direction: 'long' | null) => editor(evaluate.direction, { body: { symbol, direction } });
    const say = (note: string | null) => editor(evaluate.note, { body: { symbol, note } });
    await direct('long');
    await say('放量突破');
    expect((await direct(null)).body.data).toMatchObject({ direction: null, note: '放量突破', noteBy: 'editor' });
    expect((await say(null)).body.data).toMatchObject({ direction: null, note: '' });
    expect((await list({ search: symbol })).list[0]).toMatchObject({ direction: null, note: '' });
    expect((await history(symbol)).list).toMatchObject([
      { field: 'note', before: '放量突破', after: '' },
      { field: 'direction', before: 'long', after: '' },
      { field: 'note', before: '', after: '放量突破' },
      { field: 'direction', before: '', after: 'long' },
    ]);
    // What was never said is not taken back.
    await direct(null);
    expect((await history(symbol)).total).toBe(4);
    const body = { symbol: 'C25USDT', direction: null };
    expect((await editor(evaluate.direction, { body })).body.data).toMatchObject({ direction: null, updatedAt: null });
    expect((await history('C25USDT')).total).toBe(0);
  });

  test('a value that stands already leaves no trace', async () => {
    const symbol = 'C21USDT';
    const empty = await app.as('editor')(evaluate.note, { body: { symbol, note: '' } });
    expect(empty.body.data).toEqual({ symbol, direction: null, note: '', noteBy: null, updatedAt: null });
    await app.as('editor')(evaluate.note, { body: { symbol, note: '一' } });
    const again = await app.as('master')(evaluate.note, { body: { symbol, note: '一' } });
    expect(again.body.data.noteBy).toBe('editor');
    expect((await history(symbol)).total).toBe(1);
  });

  test('of many at once, each stands in the history after the one that it replaced', async () => {
    const symbol = 'C22USDT';
    const notes = Array.from({ length: 12 }, (_, i) => `评价 ${i}`);
    await Promise.all(
      notes.map((note, i) => app.as(i % 2 ? 'editor' : 'master')(evaluate.note, { body: { symbol, note } })),
    );
    const { list: edits } = await history(symbol);
    expect(edits.map(({ after }) => after).sort()).toEqual([...notes].sort());
    for (const [i, edit] of edits.entries()) expect(edit.before).toBe(edits[i + 1]?.after ?? '');
    expect((await list({ search: symbol })).list[0]?.note).toBe(edits[0]?.after);
  });

  test('belong to one source, and to a symbol of any spelling', async () => {
    await app.as('editor')(evaluate.note, { body: { symbol: ODD, note: '怪名', source: 'bybit' } });
    expect((await list({ source: 'bybit' })).list[0]).toMatchObject({ symbol: ODD, note: '怪名' });
    expect((await list({ hasNote: true, search: 'B/' })).total).toBe(0);
  });

  test('name the field that cannot be accepted', async () => {
    const editor = app.as('editor');
    const unknown = await editor(evaluate.note, { body: { symbol: 'NOSUCH', note: 'x' } });
    expect(unknown.body).toMatchObject({ code: 2002, data: { fields: [{ field: 'symbol' }] } });
    const source = await editor(evaluate.direction, { body: { symbol: 'C23USDT', direction: 'long', source: 'none' } });
    expect(source.body).toMatchObject({ code: 2001, data: { fields: [{ field: 'source' }] } });
    for (const note of ['x'.repeat(501), 'a\u0000b', '\ud800']) {
      const { status, body } = await editor(evaluate.note, { body: { symbol: 'C23USDT', note } });
      expect(status).toBe(400);
      expect(body.data).toMatchObject({ fields: [{ field: 'note' }] });
    }
    const { status } = await editor(evaluate.direction, { body: { symbol: 'C23USDT', direction: 'up' } });
    expect(status).toBe(400);
    expect((await app.as('trader')(evaluate.history, { query: { symbol: 'NOSUCH' } })).body.code).toBe(2002);
  });
});

test('a changed market is ranked anew, an unchanged one is not read again', async () => {
  let version = '1';
  let reads = 0;
  const counted: Market = {
    ...imported,
    version: () => version,
    candles: (...input) => {
      reads += 1;
      return imported.candles(...input);
    },
  };
  const own = await testApp({ db: app.db, markets: handMarkets(counted) });
  const read = () => own.as('trader')(evaluate.list, { query: { source: 'bybit' } });
  await Promise.all([read(), read()]);
  await read();
  expect(reads).toBe(1);
  version = '2';
  await read();
  expect(reads).toBe(2);
  await own.close();
});

test('a reading that failed is not kept', async () => {
  let broken = true;
  const shaky: Market = {
    ...imported,
    candles: (...input) => (broken ? Promise.reject(new Error('disk')) : imported.candles(...input)),
  };
  const own = await testApp({ db: app.db, markets: handMarkets(shaky) });
  const read = () => own.as('trader')(evaluate.list, { query: { source: 'bybit' } });
  expect((await read()).status).toBe(500);
  broken = false;
  expect((await read()).body.data.total).toBe(1);
  await own.close();
});
