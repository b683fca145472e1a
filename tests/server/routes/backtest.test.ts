import { backtest } from '#contract/backtest';
import { DAY_MS } from '#contract/duration';
import { service } from '#contract/service';
import { runBacktest } from '../../../server/base/maths/backtest';
import { fileApp, type Who } from '../../support/app';
import { type HandCoin, handMarket, handMarkets } from '../../support/handMarket';
import { heldBy } from '../../support/heldLoop';

const START = Date.UTC(2024, 0, 1);

const pause = (ms: number) => new Promise((soon) => setTimeout(soon, ms));

const wave = (length: number, phase: number, drift = 0) =>
  Array.from({ length }, (_, i) => 100 * (1 + drift * i) * (1 + 0.1 * Math.sin(i / 9 + phase)));

const every8h = (from: number, rate: number[]) => ({ time: rate.map((_, i) => from + ((i + 1) * DAY_MS) / 3), rate });

const coins: Record<string, HandCoin> = {
  BTCUSDT: { start: START, closes: { '1d': wave(400, 0, 0.001), '4h': wave(600, 0) } },
  ETHUSDT: {
    start: START,
    closes: { '1d': wave(400, 1), '4h': wave(600, 1) },
    funding: every8h(
      START,
      Array.from({ length: 1200 }, (_, i) => (i % 3 === 0 ? 0.0001 : -0.00005)),
    ),
    instrument: { fundingHours: 8 },
  },
  SOLUSDT: {
    start: START + 100 * DAY_MS,
    closes: { '1d': wave(200, 2) },
    funding: every8h(START + 100 * DAY_MS, [0.0001, 0.0002]),
    instrument: { fundingHours: 8 },
  },
  GAPUSDT: { start: START, closes: { '1d': wave(400, 2).map((close, i) => (i % 40 === 7 ? null : close)) } },
  'BTC/USDT:USDT': { start: START, closes: { '1d': wave(400, 3) } },
  OLDUSDT: { start: START - 900 * DAY_MS, closes: { '1d': wave(300, 0) } },
  HOURUSDT: { start: START, closes: { '1h': wave(500, 0) } },
};
const LONG_RUN = 25_000;
const heavy: Record<string, HandCoin> = Object.fromEntries(
  Array.from({ length: 40 }, (_, i) => [`C${i}USDT`, { start: 0, closes: { '1h': wave(LONG_RUN, i) } }]),
);
const bybit = handMarket('bybit', coins);

const server = await fileApp({ markets: handMarkets(bybit, handMarket('heavy', heavy)) });

async function ask(query: Record<string, string | number>, who: Who = 'trader') {
  const { status, headers, body } = await server.as(who)(backtest.hedge, { query: { source: 'bybit', ...query } });
  return { status, headers, ...body };
}

describe('GET /api/test/hedge', () => {
  test('answers what the maths computes from the stored candles', async () => {
    const { status, code, data } = await ask({ long: 'BTCUSDT', short: 'ETHUSDT', rebalance: 30, leverage: 2 });
    expect([status, code]).toEqual([200, 200]);
    const bars = async (symbol: string) => (await bybit.candles(symbol, '1d'))!;
    const expected = runBacktest({
      long: [{ symbol: 'BTCUSDT', bars: await bars('BTCUSDT'), funding: null, fundingHours: null }],
      short: [
        { symbol: 'ETHUSDT', bars: await bars('ETHUSDT'), funding: await bybit.funding('ETHUSDT'), fundingHours: 8 },
      ],
      barMs: DAY_MS,
      capital: 10_000,
      leverage: 2,
      rebalance: 30,
      fee: 0.0005,
      slippage: 0.0002,
      funding: true,
      benchmark: await bars('BTCUSDT'),
    });
    expect(data.summary).toEqual(expected.summary);
    expect(data.split).toEqual(expected.split);
    expect(data.equity).toEqual([...expected.equity]);
    expect(data.benchmark).toEqual([...expected.benchmark!]);
    expect(data.months).toEqual(expected.months);
    expect(data.honesty).toEqual(expected.honesty);
    expect(data).toMatchObject({ source: 'bybit', bar: '1d', long: ['BTCUSDT'], short: ['ETHUSDT'], capital: 10_000 });
    expect([data.start, data.end]).toEqual([START + DAY_MS, START + 400 * DAY_MS]);
    expect(data.legTotal).toBe(2 * Math.ceil(399 / 30));
    expect(data.legs).toHaveLength(data.legTotal);
    const { price, funding, fees, slippage, shortfall, net } = data.split;
    expect(price + funding + fees + slippage + shortfall).toBeCloseTo(net, 6);
    expect(data.legs.reduce((sum, leg) => sum + leg.net, 0) + shortfall).toBeCloseTo(net, 6);
    // One hedge however often it was rebalanced: far too few for a win rate.
    expect(data.trades).toEqual(expected.trades);
    expect(data.summary).toMatchObject({ trades: 1, winRate: null, expectancy: null, sqn: null });
    expect(data.summary.sharpe).not.toBeNull();
  });

  test('takes baskets, odd symbols, a bar and a window', async () => {
    const window = { start: START + 150 * DAY_MS, end: START + 180 * DAY_MS };
    const { data } = await ask({ long: 'SOLUSDT, BTCUSDT,SOLUSDT', short: 'ETHUSDT,BTC/USDT:USDT', ...window });
    expect(data.long).toEqual(['SOLUSDT', 'BTCUSDT']);
    expect(data.short).toEqual(['ETHUSDT', 'BTC/USDT:USDT']);
    expect([data.start, data.end]).toEqual([window.start, window.end]);
    expect(data.honesty.barsUsed).toBe(31);
    const lately = await ask({ long: 'BTCUSDT', short: 'ETHUSDT', days: 90 });
    expect([lately.data.start, lately.data.end]).toEqual([START + 310 * DAY_MS, START + 400 * DAY_MS]);
    const fine = await ask({ long: 'BTCUSDT', short: 'ETHUSDT', bar: '4h' });
    expect(fine.data).toMatchObject({ bar: '4h', honesty: { barsUsed: 600 } });
  });

  test('refuses a parameter that it does not know', async () => {
    const { status, data } = await ask({ long: 'BTCUSDT', short: 'ETHUSDT', leverge: 5 });
    expect(status).toBe(400);
    expect(data).toEqual({ fields: [{ field: 'leverge', message: '没有这个参数：leverge' }] });
  });

  test('tells what it had to leave out', async () => {
    const { data } = await ask({ long: 'SOLUSDT', short: 'ETHUSDT' });
    const sol = data.honesty.symbols.find(({ symbol }) => symbol === 'SOLUSDT');
    expect(sol).toMatchObject({ firstAt: START + 101 * DAY_MS, lastAt: START + 300 * DAY_MS, bars: 200 });
    // Two settlements are stored, both before the first close; each of the 199 days has three.
    expect(sol).toMatchObject({ fundingExpected: 597, fundingMissing: 597 });
    const free = await ask({ long: 'SOLUSDT', short: 'ETHUSDT', funding: 'false' });
    expect(free.data.honesty).toMatchObject({ fundingExpected: 0, fundingMissing: 0 });
    expect(free.data.split.funding).toBe(0);
    const gaps = await ask({ long: 'GAPUSDT', short: 'ETHUSDT' });
    expect(gaps.data.honesty).toMatchObject({ barsUsed: 390, barsDropped: 10 });
  });

  test.each([
    ['the same coin on both sides', { long: 'BTCUSDT,ETHUSDT', short: 'ETHUSDT' }, 4002, 'short', 'ETHUSDT'],
    ['an unknown long coin', { long: 'NOPEUSDT', short: 'ETHUSDT' }, 4001, 'long', 'NOPEUSDT'],
    ['an unknown short coin', { long: 'ETHUSDT', short: 'BTCUSDT,NOPEUSDT' }, 4001, 'short', 'NOPEUSDT'],
    ['coins that never lived together', { long: 'OLDUSDT', short: 'ETHUSDT' }, 4003, 'long', 'ETHUSDT'],
    [
      'a window without candles',
      { long: 'BTCUSDT', short: 'ETHUSDT', end: START - DAY_MS },
      4003,
      'start',
      '2024-01-02',
    ],
    ['a bar that one coin lacks', { long: 'BTCUSDT', short: 'SOLUSDT', bar: '4h' }, 4004, 'bar', 'SOLUSDT'],
    ['coins without a common bar', { long: 'BTCUSDT', short: 'HOURUSDT' }, 4004, 'bar', 'HOURUSDT'],
    ['an unknown source', { source: 'nowhere', long: 'BTCUSDT', short: 'ETHUSDT' }, 2001, 'source', '数据源'],
  ])('refuses %s and names the field', async (_, query, code, field, named) => {
    const reply = await ask(query);
    expect(reply).toMatchObject({ status: 200, code, data: { fields: [{ field }] } });
    expect(reply.message).toContain(named);
  });

  test.each([
    ['nothing on one side', { long: ' , ', short: 'ETHUSDT' }, 'long', '请输入多头'],
    ['no short side at all', { long: 'BTCUSDT' }, 'short', '请输入空头'],
    ['reversed dates', { long: 'BTCUSDT', short: 'ETHUSDT', start: START + DAY_MS, end: START }, 'end', '晚于'],
    ['equal dates', { long: 'BTCUSDT', short: 'ETHUSDT', start: START, end: START }, 'end', '晚于'],
    ['21 coins', { long: Array.from({ length: 21 }, (_, i) => `C${i}`).join(), short: 'ETHUSDT' }, 'long', '最多 20'],
    ['a negative capital', { long: 'BTCUSDT', short: 'ETHUSDT', capital: -5 }, 'capital', '初始资金不能小于 10'],
    ['an endless capital', { long: 'BTCUSDT', short: 'ETHUSDT', capital: '1e400' }, 'capital', '初始资金'],
    ['no number', { long: 'BTCUSDT', short: 'ETHUSDT', leverage: 'NaN' }, 'leverage', '杠杆'],
    ['leverage 21', { long: 'BTCUSDT', short: 'ETHUSDT', leverage: 21 }, 'leverage', '杠杆不能大于 20'],
    ['half a bar', { long: 'BTCUSDT', short: 'ETHUSDT', rebalance: 0.5 }, 'rebalance', '再平衡'],
    ['a fee above all reason', { long: 'BTCUSDT', short: 'ETHUSDT', fee: 0.06 }, 'fee', '手续费率不能大于 0.05'],
    ['a negative slippage', { long: 'BTCUSDT', short: 'ETHUSDT', slippage: -0.1 }, 'slippage', '滑点不能小于 0'],
    ['a bar that nobody keeps', { long: 'BTCUSDT', short: 'ETHUSDT', bar: '5m' }, 'bar', '周期只能是'],
    ['a date beyond all dates', { long: 'BTCUSDT', short: 'ETHUSDT', end: 9e15 }, 'end', '结束时间不能大于'],
    ['days that are none', { long: 'BTCUSDT', short: 'ETHUSDT', days: -1 }, 'days', '天数不能小于 0'],
    ['a source with a path', { source: '../x', long: 'BTCUSDT', short: 'ETHUSDT' }, 'source', '数据源的格式不正确'],
  ])('cannot accept %s', async (_, query, field, words) => {
    const reply = await ask(query);
    expect(reply).toMatchObject({ status: 400, code: 400, data: { fields: [{ field }] } });
    expect(reply.message).toContain(words);
  });

  describe('with long runs', () => {
    const half = (from: number) => Array.from({ length: 20 }, (_, i) => `C${from + i}USDT`).join();
    const long = { source: 'heavy', long: half(0), short: half(20), rebalance: 1 };

    test('lets a person run two at once, refuses the third, and serves others meanwhile', async () => {
      // Which of the three comes last is decided by the connections that read their sessions.
      const runs = [ask(long), ask(long), ask(long)];
      const other = ask({ long: 'BTCUSDT', short: 'ETHUSDT' }, 'editor');
      const answers = await Promise.all(runs);
      const [refused, ...more] = answers.filter(({ code }) => code !== 200);
      expect(refused).toMatchObject({ status: 429, code: 429, headers: { 'retry-after': '2' } });
      expect(refused?.message).toContain('请 2 秒后再试');
      expect(more).toEqual([]);
      await expect(other).resolves.toMatchObject({ code: 200 });
      await expect(ask({ long: 'BTCUSDT', short: 'ETHUSDT' })).resolves.toMatchObject({ code: 200 });
    });

    test('gives the place of a run back whose caller hung up', async () => {
      const address = await server.app.listen({ port: 0, host: '127.0.0.1' });
      const url = `${address}/api/test/hedge?${new URLSearchParams({ ...long, rebalance: '1' })}`;
      const hangUp = new AbortController();
      const cookie = await server.signIn('master', 'demo-master');
      const leave = () => fetch(url, { headers: { cookie }, signal: hangUp.signal });
      const runs = Promise.allSettled([leave(), leave()]);
      await pause(100);
      await expect(answeredWith(429)).resolves.toBe(true);
      hangUp.abort();
      expect((await runs).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
      await expect(answeredWith(4001)).resolves.toBe(true);
    });

    /** Asks for what is refused without a computation until the refusal is `code`; gives up long before a run ends. */
    async function answeredWith(code: number): Promise<boolean> {
      for (let tries = 0; tries < 15; tries++) {
        if ((await ask({ long: 'NOPEUSDT', short: 'ETHUSDT' }, 'master')).code === code) return true;
        await pause(20);
      }
      return false;
    }

    test('answers other calls while one is computed', async () => {
      // What else the machine does only adds to the time that the loop stood still: sums on this thread would hold it in each run.
      let shares: number[] = [];
      while (shares.length < 8 && shares.every((share) => share >= 1)) shares = [...shares, await shareHeld()];
      expect(Math.min(...shares)).toBeLessThan(1);
    });

    /** The longest that a run holds the event loop, as a share of what its sums take. */
    async function shareHeld(): Promise<number> {
      let answers = 0;
      let run: ReturnType<typeof ask>;
      const held = await heldBy(async () => {
        let isOver = false;
        run = ask(long).finally(() => {
          isOver = true;
        });
        while (!isOver) {
          expect((await server.as('visitor')(service.health)).status).toBe(200);
          answers++;
          // Seldomer as it goes on: a slow machine would ask more often than a minute allows.
          await pause(5 + 2 * answers);
        }
      }, 1);
      const { data } = await run!;
      expect(data.elapsedMs).toBeGreaterThan(100);
      expect(data.legTotal).toBe(40 * (LONG_RUN - 1));
      expect(data.legs).toHaveLength(2000);
      expect(data.time.length).toBeLessThanOrEqual(3000);
      expect(answers).toBeGreaterThan(5);
      // Reading and handing over what they need is this thread's own work.
      return held / data.elapsedMs;
    }
  });
});
