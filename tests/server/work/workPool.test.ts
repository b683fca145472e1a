import { DAY_MS } from '#contract/duration';
import type { BacktestInput } from '../../../server/base/maths/backtest';
import { createWorkPool } from '../../../server/base/work/workPool';
import type { BacktestAnswer } from '../../../server/desk/backtest/backtest.worker';

const pool = createWorkPool();
afterAll(() => pool.close());

const shared = (values: number[]) => {
  const column = new Float64Array(new SharedArrayBuffer(values.length * 8));
  column.set(values);
  return column;
};

function coin(symbol: string, closes: number[]) {
  const close = shared(closes);
  const time = shared(closes.map((_, i) => i * DAY_MS));
  return { symbol, bars: { time, open: close, high: close, low: close, close }, funding: null, fundingHours: 8 };
}

function input(length: number, rebalance = 0): BacktestInput {
  const wave = (phase: number) => Array.from({ length }, (_, i) => 100 + 10 * Math.sin(i / 20 + phase));
  return {
    long: [coin('A', wave(0))],
    short: [coin('B', wave(1))],
    barMs: DAY_MS,
    capital: 10_000,
    leverage: 1,
    rebalance,
    fee: 0.0005,
    slippage: 0.0002,
    funding: true,
    benchmark: null,
  };
}

describe('the work pool', () => {
  test('computes in another thread while this one goes on', async () => {
    let beats = 0;
    const beat = setInterval(() => beats++, 5);
    const running = pool.run<BacktestInput, BacktestAnswer>('desk/backtest/backtest', input(400_000, 1));
    const answer = await running;
    clearInterval(beat);
    expect('figures' in answer && answer.figures.legTotal).toBe(2 * 399_999);
    expect('figures' in answer && answer.figures.legs).toHaveLength(2000);
    expect('figures' in answer && answer.figures.time.length).toBeLessThanOrEqual(3000);
    // The sums take well over 100 ms; a blocked loop would beat once or twice.
    expect(beats).toBeGreaterThan(10);
  });

  test('hands a refusal of the maths over with its reason and field', async () => {
    const answer = await pool.run<BacktestInput, BacktestAnswer>('desk/backtest/backtest', {
      ...input(10),
      start: 1e13,
    });
    expect(answer).toMatchObject({ refusal: { reason: 'noCommonHistory', field: 'long' } });
  });

  test('ends a run whose caller went away, and computes the next one', async () => {
    const controller = new AbortController();
    const running = pool.run('desk/backtest/backtest', input(400_000, 1), controller.signal);
    setTimeout(() => controller.abort(), 20);
    await expect(running).rejects.toMatchObject({ name: 'AbortError' });
    await expect(pool.run('desk/backtest/backtest', input(10))).resolves.toHaveProperty('figures');
  });

  test('holds two places for one person, and gives them back after success and after failure', async () => {
    const doors: (() => void)[] = [];
    const wait = () => pool.hold('anna', () => new Promise<void>((open) => doors.push(open)));
    const first = wait();
    const second = wait();
    await expect(wait()).rejects.toMatchObject({ status: 429, headers: { 'Retry-After': '2' } });
    await expect(pool.hold('ben', async () => 'served')).resolves.toBe('served');
    for (const open of doors) open();
    await Promise.all([first, second]);
    await expect(pool.hold('anna', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    await expect(Promise.all([1, 2].map((run) => pool.hold('anna', async () => run)))).resolves.toEqual([1, 2]);
  });
});
